/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Servers, and programs that send without waiting. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "fabric.h"
#include "invariants.h"
#include "kernel.h"
#include "log.h"
#include "memory.h"
#include "programs.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

static void respond(void *umad)
{
	const uint8_t *mad = umad_get_mad(umad);

	if (mad[MAD_METHOD_AT] & IB_MAD_RESPONSE || umad_status(umad) ||
	    !(sim_get32(mad + MAD_MODIFIER_AT) & SIM_REMOTE_TOKEN) || !sim_plan(4))
		return;
	sim_log("responds to 0x%x", sim_get32(mad + MAD_MODIFIER_AT));
	if (mad_respond_via(umad, NULL, 0, sim_shared.port) && !sim_kernel_is_removed() &&
	    !sim_world.write_fails_once_in)
		sim_broken("server", "mad_respond_via() fails with %d", errno);
}

/* A receive that ends without a MAD. */
static void check_nothing(int error, int timeout_ms, int64_t began, bool own_buffer)
{
	int64_t lasted = sim.now - began, waiting;

	if (sim_kernel_is_removed() || sim_memory_has_failed() || sim_stalled_since(began - SIM_MS))
		return;
	if (error != ETIMEDOUT && error != EAGAIN && error != ENOSPC)
		sim_broken("server", "mad_receive_via() fails with %d", error);
	if (error == ENOSPC)
		return;
	if (lasted > timeout_ms * SIM_MS + sim_excused_since(began))
		sim_broken("receive-late", "mad_receive_via(%d) lasts %.3f ms", timeout_ms,
			   (double)lasted / SIM_MS);
	if (lasted < timeout_ms * SIM_MS)
		sim_broken("receive-early", "mad_receive_via(%d) gives up after %.3f ms",
			   timeout_ms, (double)lasted / SIM_MS);
	waiting = sim_fabric_oldest_unreceived(!own_buffer);
	if (waiting != SIM_NEVER && waiting < sim.now - sim_excused_since(sim.now))
		sim_broken("server-ignored",
			   "mad_receive_via(%d) gives up, and a request waits for %.3f ms",
			   timeout_ms, (double)(sim.now - waiting) / SIM_MS);
}

/* A request that came while a thread waited for one is received at once. */
static void check_received_in_time(const uint8_t *mad, int64_t began)
{
	int64_t since = sim_fabric_came_at(mad);

	if (since == SIM_NEVER || sim_kernel_is_removed() || sim_memory_has_failed())
		return;
	if (since < began)
		since = began;
	if (sim.now - since > sim_excused_since(since))
		sim_broken("received-late", "mad_receive_via() returns a request %.3f ms late",
			   (double)(sim.now - since) / SIM_MS);
}

/* Returns 0, or why nothing was received. */
static int receive(bool own_buffer, int timeout_ms)
{
	void *buffer = own_buffer ? mad_alloc() : NULL, *got;
	int64_t began = sim.now;
	const char *wrong;
	struct sim_cleanup cleanup;
	int error;

	if (own_buffer && !buffer)
		return ENOMEM;
	errno = 0;
	sim_cleanup_push(&cleanup, mad_free, buffer);
	got = mad_receive_via(buffer, timeout_ms, sim_shared.port);
	sim_cleanup_pop(&cleanup);
	error = errno;
	if (!got) {
		check_nothing(error, timeout_ms, began, own_buffer);
		mad_free(buffer);
		return error;
	}
	sim_log("receives 0x%x, status %d",
		sim_get32((uint8_t *)umad_get_mad(got) + MAD_MODIFIER_AT), umad_status(got));
	check_received_in_time(umad_get_mad(got), began);
	wrong = sim_fabric_check_received(umad_get_mad(got), (unsigned)umad_status(got));
	if (wrong)
		sim_broken("server-stranger", "a server receives %s", wrong);
	respond(got);
	mad_free(got);
	return 0;
}

/* A request that does not fit a server's buffer is reported once, to one of the servers. */
static void check_reported_long(void)
{
	unsigned came = sim_fabric_long_requests();

	if (++sim_shared.reported_long > came)
		sim_broken("server-blocked",
			   "%u times a request does not fit a server's buffer, and %u are so long",
			   sim_shared.reported_long, came);
}

void *sim_server_program(void *unused)
{
	bool own_buffers = sim_plan(2);

	(void)unused;
	for (uint32_t calls = 3 + sim_plan(25); calls; calls--) {
		int error = receive(own_buffers, (int)sim_plan(60));

		if (error == ENOSPC)
			check_reported_long();
		if (error == EIO || error == ENODEV)
			break;
	}
	return NULL;
}

void *sim_sender_program(void *unused)
{
	(void)unused;
	for (uint32_t calls = 1 + sim_plan(5); calls; calls--) {
		struct sim_request *request =
			sim_request_new(SIM_REQUEST_SENT_ONLY, sim_plan_timeout(), 1, NULL);
		ib_portid_t to = { .lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
		ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
				 .method = IB_MAD_METHOD_GET,
				 .attr.id = 0x15,
				 .dataoffs = IB_PC_DATA_OFFS,
				 .datasz = IB_PC_DATA_SZ };
		uint8_t data[IB_PC_DATA_SZ] = { 0 };

		if (!request)
			break;
		rpc.attr.mod = request->token;
		rpc.timeout = request->timeout_ms;
		sim_log("sends request 0x%x without waiting", request->token);
		if (mad_send_via(&rpc, &to, NULL, data, sim_shared.port) &&
		    !sim_kernel_is_removed() && !sim_world.write_fails_once_in &&
		    !sim_memory_has_failed())
			sim_broken("server", "mad_send_via() fails with %d", errno);
		sim_sleep(sim_plan(40) * SIM_MS);
	}
	return NULL;
}
