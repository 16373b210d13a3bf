/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fabric-sweep: discovers a fabric with asynchronous requests, and writes it as text, JSON, a
 * picture, and its port counters as CSV. It only reads: it changes nothing on the fabric.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "run.h"
#include "write.h"

#define LATE_ANSWERS_MS 100

#define EXIT_USAGE	 2
#define EXIT_SIGNAL_BASE 128 /* as a shell reports a program that a signal has ended */

static volatile sig_atomic_t stop_signal;

static void remember_signal(int number)
{
	stop_signal = number;
}

/* The first Ctrl-C ends the sweep in an orderly way, a second one ends the program. */
static void handle_signals(void)
{
	struct sigaction stop = { .sa_handler = remember_signal, .sa_flags = SA_RESETHAND };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGPIPE, &ignore, NULL); /* a write reports the error, too */
}

static void complain(const char *what, int error)
{
	fprintf(stderr, "fabric-sweep: %s: %s\n", what, strerror(error));
}

/* Sweeps, then reads counters if requested. 0, -EINTR or -errno. */
static int ask_fabric(const struct options *options, struct ibmad_port *port, struct fabric *fabric,
		      struct counters **counters)
{
	struct mad_async_options async_options = {
		.size = sizeof(async_options),
		.window = options->window,
		.timeout_ms = options->timeout_ms,
		.retries = options->retries,
	};
	struct run run = {
		.stop = &stop_signal,
		.progress = { .wanted = options->progress, .terminal = isatty(STDERR_FILENO) },
	};
	int error;

	run.async = mad_async_create(port, &async_options);
	if (!run.async)
		return -errno;
	error = sweep_fabric(&run, fabric);
	if (options->counters) /* after an early end, too: it then only lists the ports */
		error = counters_read(&run, fabric, counters);
	mad_async_destroy(run.async);
	return error;
}

/*
 * Responses to requests that were in flight when the sweep was stopped are still to arrive, and
 * ibsim's umad2sim crashes if the port is closed before they do. Responses arrive in the order of
 * the requests, so this sends one more request, to the local port, and waits for its response,
 * whose content does not matter.
 */
static void wait_for_late_answers(const struct ibmad_port *port)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t own = { 0 };

	smp_query_via(data, &own, IB_ATTR_NODE_INFO, 0, LATE_ANSWERS_MS, port);
}

static void print_statistics(const struct ibmad_port *port, const struct fabric *fabric,
			     int64_t started_ms)
{
	struct mad_rpc_statistics statistics;

	if (mad_rpc_get_statistics(port, &statistics, sizeof(statistics)))
		return;
	fprintf(stderr,
		"%zu nodes, %zu links; MADs: %" PRIu64 " sent, %" PRIu64 " received, %" PRIu64
		" retries, %" PRIu64 " timeouts; %" PRId64 " ms\n",
		fabric->number_of_nodes, fabric->number_of_links, statistics.sent,
		statistics.received, statistics.retries, statistics.timeouts,
		progress_now_ms() - started_ms);
}

static int open_and_ask(const struct options *options, struct fabric *fabric,
			struct counters **counters)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	int64_t started_ms = progress_now_ms();
	struct ibmad_port *port;
	int error;

	port = mad_rpc_open_port(options->device, options->port, classes, 3);
	if (!port) {
		complain("cannot open a local InfiniBand port", errno);
		return -ENODEV;
	}
	error = ask_fabric(options, port, fabric, counters);
	if (error == -EINTR)
		wait_for_late_answers(port);
	else if (error)
		complain("the sweep ended early", -error);
	if (options->statistics)
		print_statistics(port, fabric, started_ms);
	mad_rpc_close_port(port);
	return error;
}

static void print_warnings(const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric_warnings_kept(fabric); i++)
		fprintf(stderr, "fabric-sweep: warning: %s\n", fabric->warnings[i]);
	if (fabric->number_of_warnings)
		fprintf(stderr, "fabric-sweep: %zu warnings\n", fabric->number_of_warnings);
}

/* Opens one of the requested files; *file is NULL if it was not requested. */
static bool open_output(const char *name, FILE **file)
{
	*file = NULL;
	if (!name)
		return true;
	*file = strcmp(name, "-") ? fopen(name, "w") : stdout;
	if (!*file)
		complain(name, errno);
	return *file;
}

static bool close_output(const char *name, FILE *file)
{
	bool failed = ferror(file);

	if (file == stdout ? fflush(file) : fclose(file))
		failed = true;
	if (failed)
		complain(name, errno);
	return !failed;
}

static bool write_topology(const char *name, const struct fabric *fabric,
			   void (*write)(const struct fabric *fabric, FILE *file))
{
	FILE *file;

	if (!open_output(name, &file))
		return false;
	if (!file)
		return true;
	write(fabric, file);
	return close_output(name, file);
}

static bool write_counters(const char *name, const struct counters *counters)
{
	FILE *file;

	if (!counters)
		return true;
	if (!open_output(name, &file))
		return false;
	counters_write(counters, file);
	return close_output(name, file);
}

static bool write_svg(const char *name, const struct fabric *fabric)
{
	int error = name ? svg_write(fabric, name) : 0;

	if (error == -ENOENT)
		fprintf(stderr,
			"fabric-sweep: %s: dot is not installed (it comes with Graphviz); use "
			"--dot and "
			"draw the picture elsewhere\n",
			name);
	else if (error)
		complain(name, -error);
	return !error;
}

/* Writes every requested output, even if another one cannot be written. */
static bool write_all(const struct options *options, const struct fabric *fabric,
		      const struct counters *counters)
{
	bool good = write_topology(options->text, fabric, text_write);

	good &= write_topology(options->json, fabric, json_write);
	good &= write_topology(options->dot, fabric, dot_write);
	good &= write_counters(options->counters, counters);
	good &= write_svg(options->svg, fabric);
	return good;
}

static int run_sweep(const struct options *options)
{
	struct counters *counters = NULL;
	int status = EXIT_FAILURE, error;
	struct fabric fabric;

	error = fabric_init(&fabric);
	if (error) {
		complain("no memory for the fabric", -error);
		return EXIT_FAILURE;
	}
	error = open_and_ask(options, &fabric, &counters);
	print_warnings(&fabric);
	if (!error || fabric.number_of_nodes) {
		if (fabric_find_levels(&fabric))
			complain("no levels for the picture", ENOMEM);
		if (write_all(options, &fabric, counters) && !error)
			status = EXIT_SUCCESS;
	}
	if (error == -EINTR)
		status = EXIT_SIGNAL_BASE + stop_signal;
	counters_free(counters);
	fabric_destroy(&fabric);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;

	switch (options_read(&options, argc, argv)) {
	case OPTIONS_GOOD:
		handle_signals();
		return run_sweep(&options);
	case OPTIONS_HELP:
		return EXIT_SUCCESS;
	default:
		return EXIT_USAGE;
	}
}
