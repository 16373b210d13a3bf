/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakesys.h - the fake kernel for tests of libibumad: what calls of an open umad device give is
 * written down by the test, the clock only moves on request, and calls and allocations fail on
 * demand. It replaces the allocating functions and clock_gettime(), too.
 */
#ifndef TESTS_LIB_FAKESYS_H
#define TESTS_LIB_FAKESYS_H

#include "kernel.h"

/* The kernel's structures that umad.h's requests name; the tests need only their sizes. */
struct ib_user_mad_reg_req {
	uint8_t bytes[28];
};
struct ib_user_mad_reg_req2 {
	uint8_t bytes[40];
};

/* Setup of a test group: nothing is there. Teardown: fails the test if a descriptor, a directory or
 * memory is left, or if something expected has not come. */
int fakesys_setup(void **state);
int fakesys_teardown(void **state);
#define FAKESYS_TEST(name) TEST_WITH(name, fakesys_setup, fakesys_teardown)

/* Makes every such call for a path fail, or once the nth from now on (1 is the next). */
void fakesys_fail_path(enum kernel_call call, const char *path, int error);
void fakesys_fail_nth(enum kernel_call call, int nth, int error);

/* Calls a function before the nth open() or opendir() from now on. */
void fakesys_at_open(int nth, void (*happens)(void));

/* Counts a call and says, with errno, whether it is to fail. For what replaces other calls. */
bool fakesys_fails(enum kernel_call call, const char *path);

/* How often a call was made since setup or the last fakesys_forget(), and how often open or opendir
 * got a path with this beginning. */
int fakesys_count(enum kernel_call call);
int fakesys_opened(const char *path_begin);
const char *fakesys_last_device(void); /* the last path in /dev that open got */
void fakesys_forget(void);

/* The calls for an open umad device that have to come, in this order; any other fails the test.
 * With error 0 the call returns result; a read delivers data. */
struct fakesys_io {
	enum kernel_call call;
	ssize_t result;
	int error;
	const void *data;
	size_t size;
	short revents;	       /* poll */
	int takes_ms;	       /* moves the clock */
	bool cancels;	       /* the thread is cancelled meanwhile, after a read */
	unsigned long request; /* ioctl: the one expected */
	size_t reply_at;       /* ioctl: where in the argument the reply goes */
	uint32_t reply;	       /* ioctl: 32 bits, if not 0 */
};
void fakesys_expect(const struct fakesys_io *io);
int fakesys_open_device(void); /* a descriptor of a device that is there already */

/* Forgets what is expected, and puts the clock back. */
void fakesys_device_reset(void);
int fakesys_device_left(void); /* expected calls that have not come */

/* Arguments of such calls since then. */
extern struct fakesys_calls {
	uint8_t written[1024]; /* by the last write: at most so many bytes of written_size */
	size_t written_size;
	uint8_t ioctl_argument[64]; /* of the last ioctl */
	size_t read_size;	    /* of the last read */
	int polls, poll_timeout;    /* of the first poll */
} fakesys_calls;

/* memory.c */
void fakesys_memory_reset(void);
void fakesys_memory_check(void);

/* fakesys-device.c: what the policy has for open devices. */
ssize_t fakesys_device_read(int device, void *buffer, size_t size);
ssize_t fakesys_device_write(int device, const void *buffer, size_t size);
int fakesys_device_poll(int device, struct pollfd *polled, int timeout_ms);
int fakesys_device_ioctl(int device, unsigned long request, void *argument);

#endif
