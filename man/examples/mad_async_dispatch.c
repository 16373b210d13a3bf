/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A main loop around poll(), and a request that is cancelled. */
#include <errno.h>
#include <infiniband/mad_async.h>
#include <poll.h>
#include <stdio.h>

static void print(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	(void)async;
	printf("%s: %s\n", (const char *)context,
	       result->error == ECANCELED ? "cancelled"
	       : result->error		  ? "failed"
					  : "responded");
}

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SMI_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_async *async = mad_async_create(port, NULL);
	ib_portid_t self = { 0 }, unused = { .lid = IB_MAX_UCAST_LID };
	struct pollfd input = { .events = POLLIN };
	char unused_name[] = "unused", self_name[] = "self";
	uint64_t id;

	if (!async)
		return 1;
	mad_async_smp_get(async, &unused, IB_ATTR_NODE_INFO, 0, print, unused_name, &id);
	mad_async_smp_get(async, &self, IB_ATTR_NODE_INFO, 0, print, self_name, NULL);
	printf("pending: %u\n", mad_async_pending(async));
	mad_async_cancel(async, id); /* before anything was sent */

	input.fd = mad_async_get_fd(async); /* from now on a thread sends and receives */
	while (mad_async_pending(async))
		if (poll(&input, 1, 10000) > 0)
			mad_async_dispatch(async, 0);
	printf("left to cancel: %u\n", mad_async_cancel_all(async));
	mad_async_destroy(async);
	mad_rpc_close_port(port);
	return 0;
}
