/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* switch-ports: the state of all ports of the next switch, asked at the same time. */
#include <infiniband/mad_async.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called for each request once: with its answer, or with why there is none. */
static void print_port(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	int number = *(int *)context;
	char state[32];
	uint32_t value;

	(void)async;
	if (result->error) {
		printf("port %d: %s\n", number, strerror(result->error));
		return;
	}
	value = mad_get_field((void *)result->data, 0, IB_PORT_STATE_F);
	printf("port %d: %s\n", number,
	       mad_dump_val(IB_PORT_STATE_F, state, sizeof(state), &value));
}

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *from = mad_rpc_open_port(NULL, 0, classes, 1);
	struct mad_async *async = from ? mad_async_create(from, NULL) : NULL;
	ib_portid_t to = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	uint8_t node[IB_SMP_DATA_SIZE];
	int numbers[256], count;

	if (!async || !smp_query_via(node, &to, IB_ATTR_NODE_INFO, 0, 0, from)) {
		perror("no switch at port 1");
		return EXIT_FAILURE;
	}
	count = mad_get_field(node, 0, IB_NODE_NPORTS_F);
	for (int i = 1; i <= count; i++) { /* returns at once; the window holds back the rest */
		numbers[i] = i;
		if (mad_async_smp_get(async, &to, IB_ATTR_PORT_INFO, i, print_port, &numbers[i],
				      NULL) < 0)
			perror("submit");
	}
	while (mad_async_dispatch(async, -1) > 0) /* calls print_port() as answers come */
		;
	mad_async_destroy(async);
	mad_rpc_close_port(from);
	return EXIT_SUCCESS;
}
