/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fabric-sweep: discovers a fabric with mad_fabric.h and writes it in the formats that are wanted.
 * What can be wrong with the command line and the outputs is found out before the sweep.
 */
#include <errno.h>
#include <stdlib.h>

#include "sweep.h"

/* Beside EXIT_SUCCESS and EXIT_FAILURE. */
#define EXIT_USAGE	 2
#define EXIT_FOUND	 3   /* changes, or something wrong */
#define EXIT_PARTIAL	 4   /* not everything could be read */
#define EXIT_SIGNAL_BASE 128 /* as a shell reports a program that a signal has ended */

volatile sig_atomic_t sweep_stop_signal;

/* What a sweep is compared with. */
struct references {
	struct mad_fabric *older;    /* NULL: nothing */
	struct mad_fabric *expected; /* for the keys of protected nodes; NULL: nothing is known */
	struct history history;	     /* of the counters that older has */
	struct thresholds thresholds;
};

static void remember_signal(int number)
{
	sweep_stop_signal = number;
}

/* The first Ctrl-C ends the sweep in good order, a second one ends the program. */
static void handle_signals(void)
{
	struct sigaction stop = { .sa_handler = remember_signal, .sa_flags = (int)SA_RESETHAND };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, hangup;

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN) /* not under nohup */
		sigaction(SIGHUP, &stop, NULL);
	sigaction(SIGPIPE, &ignore, NULL); /* writing fails, too */
	sigaction(SIGXFSZ, &ignore, NULL);
}

/* Prints what is wanted to standard output, and writes the files. */
static int report(const struct options *options, const struct references *references,
		  const struct sweep *sweep)
{
	int status = sweep_is_complete(sweep) ? EXIT_SUCCESS : EXIT_PARTIAL, changes = 0;

	warn_of_sweep(sweep);
	if (references->older)
		changes = changes_print(references->older, sweep->fabric, stdout);
	if (options->check &&
	    check_print(sweep, &references->thresholds, &references->history, stdout))
		status = EXIT_FOUND;
	if (changes > 0)
		status = EXIT_FOUND;
	if (!outputs_write(sweep, options) || changes < 0)
		status = EXIT_FAILURE;
	return status;
}

static int run(const struct options *options, const struct references *references,
	       struct ibmad_port **port)
{
	struct sweep sweep = { 0 };
	int error = sweep_make(options, *port, references->expected, &sweep), status = EXIT_FAILURE;

	if (sweep.fabric) {
		status = report(options, references, &sweep);
		error = mad_fabric_get_info(sweep.fabric)->error;
		if (error && error != ENETDOWN && !sweep_stop_signal)
			status = EXIT_FAILURE;
		error = 0;
	}
	sweep.error = error;
	if (options->watch_seconds && !sweep_stop_signal)
		status = watch(options, port, &sweep);
	if (sweep_stop_signal)
		status = EXIT_SIGNAL_BASE + sweep_stop_signal;
	sweep_free(&sweep);
	return flush_output() ? status : EXIT_FAILURE;
}

static int run_with_port(const struct options *options, const struct references *references)
{
	struct ibmad_port *port;
	int status = EXIT_FAILURE;

	if (!outputs_check(options))
		return EXIT_FAILURE;
	port = open_port(options);
	if (port)
		status = run(options, references, &port);
	if (port)
		close_port(port);
	return status;
}

int main(int argc, char **argv)
{
	struct references references = { 0 };
	struct options options;
	int status = EXIT_FAILURE;

	switch (options_read(&options, argc, argv)) {
	case OPTIONS_GOOD:
		break;
	case OPTIONS_DONE:
		return EXIT_SUCCESS;
	default:
		return EXIT_USAGE;
	}
	handle_signals();
	if (options.diff)
		references.older = json_read("--diff", options.diff, &references.history);
	if ((!options.diff || references.older) &&
	    thresholds_read(&references.thresholds, options.thresholds) &&
	    keys_read_neighbours(&options, &references.expected))
		status = run_with_port(&options, &references);
	free(references.history.rows);
	mad_fabric_free(references.older);
	mad_fabric_free(references.expected);
	return status;
}
