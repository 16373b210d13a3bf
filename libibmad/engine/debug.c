/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * debug.c - see debug.h. Input: requests of programs, and MADs from the fabric, unchecked.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "common/mad_words.h"
#include "libibmad/engine/debug.h"
#include "libibmad/engine/request.h"
#include "libibmad/wire/packet.h"

enum {
	LEVEL_DETAILS = 2,
	NS_PER_US = 1000,
	US_PER_MS = 1000,
	OUTCOME_SIZE = 128,
};

static void describe_outcome(char outcome[OUTCOME_SIZE], uint8_t mgmt_class, int status, int error)
{
	if (status)
		snprintf(outcome, OUTCOME_SIZE, "status 0x%x %s", status,
			 mad_words_status(mgmt_class, status));
	else
		snprintf(outcome, OUTCOME_SIZE, "%s", error ? strerror(-error) : "Success");
}

void mad_debug_begin(const struct mad_request *request, const char *function, const ib_rpc_t *rpc)
{
	char to[MAD_PORTID_TEXT_SIZE], words[MAD_WORDS_SIZE];
	int saved_errno = errno;
	struct umad_hdr header;

	if (ibdebug < LEVEL_DETAILS)
		return;
	memcpy(&header, request->mad, sizeof(header));
	mad_portid_print(to, sizeof(to), request->to);
	mad_words_print_request(words, &header);
	mad_debug(function, "%s, to %s begins: QP %d, %d bytes at %d, up to %u attempts of %d ms",
		  words, to, request->to->qp, rpc->datasz, rpc->dataoffs, request->attempts.most,
		  request->attempts.timeout_ms);
	errno = saved_errno;
}

void mad_debug_end(const struct mad_request *request, const char *function, int64_t started)
{
	const struct mad_attempts *attempts = &request->attempts;
	int64_t since = started ? started : attempts->began, now = mad_clock_now();
	int64_t us = since ? (now - since) / NS_PER_US : 0;
	char to[MAD_PORTID_TEXT_SIZE], words[MAD_WORDS_SIZE], outcome[OUTCOME_SIZE];
	char more[32] = "";
	int saved_errno = errno, status = 0;
	struct umad_hdr header;

	if (mad_request_has_reply(request))
		status = mad_response_status(request->response);
	if (!started)
		snprintf(more, sizeof(more), ", attempt %u", attempts->sent_all);
	else if (mad_request_has_reply(request) && ibdebug >= LEVEL_DETAILS)
		snprintf(more, sizeof(more), ", %zu bytes", request->response_length);
	memcpy(&header, request->mad, sizeof(header));
	mad_portid_print(to, sizeof(to), request->to);
	mad_words_print(words, &header);
	describe_outcome(outcome, header.mgmt_class, status, attempts->error);
	mad_debug(function, "%s, to %s: %s%s, %lld.%03lld ms", words, to, outcome, more,
		  (long long)us / US_PER_MS, (long long)us % US_PER_MS);
	errno = saved_errno;
}

void mad_debug_packet(const char *function, bool received, const void *umad, size_t length,
		      int error)
{
	const struct ib_user_mad *head = umad;
	char words[MAD_WORDS_SIZE], status[OUTCOME_SIZE] = "", size[32] = "";
	struct umad_hdr header;
	int saved_errno = errno;

	memcpy(&header, umad_get_mad((void *)umad), sizeof(header));
	mad_words_print(words, &header);
	if (header.method & IB_MAD_RESPONSE)
		snprintf(status, sizeof(status), ", status 0x%x %s",
			 be16toh(header.status) & ~SMP_DIRECTION,
			 mad_words_status(header.mgmt_class,
					  be16toh(header.status) & ~SMP_DIRECTION));
	if (ibdebug >= LEVEL_DETAILS)
		snprintf(size, sizeof(size), ", %zu bytes", length);
	mad_debug(function, "%s %s, %s LID %u QP %u%s%s%s%s", received ? "received" : "sent", words,
		  received ? "from" : "to", be16toh(head->addr.lid), be32toh(head->addr.qpn),
		  status, size, error ? ": " : "", error ? strerror(-error) : "");
	errno = saved_errno;
}
