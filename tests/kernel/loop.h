/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * MADs that a RoCE port sends to its local GID come back to it, through QP 1 and the kernel's
 * choice of an agent: so one process can be client and server. Here are the packets and agents for
 * that, made with libibumad alone.
 */
#ifndef KERNEL_LOOP_H
#define KERNEL_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LOOP_CLASS = 0x32, /* vendor range 2, with RMPP */
	LOOP_OUI = 0x001405,
	LOOP_PLAIN_CLASS = 0x0a, /* vendor range 1, without */
	LOOP_MAD_SIZE = 256,
	LOOP_WAIT_MS = 2000, /* for what has to come */
	LOOP_QUIET_MS = 100, /* for what must not */
};

#define LOOP_DEVICE "rxe0"
#define LOOP_QKEY   0x80010000

/* Where things are in a MAD (of a vendor class of range 2, from the RMPP header on). */
enum {
	MAD_BASE_VERSION = 0,
	MAD_CLASS = 1,
	MAD_CLASS_VERSION = 2,
	MAD_METHOD = 3,
	MAD_STATUS = 4,
	MAD_TID_LOW = 12,
	MAD_ATTR_ID = 16,
	MAD_ATTR_MOD = 20,
	MAD_RMPP_VERSION = 24,
	MAD_RMPP_TYPE = 25,
	MAD_RMPP_FLAGS = 26,
	MAD_RMPP_SEGMENT = 28,
	MAD_RMPP_LENGTH = 32,
	MAD_OUI = 37,
	MAD_VENDOR_DATA = 40,
};

enum {
	METHOD_GET = 0x01,
	METHOD_SET = 0x02,
	METHOD_SEND = 0x03,
	METHOD_RESPONSE = 0x80,
};

void loop_put16(uint8_t *at, unsigned value);
void loop_put32(uint8_t *at, uint32_t value);
unsigned loop_get16(const uint8_t *at);
uint32_t loop_get32(const uint8_t *at);

/* Opens port 1 of a device; a failed check and -1 where that can't be. */
int loop_open(const char *device);

/* Registers an agent: a client, or a server for Get, Set and Send. rmpp_version is
 * for LOOP_CLASS only. A failed check and a negative number where that can't be. */
int loop_client(int fd, int mgmt_class, int rmpp_version);
int loop_server(int fd, int mgmt_class, int rmpp_version);

/* A zeroed umad buffer with space for a MAD of that size; the caller frees it with free(). */
void *loop_alloc(size_t size);

/* The MAD in a buffer. */
uint8_t *loop_mad(void *umad);

/* Fills a buffer with the headers of a request to the local port. */
void loop_request(void *umad, const char *device, int mgmt_class, int method, uint32_t tid);

/* Turns a received request into its response, addressed to the requester. */
void loop_response(void *umad);

/* Waits up to LOOP_WAIT_MS for a MAD of LOOP_MAD_SIZE or less and checks which agent it is for.
 * Returns its length, or a negative errno after a failed check. */
int loop_receive(int fd, void *umad, int agent);

/* Checks that nothing comes within LOOP_QUIET_MS. */
bool loop_is_quiet(int fd);

#endif
