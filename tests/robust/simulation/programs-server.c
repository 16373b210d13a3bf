/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Servers, and programs that send without waiting. */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "invariants.h"
#include "kernel.h"
#include "programs.h"
#include "threads.h"
#include "world.h"

void sim_check_sent(const char *function, int result)
{
	if (result && !sim_things_fail() && !sim_world.write_fails_once_in)
		sim_broken("server", "%s() fails with %d", function, errno);
}

static void respond(void *umad)
{
	const uint8_t *mad = umad_get_mad(umad);

	if (mad[MAD_METHOD_AT] & IB_MAD_RESPONSE || umad_status(umad) ||
	    !(sim_token_of(mad) & SIM_REMOTE_TOKEN) || !sim_plan(4))
		return;
	sim_log("responds to 0x%x", sim_token_of(mad));
	sim_check_sent("mad_respond_via", mad_respond_via(umad, NULL, 0, sim_shared.port));
}

/* Whether another thread runs in a receive, and so may have taken what it has not returned yet. */
static bool another_takes(void)
{
	for (unsigned i = 0; i < sim.thread_count; i++) {
		const struct sim_thread *thread = &sim.threads[i];

		if (thread != sim.current && !thread->ended && sim_shared.receives[i] &&
		    (!thread->waits || !strcmp(thread->waits, "a mutex")))
			return true;
	}
	return false;
}

/* A receive that ends without a MAD. */
void sim_check_nothing_received(const char *function, int error, int timeout_ms, int64_t began,
				bool own_buffer)
{
	int64_t lasted = sim.now - began, waiting;

	if (sim_things_fail() || sim_stalled_since(began - SIM_MS))
		return;
	if (error != ETIMEDOUT && error != EAGAIN && (error != ENOSPC || !own_buffer))
		sim_broken("server", "%s() fails with %d", function, error);
	if (error == ENOSPC)
		return;
	if (timeout_ms < 0)
		sim_broken("receive-early", "%s(-1) gives up after %.3f ms", function,
			   (double)lasted / SIM_MS);
	if (lasted > timeout_ms * SIM_MS + sim_excused_since(began))
		sim_broken("receive-late", "%s(%d) lasts %.3f ms", function, timeout_ms,
			   (double)lasted / SIM_MS);
	if (lasted < timeout_ms * SIM_MS)
		sim_broken("receive-early", "%s(%d) gives up after %.3f ms", function, timeout_ms,
			   (double)lasted / SIM_MS);
	waiting = sim_fabric_oldest_unreceived(!own_buffer);
	if (waiting != SIM_NEVER && waiting < sim.now - sim_excused_since(sim.now) &&
	    !another_takes())
		sim_broken("server-ignored", "%s(%d) gives up, and a request waits for %.3f ms",
			   function, timeout_ms, (double)(sim.now - waiting) / SIM_MS);
}

/* A request that came while a thread waited for one is received at once. */
static void check_received_in_time(const char *function, const uint8_t *mad, int64_t began)
{
	const struct sim_packet *remote = sim_fabric_remote(sim_token_of(mad));
	int64_t since = remote && remote->readable_at > began ? remote->readable_at : began;

	if (remote && !sim_things_fail() && sim.now - since > sim_excused_since(since))
		sim_broken("received-late", "%s() returns a request %.3f ms late", function,
			   (double)(sim.now - since) / SIM_MS);
}

void sim_check_received(const char *function, const uint8_t *mad, unsigned status, int64_t began)
{
	const char *wrong;

	sim_log("receives 0x%x, status %u", sim_token_of(mad), status);
	check_received_in_time(function, mad, began);
	wrong = sim_fabric_check_received(mad, status);
	if (wrong)
		sim_broken("server-stranger", "a server receives %s", wrong);
}

/* Returns 0, or why nothing was received. */
static int receive(bool own_buffer, int timeout_ms)
{
	void *buffer = own_buffer ? mad_alloc() : NULL, *got;
	const struct sim_packet *remote;
	int64_t began = sim.now;
	const uint8_t *mad;
	struct sim_cleanup cleanup;
	int error;

	if (own_buffer && !buffer)
		return ENOMEM;
	errno = 0;
	sim_shared.receives[sim.current->number] = true;
	sim_cleanup_push(&cleanup, mad_free, buffer);
	got = mad_receive_via(buffer, timeout_ms, sim_shared.port);
	sim_cleanup_pop(&cleanup);
	sim_shared.receives[sim.current->number] = false;
	error = errno;
	if (!got) {
		sim_check_nothing_received("mad_receive_via", error, timeout_ms, began, own_buffer);
		mad_free(buffer);
		return error;
	}
	mad = umad_get_mad(got);
	sim_check_received("mad_receive_via", mad, (unsigned)umad_status(got), began);
	remote = sim_fabric_remote(sim_token_of(mad));
	if (remote && memcmp(mad, remote->mad, remote->length) != 0)
		sim_broken("message", "mad_receive_via() returns 0x%x in part", sim_token_of(mad));
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

void *sim_server_program(UNUSED void *unused)
{
	bool own_buffers = sim_plan(2);
	/* of four calls so many are mad_message_receive() */
	uint32_t messages = sim_world.has_messages ? sim_plan(5) : 0;

	sim_shared.servers++;
	for (uint32_t calls = 3 + sim_plan(25); calls; calls--) {
		int timeout_ms = (int)sim_plan(60);
		int error = messages && sim_plan(4) < messages ? sim_receive_message(timeout_ms)
							       : receive(own_buffers, timeout_ms);

		if (error == ENOSPC)
			check_reported_long();
		if (error == EIO || error == ENODEV)
			break;
	}
	return NULL;
}

static int send_request(void)
{
	struct sim_request *request =
		sim_request_new(SIM_REQUEST_SENT_ONLY, sim_plan_timeout(), 1, NULL);
	ib_portid_t to = { .lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_rpc_t rpc = { .mgtclass = sim_world.sends_to_sa ? IB_SA_CLASS : IB_PERFORMANCE_CLASS,
			 .method = IB_MAD_METHOD_GET,
			 .attr.id = 0x15,
			 .dataoffs = IB_PC_DATA_OFFS,
			 .datasz = IB_PC_DATA_SZ };
	uint8_t data[IB_PC_DATA_SZ] = { 0 };

	if (!request)
		return -1;
	rpc.attr.mod = request->token;
	rpc.timeout = request->timeout_ms;
	sim_log("sends request 0x%x without waiting", request->token);
	sim_check_sent("mad_send_via", mad_send_via(&rpc, &to, NULL, data, sim_shared.port));
	return 0;
}

void *sim_sender_program(UNUSED void *unused)
{
	for (uint32_t calls = 1 + sim_plan(5); calls; calls--) {
		bool is_message = sim_world.has_messages && sim_plan(4);

		if (is_message ? sim_send_message() : send_request())
			break;
		sim_sleep(sim_plan(40) * SIM_MS);
	}
	return NULL;
}
