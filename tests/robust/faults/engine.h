/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * engine.h - runs public functions while the libc calls that they make fail one after the other.
 *
 * A case is a public function and how it is called. The engine calls it undisturbed first, and
 * keeps its result; then, for each kind of libc call and each errno that such a call can have,
 * again and again with the 1st, the 2nd,
 * ... such call failing, until the function completes without reaching the call that is to fail.
 * Each time the engine compares what the function reported with the documentation, and checks that
 * nothing of its result is incomplete, that no memory, lock or descriptor is left, none to other
 * programs either, that nothing is closed twice, and that the next call, without a failure, has the
 * result of the undisturbed one.
 */
#ifndef TESTS_FAULTS_ENGINE_H
#define TESTS_FAULTS_ENGINE_H

#include "inject.h"

#include <stdint.h>

#define FAULT_OUTPUT_SIZE 4096
#define FAULT_FILL	  0xa5 /* bytes of the output before the call */

/* Errors in a rule: every errno, unless the function has to make the call again; every such errno
 * but those that report exhausted descriptors or memory. */
#define FAULT_ANY	    (-1)
#define FAULT_NOT_EXHAUSTED (-2)

struct fault_run;

/* The surroundings of a call: set up before, and torn down afterwards. */
struct fault_scene {
	const char *name;
	void *(*set_up)(void); /* returns run->state */
	void (*tear_down)(void *state);
	int (*left_open)(void); /* descriptors that inject.c knows nothing of; or NULL */
};

#define FAULT_BIT(call) (1U << FAULT_##call)

/* The calls that read sysfs; those that read netlink. */
#define FAULT_SYSFS (FAULT_BIT(OPEN) | FAULT_BIT(READ) | FAULT_BIT(OPENDIR) | FAULT_BIT(READDIR))
#define FAULT_NETLINK \
	(FAULT_BIT(NL_CONNECT) | FAULT_BIT(NL_SETUP) | FAULT_BIT(NL_SEND) | FAULT_BIT(NL_RECEIVE))

/*
 * The effect of a failed libc call if the function does not simply report its errno. With
 * FAULT_REPORTS the function fails with one of `reported`, or does everything. With FAULT_LESS it
 * fails with one of those or with the errno of the call, or succeeds with less than undisturbed, as
 * less() of the case says. Without any `reported` the errno is that of the call.
 */
struct fault_rule {
	unsigned calls; /* a bit for each, FAULT_BIT() */
	int error;	/* of the failing call; or FAULT_ANY, FAULT_NOT_EXHAUSTED */
	enum { FAULT_REPORTS, FAULT_LESS } comes_to;
	int reported[4];
};

enum {
	FAULT_PURE = 1 << 0,	  /* makes no call that can fail */
	FAULT_UNTOUCHED = 1 << 1, /* a call that fails leaves the output as it was */
	FAULT_UNKNOWN =
		1 << 2, /* a descriptor whose file cannot be identified (fstat) is not closed */
	FAULT_FRESH = 1 << 3, /* each run in a new process: fails what a process does only once */
};

struct fault_case {
	const char *function;			/* of FAULT_PURE: calls of several */
	const char *how;			/* a variant of the call; NULL: the usual one */
	const struct fault_scene *scene, *also; /* also: another scene, or NULL */
	void (*call)(struct fault_run *run);
	const void *context;
	unsigned flags;
	const struct fault_rule *rules; /* the first that fits counts */
	size_t rule_count;
	bool (*less)(const char *text, const char *whole); /* NULL: fault_has_less() */
	struct fault_case *next;
};

/* A case of the program: how the function is called, and what it reports. FAULT_DO: by one
 * statement. FAULT_STEPS: between fault_begin() and `after` is only the call. */
#define FAULT(function, how, scene, flags, ...) \
	FAULT_NUMBERED(__COUNTER__, #function, how, scene, flags, __VA_ARGS__)
#define FAULT_DO(statement, function, how, scene, flags, ...) \
	FAULT(function, how, scene, flags, __VA_ARGS__)       \
	{                                                     \
		statement;                                    \
	}
#define FAULT_STEPS(function, scene, flags, before, call, after) \
	FAULT(function, NULL, scene, flags)                      \
	{                                                        \
		before;                                          \
		fault_begin(run);                                \
		call;                                            \
		after;                                           \
	}
#define FAULT_NUMBERED(number, ...) FAULT_NAMED(number, __VA_ARGS__)
#define FAULT_NAMED(number, function_, how_, scene_, flags_, ...)          \
	static void call_##number(struct fault_run *run);                  \
	__attribute__((constructor)) static void add_##number(void)        \
	{                                                                  \
		static struct fault_case this = { .function = (function_), \
						  .how = (how_),           \
						  .scene = &(scene_),      \
						  .call = call_##number,   \
						  .flags = (flags_),       \
						  __VA_ARGS__ };           \
                                                                           \
		fault_add(&this);                                          \
	}                                                                  \
	static void call_##number(struct fault_run *run)

void fault_add(struct fault_case *test);

#define FAULT_RULES(array) .rules = (array), .rule_count = sizeof(array) / sizeof((array)[0])

/* A run of a case. */
struct fault_run {
	const struct fault_case *test;
	void *state;		   /* of the scene */
	const struct fault *fault; /* NULL: none */
	bool under_way, ended, failed, reached;
	int error;	 /* reported by the function */
	int saved_errno; /* errno after it */
	uint8_t output[FAULT_OUTPUT_SIZE] __attribute__((aligned(16))); /* result of the function */
	size_t printed; /* bytes of it, if it is a text */
	char complaint[256];
};

/*
 * For the call of a case: fault_begin() directly before the public function, and one of the others
 * directly after it, which say how the function reports failures; fault_pointer(run, mad_alloc())
 * is both. fault_end() before them is for cases in which more is done between the call and its
 * report.
 */
void fault_begin(struct fault_run *run);
void fault_end(struct fault_run *run);
void *fault_pointer(struct fault_run *run, void *result);	/* NULL and errno */
int fault_minus_one(struct fault_run *run, int result);		/* -1 and errno */
int fault_negative(struct fault_run *run, int result);		/* -errno, in errno too */
int fault_positive(struct fault_run *run, int result);		/* errno itself */
int fault_refused(struct fault_run *run, int result, int code); /* code, with the cause in errno */
void fault_cannot_fail(struct fault_run *run);

/* Appends to the output a text of words, each of which ends with a blank. */
void fault_print(struct fault_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether the words of a text occur in another, in its order; "key=" and "key=0" may replace
 * "key=value". */
bool fault_has_less(const char *text, const char *whole);

/* Notes what else is wrong with a run. */
void fault_complain(struct fault_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
#define FAULT_EXPECT(run, condition)                             \
	do {                                                     \
		if (!(condition))                                \
			fault_complain((run), "%s", #condition); \
	} while (0)

/* Between engine.c and outcome.c */

enum { FAULT_ERRNO_UNSET = 9999 }; /* errno before a call: no errno has this value */

/* Complains unless the run, one of whose calls failed, reported what the case documents. */
void fault_check_outcome(struct fault_run *run, const struct fault_run *undisturbed);

/* Whether the run has all output of an undisturbed run. */
bool fault_is_whole(const struct fault_run *run, const struct fault_run *undisturbed);

#endif
