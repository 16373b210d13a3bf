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
	struct mad_async_options options = { .window = 8 };
	struct mad_async *async = mad_async_create(port, &options);

	if (!async) {
		perror("mad_async_create");
		return 1;
	}
	for (int lid = 1; lid <= 30; lid++) {
		ib_portid_t node = { .lid = lid };
		struct mad_async_request req = {
			.to = &node,
			.callback = count,
			.context = &responses,
		};

		if (mad_async_smp(async, &req, IB_ATTR_NODE_INFO, 0, NULL) < 0)
			perror("mad_async_smp");
	}
	while (mad_async_dispatch(async, 0, -1) > 0)
		;
	printf("%d responses\n", responses);
	mad_async_free(async);
	mad_rpc_close_port(port);
	return 0;
}
