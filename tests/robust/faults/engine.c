/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* engine.c - see engine.h. Says on standard output what it ran, and what was wrong. */
#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <netlink/errno.h>

enum {
	UNTOLD = 9999,	     /* errno before a call: no errno has it */
	HANGS_AFTER_S = 120, /* for one run */
	MOST_RUNS = 2000,    /* of one kind of failure: more is a loop without end */
	COMPLAINTS = 5,	     /* shown of a case */
};

/* What each call can fail with, as far as it makes a difference. */
static const int open_errors[] = {
	ENOENT, EACCES, ENODEV, ENXIO, EIO, EMFILE, ENFILE, ENOMEM, EINTR
};
static const int close_errors[] = { EIO, EINTR };
static const int read_errors[] = { EIO, EINVAL, ENODEV, ENOMEM, EAGAIN, EINTR, FAULT_SHORT };
static const int write_errors[] = { EIO, EINVAL, ENODEV, ENOMEM, EAGAIN, EINTR, FAULT_SHORT };
static const int poll_errors[] = { EINVAL, ENOMEM, EFAULT, EINTR, FAULT_SHORT };
static const int ioctl_errors[] = { EINVAL, ENOTTY, ENOMEM, EPERM, EBUSY, ENODEV, EFAULT, EINTR };
static const int opendir_errors[] = { ENOENT, ENOTDIR, EACCES, EMFILE, ENFILE, ENOMEM };
static const int readdir_errors[] = { EIO, ENOENT };
static const int memory_errors[] = { ENOMEM };
static const int init_errors[] = { EAGAIN, ENOMEM };
static const int thread_errors[] = { EAGAIN, EPERM };
static const int descriptor_errors[] = { EMFILE, ENFILE, ENOMEM };
static const int epoll_ctl_errors[] = { ENOMEM, ENOSPC };
static const int random_errors[] = { EAGAIN, ENOSYS, EINTR, FAULT_SHORT };
static const int openat_errors[] = { EACCES, EEXIST, ENOENT, EMFILE, ENOSPC, EROFS };
static const int writev_errors[] = { EIO, ENOSPC, EINTR, FAULT_SHORT };
static const int stat_errors[] = { EIO, ENOMEM, EOVERFLOW };
static const int rename_errors[] = { EACCES, ENOSPC, EIO };
static const int load_errors[] = { ENOENT };
static const int netlink_connect_errors[] = { NLE_NOMEM, NLE_PROTO_MISMATCH, NLE_PERM,
					      NLE_AF_NOSUPPORT };
static const int netlink_errors[] = { NLE_NOMEM, NLE_PERM, NLE_BAD_SOCK };

#define ERRORS(array)                                       \
	{                                                   \
		(array), sizeof(array) / sizeof((array)[0]) \
	}
static const struct {
	const int *error;
	size_t count;
} errors_of[FAULT_CALLS] = {
	[FAULT_OPEN] = ERRORS(open_errors),
	[FAULT_CLOSE] = ERRORS(close_errors),
	[FAULT_READ] = ERRORS(read_errors),
	[FAULT_WRITE] = ERRORS(write_errors),
	[FAULT_POLL] = ERRORS(poll_errors),
	[FAULT_IOCTL] = ERRORS(ioctl_errors),
	[FAULT_OPENDIR] = ERRORS(opendir_errors),
	[FAULT_READDIR] = ERRORS(readdir_errors),
	[FAULT_ALLOCATE] = ERRORS(memory_errors),
	[FAULT_MUTEX_INIT] = ERRORS(init_errors),
	[FAULT_COND_INIT] = ERRORS(init_errors),
	[FAULT_CONDATTR_INIT] = ERRORS(memory_errors),
	[FAULT_THREAD_CREATE] = ERRORS(thread_errors),
	[FAULT_EVENTFD] = ERRORS(descriptor_errors),
	[FAULT_TIMERFD] = ERRORS(descriptor_errors),
	[FAULT_EPOLL_CREATE] = ERRORS(descriptor_errors),
	[FAULT_EPOLL_CTL] = ERRORS(epoll_ctl_errors),
	[FAULT_GETRANDOM] = ERRORS(random_errors),
	[FAULT_OPENAT] = ERRORS(openat_errors),
	[FAULT_WRITEV] = ERRORS(writev_errors),
	[FAULT_FSTAT] = ERRORS(stat_errors),
	[FAULT_RENAMEAT] = ERRORS(rename_errors),
	[FAULT_DLOPEN] = ERRORS(load_errors),
	[FAULT_DLSYM] = ERRORS(load_errors),
	[FAULT_NL_ALLOCATE] = ERRORS(memory_errors),
	[FAULT_NL_CONNECT] = ERRORS(netlink_connect_errors),
	[FAULT_NL_SETUP] = ERRORS(netlink_errors),
	[FAULT_NL_JOIN] = ERRORS(netlink_errors),
	[FAULT_NL_SEND] = ERRORS(netlink_errors),
	[FAULT_NL_RECEIVE] = ERRORS(netlink_errors),
};

static struct fault_run *undisturbed; /* shared with children */
static struct fault_run disturbed;
static char what[256]; /* is being run, for those who see it hang */
static int wrong;      /* complaints, of all cases */
static int saved_output[2] = { -1, -1 };

/*
 * For the calls of cases
 */

/* The libraries print what they cannot report otherwise; here it would only hide what matters. */
static void silence(bool on)
{
	static int null_fd = -1;

	fflush(NULL);
	fault_enter_kernel();
	if (null_fd < 0)
		null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	for (int i = 0; i < 2; i++) {
		if (saved_output[i] < 0)
			saved_output[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 10);
		dup2(on ? null_fd : saved_output[i], i + 1);
	}
	fault_leave_kernel();
}

void fault_begin(struct fault_run *run)
{
	silence(true);
	fault_arm(run->fault);
	errno = UNTOLD;
}

void fault_end(struct fault_run *run)
{
	run->told = errno;
	run->reached |= fault_disarm();
	silence(false);
}

void fault_complain(struct fault_run *run, const char *format, ...)
{
	va_list arguments;

	if (run->complaint[0])
		return;
	va_start(arguments, format);
	vsnprintf(run->complaint, sizeof(run->complaint), format, arguments);
	va_end(arguments);
}

static void note_result(struct fault_run *run, bool failed, int error)
{
	run->ended = true;
	run->failed = failed;
	run->error = failed ? error : 0;
	if (failed && (error == UNTOLD || error <= 0))
		fault_complain(run, "failed without an errno (%d)", error);
}

void fault_pointer(struct fault_run *run, const void *result)
{
	note_result(run, !result, run->told);
}

void fault_minus_one(struct fault_run *run, int result)
{
	note_result(run, result < 0, run->told);
	if (result < -1)
		fault_complain(run, "returned %d, neither -1 nor a result", result);
}

void fault_negative(struct fault_run *run, int result)
{
	note_result(run, result < 0, -result);
	if (result < 0 && run->told != -result)
		fault_complain(run, "returned %d, but errno is %d", result, run->told);
}

void fault_positive(struct fault_run *run, int result)
{
	note_result(run, result != 0, result);
	if (result > 0 && run->told != result && run->told != UNTOLD)
		fault_complain(run, "returned %d, but errno is %d", result, run->told);
}

void fault_refused(struct fault_run *run, int result, int code)
{
	note_result(run, result < 0, run->told);
	if (result < 0 && result != code && result != -run->told)
		fault_complain(run, "returned %d, errno is %d", result, run->told);
}

void fault_cannot_fail(struct fault_run *run)
{
	note_result(run, false, 0);
}

/*
 * What is to be
 */

/* A call that was interrupted is made again; a wait that ended early goes on. */
static bool has_to_get_by(const struct fault *fault)
{
	switch (fault->call) {
	case FAULT_POLL:
	case FAULT_WRITEV:
		return fault->error == EINTR || fault->error == FAULT_SHORT;
	case FAULT_OPEN:
	case FAULT_CLOSE:
	case FAULT_READ:
	case FAULT_WRITE:
	case FAULT_IOCTL:
	case FAULT_GETRANDOM:
		return fault->error == EINTR;
	default:
		return false;
	}
}

static bool is_exhausted(const struct fault *fault)
{
	return fault->error == EMFILE || fault->error == ENFILE || fault->error == ENOMEM;
}

static bool rule_fits(const struct fault_rule *rule, const struct fault *fault)
{
	if (rule->call != fault->call)
		return false;
	if (rule->error == FAULT_ANY)
		return !has_to_get_by(fault);
	if (rule->error == FAULT_NOT_EXHAUSTED)
		return !has_to_get_by(fault) && !is_exhausted(fault);
	return rule->error == fault->error;
}

static const struct fault_rule *rule_for(const struct fault_case *test, const struct fault *fault)
{
	for (size_t i = 0; i < test->rule_count; i++)
		if (rule_fits(&test->rules[i], fault))
			return &test->rules[i];
	return NULL;
}

/* The errno that says why. */
static int cause(const struct fault *fault)
{
	if (fault->call == FAULT_DLOPEN)
		return ELIBACC;
	if (fault->call == FAULT_DLSYM)
		return ELIBBAD;
	if (fault->error == FAULT_SHORT)
		return EIO;
	if (fault->call < FAULT_NL_CONNECT)
		return fault->error;
	switch (fault->error) {
	case NLE_NOMEM:
		return fault->call == FAULT_NL_RECEIVE ? ENOBUFS : ENOMEM;
	case NLE_PERM:
		return EPERM;
	case NLE_BAD_SOCK:
		return EBADF;
	case NLE_PROTO_MISMATCH:
		return EPROTONOSUPPORT;
	default:
		return EAFNOSUPPORT;
	}
}

static bool may_tell(const struct fault_rule *rule, const struct fault_run *run)
{
	if (!rule)
		return false;
	for (size_t i = 0; i < sizeof(rule->told) / sizeof(rule->told[0]); i++)
		if (run->error == rule->told[i])
			return true;
	return rule->comes_to == FAULT_LESS && run->error == cause(run->fault);
}

static bool is_untouched(const struct fault_run *run)
{
	for (size_t i = 0; i < sizeof(run->output); i++)
		if (run->output[i] != FAULT_FILL)
			return false;
	return true;
}

static bool is_whole(const struct fault_run *run)
{
	return !memcmp(run->output, undisturbed->output, sizeof(run->output));
}

static void check_outcome(struct fault_run *run)
{
	const struct fault_rule *rule = rule_for(run->test, run->fault);
	int expected = rule && rule->told[0] ? rule->told[0] : cause(run->fault);
	bool less = rule && rule->comes_to == FAULT_LESS;

	if (run->failed && !rule && has_to_get_by(run->fault))
		fault_complain(run, "did not get by, but told %s", strerror(run->error));
	else if (run->failed && run->error != expected && !may_tell(rule, run))
		fault_complain(run, "told %d (%s), not %d (%s)", run->error, strerror(run->error),
			       expected, strerror(expected));
	else if (run->failed && (run->test->flags & FAULT_UNTOUCHED) && !is_untouched(run))
		fault_complain(run, "failed, but changed what it was given");
	else if (!run->failed && !is_whole(run) &&
		 !(less && run->test->less(run, undisturbed->output)))
		fault_complain(run, "succeeded, but with something else than undisturbed");
}

/*
 * Runs
 */

static int left_open(const struct fault_case *test)
{
	return fault_open_descriptors() + (test->scene->left_open ? test->scene->left_open() : 0);
}

static void call(struct fault_run *run, const struct fault *fault)
{
	run->fault = fault;
	run->ended = run->failed = run->reached = false;
	run->error = 0;
	memset(run->output, FAULT_FILL, sizeof(run->output));
	run->test->call(run);
	if (!run->ended)
		fault_complain(run, "the case does not say what came of it");
}

/* Once with the failure, once more without one, and what is left of both. */
static bool run_in_scene(struct fault_run *run, const struct fault_case *test,
			 const struct fault *fault)
{
	int descriptors;
	bool reached;

	run->test = test;
	run->complaint[0] = '\0';
	fault_reset();
	run->state = test->scene->set_up();
	descriptors = left_open(test);
	call(run, fault);
	reached = run->reached;
	if (fault && reached)
		check_outcome(run);
	else if (run->failed)
		fault_complain(run, "failed with %s, though nothing did", strerror(run->error));
	if (test->flags & FAULT_UNKNOWN && fault && fault->call == FAULT_FSTAT)
		fault_forget_files();
	if (left_open(test) != descriptors)
		fault_complain(run, "%d descriptors more are open", left_open(test) - descriptors);
	if (fault && !run->complaint[0]) {
		call(run, NULL);
		if (run->failed)
			fault_complain(run, "the next call fails, too: %s", strerror(run->error));
		else if (!is_whole(run))
			fault_complain(run, "the next call gives something else");
	}
	if (test->scene->tear_down)
		test->scene->tear_down(run->state);
	if (left_open(test))
		fault_complain(run, "%d descriptors are left open", left_open(test));
	if (fault_blocks())
		fault_complain(run, "%d blocks of memory are left", fault_blocks());
	return reached;
}

static const char *const nl_errors[] = {
	[NLE_NOMEM] = "NLE_NOMEM",
	[NLE_PERM] = "NLE_PERM",
	[NLE_BAD_SOCK] = "NLE_BAD_SOCK",
	[NLE_PROTO_MISMATCH] = "NLE_PROTO_MISMATCH",
	[NLE_AF_NOSUPPORT] = "NLE_AF_NOSUPPORT",
};

static void describe(const struct fault_case *test, const struct fault *fault)
{
	char failure[160] = "undisturbed";

	if (fault)
		snprintf(failure, sizeof(failure), "%s number %d%s fails with %s",
			 fault_call_name(fault->call), fault->nth,
			 fault->lasting ? " and all after it" : "",
			 !fault->error			   ? "less than asked for"
			 : fault->call >= FAULT_NL_CONNECT ? nl_errors[fault->error]
							   : strerror(fault->error));
	snprintf(what, sizeof(what), "%s%s%s, %s: %.150s", test->function, test->how ? ", " : "",
		 test->how ? test->how : "", test->scene->name, failure);
}

static bool run_once(struct fault_run *run, const struct fault_case *test,
		     const struct fault *fault, int *complaints)
{
	bool reached;

	describe(test, fault);
	alarm(HANGS_AFTER_S);
	reached = run_in_scene(run, test, fault);
	alarm(0);
	if (run->complaint[0] && ++*complaints <= COMPLAINTS)
		printf("WRONG: %s: %s\n", what, run->complaint);
	return reached;
}

/* The same in a child; what it complains about, it prints itself. */
static bool run_in_child(struct fault_run *run, const struct fault_case *test,
			 const struct fault *fault, int *complaints)
{
	int status, found = *complaints;
	pid_t child;

	if (!(test->flags & FAULT_FRESH))
		return run_once(run, test, fault, complaints);
	fflush(NULL);
	child = fork();
	if (!child) {
		bool reached = run_once(run, test, fault, &found);

		fflush(NULL);
		_exit(found > *complaints ? 2 : reached);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) > 1)
		++*complaints;
	return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) > 0;
}

static int fail_in_turn(const struct fault_case *test, struct fault fault, int *complaints)
{
	int runs = 0;

	for (fault.nth = 1; run_in_child(&disturbed, test, &fault, complaints); runs++) {
		if (runs == MOST_RUNS) {
			printf("WRONG: %s: still not done\n", what);
			++*complaints;
			break;
		}
		fault.nth++;
	}
	return runs;
}

/* Descriptors and memory may be gone for longer. */
static bool may_last(const struct fault *fault)
{
	return fault->error == ENOMEM || fault->error == EMFILE;
}

static bool makes_no_call(void)
{
	for (int i = 0; i < FAULT_CALLS; i++)
		if (fault_count(i))
			return false;
	return true;
}

/* What a process does once only, other cases come too late for; the rest they show quicker. */
static bool is_to_fail(const struct fault_case *test, int call)
{
	if (test->flags & FAULT_PURE)
		return false;
	return !(test->flags & FAULT_FRESH) || call == FAULT_DLOPEN || call == FAULT_DLSYM ||
	       call == FAULT_GETRANDOM;
}

static void run_case(const struct fault_case *test)
{
	int complaints = 0, failures = 0;

	run_in_child(undisturbed, test, NULL, &complaints);
	if (test->flags & FAULT_PURE && !makes_no_call()) {
		printf("WRONG: %s makes calls that can fail\n", test->function);
		complaints++;
	}
	for (int call = 0; call < FAULT_CALLS; call++) {
		for (size_t i = 0; i < errors_of[call].count && is_to_fail(test, call); i++) {
			struct fault fault = { .call = (enum fault_call)call,
					       .error = errors_of[call].error[i] };

			failures += fail_in_turn(test, fault, &complaints);
			fault.lasting = true;
			if (may_last(&fault))
				failures += fail_in_turn(test, fault, &complaints);
		}
	}
	printf("%s%s%s (%s): %d failures%s\n", test->function, test->how ? ", " : "",
	       test->how ? test->how : "", test->scene->name, failures,
	       complaints ? ", NOT as it should be" : "");
	fflush(stdout);
	wrong += complaints;
}

static void report_hang(int signal)
{
	static const char hangs[] = "WRONG: hangs: ";

	(void)signal;
	dprintf(saved_output[0] < 0 ? 1 : saved_output[0], "%s%s\n", hangs, what);
	_exit(1);
}

int fault_main(int argc, char **argv, const struct fault_group *const *groups, size_t count)
{
	bool list = argc > 1 && !strcmp(argv[1], "--list");

	undisturbed = mmap(NULL, sizeof(*undisturbed), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (undisturbed == MAP_FAILED)
		return EXIT_FAILURE;
	signal(SIGALRM, report_hang);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < groups[i]->count; j++) {
			const struct fault_case *test = &groups[i]->cases[j];

			if (list)
				printf("%s\n", test->function);
			else if (argc < 2 || !strncmp(test->function, argv[1], strlen(argv[1])))
				run_case(test);
		}
	}
	if (!list)
		printf("%d wrong\n", wrong);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
