/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * engine.h - runs public functions while the libc calls that they make fail one after the other.
 *
 * A case is a public function and how it is called. The engine calls it undisturbed first, and
 * keeps its result; then, for each kind of libc call and each errno that such a call can have,
 * again and again with the 1st, the 2nd, ... such call failing, until the function completes
 * without reaching the one that is to fail. Each time it compares what the function reported with
 * what is documented, that nothing of its result is incomplete, that no memory and no descriptor is
 * left, none to other programs either, and that the same call without a failure, after it, has the
 * same result as undisturbed.
 */
#ifndef TESTS_FAULTS_ENGINE_H
#define TESTS_FAULTS_ENGINE_H

#include "inject.h"

#include <stdint.h>

#define FAULT_OUTPUT_SIZE 4096
#define FAULT_FILL	  0xa5 /* what output holds before the call */

/* For a rule: whatever the errno, as long as the call is not just to be made again; and the same
 * without those that report exhausted descriptors or memory. */
#define FAULT_ANY	    (-1)
#define FAULT_NOT_EXHAUSTED (-2)

struct fault_run;

/* Where a function is called: what is there before, and taken away afterwards. */
struct fault_scene {
	const char *name;
	void *(*set_up)(void); /* what run->state is */
	void (*tear_down)(void *state);
	int (*left_open)(void); /* descriptors that inject.c knows nothing of; or NULL */
};

/*
 * The effect of a failure of one libc call if the function does not simply report its errno. With
 * FAULT_REPORTS it fails with one of `reported` (or does all that it should). With FAULT_LESS it
 * fails with that or with the errno of the call, or succeeds with less than undisturbed, as less()
 * of the case has it. Without any `reported` it is the errno of the call.
 */
struct fault_rule {
	enum fault_call call;
	int error; /* of the failing call; or FAULT_ANY, FAULT_NOT_EXHAUSTED */
	enum { FAULT_REPORTS, FAULT_LESS } comes_to;
	int reported[4];
};

enum {
	FAULT_PURE = 1 << 0,	  /* makes no call that can fail */
	FAULT_UNTOUCHED = 1 << 1, /* on failure, output is as it was */
	FAULT_UNKNOWN =
		1 << 2, /* a descriptor whose file cannot be identified (fstat) is not closed */
	FAULT_FRESH =
		1 << 3, /* each run in a process of its own: what is done once in each fails */
};

struct fault_case {
	const char *function;
	const char *how; /* which of its ways; NULL: the usual */
	const struct fault_scene *scene,
		*also; /* also: another one that it is called in, or NULL */
	void (*call)(struct fault_run *run);
	unsigned flags;
	const struct fault_rule *rules; /* the first that fits counts */
	size_t rule_count;
	bool (*less)(const struct fault_run *run, const uint8_t *whole); /* NULL: it is whole */
	struct fault_case *next;
};

/* A case of the program: how the function is called, and what it reports. FAULT_DO: by one
 * statement. */
#define FAULT(function, how, scene, flags, ...) \
	FAULT_NUMBERED(__COUNTER__, #function, how, scene, flags, __VA_ARGS__)
#define FAULT_DO(statement, function, how, scene, flags, ...) \
	FAULT(function, how, scene, flags, __VA_ARGS__)       \
	{                                                     \
		statement;                                    \
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

/* One run of a case. */
struct fault_run {
	const struct fault_case *test;
	void *state;		   /* of the scene */
	const struct fault *fault; /* NULL: none */
	bool under_way, ended, failed, reached;
	int error;	 /* what the function reported */
	int saved_errno; /* errno after it */
	uint8_t output[FAULT_OUTPUT_SIZE] __attribute__((aligned(16))); /* what it gave */
	char complaint[256];
};

/*
 * For the call of a case: fault_begin() directly before the public function, and one of the others
 * directly after it, which say how it reports failures; fault_pointer(run, mad_alloc()) is both.
 * fault_end() before them is for cases whose calls do not end with what they report.
 */
void fault_begin(struct fault_run *run);
void fault_end(struct fault_run *run);
void *fault_pointer(struct fault_run *run, void *result);	/* NULL and errno */
int fault_minus_one(struct fault_run *run, int result);		/* -1 and errno */
int fault_negative(struct fault_run *run, int result);		/* -errno, in errno too */
int fault_positive(struct fault_run *run, int result);		/* errno itself */
int fault_refused(struct fault_run *run, int result, int code); /* code, with the cause in errno */
void fault_cannot_fail(struct fault_run *run);

/* Something else is wrong with what it did. */
void fault_complain(struct fault_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
#define FAULT_EXPECT(run, condition)                             \
	do {                                                     \
		if (!(condition))                                \
			fault_complain((run), "%s", #condition); \
	} while (0)

/* Between engine.c and outcome.c */

enum { FAULT_ERRNO_UNSET = 9999 }; /* errno before a call: no errno has it */

/* Complains unless the run, one of whose calls failed, reported what the case documents. */
void fault_check_outcome(struct fault_run *run, const struct fault_run *undisturbed);

/* Whether it gave all that an undisturbed run gives. */
bool fault_is_whole(const struct fault_run *run, const struct fault_run *undisturbed);

#endif
