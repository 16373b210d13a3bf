/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-default.c - opening the default port.
 */
#include "cases.h"
#include "fabric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/mad_osd.h>

#include "libibmad/internal.h"

/*
 * madrpc_init() ends the process when it fails: it is called in a child, which prints the reason
 * last.
 */

/* What runs after the library has called exit() is not counted as its calls. */
static void end_of_faults(void)
{
	fault_disarm();
}

static void init_in_child(int words)
{
	bool reached;

	dup2(words, 2);
	atexit(end_of_faults);
	madrpc_init(NULL, 0, fabric_classes, FABRIC_CLASSES);
	reached = fault_disarm();
	mad_rpc_close_port(mad_state_set_default_port(NULL));
	_exit(reached ? 1 : 0);
}

/* Whether what was printed ends in the text of one of the errors. */
static bool ends_with(FILE *words, int error)
{
	char text[2048] = "";
	size_t length, wanted = strlen(strerror(error));

	rewind(words);
	length = fread(text, 1, sizeof(text) - 1, words);
	while (length && text[length - 1] == '\n')
		text[--length] = '\0';
	return length >= wanted && !strcmp(text + length - wanted, strerror(error));
}

static void call_madrpc_init(struct fault_run *run)
{
	FILE *words = tmpfile();
	int status = 0;
	pid_t child;

	fflush(NULL);
	fault_begin(run);
	child = fork();
	if (!child)
		init_in_child(fileno(words));
	fault_end(run);
	FAULT_EXPECT(run, child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	run->reached = WEXITSTATUS(status) != 0;
	run->saved_errno = EINVAL;
	for (int error = 1; WEXITSTATUS(status) == 255 && error < 134; error++)
		if (ends_with(words, error))
			run->saved_errno = error;
	fault_pointer(run, WEXITSTATUS(status) == 255 ? NULL : words);
	FAULT_EXPECT(run, WEXITSTATUS(status) <= 1 || WEXITSTATUS(status) == 255);
	fclose(words);
}

/* As mad_rpc_open_port(), but for the default port: others may be chosen. */
static const struct fault_rule init_rules[] = {
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV, EIO } },
	{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV } },
	{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL } },
	{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL } },
};

static bool same(const struct fault_run *run, const uint8_t *whole)
{
	return !memcmp(run->output, whole, FAULT_OUTPUT_SIZE);
}

static const struct fault_case cases[] = {
	FAULT_CASE(madrpc_init, NULL, fabric_bare, call_madrpc_init, 0, FAULT_RULES(init_rules),
		   .less = same),
};

const struct fault_group cases_default = FAULT_GROUP(cases);
