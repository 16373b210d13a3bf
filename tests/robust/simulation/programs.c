/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The first thread of a simulated process: opens a port, starts the others, and cleans up. */
#include "programs.h"

#include <errno.h>
#include <string.h>

#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "world.h"

struct sim_shared sim_shared;

static int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS,	    IB_PERFORMANCE_CLASS,
			 0x0a,	       IB_VENDOR_OPENIB_PING_CLASS, IB_SA_CLASS };

enum { CLASSES = sizeof(classes) / sizeof(classes[0]), THREADS_MAX = 6, FOR_WORLD_MAX = 11 };

static int threads[1 + FOR_WORLD_MAX + THREADS_MAX], started;

static bool open_ports(void)
{
	char name[] = "mlx5_0";

	if (!sim_world.shares_queue && !sim_plan(8) && !sim_world.has_loop) {
		sim_shared.pair = mad_rpc_open_port2(name, 1, classes, CLASSES, 1);
		if (sim_shared.pair)
			sim_shared.port = sim_shared.pair->gsi.port;
	} else {
		sim_shared.port = mad_rpc_open_port(name, 1, classes, CLASSES);
	}
	if (!sim_shared.port) {
		sim_broken("open", "no port can be opened: %s", strerror(errno));
		return false;
	}
	sim_shared.retries = 1 + (int)sim_plan(3);
	mad_rpc_set_retries(sim_shared.port, sim_shared.retries);
	if (sim_shared.pair)
		mad_rpc_set_retries(sim_shared.pair->smi.port, sim_shared.retries);
	return true;
}

static void start(const char *name, void *(*program)(void *))
{
	threads[started++] = sim_start_thread(name, program, NULL);
}

static void start_one(void)
{
	uint32_t role = sim_plan(sim_world.receive_queue == 16 ? 13 : 40);

	if (role >= 13 && role < 28) {
		start("async", sim_async_program);
	} else if (role >= 28 && role < 32 && sim_shared.has_server) {
		start("server", sim_server_program);
	} else if (role >= 28 && role < 34) {
		start("sender", sim_sender_program);
	} else if (role == 34 || role == 35) {
		start("statistics", sim_statistics_program);
	} else if (role == 37) {
		start("cancelling", sim_cancelling_program);
	} else if (role == 38 && !sim_plan(3) && !sim_shared.forks) {
		sim_shared.forks = true;
		start("forking", sim_forking_program);
	} else if (role == 39) {
		sim_shared.opens = true;
		start("opening", sim_opening_program);
	} else {
		start("blocking", sim_blocking_program);
	}
}

/* The threads that some worlds are about. */
static void start_for_world(void)
{
	if (sim_world.has_loop)
		start("loop", sim_loop_program);
	if (sim_world.cancels_dispatchers)
		start("async", sim_async_program);
	if (sim_world.shares_queue)
		start("async", sim_async_program);
	if (sim_world.cancels_dispatchers || (sim_world.has_messages && sim_plan(2)))
		start("canceller", sim_waiters_cancelling_program);
	if (sim_world.cancels_dispatchers && !sim_plan(3)) {
		sim_shared.opens = true;
		start("opening", sim_opening_program);
	}
	if (sim_world.has_messages)
		start("server", sim_server_program);
	if (sim_world.has_messages && sim_plan(2))
		start("server", sim_server_program);
	if (sim_world.has_messages && sim_plan(2))
		start("sender", sim_sender_program);
	if (sim_world.has_senders) {
		start("async", sim_async_program);
		start("sender", sim_sender_program);
		start("sender", sim_sender_program);
	}
}

static void run_threads(void)
{
	int count = 1 + (int)sim_plan(THREADS_MAX), endless = -1;

	started = 0;
	if (sim_shared.locks)
		start("locking", sim_locking_program);
	start_for_world();
	if (sim_world.has_messages && sim_plan(2))
		endless = sim_start_thread("server", sim_endless_server_program, NULL);
	while (started < count && !sim_world.is_alone)
		start_one();
	for (int i = 0; i < started; i++)
		sim_join_thread(threads[i]);
	if (endless >= 0)
		sim_cancel_program((unsigned)endless);
	sim_join_thread(endless);
}

static void check_port(const struct ibmad_port *port)
{
	const struct sim_file *file = sim_kernel_file(mad_rpc_portid((struct ibmad_port *)port));
	struct mad_rpc_statistics statistics;
	bool several = sim_shared.pair || sim_shared.locks || sim_shared.forks || sim_shared.opens;

	if (mad_rpc_get_statistics(port, &statistics) || !file)
		sim_broken("statistics", "there are none");
	else
		sim_requests_check_statistics(&statistics, file, several);
}

static void close_ports(void)
{
	if (sim_shared.pair) {
		check_port(sim_shared.pair->smi.port);
		check_port(sim_shared.pair->gsi.port);
		mad_rpc_close_port2(sim_shared.pair);
	} else {
		check_port(sim_shared.port);
		mad_rpc_close_port(sim_shared.port);
	}
}

void *sim_main_program(UNUSED void *unused)
{
	memset(&sim_shared, 0, sizeof(sim_shared));
	madrpc_show_errors(sim_world.shows_errors);
	if (!open_ports())
		return NULL;
	sim_shared.has_server = sim_world.has_messages || sim_plan(2);
	if (sim_shared.has_server &&
	    mad_register_server_via(SIM_SERVER_CLASS, 1, NULL, SIM_OUI, sim_shared.port) < 0)
		sim_broken("open", "the server class can't be registered: %d", errno);
	sim_shared.locks = !sim_plan(16) && !sim_world.is_alone;
	if (sim_shared.locks) {
		madrpc_init((char *)"mlx5_0", 1, classes, 1);
		madrpc_set_retries(sim_shared.retries);
	}
	sim_kernel_plan_removal(sim_world.removed_at);
	sim_memory_may_fail = true;
	run_threads();
	sim_memory_may_fail = false;
	if (sim_world.has_messages)
		sim_receive_rest();
	sim_requests_check_all_ended();
	close_ports();
	return NULL;
}
