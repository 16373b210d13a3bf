/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_async_submit LID: counters of a node, and its name. */
#include <infiniband/mad_async.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_counters(struct mad_async *async, const struct mad_async_result *result,
			   void *context)
{
	(void)async;
	printf("%s: ", (const char *)context);
	if (result->error)
		puts(strerror(result->error));
	else
		printf("%zu bytes, port %u\n", result->data_size,
		       mad_get_field(result->data, 0, IB_PC_PORT_SELECT_F));
}

static void print_name(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	(void)async;
	if (result->error)
		printf("%s: %s\n", (const char *)context, strerror(result->error));
	else
		printf("%s: %.64s\n", (const char *)context, (const char *)result->data);
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);
	struct mad_async *async = mad_async_create(port, NULL);
	ib_portid_t node = { .lid = argc > 1 ? atoi(argv[1]) : 1 };
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = IB_ATTR_NODE_DESC },
		.dataoffs = IB_SMP_DATA_OFFS,
		.datasz = IB_SMP_DATA_SIZE,
	};
	char name[] = "name", counters[] = "counters";
	struct mad_async_request req = { .to = &node, .callback = print_name, .context = name };
	int64_t id = async ? mad_async_submit(async, &req, &rpc, NULL) : -1;

	if (id < 0) {
		perror("mad_async_submit");
		return 1;
	}
	printf("an id: %s\n", id ? "yes" : "no");
	while (mad_async_dispatch(async, 0, -1) > 0)
		;
	req.callback = print_counters;
	req.context = counters;
	mad_async_perf_get(async, &req, IB_GSI_PORT_COUNTERS, 1);
	while (mad_async_dispatch(async, 0, -1) > 0)
		;
	mad_async_free(async);
	mad_rpc_close_port(port);
	return 0;
}
