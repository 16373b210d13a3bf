/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See run.h. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "invariants.h"
#include "kernel.h"
#include "run.h"
#include "scheduler.h"
#include "threads.h"

struct message {
	char rule[40];
	char text[200];
};

static pid_t child;
static int ends[2];

void sim_child_clear(void)
{
	child = 0;
}

bool sim_child_fork(void)
{
	sim_log("forks");
	sim_before_fork();
	fflush(stdout);
	if (child || pipe(ends) || (child = fork()) < 0) {
		child = 0;
		sim_after_fork(false);
		return false;
	}
	if (!child) {
		close(ends[0]);
		sim_watch_progress();
		sim_become_child();
		sim_files_share();
		sim_invariants_clear();
		sim_after_fork(true);
		sim_spoil_vanished();
		sim.current->name = "child";
		return true;
	}
	close(ends[1]);
	sim_after_fork(false);
	return false;
}

static void send_findings(void)
{
	for (unsigned i = 0; i < sim_finding_count; i++) {
		struct message message = { 0 };

		snprintf(message.rule, sizeof(message.rule), "child-%s", sim_findings[i].rule);
		memcpy(message.text, sim_findings[i].text, sizeof(message.text));
		if (write(ends[1], &message, sizeof(message)) < 0)
			_exit(EXIT_FAILURE);
	}
	fflush(stdout);
	_exit(EXIT_SUCCESS);
}

void sim_child_finish(void)
{
	static struct message messages[SIM_FINDINGS];
	int status = 0;

	if (sim.is_child)
		send_findings();
	if (!child)
		return;
	for (int i = 0; i < SIM_FINDINGS; i++) {
		if (read(ends[0], &messages[i], sizeof(messages[i])) !=
		    (ssize_t)sizeof(messages[i]))
			break;
		sim_broken(messages[i].rule, "%s", messages[i].text);
	}
	close(ends[0]);
	if (waitpid(child, &status, 0) != child || status)
		sim_broken("child-crash", "the child of the fork ended with status 0x%x", status);
}
