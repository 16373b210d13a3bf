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
	struct mad_async_request req = { .callback = print, .deadline_ms = 5000 };
	struct pollfd input = { .events = POLLIN };
	char unused_name[] = "unused", self_name[] = "self";
	int64_t id;

	if (!async)
		return 1;
	req.to = &unused;
	req.context = unused_name;
	id = mad_async_smp(async, &req, IB_ATTR_NODE_INFO, 0, NULL);
	req.to = &self;
	req.context = self_name;
	mad_async_smp(async, &req, IB_ATTR_NODE_INFO, 0, NULL);
	printf("pending: %d\n", mad_async_pending(async));
	if (id > 0)
		mad_async_cancel(async, id);

	input.fd = mad_async_get_fd(async);
	while (mad_async_pending(async) > 0)
		if (poll(&input, 1, 10000) > 0)
			mad_async_dispatch(async, 0, 0);
	printf("left to cancel: %d\n", mad_async_cancel_all(async));
	mad_async_free(async);
	mad_rpc_close_port(port);
	return 0;
}
