/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inject.h - libc calls that fail on demand. Every call of the libraries that can fail is replaced
 * at link time (--wrap): it is counted, fails if it is the one that was chosen, and else goes on to
 * the scripted kernel below (fakesys and fakenl, or the responder), whose own calls do not count.
 *
 * inject.c also counts memory that the libraries allocated and have not freed, and descriptors and
 * directories that they opened and have not closed.
 */
#ifndef TESTS_FAULTS_INJECT_H
#define TESTS_FAULTS_INJECT_H

#include <stdbool.h>
#include <stddef.h>

enum fault_call {
#define CALL(name, ...) FAULT_##name,
#include "calls.h"
#undef CALL
	FAULT_CALLS
};

/* Instead of an errno: the call works, but with less than was asked for. A read finds the end of
 * the file, a write takes all but a byte, a poll ends with its time although there is some left. */
#define FAULT_SHORT 0

/* The failure. */
struct fault {
	enum fault_call call;
	int nth;      /* 1: the next such call */
	bool lasting; /* and all after it */
	int error;    /* or FAULT_SHORT */
};

const char *fault_call_name(enum fault_call call);
/* Sets *error to an errno of the call, or FAULT_SHORT; number counts from 0. Returns false behind
 * the last. */
bool fault_call_error(enum fault_call call, size_t number, int *error);

/* Begins afresh: nothing is counted yet. */
void fault_reset(void);

/* From now on, until fault_disarm(), calls are counted, and one of them fails (NULL: none). */
void fault_arm(const struct fault *fault);
bool fault_disarm(void); /* whether the call was reached */
int fault_count(enum fault_call call);

/* Descriptors that are open and memory that is allocated by the libraries. */
int fault_open_descriptors(void);
bool fault_is_inheritable(void); /* whether other programs would inherit a descriptor */
bool fault_closed_twice(void);
int fault_blocks(void);
/* Code between the two is the test's own: none of its calls fail or count. */
void fault_enter_kernel(void);
void fault_leave_kernel(void);

/* Begins the function in the place of one of libc, or of the scripted kernel below; declares both.
 */
#define FAULT_WRAP(type, function, ...)      \
	type __real_##function(__VA_ARGS__); \
	type __wrap_##function(__VA_ARGS__); \
	type __wrap_##function(__VA_ARGS__)
#define FAULT_WRAP_KERNEL(type, function, ...) \
	type kernel_##function(__VA_ARGS__);   \
	type __wrap_##function(__VA_ARGS__);   \
	type __wrap_##function(__VA_ARGS__)

/* Makes a call in the kernel below. */
#define FAULT_BELOW(result, call)     \
	do {                          \
		fault_enter_kernel(); \
		(result) = (call);    \
		fault_leave_kernel(); \
	} while (0)

/* A function that fails, or calls libc's, or the kernel's. */
#define FAULT_FAILING(type, function, call, failure, arguments, ...)               \
	FAULT_WRAP(type, function, __VA_ARGS__)                                    \
	{                                                                          \
		return fault_here(call) ? (failure) : __real_##function arguments; \
	}
#define FAULT_FAILING_KERNEL(type, function, call, failure, arguments, ...) \
	FAULT_WRAP_KERNEL(type, function, __VA_ARGS__)                      \
	{                                                                   \
		type result;                                                \
                                                                            \
		if (fault_here(call))                                       \
			return failure;                                     \
		FAULT_BELOW(result, kernel_##function arguments);           \
		return result;                                              \
	}

/* For wrapped calls: counts it and says, with errno, whether it is to fail. With FAULT_SHORT errno
 * is 0. */
bool fault_here(enum fault_call call);
bool fault_in_kernel(void);
int fault_note_descriptor(int fd, int flags); /* opened with these flags; returns fd */
void fault_close_descriptor(int fd);
bool fault_forget_descriptor(int fd); /* returns whether it was open */
void fault_forget_files(void);	      /* the file that openat opened last is not closed */

#endif
