/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* engine.c - runs the cases of engine.h, and prints their names and what was wrong. */
#include "engine.h"
#include "held-locks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	HANGS_AFTER_S = 120, /* for one run */
	MOST_RUNS = 2000,    /* of one kind of failure: more is an endless loop */
	COMPLAINTS = 5,	     /* shown of a case */
};

static struct fault_run *undisturbed; /* shared with children */
static struct fault_run disturbed;
static char what[256]; /* the run, for report_hang() */
static int wrong;      /* complaints, of all cases */
static int saved_output[2] = { -1, -1 };

/* Whether a function is an extension, which never prints. */
static bool is_silent(const char *function)
{
	static const char *const names[] = { "mad_async_",
					     "mad_fabric_",
					     "mad_fec_",
					     "mad_keys_",
					     "mad_message_",
					     "mad_notice_",
					     "mad_pkey_",
					     "mad_port_set_",
					     "mad_route_",
					     "mad_sa_",
					     "umad_event_",
					     "umad_monitor_",
					     "mad_rpc_get_statistics" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(function, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Hides the output of the libraries, or shows it again. Returns how many bytes were printed since
 * the last call. */
static off_t silence(bool on)
{
	static int printed_fd = -1;
	off_t printed;

	fflush(NULL);
	fault_enter_kernel();
	if (printed_fd < 0)
		printed_fd = memfd_create("printed", MFD_CLOEXEC);
	printed = lseek(printed_fd, 0, SEEK_CUR);
	lseek(printed_fd, 0, SEEK_SET);
	for (int i = 0; i < 2; i++) {
		if (saved_output[i] < 0)
			saved_output[i] = fcntl(i + 1, F_DUPFD_CLOEXEC, 10);
		dup2(on ? printed_fd : saved_output[i], i + 1);
	}
	fault_leave_kernel();
	return printed;
}

void fault_begin(struct fault_run *run)
{
	silence(true);
	run->under_way = true;
	fault_arm(run->fault);
	errno = FAULT_ERRNO_UNSET;
}

void fault_end(struct fault_run *run)
{
	if (!run->under_way)
		return;
	run->saved_errno = errno;
	run->under_way = false;
	run->reached |= fault_disarm();
	if (silence(false) && is_silent(run->test->function))
		fault_complain(run, "printed something");
}

static int left_open(const struct fault_case *test)
{
	return fault_open_descriptors() + (test->scene->left_open ? test->scene->left_open() : 0);
}

static void call(struct fault_run *run, const struct fault *fault)
{
	int held = held_locks();

	run->fault = fault;
	run->ended = run->failed = run->reached = false;
	run->error = 0;
	run->printed = 0;
	memset(run->output, FAULT_FILL, sizeof(run->output));
	run->test->call(run);
	if (!run->ended)
		fault_complain(run, "the case does not say what came of it");
	if (held_locks() != held)
		fault_complain(run, "%d mutexes are left locked", held_locks() - held);
}

/* Runs a case with the failure and once more without one, and checks what is left of both. */
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
		fault_check_outcome(run, undisturbed);
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
		else if (!fault_is_whole(run, undisturbed))
			fault_complain(run, "the next call gives something else");
	}
	if (test->scene->tear_down)
		test->scene->tear_down(run->state);
	if (left_open(test))
		fault_complain(run, "%d descriptors are left open", left_open(test));
	if (fault_closed_twice())
		fault_complain(run, "a descriptor is closed that was not open");
	if (fault_is_inheritable())
		fault_complain(run, "a descriptor is left to other programs (no CLOEXEC)");
	if (fault_blocks())
		fault_complain(run, "%d blocks of memory are left", fault_blocks());
	return reached;
}

static void describe(const struct fault_case *test, const struct fault *fault)
{
	char failure[160] = "undisturbed";

	if (fault)
		snprintf(failure, sizeof(failure), "%s number %d%s fails with %s",
			 fault_call_name(fault->call), fault->nth,
			 fault->lasting ? " and all after it" : "",
			 fault->error ? strerror(fault->error) : "less than asked for");
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

/* Runs a case once, in a child if it is a fresh one; the child prints its complaints. */
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

/* Whether all later calls may fail, too: descriptors and memory may be exhausted for a while. */
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

/* Whether calls of this kind are to fail: in fresh processes only those that a process makes once.
 */
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
		struct fault fault = { .call = (enum fault_call)call };

		for (size_t i = 0;
		     is_to_fail(test, call) && fault_call_error(fault.call, i, &fault.error); i++) {
			fault.lasting = false;
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

static struct fault_case *first_case, **last_case = &first_case;

/* The fresh cases come first: what a process does once, this one has not done yet when it forks. */
void fault_add(struct fault_case *test)
{
	struct fault_case **place = test->flags & FAULT_FRESH ? &first_case : last_case;

	test->next = *place;
	*place = test;
	if (place == last_case)
		last_case = &test->next;
}

/* Runs all cases, or those whose function begins with an argument; --list prints their functions.
 */
int main(int argc, char **argv)
{
	bool list = argc > 1 && !strcmp(argv[1], "--list");

	undisturbed = mmap(NULL, sizeof(*undisturbed), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (undisturbed == MAP_FAILED)
		return EXIT_FAILURE;
	signal(SIGALRM, report_hang);
	for (struct fault_case *test = first_case; test; test = test->next) {
		if (list) {
			printf("%s\n", test->function);
			continue;
		}
		if (argc > 1 && strncmp(test->function, argv[1], strlen(argv[1])) != 0)
			continue;
		run_case(test);
		test->scene = test->also;
		if (test->scene)
			run_case(test);
	}
	if (!list)
		printf("%d wrong\n", wrong);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
