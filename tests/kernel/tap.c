/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Runs test cases, each in a child process, and prints what became of them; see tap.h.
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

enum {
	DEFAULT_SECONDS = 30,
	EXIT_FAILED = 1,
	EXIT_SKIPPED = 77,
	REASON_SIZE = 200,
	LINE_SIZE = 400,
	FAILURES_REPORTED = 12,
};

static atomic_uint failures;
static char *reason; /* why a case is skipped; its process writes it, ours reads it */

/* One write a line, so that lines of several processes and threads do not mix. */
static __attribute__((format(printf, 2, 0))) void print_line(const char *prefix, const char *format,
							     va_list arguments)
{
	char line[LINE_SIZE];
	int length = snprintf(line, sizeof(line), "%s", prefix);

	vsnprintf(line + length, sizeof(line) - length - 1, format, arguments);
	length = strlen(line);
	line[length++] = '\n';
	if (write(STDOUT_FILENO, line, length) != length)
		atomic_fetch_add(&failures, 1);
}

static __attribute__((format(printf, 1, 2))) void print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line("", format, arguments);
	va_end(arguments);
}

void tap_note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_line("# ", format, arguments);
	va_end(arguments);
}

void tap_skip(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, REASON_SIZE, format, arguments);
	va_end(arguments);
	_exit(EXIT_SKIPPED);
}

/* Counts a failure; returns whether to report it, since a check that fails in a loop fails often.
 */
static bool count_failure(void)
{
	unsigned before = atomic_fetch_add(&failures, 1);

	if (before == FAILURES_REPORTED)
		tap_note("(and more)");
	return before < FAILURES_REPORTED;
}

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

bool tap_check(bool passed, const char *file, int line, const char *text)
{
	if (!passed && count_failure())
		tap_note("%s:%d: not so: %s", base_name(file), line, text);
	return passed;
}

bool tap_check_equal(long long got, long long want, const char *file, int line, const char *text)
{
	if (got == want)
		return true;
	if (count_failure())
		tap_note("%s:%d: %s is %lld, not %lld", base_name(file), line, text, got, want);
	return false;
}

void *tap_symbol(const char *name)
{
	void *symbol = dlsym(RTLD_DEFAULT, name);

	if (!symbol)
		tap_skip("no %s() in this pair", name);
	return symbol;
}

static int case_seconds(void)
{
	const char *text = getenv("TAP_SECONDS");
	int seconds = text ? atoi(text) : 0;

	return seconds > 0 ? seconds : DEFAULT_SECONDS;
}

/* The child: its exit status is the case's. exit(), so that leak checkers have their turn. */
static void run_child(const struct test *test)
{
	setpgid(0, 0);
	test->run(NULL);
	exit(atomic_load(&failures) ? EXIT_FAILED : EXIT_SUCCESS);
}

/* Waits for the child's end, up to the limit; then ends it, and what it has started. */
static bool wait_for_child(pid_t child, int *status)
{
	int fd = (int)syscall(SYS_pidfd_open, child, 0);
	struct pollfd end = { .fd = fd, .events = POLLIN };
	bool in_time = fd < 0 || poll(&end, 1, case_seconds() * 1000) > 0;

	if (fd >= 0)
		close(fd);
	if (!in_time)
		kill(-child, SIGKILL);
	if (waitpid(child, status, 0) != child)
		*status = EXIT_FAILED << 8;
	kill(-child, SIGKILL);
	return in_time;
}

static bool report(size_t number, const char *name, bool in_time, int status)
{
	if (!in_time) {
		tap_note("still not over after %d s", case_seconds());
	} else if (WIFSIGNALED(status)) {
		tap_note("ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	} else if (WEXITSTATUS(status) == EXIT_SUCCESS) {
		print("ok %zu - %s", number, name);
		return true;
	} else if (WEXITSTATUS(status) == EXIT_SKIPPED) {
		print("ok %zu - %s # SKIP %s", number, name, reason);
		return true;
	} else if (WEXITSTATUS(status) != EXIT_FAILED) {
		tap_note("ended with status %d", WEXITSTATUS(status));
	}
	print("not ok %zu - %s", number, name);
	return false;
}

static bool run_case(size_t number, const struct test *test)
{
	int status = EXIT_FAILED << 8; /* where fork() fails */
	bool in_time = true;
	pid_t child = fork();

	if (!child)
		run_child(test);
	if (child > 0)
		in_time = wait_for_child(child, &status);
	return report(number, test->name, in_time, status);
}

static bool begin(size_t count)
{
	reason = mmap(NULL, REASON_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (reason == MAP_FAILED) {
		print("Bail out! no memory");
		return false;
	}
	print("1..%zu", count);
	return true;
}

int tap_run_tests(void)
{
	size_t count = 0, number = 0;
	bool passed;

	for (const struct test *test = test_list; test; test = test->next)
		count++;
	passed = begin(count);
	for (const struct test *test = test_list; reason != MAP_FAILED && test; test = test->next)
		passed = run_case(++number, test) && passed;
	return passed ? EXIT_SUCCESS : EXIT_FAILED;
}
