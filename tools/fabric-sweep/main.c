/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fabric-sweep: discovers a fabric with mad_fabric.h and writes it in the formats that are wanted.
 * Faults of the command line and of the names of outputs are found before the sweep.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep.h"

/* Beside EXIT_SUCCESS and EXIT_FAILURE. */
#define EXIT_USAGE	 2
#define EXIT_FOUND	 3   /* changes, or something wrong */
#define EXIT_PARTIAL	 4   /* not everything could be read */
#define EXIT_SIGNAL_BASE 128 /* as a shell reports a program that a signal has ended */

volatile sig_atomic_t sweep_stop_signal;

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
static int report(const struct options *options, const struct thresholds *thresholds,
		  const struct sweep *sweep, const struct state *before)
{
	int status = sweep_is_complete(sweep) ? EXIT_SUCCESS : EXIT_PARTIAL, changes = 0;
	bool found;

	warn_of_sweep(sweep);
	if (before->fabric && !options->rises)
		changes = changes_print(options, before->fabric, sweep->state->fabric, stdout);
	found = changes > 0;
	if (options->rises)
		found = check_worse(before, sweep->state, thresholds, false, stdout);
	else if (options->check && check_print(sweep, thresholds, before, stdout))
		found = true;
	/* Without a link of the local port, everything seems to be gone. */
	if (found && mad_fabric_get_info(sweep->fabric)->error != ENETDOWN)
		status = EXIT_FOUND;
	if (!outputs_write(sweep, options) || changes < 0)
		status = EXIT_FAILURE;
	return status;
}

static int take_first(const struct options *options, const struct thresholds *thresholds,
		      struct sweep *sweep, struct state *state)
{
	int error = mad_fabric_get_info(sweep->fabric)->error, status = EXIT_FAILURE;
	bool is_alone = !state->fabric && !options->watch_seconds; /* compared with no other */
	struct state before = { 0 };

	if (is_alone || state_take(state, sweep, options->keys, &before))
		status = report(options, thresholds, sweep, &before);
	state_free(&before);
	return error && error != ENETDOWN && !sweep_stop_signal ? EXIT_FAILURE : status;
}

static int run(const struct options *options, const struct thresholds *thresholds,
	       struct state *state, struct ibmad_port **port)
{
	struct sweep sweep = { .state = state, .last_complete = state->last_complete };
	int error = sweep_make(options, *port, state->expected, &sweep), status = EXIT_FAILURE;

	if (sweep.fabric)
		status = take_first(options, thresholds, &sweep, state);
	sweep.error = sweep.fabric ? 0 : error;
	if (options->watch_seconds && !sweep_stop_signal)
		status = watch(options, thresholds, port, &sweep, state);
	if (sweep_stop_signal == SIGTERM && options->watch_seconds)
		status = EXIT_SUCCESS; /* a service is ended so */
	else if (sweep_stop_signal)
		status = EXIT_SIGNAL_BASE + sweep_stop_signal;
	sweep_free(&sweep);
	return flush_output() ? status : EXIT_FAILURE;
}

/* --check alone reads counters only as far as its thresholds need them. */
static void set_limits(struct options *options, const struct thresholds *thresholds)
{
	if (!options_only_check(options))
		return;
	options->limits = thresholds->most;
	options->limit_count = counter_count();
}

static int run_with_port(const struct options *options, const struct thresholds *thresholds,
			 struct state *state)
{
	struct ibmad_port *port;
	int status = EXIT_FAILURE;

	if (!outputs_check(options))
		return EXIT_FAILURE;
	port = open_port(options);
	if (port)
		status = run(options, thresholds, state, &port);
	if (port)
		close_port(port);
	return status;
}

/* A service goes on from what its last run knew; it does without where that cannot be read. */
static bool read_state(const struct options *options, struct state *state)
{
	const char *own = options->watch_seconds ? options->files[OUTPUT_JSON] : NULL;

	if (options->diff)
		return state_read("--diff", options->diff, state);
	if (options->rises) {
		if (!json_read(fopen(options->rises, "re"), "--rises", options->rises, state))
			return false;
		if (!state->counters)
			complain("--rises: %s has no counters, as of a sweep with --check",
				 options->rises);
		return state->counters;
	}
	if (own && strcmp(own, "-") != 0 && !access(own, R_OK))
		json_read(fopen(own, "re"), "--json", own, state);
	return true;
}

/* fabric-sweep diff OLD NEW: needs no device. */
static int compare_files(const struct options *options, const struct thresholds *thresholds)
{
	struct state older = { 0 }, newer = { 0 };
	int status = EXIT_FAILURE, changes;

	if (state_read("diff", options->older, &older) &&
	    state_read("diff", options->newer, &newer)) {
		changes = changes_print(options, older.fabric, newer.fabric, stdout);
		if (changes >= 0)
			status = changes ? EXIT_FOUND : EXIT_SUCCESS;
		if (options->check && check_worse(&older, &newer, thresholds, false, stdout) &&
		    !status)
			status = EXIT_FOUND;
	}
	state_free(&older);
	state_free(&newer);
	return flush_output() ? status : EXIT_FAILURE;
}

/* A device that is opened while standard output is closed would get its descriptor and text. */
static void open_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", O_RDONLY); /* writing to it fails */
}

int main(int argc, char **argv)
{
	struct thresholds thresholds;
	struct state state = { 0 };
	struct options options;
	int status = EXIT_FAILURE;

	open_standard_files();
	switch (options_read(&options, argc, argv)) {
	case OPTIONS_GOOD:
		break;
	case OPTIONS_DONE:
		return flush_output() ? EXIT_SUCCESS : EXIT_FAILURE;
	default:
		return EXIT_USAGE;
	}
	handle_signals();
	if (!node_names_read(options.node_name_map) ||
	    !thresholds_read(&thresholds, options.thresholds))
		return EXIT_FAILURE;
	if (options.older)
		return compare_files(&options, &thresholds);
	if (read_state(&options, &state) && keys_read_neighbours(&options, &state.expected) &&
	    (!options.keys || state_expect(&state))) {
		set_limits(&options, &thresholds);
		status = run_with_port(&options, &thresholds, &state);
	}
	state_free(&state);
	return status;
}
