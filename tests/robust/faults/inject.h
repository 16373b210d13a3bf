/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inject.h - libc calls that fail on demand. Every call of the libraries that can fail is replaced
 * at link time (--wrap): it is counted, fails if it is the one that was chosen, and else goes on to
 * the scripted kernel below (fakesys and fakenl, or the responder), whose own calls do not count.
 *
 * It also counts what is left: memory that the libraries allocated and have not freed, descriptors
 * and directories that they opened and have not closed.
 */
#ifndef TESTS_FAULTS_INJECT_H
#define TESTS_FAULTS_INJECT_H

#include <stdbool.h>
#include <stddef.h>

enum fault_call {
	FAULT_OPEN,
	FAULT_CLOSE,
	FAULT_READ,
	FAULT_WRITE,
	FAULT_POLL,
	FAULT_IOCTL,
	FAULT_OPENDIR,
	FAULT_READDIR,
	FAULT_ALLOCATE, /* malloc, calloc, realloc */
	FAULT_MUTEX_INIT,
	FAULT_COND_INIT,
	FAULT_CONDATTR_INIT,
	FAULT_THREAD_CREATE,
	FAULT_EVENTFD,
	FAULT_TIMERFD,
	FAULT_EPOLL_CREATE,
	FAULT_EPOLL_CTL,
	FAULT_GETRANDOM,
	FAULT_OPENAT,
	FAULT_WRITEV,
	FAULT_FSTAT, /* fstat, fstatat */
	FAULT_RENAMEAT,
	FAULT_DLOPEN,
	FAULT_DLSYM,
	FAULT_NL_ALLOCATE, /* nl_socket_alloc, nlmsg_alloc_simple, nlmsg_append, nla_put */
	FAULT_NL_CONNECT,
	FAULT_NL_SETUP, /* nl_socket_set_nonblocking, nl_socket_set_buffer_size */
	FAULT_NL_JOIN,
	FAULT_NL_SEND,
	FAULT_NL_RECEIVE,
	FAULT_CALLS
};

/* Instead of an errno: the call works, but with less than was asked for. A read finds the end of
 * the file, a write takes all but a byte, a poll ends with its time although there is some left. */
#define FAULT_SHORT 0

/* What is to fail. */
struct fault {
	enum fault_call call;
	int nth;      /* 1: the next such call */
	bool lasting; /* and all after it */
	int error;    /* or FAULT_SHORT */
};

const char *fault_call_name(enum fault_call call);

/* Begins afresh: nothing is counted yet. */
void fault_reset(void);

/* From now on, until fault_disarm(), calls are counted, and one of them fails (NULL: none). */
void fault_arm(const struct fault *fault);
bool fault_disarm(void); /* whether it came to that */
int fault_count(enum fault_call call);

/* What is open, and what is allocated, by the libraries. */
int fault_open_descriptors(void);
int fault_blocks(void);
/* Code between the two is the test's own: none of its calls fail or count. */
void fault_enter_kernel(void);
void fault_leave_kernel(void);

/* For wrapped calls: counts it and says, with errno, whether it is to fail. With FAULT_SHORT errno
 * is 0. */
bool fault_here(enum fault_call call);
bool fault_in_kernel(void);
void fault_note_descriptor(int fd);
void fault_forget_descriptor(int fd);
void fault_forget_files(void); /* all that openat gave */

#endif
