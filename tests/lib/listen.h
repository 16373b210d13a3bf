/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Catches the output of a call on standard error, or on another descriptor. */
#ifndef TESTS_LIB_LISTEN_H
#define TESTS_LIB_LISTEN_H

#include <sys/socket.h> /* has another listen(), and comes with umad.h */

#define MAX_TEXT 16384

extern char said[MAX_TEXT];

/* Between these two, what goes to standard error (or fd) is kept, and then in said. */
void listen_begin(void);
void listen_begin_to(int fd);
void listen_end(void);

/* Fails the test unless what was said is the pattern, where # stands for any number. */
void listen_assert(const char *pattern);

/* The setup of a group of tests whose warnings need not be seen: drops standard error. */
int listen_never(void **state);

#define listen(call)            \
	do {                    \
		listen_begin(); \
		(void)(call);   \
		listen_end();   \
	} while (0)

#endif
