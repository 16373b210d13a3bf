/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fabric-sweep: discovers a fabric with mad_fabric.h and writes it in the formats that are wanted.
 * Outputs are opened before the sweep, so that a wrong name costs no sweep, and are emptied when
 * there is something to write.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "escape.h"
#include "sweep.h"

#define LATE_RESPONSES_MS 100

#define EXIT_USAGE	 2
#define EXIT_SIGNAL_BASE 128 /* as a shell reports a program that a signal has ended */

volatile sig_atomic_t sweep_stop_signal;

static sweep_writer *const writers[OUTPUTS] = {
	[OUTPUT_TEXT] = text_write, [OUTPUT_SUMMARY] = summary_write,
	[OUTPUT_JSON] = json_write, [OUTPUT_CSV] = csv_write,
	[OUTPUT_DOT] = dot_write,   [OUTPUT_PROMETHEUS] = prometheus_write,
	[OUTPUT_SVG] = svg_write,
};

struct output_file {
	FILE *file;
	bool created; /* was not there before */
};

static void remember_signal(int number)
{
	sweep_stop_signal = number;
}

/* The first Ctrl-C ends the sweep in good order, a second one ends the program. */
static void handle_signals(void)
{
	struct sigaction stop = { .sa_handler = remember_signal, .sa_flags = (int)SA_RESETHAND };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGPIPE, &ignore, NULL); /* writing fails, too */
}

static bool open_output(const struct options *options, int output, struct output_file *opened)
{
	const char *name = options->files[output];

	if (!name)
		return true;
	if (!strcmp(name, "-")) {
		opened->file = stdout;
		return true;
	}
	opened->created = access(name, F_OK) != 0;
	opened->file = fopen(name, "ae"); /* what is there stays until there is something new */
	if (!opened->file)
		complain("%s: %s: %s", options_output_name((enum output)output), name,
			 strerror(errno));
	return opened->file;
}

/* Names that differ may still be of one file: links, ./a and a. */
static bool are_same(FILE *one, FILE *other)
{
	struct stat a, b;

	return !fstat(fileno(one), &a) && !fstat(fileno(other), &b) && S_ISREG(a.st_mode) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool open_outputs(const struct options *options, struct output_file files[OUTPUTS])
{
	for (int i = 0; i < OUTPUTS; i++) {
		if (!open_output(options, i, &files[i]))
			return false;
		for (int j = 0; files[i].file && j < i; j++)
			if (files[j].file && are_same(files[i].file, files[j].file)) {
				complain("%s and %s are the same file: %s",
					 options_output_name((enum output)j),
					 options_output_name((enum output)i), options->files[i]);
				return false;
			}
	}
	return true;
}

/* Replaces what is in a file; a pipe or a terminal gets it as well. */
static bool replace_content(FILE *file, const char *text, size_t size)
{
	struct stat status;

	if (file != stdout && !fstat(fileno(file), &status) && S_ISREG(status.st_mode) &&
	    ftruncate(fileno(file), 0))
		return false;
	return fwrite(text, 1, size, file) == size && !fflush(file);
}

/*
 * Writes an output anew: made as a whole first, so that a reader of a file that is replaced again
 * and again finds half of it for a moment only.
 */
static bool write_output(const struct sweep *sweep, const struct options *options, int output,
			 FILE *file)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	bool good = memory != NULL;

	if (good) {
		writers[output](sweep, options, memory);
		good = !ferror(memory);
		good &= !fclose(memory) && replace_content(file, text, size);
	}
	if (!good)
		complain("%s: %s: %s", options_output_name((enum output)output),
			 options->files[output], strerror(errno));
	free(text);
	return good;
}

/* Writes every output that is wanted, also when another can't be written. */
static bool write_outputs(const struct sweep *sweep, const struct options *options,
			  const struct output_file files[OUTPUTS])
{
	bool good = true;

	for (int i = 0; i < OUTPUTS; i++)
		if (files[i].file)
			good &= write_output(sweep, options, i, files[i].file);
	return good;
}

/* Closes the outputs, and removes a new file that has remained empty. */
static void close_outputs(const struct options *options, struct output_file files[OUTPUTS])
{
	for (int i = 0; i < OUTPUTS; i++) {
		struct stat status;

		if (!files[i].file || files[i].file == stdout)
			continue;
		if (files[i].created && !fstat(fileno(files[i].file), &status) &&
		    S_ISREG(status.st_mode) && !status.st_size)
			unlink(options->files[i]);
		fclose(files[i].file);
	}
}

/*
 * Responses to what was in flight when the sweep was cancelled are still on their way, and ibsim's
 * umad2sim crashes when a port is closed under them. The response to the last request is the last
 * one.
 */
static void wait_for_late_responses(const struct ibmad_port *port)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t local = { 0 };

	smp_query_via(data, &local, IB_ATTR_NODE_INFO, 0, LATE_RESPONSES_MS, port);
}

static void print_statistics(const struct ibmad_port *port, const struct mad_fabric_info *info)
{
	struct mad_rpc_statistics statistics;

	if (mad_rpc_get_statistics(port, &statistics, sizeof(statistics)))
		return;
	fprintf(stderr,
		"%zu nodes, %zu links; MADs: %" PRIu64 " sent, %" PRIu64 " received, %" PRIu64
		" retries, %" PRIu64 " timeouts; discovery %" PRId64 " ms\n",
		info->nodes, info->links, statistics.sent, statistics.received, statistics.retries,
		statistics.timeouts, info->duration_ns / 1000000);
}

static void explain_discovery(int error)
{
	if (error == ETIMEDOUT)
		complain(
			"the local port does not respond to SMPs: is it an InfiniBand port, and is "
			"its link up?");
	else if (error == ECANCELED)
		complain("stopped before anything was found");
	else
		complain("cannot discover the fabric: %s", strerror(error));
}

/* A fabric that ends at the local port is most often a cable. */
static void warn_of_link(const struct mad_fabric_port *start)
{
	if (start && start->has_info && start->node->type != IB_NODE_SWITCH &&
	    start->physical_state != MAD_FABRIC_LINK_UP)
		complain("warning: the link of the local port is down (%s): nothing beyond it was "
			 "discovered",
			 physical_state_name(start->physical_state));
}

static void free_sweep(struct sweep *sweep)
{
	mad_fabric_free_counters(sweep->counters);
	mad_fabric_free(sweep->fabric);
	*sweep = (struct sweep){ 0 };
}

/* Sweeps once. Returns 0 or an errno; sweep->fabric is NULL when there is nothing. */
static int make_sweep(const struct options *options, struct ibmad_port *port, struct sweep *sweep)
{
	struct mad_fabric_options fabric_options = {
		.size = sizeof(fabric_options),
		.window = options->window,
		.timeout_ms = options->timeout_ms,
		.retries = options->retries,
		.max_hops = options->max_hops,
		.switches_only = options->switches_only,
		.progress = progress_show,
		.context = (void *)(uintptr_t)options,
	};
	int error;

	sweep->fabric = mad_fabric_discover(port, &fabric_options);
	if (!sweep->fabric) {
		error = errno;
		explain_discovery(error);
		return error;
	}
	error = mad_fabric_get_info(sweep->fabric)->error;
	if (options_want_counters(options)) /* after an early end, it only lists the ports */
		sweep->counters = mad_fabric_read_counters(port, sweep->fabric, &fabric_options);
	progress_clear();
	if (error && error != ECANCELED)
		complain("the sweep ended early: %s", strerror(error));
	if (options->statistics)
		print_statistics(port, mad_fabric_get_info(sweep->fabric));
	if (!error && sweep_stop_signal)
		error = ECANCELED;
	return error;
}

/* Names come from the wire: they are printed escaped. */
static void warn_of_row(const struct mad_fabric_port_counters *row)
{
	const struct mad_fabric_node *node = row->port->node;

	progress_clear();
	fputs("fabric-sweep: warning: ", stderr);
	escape_text(stderr, node->description);
	fprintf(stderr, "%s0x%016" PRIx64 "%s port %u: no counters: %s\n",
		node->description[0] ? " (" : "", node->guid, node->description[0] ? ")" : "",
		row->port->number, error_text(row->error));
}

static void warn_of_counters(const struct mad_fabric_counters *counters)
{
	const struct mad_fabric_port_counters *row = NULL;
	size_t without = 0;

	while (counters && (row = mad_fabric_next_counters(counters, row))) {
		if (row->error == EADDRNOTAVAIL)
			without++;
		else if (row->error && row->error != ECANCELED)
			warn_of_row(row);
	}
	if (without)
		complain("warning: no counters of %zu port%s without a LID: does a subnet manager "
			 "run?",
			 without, without == 1 ? "" : "s");
}

static void print_time(void)
{
	char when[32];

	format_time(time(NULL), when);
	printf("# %s\n", when);
}

/* Sweeps until a signal comes, and prints what differs from the sweep before. */
static int watch(const struct options *options, struct ibmad_port *port, struct sweep *last,
		 const struct output_file files[OUTPUTS])
{
	print_time();
	printf("# watching %zu nodes and %zu links\n", mad_fabric_get_info(last->fabric)->nodes,
	       mad_fabric_get_info(last->fabric)->links);
	for (;;) {
		struct timespec left = { .tv_sec = options->watch_seconds };
		struct sweep next = { 0 };
		int error;

		fflush(stdout);
		while (!sweep_stop_signal && nanosleep(&left, &left))
			;
		if (sweep_stop_signal)
			return ECANCELED;
		error = make_sweep(options, port, &next);
		if (error) {
			free_sweep(&next);
			return error;
		}
		print_time();
		changes_print(last->fabric, next.fabric, stdout);
		if (last->counters && next.counters)
			errors_print(last->counters, next.counters, stdout);
		free_sweep(last);
		*last = next;
		write_outputs(last, options, files);
	}
}

static int run(const struct options *options, struct ibmad_port *port,
	       const struct mad_fabric *older, const struct output_file files[OUTPUTS])
{
	struct sweep sweep = { 0 };
	int error = make_sweep(options, port, &sweep);
	int status = error ? EXIT_FAILURE : EXIT_SUCCESS;

	if (sweep.fabric) {
		warn_of_problems(sweep.fabric);
		warn_of_counters(sweep.counters);
		warn_of_link(mad_fabric_get_info(sweep.fabric)->start);
		if (older && changes_print(older, sweep.fabric, stdout) < 0)
			status = EXIT_FAILURE;
		if (!write_outputs(&sweep, options, files))
			status = EXIT_FAILURE;
		if (options->watch_seconds && !error)
			error = watch(options, port, &sweep, files);
	}
	if (error && error != ECANCELED)
		status = EXIT_FAILURE;
	if (sweep_stop_signal) {
		wait_for_late_responses(port);
		status = EXIT_SIGNAL_BASE + sweep_stop_signal;
	}
	free_sweep(&sweep);
	if (fflush(stdout)) {
		complain("standard output: %s", strerror(errno));
		return EXIT_FAILURE;
	}
	return status;
}

static int run_with_port(const struct options *options, const struct mad_fabric *older)
{
	struct output_file files[OUTPUTS] = { 0 };
	struct ibmad_port *port = NULL;
	int status = EXIT_FAILURE;

	if (open_outputs(options, files))
		port = open_port(options);
	if (port) {
		status = run(options, port, older, files);
		mad_rpc_close_port(port);
	}
	close_outputs(options, files);
	return status;
}

int main(int argc, char **argv)
{
	struct mad_fabric *older = NULL;
	struct options options;
	int status;

	switch (options_read(&options, argc, argv)) {
	case OPTIONS_GOOD:
		break;
	case OPTIONS_DONE:
		return EXIT_SUCCESS;
	default:
		return EXIT_USAGE;
	}
	handle_signals();
	if (options.diff) {
		older = json_read("--diff", options.diff);
		if (!older)
			return EXIT_FAILURE;
	}
	status = run_with_port(&options, older);
	mad_fabric_free(older);
	return status;
}
