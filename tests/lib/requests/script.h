/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Rows of the table of requests on the fake kernel (fakeumad.h): the writes that have to come, the
 * responses, and the results of calls.
 */
#ifndef TESTS_LIB_REQUESTS_SCRIPT_H
#define TESTS_LIB_REQUESTS_SCRIPT_H

#include "call.h"
#include "fakeumad.h"

enum { REQUEST_LONGEST = 2048 }; /* bytes of a response */

/* The writes and responses of a row for a call; asynchronous: for that form of it. */
struct request_script {
	const struct request_row *row;
	const struct request_call *call;
	bool asynchronous;
};

/* The outcome of a write. */
struct request_outcome {
	struct fakeumad_reply reply;
	int write_error;
	bool nothing;
	uint8_t mad[REQUEST_LONGEST]; /* to which the reply refers */
};

/* The agent of a class, or the one that is registered next. */
int request_agent(const struct request_call *call, uint8_t mgmt_class);

/* The packet that has to be written as that step, from 0. */
void request_write(const struct request_script *script, int step, uint8_t packet[FAKEUMAD_PACKET]);

/* The outcome, in that step, of a packet. */
void request_response(const struct request_script *script, int step,
		      const uint8_t packet[FAKEUMAD_PACKET], struct request_outcome *outcome);

/* The MAD of the last write, or of its response, and its length. */
size_t request_last_mad(const struct request_script *script, bool response,
			uint8_t mad[REQUEST_LONGEST]);

/* Puts "64:0102" and so on into a MAD. */
void request_put_bytes(const struct request_script *script, uint8_t *mad, const char *offset,
		       const char *bytes);

/* Of the program: the transaction ID of the last write, which the script does not compare. */
uint64_t request_written_trid(void);

/* check.c: fails the test unless the call has come out as its row says. */
void request_check(const struct request_script *script, struct ibmad_port *port);

#endif
