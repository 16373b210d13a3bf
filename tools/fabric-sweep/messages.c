/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Messages on standard error, and how far the sweep is. */
#include <errno.h>
#include <stdarg.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "escape.h"
#include "sweep.h"

#define WARNINGS_SHOWN 1000

static const struct {
	int error;
	const char *text;
} error_texts[] = {
	{ ETIMEDOUT, "no response" },
	{ EIO, "refused" },
	{ EKEYREJECTED, "refused, maybe for a wrong key" },
	{ ECANCELED, "not asked" },
	{ EPROTO, "malformed response" },
	{ ELOOP, "too far away for a directed route" },
	{ EEXIST, "too many nodes with its GUID" },
	{ ENXIO, "no subnet manager" },
	{ EBADMSG, "a response was cut in transit" },
	{ ENODATA, "not known to the SA" },
	{ ENETDOWN, "the local port has no link" },
	{ EADDRNOTAVAIL, "no LID" },
	{ ENOSPC, "more nodes than a fabric has LIDs" },
};

#define MESSAGES_KEPT 16 /* of a round; further ones are printed again */

/* Messages of a round; none before the first round. */
struct round {
	size_t count;
	char *texts[MESSAGES_KEPT];
};
static struct round this_round, last_round;
static bool has_rounds;

void complain_next_round(void)
{
	for (size_t i = 0; i < last_round.count; i++)
		free(last_round.texts[i]);
	last_round = this_round;
	this_round.count = 0;
	has_rounds = true;
}

static bool is_in(const struct round *round, const char *text)
{
	for (size_t i = 0; i < round->count; i++)
		if (!strcmp(round->texts[i], text))
			return true;
	return false;
}

void complain(const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	escape_message(text);
	if (!is_in(&last_round, text)) {
		progress_clear();
		fprintf(stderr, "fabric-sweep: %s\n", text);
	}
	if (has_rounds && this_round.count < MESSAGES_KEPT && !is_in(&this_round, text))
		this_round.texts[this_round.count++] = text;
	else
		free(text);
}

const char *error_text(int error)
{
	for (size_t i = 0; i < sizeof(error_texts) / sizeof(error_texts[0]); i++)
		if (error_texts[i].error == error)
			return error_texts[i].text;
	return strerror(error);
}

int error_of_text(const char *text)
{
	for (size_t i = 0; i < sizeof(error_texts) / sizeof(error_texts[0]); i++)
		if (!strcmp(error_texts[i].text, text))
			return error_texts[i].error;
	return EIO;
}

bool flush_output(void)
{
	int error;

	if (!fflush(stdout) && !ferror(stdout))
		return true;
	error = errno ? errno : EIO;
	complain("standard output: %s", strerror(error));
	clearerr(stdout);
	errno = error;
	return false;
}

bool output_is_read(void)
{
	struct pollfd output = { .fd = STDOUT_FILENO };

	if (!flush_output())
		return errno != EPIPE;
	if (poll(&output, 1, 0) <= 0 || !(output.revents & POLLERR))
		return true;
	complain("standard output: %s", strerror(EPIPE));
	return false;
}

/* Has a node's name of the node name map instead of that in front of the GUID. */
void problem_text(const struct mad_fabric_problem *problem, char text[PROBLEM_SIZE])
{
	char guid[24], *rest, *with_name = NULL;
	size_t size;
	FILE *file;

	mad_fabric_problem_text(problem, text, PROBLEM_SIZE);
	snprintf(guid, sizeof(guid), "0x%016" PRIx64, problem->node->guid);
	rest = strstr(text, guid);
	if (!rest || node_name(problem->node) == problem->node->description)
		return;
	rest += strlen(guid);
	rest += *rest == ')';
	file = open_memstream(&with_name, &size);
	if (!file)
		return;
	print_node(problem->node, file);
	fputs(rest, file);
	if (!fclose(file))
		snprintf(text, PROBLEM_SIZE, "%s", with_name);
	free(with_name);
}

size_t problems_print(const struct mad_fabric *fabric, const char *begin, FILE *file)
{
	const struct mad_fabric_problem *problem = NULL;
	char text[PROBLEM_SIZE];

	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		problem_text(problem, text);
		fprintf(file, "%s%s\n", begin, text);
	}
	return mad_fabric_get_info(fabric)->problems;
}

static void warn_of_problems(const struct mad_fabric *fabric)
{
	const struct mad_fabric_problem *problem = NULL;
	size_t count = 0;
	char text[PROBLEM_SIZE];

	while ((problem = mad_fabric_next_problem(fabric, problem))) {
		if (++count > WARNINGS_SHOWN)
			continue;
		problem_text(problem, text);
		complain("warning: %s", text);
	}
	if (count)
		complain("%zu warning%s%s", count, count == 1 ? "" : "s",
			 count > WARNINGS_SHOWN ? ", of which 1000 are shown" : "");
}

/* A fabric that ends at the local port is most often a cable. */
static void warn_of_link(const struct mad_fabric_port *start)
{
	if (start && start->has_info && start->node->type != IB_NODE_SWITCH &&
	    start->physical_state != UMAD_PHYS_LINK_UP)
		complain("warning: the link of the local port is down (%s): nothing beyond it was "
			 "discovered",
			 physical_state_name(start->physical_state));
}

static void warn_of_row(const struct mad_fabric_counter_row *row)
{
	progress_clear();
	fputs("fabric-sweep: warning: ", stderr);
	print_end(mad_fabric_row_port(row), stderr);
	fprintf(stderr, ": no counters: %s\n", error_text(mad_fabric_row_error(row)));
}

static void warn_of_counters(const struct mad_fabric_counters *counters)
{
	const struct mad_fabric_counter_row *row = NULL;
	size_t without = 0, count = 0;

	while (counters && (row = mad_fabric_counters_next(counters, row))) {
		if (mad_fabric_row_error(row) == EADDRNOTAVAIL)
			without++;
		else if (mad_fabric_row_error(row) && mad_fabric_row_error(row) != ECANCELED &&
			 ++count <= WARNINGS_SHOWN)
			warn_of_row(row);
	}
	if (without)
		complain("warning: no counters of %zu port%s without a LID: does a subnet manager "
			 "run?",
			 without, without == 1 ? "" : "s");
}

void warn_of_sweep(const struct sweep *sweep)
{
	int sa_error = mad_fabric_get_info(sweep->fabric)->sa_error;
	char why[160];

	if (sa_error)
		complain("warning: --from-sa: %s; the fabric was discovered by directed routes",
			 error_text(sa_error));

	warn_of_problems(sweep->fabric);
	warn_of_counters(sweep->counters);
	warn_of_link(mad_fabric_get_info(sweep->fabric)->start);
	sweep_explain_partial(sweep, why, sizeof(why));
	if (why[0])
		complain("partial: %s", why);
}

/* How far the sweep is: one line that is overwritten, or a line from time to time. */
#define TERMINAL_NS INT64_C(100000000) /* as often as one can read it */
#define LOG_NS	    NS_PER_S

#define CLEAR_LINE "\r\033[K"

static bool shown;

static void print(const struct mad_fabric_progress *progress)
{
	if (progress->all_ports)
		fprintf(stderr, "counters: %zu of %zu ports (%zu%%)", progress->ports,
			progress->all_ports, progress->ports * 100 / progress->all_ports);
	else
		fprintf(stderr, "discovery: %zu nodes, %zu links, %zu requests to go",
			progress->nodes, progress->links, progress->pending);
}

/* Cancels when a signal has asked for it. */
bool progress_show(const struct mad_fabric_progress *progress, void *context)
{
	const struct options *options = context;
	bool terminal = isatty(STDERR_FILENO);
	static int64_t due_ns;
	int64_t now = now_ns();

	if (!options->progress || now < due_ns)
		return !sweep_stop_signal;
	due_ns = now + (terminal ? TERMINAL_NS : LOG_NS);
	if (terminal)
		fputs(CLEAR_LINE, stderr);
	print(progress);
	if (!terminal)
		putc('\n', stderr);
	shown = terminal;
	fflush(stderr);
	return !sweep_stop_signal;
}

void progress_clear(void)
{
	if (shown)
		fputs(CLEAR_LINE, stderr);
	shown = false;
}
