/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakesys.h - a kernel for the unit tests of libibumad: sysfs and /dev/infiniband kept in memory,
 * umad devices that answer as the test has written down, a clock that only moves when told, and
 * calls and allocations that fail on demand. It replaces libc functions at link time; the list is
 * FAKESYS_WRAP in umad-core.cmake. Paths and descriptors of others go on to libc. Those calls that
 * are cancellation points in libc are here, too.
 */
#ifndef TESTS_UNIT_FAKESYS_H
#define TESTS_UNIT_FAKESYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The kernel's structures that umad.h's requests name; the tests need only their sizes. */
struct ib_user_mad_reg_req {
	uint8_t bytes[28];
};
struct ib_user_mad_reg_req2 {
	uint8_t bytes[40];
};

enum fakesys_call {
	FAKESYS_OPEN,
	FAKESYS_CLOSE,
	FAKESYS_READ,
	FAKESYS_WRITE,
	FAKESYS_POLL,
	FAKESYS_IOCTL,
	FAKESYS_OPENDIR,
	FAKESYS_READDIR,
	FAKESYS_ALLOCATE, /* malloc, calloc, realloc */
	FAKESYS_CALLS
};

/* Setup of a test group: nothing is there. Teardown: fails the test if a descriptor, a directory or
 * memory is left, or if something expected has not come. */
int fakesys_setup(void **state);
int fakesys_teardown(void **state);

/* Files and directories; the same path again replaces the file. */
void fakesys_file(const char *path, const char *content);
void fakesys_bytes(const char *path, const void *content, size_t size);
void fakesys_directory(const char *path);
void fakesys_remove(const char *path); /* with all that is below */

/* A device with the ports first to last, all Active and InfiniBand, the GUID of each ending in the
 * number guid + port. fakesys_port_file() sets one attribute of one port. */
void fakesys_ca(const char *ca_name, int first, int last, unsigned int guid);
void fakesys_ca_file(const char *ca_name, const char *attribute, const char *content);
void fakesys_port_file(const char *ca_name, int port, const char *attribute, const char *content);
void fakesys_node(unsigned int number, const char *ca_name, int port); /* umadN */
void fakesys_abi_version(const char *content);

/* What is to fail: every such call for a path, or once the nth from now on (1 is the next). */
void fakesys_fail_path(enum fakesys_call call, const char *path, int error);
void fakesys_fail_nth(enum fakesys_call call, int nth, int error);

/* How often a call was made since setup or the last fakesys_forget(), and how often open or opendir
 * got a path with this beginning. */
int fakesys_count(enum fakesys_call call);
int fakesys_opened(const char *path_begin);
void fakesys_forget(void);

/* What calls for an open umad device give, in this order. A call that is not expected fails the
 * test. With error 0 the call gives result; data is what a read delivers. */
struct fakesys_io {
	enum fakesys_call call;
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

/* What the last such call passed. */
const uint8_t *fakesys_written(size_t *size);
const uint8_t *fakesys_ioctl_argument(void);
int fakesys_poll_timeout(int number); /* of poll call number, 0 the first since setup */
size_t fakesys_read_size(void);

#endif
