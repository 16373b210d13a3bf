/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Draws the picture: pipes the output of dot_write() to Graphviz's dot, which writes the file. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "write.h"

extern char **environ;

/* Starts dot with input as its standard input. Returns 0 or an errno. */
static int start_dot(const char *name, const int input[2], pid_t *pid)
{
	char *to_file[] = { (char *)"dot", (char *)"-Tsvg", (char *)"-o", (char *)name, NULL };
	char *to_stdout[] = { (char *)"dot", (char *)"-Tsvg", NULL };
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_addclose(&actions, input[0]);
	if (!error)
		error = posix_spawn_file_actions_addclose(&actions, input[1]);
	if (!error)
		error = posix_spawnp(pid, "dot", &actions, NULL,
				     strcmp(name, "-") ? to_file : to_stdout, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Writes everything to fd, and closes it. */
static void feed_dot(const struct fabric *fabric, int fd)
{
	FILE *file = fdopen(fd, "w");

	if (!file) {
		close(fd);
		return;
	}
	dot_write(fabric, file);
	fclose(file); /* dot reports errors of this */
}

static int wait_for_dot(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

/* 0; -ENOENT if dot is not installed; another -errno. SIGPIPE must be ignored. */
int svg_write(const struct fabric *fabric, const char *name)
{
	int input[2], error;
	pid_t pid;

	if (pipe(input))
		return -errno;
	error = start_dot(name, input, &pid);
	close(input[0]);
	if (error) {
		close(input[1]);
		return -error;
	}
	feed_dot(fabric, input[1]);
	return wait_for_dot(pid);
}
