/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* switch-ports: the state of all ports of the next switch, by requests in flight all at once. */
#include <infiniband/mad_async.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called once for each request: with its response, or with the reason why there is none. */
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
	value = mad_get_field(result->data, 0, IB_PORT_STATE_F);
	printf("port %d: %s\n", number,
	       mad_dump_val(IB_PORT_STATE_F, state, sizeof(state), &value));
}

/* Addresses the node at the end of the local port's link. Returns how many ports the node has,
 * or -1. */
static int find_switch(struct ibmad_port *from, ib_portid_t *to)
{
	ib_portid_t self = { 0 };
	uint8_t info[IB_SMP_DATA_SIZE];

	if (!smp_query_via(info, &self, IB_ATTR_PORT_INFO, 0, 0, from))
		return -1;
	*to = (ib_portid_t){ .drpath = { .cnt = 1 } };
	to->drpath.p[1] = mad_get_field(info, 0, IB_PORT_LOCAL_PORT_F);
	if (!smp_query_via(info, to, IB_ATTR_NODE_INFO, 0, 0, from))
		return -1;
	return mad_get_field(info, 0, IB_NODE_NPORTS_F);
}

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *from = mad_rpc_open_port(NULL, 0, classes, 1);
	struct mad_async *async = from ? mad_async_create(from, NULL) : NULL;
	int numbers[256], count;
	ib_portid_t to;

	count = async ? find_switch(from, &to) : -1;
	if (count < 0) {
		perror("no switch at the local port");
		return EXIT_FAILURE;
	}
	for (int i = 1; i <= count; i++) { /* returns at once; the window holds back the rest */
		struct mad_async_request req = {
			.to = &to,
			.callback = print_port,
			.context = &numbers[i],
		};

		numbers[i] = i;
		if (mad_async_smp(async, &req, IB_ATTR_PORT_INFO, i, NULL) < 0)
			perror("submit");
	}
	while (mad_async_dispatch(async, 0, -1) > 0) /* calls print_port() as responses arrive */
		;
	mad_async_free(async);
	mad_rpc_close_port(from);
	return EXIT_SUCCESS;
}
