/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* NodeInfo of 30 LIDs, eight requests in flight at a time. */
#include <infiniband/mad_async.h>
#include <stdio.h>

static void count(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	int *responses = context;

	(void)async;
	if (!result->error)
		++*responses;
}

int main(void)
{
	int classes[] = { IB_SMI_CLASS }, responses = 0;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	struct mad_async_options options = { .size = sizeof(options), .window = 8 };
	struct mad_async *async = mad_async_create(port, &options);

	if (!async) {
		perror("mad_async_create");
		return 1;
	}
	for (int lid = 1; lid <= 30; lid++) {
		ib_portid_t node = { .lid = lid };

		if (mad_async_smp_get(async, &node, IB_ATTR_NODE_INFO, 0, count, &responses, NULL))
			perror("mad_async_smp_get");
	}
	while (mad_async_dispatch(async, -1) > 0)
		;
	printf("%d responses\n", responses);
	mad_async_destroy(async);
	mad_rpc_close_port(port);
	return 0;
}
