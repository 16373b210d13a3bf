/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Programs whose threads wait in their calls. */
#include <errno.h>
#include <string.h>

#include "invariants.h"
#include "kernel.h"
#include "programs.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

enum { BUFFER = 4096 };

uint32_t sim_plan(uint32_t limit)
{
	return sim_random_below(&sim_world.plans, limit);
}

int sim_plan_timeout(void)
{
	static const int timeouts[] = { 1, 2, 5, 10, 20, 50, 100, 200 };

	return timeouts[sim_plan(8)];
}

static int lid_of_block(unsigned block)
{
	return block < SIM_SILENT_BLOCKS ? SIM_FIRST_SILENT_LID + (int)block : 2 + (int)block % 4;
}

void sim_plan_rpc(ib_rpc_t *rpc, ib_portid_t *to, const struct sim_request *request)
{
	static const uint8_t classes[] = {
		IB_SMI_CLASS, IB_SMI_DIRECT_CLASS,	   IB_PERFORMANCE_CLASS,
		0x0a,	      IB_VENDOR_OPENIB_PING_CLASS, IB_SA_CLASS
	};
	uint8_t mgmt_class = classes[sim_plan(6)];
	bool in_block = sim_world.in_blocks && request->kind == SIM_REQUEST_ASYNC;
	bool smp = mgmt_class == IB_SMI_CLASS || mgmt_class == IB_SMI_DIRECT_CLASS;
	size_t offset;

	if (in_block && smp)
		mgmt_class = IB_SMI_CLASS; /* directed routes do not go to a LID of the block */
	offset = sim_data_offset(mgmt_class);
	memset(rpc, 0, sizeof(*rpc));
	memset(to, 0, sizeof(*to));
	rpc->mgtclass = mgmt_class;
	rpc->method = sim_plan(4) ? IB_MAD_METHOD_GET : IB_MAD_METHOD_SET;
	rpc->attr.id = 0x15;
	rpc->attr.mod = request->token;
	rpc->timeout = request->timeout_ms;
	rpc->dataoffs = (int)offset;
	rpc->datasz = smp ? IB_SMP_DATA_SIZE : (int)(IB_MAD_SIZE - offset);
	rpc->oui = SIM_OUI;
	to->lid = 2 + (int)sim_plan(6);
	if (sim_world.has_silent_lids && request->kind == SIM_REQUEST_ASYNC && sim_plan(5))
		to->lid = SIM_FIRST_SILENT_LID + (int)sim_plan(SIM_SILENT_LIDS);
	if (in_block)
		to->lid = lid_of_block(request->token / 8 % 16);
	to->qp = smp ? 0 : 1;
	to->qkey = smp ? 0 : IB_DEFAULT_QP1_QKEY;
	if (mgmt_class == IB_SMI_DIRECT_CLASS) {
		to->lid = 0;
		to->drpath.cnt = 1;
		to->drpath.p[1] = 1;
	}
}

void sim_plan_table(ib_rpc_t *rpc, ib_portid_t *to)
{
	rpc->mgtclass = IB_SA_CLASS;
	rpc->method = IB_MAD_METHOD_GET_TABLE;
	rpc->dataoffs = IB_SA_DATA_OFFS;
	rpc->datasz = IB_SA_DATA_SIZE;
	to->lid = 3;
	to->qp = 1;
	to->qkey = IB_DEFAULT_QP1_QKEY;
}

static struct ibmad_port *port_for(int mgmt_class)
{
	if (!sim_shared.pair)
		return sim_shared.port;
	return mgmt_class == IB_SMI_CLASS || mgmt_class == IB_SMI_DIRECT_CLASS
		       ? sim_shared.pair->smi.port
		       : sim_shared.pair->gsi.port;
}

struct sim_request *sim_begin_call(const char *function, int tries)
{
	struct sim_request *request =
		sim_request_new(SIM_REQUEST_BLOCKING, sim_plan_timeout(), tries, NULL);

	if (!request)
		return NULL;
	request->submitted = true;
	request->abandoned = sim_shared.was_cancelled[sim.current->number];
	sim_log("calls %s() with request 0x%x, %d ms, %d tries", function, request->token,
		request->timeout_ms, request->tries);
	errno = 0;
	return sim_shared.current[sim.current->number] = request;
}

void sim_end_call(struct sim_request *request, bool has_response, const uint32_t *status, int lid,
		  const uint8_t *data, size_t size)
{
	int error = errno;
	bool has_status = status ? *status
				 : error == EIO && request->expects_status &&
					   !request->write_error && !sim_kernel_is_removed;

	sim_shared.current[sim.current->number] = NULL;
	if (has_response && !sim_data_is_right(sim_data_of(request->token, lid), data, size))
		sim_broken("wrong-response", "request 0x%x gets the data of another",
			   request->token);
	if (has_response && error)
		sim_broken("errno", "a call with request 0x%x succeeds, and sets errno to %d",
			   request->token, error);
	sim_request_ended(request, has_response ? 0 : error, has_status);
}

/* A request of one MAD. */
static void call_rpc(struct sim_request *request)
{
	uint8_t payload[IB_MAD_SIZE] = { 0 }, data[IB_MAD_SIZE];
	ib_portid_t to;
	ib_rpc_t rpc;
	void *response;

	sim_plan_rpc(&rpc, &to, request);
	response = mad_rpc(port_for(rpc.mgtclass), &rpc, &to, payload, data);
	sim_end_call(request, response, &rpc.rstatus, to.lid, data, (size_t)rpc.datasz);
}

/* A request whose response has any number of packets. */
static void call_rmpp(struct sim_request *request)
{
	static uint8_t buffers[SIM_THREADS][BUFFER]; /* a buffer for each thread */
	uint8_t *data = buffers[sim.current->number];
	ib_portid_t to = { 0 };
	ib_rmpp_hdr_t rmpp = { 0 };
	ib_rpc_t rpc = { .attr = { .id = 0x15, .mod = request->token },
			 .timeout = request->timeout_ms };
	void *response;
	size_t size;

	memset(data, 0, IB_SA_DATA_SIZE);
	sim_plan_table(&rpc, &to);
	rpc.datasz = BUFFER;
	response = mad_rpc_rmpp(port_for(IB_SA_CLASS), &rpc, &to, &rmpp, data);
	size = rmpp.d2.len > 20 ? rmpp.d2.len - 20 : 0;
	sim_end_call(request, response, &rpc.rstatus, to.lid, data, size < BUFFER ? size : BUFFER);
}

static void call_smp(struct sim_request *request)
{
	ib_portid_t to = { .lid = 2 + (int)sim_plan(6) };
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	int status = 0;
	void *response =
		smp_query_status_via(data, &to, 0x15, request->token, (unsigned)request->timeout_ms,
				     &status, port_for(IB_SMI_CLASS));

	sim_end_call(request, response, (uint32_t *)&status, to.lid, data, sizeof(data));
}

void sim_make_blocking_call(void)
{
	struct sim_request *request = sim_begin_call("mad_rpc", sim_shared.retries);
	uint32_t kind = request ? sim_plan(4) : 0;

	if (!request)
		return;
	if (!kind)
		call_smp(request);
	else if (kind == 1)
		call_rmpp(request);
	else
		call_rpc(request);
}

void *sim_blocking_program(UNUSED void *unused)
{
	for (uint32_t calls = 1 + sim_plan(8); calls; calls--) {
		sim_make_blocking_call();
		if (!sim_plan(3))
			sim_sleep(sim_plan(20) * SIM_MS);
	}
	return NULL;
}

static void close_port(void *port)
{
	mad_rpc_close_port(port);
}

/* Uses a port of its own, beside others of the same device. */
void *sim_opening_program(UNUSED void *unused)
{
	int classes[] = { IB_SMI_CLASS };
	struct ibmad_port *port;
	struct sim_request *request;
	ib_portid_t to = { .lid = 9 };
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	struct sim_cleanup cleanup;

	if (sim_world.cancels_dispatchers && sim_plan(2)) /* takes effect in its wait alone */
		sim_cancel_program(sim.current->number);
	port = mad_rpc_open_port((char *)"mlx5_0", 1, classes, 1);
	if (!port)
		return NULL; /* the device is gone, or there is no memory */
	sim_cleanup_push(&cleanup, close_port, port);
	mad_rpc_set_retries(port, 2);
	request = sim_begin_call("smp_query_via", 2);
	if (request)
		sim_end_call(request,
			     smp_query_via(data, &to, 0x15, request->token,
					   (unsigned)request->timeout_ms, port),
			     NULL, to.lid, data, sizeof(data));
	sim_cleanup_pop(&cleanup);
	mad_rpc_close_port(port);
	return NULL;
}

void *sim_statistics_program(UNUSED void *unused)
{
	struct mad_rpc_statistics before = { 0 }, now;

	for (uint32_t looks = 2 + sim_plan(10); looks; looks--) {
		if (mad_rpc_get_statistics(sim_shared.port, &now))
			sim_broken("statistics", "mad_rpc_get_statistics() fails");
		if (now.sent < before.sent || now.received < before.received ||
		    now.retries < before.retries || now.timeouts < before.timeouts ||
		    now.unmatched < before.unmatched || now.redirected < before.redirected)
			sim_broken("statistics", "a counter went back");
		before = now;
		sim_sleep(sim_plan(60) * SIM_MS);
	}
	return NULL;
}
