/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel for unit tests of libibmad: one CA (mlx5_0) with one port, whose device follows a
 * script.
 *
 * A test either scripts what has to happen (fakeumad_expect_*: each open, registration and write,
 * in this order, compared byte by byte) and what follows from it, or responds to each write by a
 * function of its own (fakeumad_respond_with). fakeumad_finish() fails the test if something else
 * came, or not all of it. Every function may be called by any thread.
 */
#ifndef TESTS_LIB_FAKEUMAD_H
#define TESTS_LIB_FAKEUMAD_H

#include "kernel.h"

#define FAKEUMAD_HEADER KERNEL_HEADER
#define FAKEUMAD_MAD	KERNEL_MAD
#define FAKEUMAD_DEVICE "/dev/infiniband/umad0"

struct ibmad_port;
struct ib_user_mad;

/* A MAD that responds to a write; members that are 0 are as in the request, or valid. */
struct fakeumad_reply {
	int delay_ms;
	uint32_t umad_status; /* of the umad header: 110 for a request that timed out */
	uint16_t status;      /* of the MAD */
	uint8_t base_version;
	uint8_t mgmt_class;
	uint8_t method; /* else the response to the request's */
	uint16_t attr_id;
	int tid_change;	  /* added to the TID's low half */
	bool request;	  /* the request itself comes back, method and data too */
	size_t length;	  /* of the MAD, else 256 */
	const void *data; /* data_size bytes for the MAD, at data_offset */
	size_t data_size;
	size_t data_offset;
	int copies; /* how often it comes, else once */
	int error;  /* no MAD: the read of it fails with this errno */
};

#define FAKEUMAD_TIMED_OUT                          \
	{                                           \
		.umad_status = 110, .request = true \
	}

/* A write to the device, as a fakeumad_response_fn sees it. */
struct fakeumad_request {
	const uint8_t *packet; /* umad header and MAD */
	size_t size;
	const uint8_t *mad;
	int number; /* 1 for the first write */
};

/* Called for a write, in the thread that writes; returns 0 or the errno that the write ends with.
 */
typedef int fakeumad_response_fn(const struct fakeumad_request *request, void *context);

/* Begins a test with a fresh kernel. */
void fakeumad_reset(void);

/* Ends it: fails where the script was not followed or not used up, or a device is still open. */
void fakeumad_finish(void);

/* As fakeumad_reset() and fakeumad_finish() for the script and the counters only: for cases that
 * share an open device. */
void fakeumad_restart(void);
void fakeumad_check(void);

/* A libibmad port open for classes 01 81 03 04 05 21 0a 32, of which the agents are 0 to 7. */
struct ibmad_port *fakeumad_port(void);

/* cmocka's set-up and tear-down of a case: a fresh kernel with that port in *state, and its end. */
int fakeumad_setup(void **state);
int fakeumad_teardown(void **state);
#define FAKEUMAD_TEST(name) TEST_WITH(name, fakeumad_setup, fakeumad_teardown)

/* As fakeumad_setup() and fakeumad_teardown(), without a port. */
int fakeumad_begin(void **state);
int fakeumad_end(void **state);
#define FAKEUMAD_TEST_WITHOUT_PORT(name) TEST_WITH(name, fakeumad_begin, fakeumad_end)

/* A umad packet to expect, or to deliver. What is 0 is 0 in the packet. */
struct fakeumad_packet {
	int agent;
	int timeout_ms;
	uint32_t qpn;
	uint32_t qkey;
	uint16_t lid;
	uint8_t sl;
	uint16_t pkey_index;
	const uint8_t *gid; /* with a GRH to it, hop limit 255; NULL: no GRH */
	uint8_t mgmt_class; /* decides the class version */
	uint8_t method;
	uint16_t status;
	uint64_t tid;
	uint16_t attr_id;
	uint32_t attr_mod;
	const void *data; /* data_size bytes of the MAD at data_offset */
	size_t data_size;
	size_t data_offset;
};

#define FAKEUMAD_PACKET KERNEL_PACKET
void fakeumad_build(uint8_t packet[FAKEUMAD_PACKET], const struct fakeumad_packet *what);

/* Bytes start, start + 1, ... for data that can be distinguished. */
void fakeumad_pattern(void *data, size_t size, uint8_t start);

/* The script: what comes next. With any of these, everything that comes has to be scripted. */
void fakeumad_expect_open(const char *path, int error);
void fakeumad_expect_enable_pkey(int error);
/* REGISTER_AGENT with these arguments; agent (or errno) is what it gives. method_mask NULL: none */
void fakeumad_expect_register(int mgmt_class, int version, int rmpp_version, uint32_t oui,
			      const long *method_mask, int agent, int error);
/*
 * A write of exactly these bytes, its transaction ID aside; the last count replies come then.
 * NULL takes any packet.
 */
void fakeumad_expect_write(const void *packet, size_t size, const struct fakeumad_reply *replies,
			   int count);
void fakeumad_expect_write_error(const void *packet, size_t size, int error);

/* Any number of writes, with responses from a function; or (NULL) recorded, without responses. */
void fakeumad_respond_with(fakeumad_response_fn *response, void *context);

/* Delivers a reply to a request, from a fakeumad_response_fn or later. */
void fakeumad_reply(const struct fakeumad_request *request, const struct fakeumad_reply *reply);

/* As fakeumad_reply() at a device, with the kernel's lock held: for other policies. */
void fakeumad_reply_to(int device, const uint8_t *request, size_t size,
		       const struct fakeumad_reply *reply);

/* Delivers a whole umad packet, delay_ms from now. */
void fakeumad_deliver(const void *packet, size_t size, int delay_ms);

/* The next count polls that would wait fail with this errno (EINTR). */
void fakeumad_fail_polls(int count, int error);

/* The number of packets that were written, and copies of the first FAKEUMAD_KEPT of them. */
#define FAKEUMAD_KEPT 64
int fakeumad_writes(void);
const uint8_t *fakeumad_written(int number); /* 1 for the first; whole packet of 320 bytes */
size_t fakeumad_written_size(int number);
int fakeumad_polls(void);
int fakeumad_reads(void);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t fakeumad_now_ms(void);

#endif
