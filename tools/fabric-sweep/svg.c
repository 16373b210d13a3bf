/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The picture as SVG: dot of Graphviz draws what dot_write() writes. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep.h"

extern char **environ;

/* Starts dot with the picture as its input. Returns what it draws; NULL with errno. */
static FILE *start_dot(FILE *picture, pid_t *pid)
{
	char *const arguments[] = { (char *)"dot", (char *)"-Tsvg", NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], error;
	FILE *drawn = NULL;

	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	error = posix_spawn_file_actions_init(&actions);
	if (!error) {
		posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDIN_FILENO);
		posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
		error = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(ends[1]);
	if (!error)
		drawn = fdopen(ends[0], "r");
	if (!drawn)
		close(ends[0]);
	if (error)
		errno = error;
	return drawn;
}

/* Returns 0, or the errno of a dot that failed. */
static int wait_for_dot(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : EIO;
}

/* Returns 0 or an errno. */
static int draw(FILE *picture, FILE *file)
{
	char bytes[4096];
	size_t length;
	pid_t pid = -1;
	FILE *drawn = start_dot(picture, &pid);
	int error = drawn ? 0 : errno, failed;

	if (!drawn)
		return error;
	while ((length = fread(bytes, 1, sizeof(bytes), drawn)) > 0 && !error)
		if (fwrite(bytes, 1, length, file) != length)
			error = errno;
	if (ferror(drawn)) /* a signal: nobody waits for the picture */
		error = EINTR;
	if (error)
		kill(pid, SIGTERM);
	fclose(drawn);
	failed = wait_for_dot(pid);
	return error ? error : failed;
}

bool svg_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	FILE *picture = tmpfile();
	int error = 0;

	if (!picture || !dot_write(sweep, options, picture) || fflush(picture) ||
	    fseek(picture, 0, SEEK_SET))
		error = errno;
	if (!error)
		error = draw(picture, file);
	if (picture)
		fclose(picture);
	errno = error;
	return !error;
}
