/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * debug.c - see debug.h. Input: requests of programs, and MADs from the fabric, unchecked.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "common/mad_words.h"
#include "libibmad/rpc/debug.h"
#include "libibmad/rpc/rpc.h"
#include "libibmad/wire/packet.h"

enum {
	LEVEL_DETAILS = 2,
	NS_PER_US = 1000,
	US_PER_MS = 1000,
	OUTCOME_SIZE = 128,
};

static __attribute__((format(printf, 2, 3))) void print(const char *function, const char *format,
							...)
{
	va_list arguments;

	va_start(arguments, format);
	mad_print("ibdebug", function, format, arguments);
	va_end(arguments);
}

/* The request in the form of a MAD header. */
static struct umad_hdr header_of(const ib_rpc_t *rpc)
{
	return (struct umad_hdr){
		.mgmt_class = (uint8_t)rpc->mgtclass,
		.method = (uint8_t)rpc->method,
		.attr_id = htobe16((uint16_t)rpc->attr.id),
		.attr_mod = htobe32(rpc->attr.mod),
		.tid = htobe64(rpc->trid),
	};
}

/* The outcome of a request: "Success", the status of its response, or why there is none. */
static void describe_outcome(char outcome[OUTCOME_SIZE], uint8_t mgmt_class, int status, int error)
{
	if (status)
		snprintf(outcome, OUTCOME_SIZE, "status 0x%x %s", status,
			 mad_words_status(mgmt_class, status));
	else
		snprintf(outcome, OUTCOME_SIZE, "%s", error ? strerror(-error) : "Success");
}

static int64_t us_since(int64_t started)
{
	return (mad_clock_now() - started) / NS_PER_US;
}

/* The transaction ID is chosen later. */
int64_t mad_debug_begin(const struct mad_exchange *exchange)
{
	const struct umad_hdr header = header_of(exchange->rpc);
	char to[MAD_PORTID_TEXT_SIZE], words[MAD_WORDS_SIZE];
	const ib_rpc_t *rpc = exchange->rpc;
	int saved_errno = errno;

	if (ibdebug >= LEVEL_DETAILS) {
		mad_portid_print(to, sizeof(to), exchange->transaction.to);
		mad_words_print_request(words, &header);
		print(exchange->function,
		      "%s, to %s begins: QP %d, %d bytes at %d, up to %d attempts of %d ms", words,
		      to, exchange->transaction.to->qp, rpc->datasz, rpc->dataoffs,
		      exchange->transaction.options & MAD_REQUEST_ONCE
			      ? 1
			      : mad_port_retries(exchange->port),
		      mad_port_timeout(exchange->port, rpc->timeout));
	}
	errno = saved_errno;
	return mad_clock_now() | 1;
}

void mad_debug_end(const struct mad_exchange *exchange, int error, int64_t started)
{
	const struct mad_transaction *transaction = &exchange->transaction;
	const struct umad_hdr header = header_of(exchange->rpc);
	int64_t took = us_since(started);
	char to[MAD_PORTID_TEXT_SIZE], words[MAD_WORDS_SIZE], outcome[OUTCOME_SIZE];
	char size[32] = "";
	int saved_errno = errno, status = 0;

	if (mad_transaction_has_response(transaction))
		status = mad_response_status(transaction->response);
	if ((!error || status) && ibdebug >= LEVEL_DETAILS)
		snprintf(size, sizeof(size), ", %zu bytes", transaction->response_length);
	mad_portid_print(to, sizeof(to), exchange->transaction.to);
	mad_words_print(words, &header);
	describe_outcome(outcome, header.mgmt_class, status, error);
	print(exchange->function, "%s, to %s: %s%s, %lld.%03lld ms", words, to, outcome, size,
	      (long long)took / US_PER_MS, (long long)took % US_PER_MS);
	errno = saved_errno;
}

/* The time since the last attempt was sent. */
void mad_debug_async(const struct mad_transaction *transaction, const ib_portid_t *portid,
		     int error)
{
	const uint8_t *mad = mad_transaction_request(transaction);
	int64_t took = transaction->try.sent_all ? us_since(transaction->try.began) : 0;
	char to[MAD_PORTID_TEXT_SIZE], words[MAD_WORDS_SIZE], outcome[OUTCOME_SIZE];
	int saved_errno = errno, status = 0;
	struct umad_hdr header;

	if (mad_transaction_has_response(transaction))
		status = mad_response_status(transaction->response);
	memcpy(&header, mad, sizeof(header));
	mad_portid_print(to, sizeof(to), portid);
	mad_words_print(words, &header);
	describe_outcome(outcome, header.mgmt_class, status, error);
	print("mad_async", "%s, to %s: %s, attempt %u, %lld.%03lld ms", words, to, outcome,
	      transaction->try.sent_all, (long long)took / US_PER_MS, (long long)took % US_PER_MS);
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
	print(function, "%s %s, %s LID %u QP %u%s%s%s%s", received ? "received" : "sent", words,
	      received ? "from" : "to", be16toh(head->addr.lid), be32toh(head->addr.qpn), status,
	      size, error ? ": " : "", error ? strerror(-error) : "");
	errno = saved_errno;
}
