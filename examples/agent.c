/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * agent SECONDS ROUNDS [GUID2MKEY]: a daemon with one thread and one poll loop. Every so many
 * seconds it reads PortCounters of all ports of the fabric, with many requests in flight, and
 * reports ports whose error counters have risen, and what happens to the local ports. SIGHUP reads
 * the file of keys again, as opensm writes it; SIGTERM ends it. ROUNDS 0: without limit.
 */
#include <err.h>
#include <errno.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_fabric.h>
#include <infiniband/mad_keys.h>
#include <infiniband/umad_monitor.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct target {
	const struct mad_fabric_port *port;
	ib_portid_t to;
	uint32_t errors; /* of the last round */
	bool is_known;
};

static struct target *targets;
static size_t target_count, responses, failures;

/* The sum of the error counters. Those of PortCounters stay at their greatest value. */
static uint32_t sum_errors(void *counters)
{
	uint32_t sum = 0;

	for (int field = IB_PC_ERR_SYM_F; field <= IB_PC_VL15_DROPPED_F; field++)
		sum += mad_get_field(counters, 0, field);
	return sum;
}

static void completed(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct target *target = context;
	uint32_t errors;

	(void)async;
	if (result->error) {
		failures++;
		return;
	}
	responses++;
	errors = sum_errors(result->data);
	if (target->is_known && errors > target->errors)
		printf("alert: %s port %u: %" PRIu32 " new errors\n",
		       target->port->node->description, target->port->port_number,
		       errors - target->errors);
	target->errors = errors;
	target->is_known = true;
}

static void add_target(const struct mad_fabric_node *node, unsigned number)
{
	const struct mad_fabric_port *port = mad_fabric_get_port(node, number);

	if (!port || !port->lid || port->physical_state != UMAD_PHYS_LINK_UP)
		return;
	targets = realloc(targets, (target_count + 1) * sizeof(*targets));
	if (!targets)
		err(1, "targets");
	targets[target_count++] = (struct target){
		.port = port,
		.to = { .lid = port->lid, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY },
	};
}

static void find_targets(const struct mad_fabric *fabric)
{
	const struct mad_fabric_node *node = NULL;

	while ((node = mad_fabric_next_node(fabric, node)))
		for (unsigned i = 1; i <= node->port_count; i++)
			add_target(node, i);
}

/* Submits all requests: the library keeps a window in flight, and queues the others. */
static void start_round(struct mad_async *async)
{
	for (size_t i = 0; i < target_count; i++) {
		struct mad_async_request request = {
			.to = &targets[i].to,
			.callback = completed,
			.context = &targets[i],
			.deadline_ms = 60000,
		};

		if (mad_async_perf_get(async, &request, IB_GSI_PORT_COUNTERS,
				       targets[i].port->port_number) < 0)
			err(1, "request");
	}
}

static void read_keys(struct ibmad_port *port, const char *path)
{
	struct mad_keys *keys = mad_keys_create();
	char why[256];

	if (!keys)
		err(1, "keys");
	if (mad_keys_read(keys, MAD_KEY_M, path, MAD_KEYS_ANY_READER, why, sizeof(why)) < 0)
		warnx("%s", why); /* and the port keeps the keys that it has */
	else
		mad_port_set_keys(port, keys);
	mad_keys_free(keys); /* the port still uses it */
	puts("keys read");
}

static void print_events(struct umad_monitor *monitor)
{
	struct umad_event event;

	while (monitor && umad_monitor_read(monitor, &event, 0) > 0)
		printf("event: %s %s %u\n", umad_event_str(event.type), event.ca_name,
		       event.port_number);
}

/* Returns false on SIGTERM and SIGINT. */
static bool handle_signal(int fd, struct ibmad_port *port, const char *keys)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return true;
	if (info.ssi_signo == SIGHUP && keys)
		read_keys(port, keys);
	return info.ssi_signo == SIGHUP;
}

static int open_timer(int seconds)
{
	struct itimerspec every = { .it_value.tv_nsec = 1, .it_interval.tv_sec = seconds };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	return fd < 0 || timerfd_settime(fd, 0, &every, NULL) < 0 ? -1 : fd;
}

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	return sigprocmask(SIG_BLOCK, &set, NULL) < 0
		       ? -1
		       : signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	int signals = open_signals(); /* before anything that may start a thread */
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 3);
	struct mad_async_options options = { .window = 64 };
	struct umad_monitor *monitor = umad_monitor_open(0); /* or NULL: without libnl-3 */
	struct mad_async *async = port ? mad_async_create(port, &options) : NULL;
	struct mad_fabric *fabric = async ? mad_fabric_discover(port, NULL) : NULL;
	unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 0, round = 0;
	const char *keys = argc > 3 ? argv[3] : NULL;
	bool ends = false;
	uint64_t ticks;

	if (!fabric)
		err(1, "no fabric");
	setvbuf(stdout, NULL, _IOLBF, 0);
	find_targets(fabric);
	if (keys)
		read_keys(port, keys);
	printf("%zu ports\n", target_count);

	struct pollfd fds[] = {
		{ .fd = mad_async_get_fd(async), .events = POLLIN },
		{ .fd = open_timer(argc > 1 ? atoi(argv[1]) : 60), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
		{ .fd = monitor ? umad_monitor_get_fd(monitor) : -1, .events = POLLIN },
	};

	while (!ends && (!rounds || round < rounds || mad_async_pending(async))) {
		if (poll(fds, 4, -1) < 0 && errno != EINTR)
			err(1, "poll");
		/* At most 1,000 callbacks, so that signals do not wait for thousands of responses.
		 */
		if (fds[0].revents && mad_async_dispatch(async, 1000, 0) < 0)
			err(1, "port"); /* removed, for instance */
		/* A round that takes longer than its interval is the last until it ends. */
		if (fds[1].revents && read(fds[1].fd, &ticks, sizeof(ticks)) > 0 &&
		    !mad_async_pending(async) && (!rounds || round++ < rounds))
			start_round(async);
		if (fds[2].revents)
			ends = !handle_signal(fds[2].fd, port, keys);
		if (fds[3].revents)
			print_events(monitor);
	}
	printf("%zu responses, %zu failures\n", responses, failures);
	mad_async_free(async);
	mad_fabric_free(fabric);
	umad_monitor_close(monitor);
	mad_rpc_close_port(port);
	free(targets);
	return 0;
}
