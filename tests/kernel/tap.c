/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* main() of the test programs; see tap.h. Each dprintf() is one write, so that lines of several
 * threads and processes do not mix. */
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum {
	CASE_SECONDS = 200,
	EXIT_FAILED = 1,
	EXIT_SKIPPED = 77,
	FAILURES_REPORTED = 12, /* of a check in a loop, for instance */
};

static atomic_uint failures;
static size_t number; /* of the case */
static struct test *test;

void tap_note(const char *format, ...)
{
	char line[400];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	dprintf(STDOUT_FILENO, "# %s\n", line);
}

void test_skip(const char *why)
{
	dprintf(STDOUT_FILENO, "ok %zu - %s # SKIP %s\n", number, test->name, why);
	_exit(EXIT_SKIPPED);
}

void test_fail(const char *format, ...)
{
	char line[400];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	fflush(stdout); /* the statements of a table */
	tap_note("%s", line);
	_exit(EXIT_FAILED);
}

bool tap_check(bool passed, const char *file, int line, const char *text)
{
	if (!passed && atomic_fetch_add(&failures, 1) < FAILURES_REPORTED)
		tap_note("%s:%d: not so: %s", strrchr(file, '/') + 1, line, text);
	return passed;
}

bool tap_check_equal(long long got, long long want, const char *file, int line, const char *text)
{
	if (got != want && atomic_fetch_add(&failures, 1) < FAILURES_REPORTED)
		tap_note("%s:%d: %s is %lld, not %lld", strrchr(file, '/') + 1, line, text, got,
			 want);
	return got == want;
}

/* Waits for the child's end, up to the limit; then ends it, and what it has started. */
static int wait_for_child(pid_t child)
{
	int status = EXIT_FAILED << 8, fd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd end = { .fd = fd, .events = POLLIN };

	if (fd >= 0 && poll(&end, 1, CASE_SECONDS * 1000) <= 0) {
		tap_note("still not over after %d s", CASE_SECONDS);
		kill(-child, SIGKILL);
	}
	close(fd);
	waitpid(child, &status, 0);
	kill(-child, SIGKILL);
	return status;
}

static bool run_case(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		setpgid(0, 0);
		test_play(test);
		exit(failures ? EXIT_FAILED : EXIT_SUCCESS); /* leak checkers have their turn */
	}
	status = child > 0 ? wait_for_child(child) : EXIT_FAILED << 8;
	if (WIFSIGNALED(status))
		tap_note("ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) == EXIT_SKIPPED)
		return true;
	else if (WEXITSTATUS(status) != EXIT_SUCCESS)
		tap_note("ended with status %d", WEXITSTATUS(status));
	dprintf(STDOUT_FILENO, "%s %zu - %s\n", status ? "not ok" : "ok", number, test->name);
	return !status;
}

int main(int argc, char **argv)
{
	const char *pattern = argc > 1 ? argv[1] : "*";
	bool passed = true;

	for (test = test_list; test; test = test->next) {
		if (!test_matches(test, pattern))
			continue;
		number++;
		passed = run_case() && passed;
	}
	dprintf(STDOUT_FILENO, "1..%zu\n", number);
	return passed && number ? EXIT_SUCCESS : EXIT_FAILED;
}
