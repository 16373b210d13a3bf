/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The lines that umad_debug() enables, on stderr: a line for each MAD that is sent, received or
 * returned by the kernel. For response times, a small table keeps the last sends, each as one
 * number, so that threads need no lock; of two with the same slot the newer stays.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "common/mad_words.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum {
	SENDS = 512,
	NS_PER_US = 1000,
	US_PER_MS = 1000,
	LEVEL_MADS = 1,
	LEVEL_DETAILS = 2,
	LINE_SIZE = 768,
	DR_HOPS_MAX = UMAD_SMP_MAX_HOPS - 1,
	MAD_SIZE = 256,
	NOTICE_TRAP = 4, /* offsets in a notice */
	NOTICE_ISSUER_LID = 6,
	OPA_NOTICE_ISSUER_LID = 8, /* of 32 bits */
};

/* A line in the making; text that does not fit is dropped. */
struct line {
	size_t length;
	char text[LINE_SIZE];
};

static __attribute__((format(printf, 2, 3))) void put(struct line *line, const char *format, ...)
{
	size_t space = sizeof(line->text) - line->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line->text + line->length, space, format, args);
	va_end(args);
	if (length > 0)
		line->length += (size_t)length < space ? (size_t)length : space - 1;
}

/* The start of a MAD, or all of it, padded with zeros. */
union head {
	struct umad_hdr header;
	uint8_t mad[MAD_SIZE];
};

/* The key of a request and the time when it was sent, in us; 32 bits each. */
static _Atomic uint64_t sends[SENDS];

static uint32_t now_us(void)
{
	return (uint32_t)(umad_sys_deadline(0) / NS_PER_US);
}

/* The lower bits are those of the transaction ID, which programs count up. */
static uint32_t make_key(int portid, const struct umad_hdr *mad)
{
	return (uint32_t)be64toh(mad->tid) ^ (uint32_t)portid << 24 ^
	       (uint32_t)mad->mgmt_class << 16;
}

/* The time since the request of this response was sent. */
static void put_time(struct line *line, int portid, const struct umad_hdr *mad)
{
	uint32_t key = make_key(portid, mad), took, now = now_us();
	uint64_t send = sends[key % SENDS];

	if (!send || send >> 32 != key)
		return;
	took = now - (uint32_t)send;
	put(line, ", after %u.%03u ms", took / US_PER_MS, took % US_PER_MS);
}

static void put_port(struct line *line, int portid)
{
	struct umad_owner *owner = umad_owner_find(portid);
	struct umad_port_choice port;

	if (!owner) {
		put(line, "port %d: ", portid);
		return;
	}
	umad_node_read_owner(owner, &port);
	put(line, "%s port %d: ", port.ca_name, port.portnum);
}

static void put_route(struct line *line, const uint8_t *mad)
{
	int hop, hops = mad[SMP_HOP_COUNT] < DR_HOPS_MAX ? mad[SMP_HOP_COUNT] : DR_HOPS_MAX;

	put(line, "route 0");
	for (hop = 1; hop <= hops; hop++)
		put(line, ",%u", mad[SMP_INITIAL_PATH + hop]);
	if (mad_get_be16(mad + SMP_DR_SLID) != MAD_LID_PERMISSIVE)
		put(line, " from LID %u", mad_get_be16(mad + SMP_DR_SLID));
	if (mad_get_be16(mad + SMP_DR_DLID) != MAD_LID_PERMISSIVE)
		put(line, " to LID %u", mad_get_be16(mad + SMP_DR_DLID));
}

static void put_status(struct line *line, const struct umad_hdr *mad)
{
	unsigned int status = be16toh(mad->status);

	if (mad->mgmt_class == UMAD_CLASS_SUBN_DIRECTED_ROUTE)
		status &= ~(unsigned int)UMAD_SMP_DIRECTION;
	put(line, ", status 0x%x %s", status, mad_words_status(mad->mgmt_class, status));
}

static bool is_response(const struct umad_hdr *mad)
{
	return mad->method & UMAD_METHOD_RESP_MASK;
}

static const struct umad_notice_value values[] = {
#define KIND(mgmt_class, trap, text, layout)
#define VALUE(layout, name, first, bits, form) { layout, first, bits, UMAD_NOTICE_##form, name },
#include "common/mad_notices.h"
#undef KIND
#undef VALUE
};

const struct umad_notice_value *umad_notice_next_value(const struct umad_notice_value *after,
						       unsigned int layout)
{
	const struct umad_notice_value *value = after ? after + 1 : values;

	for (; value < values + sizeof(values) / sizeof(values[0]); value++)
		if (value->layout == layout)
			return value;
	return NULL;
}

static void put_value(struct line *line, const uint8_t *notice,
		      const struct umad_notice_value *value)
{
	const uint8_t *bytes = notice + value->first / CHAR_BIT;
	char gid[INET6_ADDRSTRLEN];

	switch (value->form) {
	case UMAD_NOTICE_KEY:
		put(line, "hidden");
		break;
	case UMAD_NOTICE_GID:
		put(line, "%s", inet_ntop(AF_INET6, bytes, gid, sizeof(gid)));
		break;
	case UMAD_NOTICE_BYTES:
		for (unsigned int i = 0; i < value->bits / CHAR_BIT; i++)
			put(line, "%02x", bytes[i]);
		break;
	default:
		put(line, value->form == UMAD_NOTICE_HEX ? "0x%" PRIx64 : "%" PRIu64,
		    mad_get_bits(notice, value->first, value->bits));
	}
}

/* The kind of a notice, the LID of its issuer, and its values; Omni-Path has other layouts. */
static void put_notice(struct line *line, const union head *head)
{
	const uint8_t *notice = head->mad + mad_attribute_start(head->mad);
	const struct umad_notice_value *value = NULL;
	const struct mad_words_notice *kind;
	bool is_opa = mad_is_opa(head->mad);
	const char *separator = ":";

	if (head->header.attr_id != htobe16(UMAD_ATTR_NOTICE))
		return;
	kind = mad_words_find_notice(head->header.mgmt_class, notice);
	put(line, ", trap %u%s%s%s of LID %u", mad_get_be16(notice + NOTICE_TRAP), kind ? " (" : "",
	    kind ? kind->text : "", kind ? ")" : "",
	    is_opa ? mad_get_be32(notice + OPA_NOTICE_ISSUER_LID)
		   : mad_get_be16(notice + NOTICE_ISSUER_LID));
	while (kind && !is_opa && (value = umad_notice_next_value(value, kind->layout))) {
		put(line, "%s %s ", separator, value->name);
		put_value(line, notice, value);
		separator = ",";
	}
}

/* Begins a line: the port, what happens, the MAD and the address of the other side. */
static void begin(struct line *line, union head *head, int portid, const void *umad, size_t length,
		  const char *verb, const char *to_or_from)
{
	const struct ib_mad_addr *addr = &((const struct ib_user_mad *)umad)->addr;
	const uint8_t *mad = (const uint8_t *)umad + umad_state_header_size();
	char words[MAD_WORDS_SIZE];

	*head = (union head){ .mad = { 0 } };
	memcpy(head->mad, mad, length < sizeof(head->mad) ? length : sizeof(head->mad));
	line->length = 0;
	put_port(line, portid);
	mad_words_print(words, &head->header);
	put(line, "%s %s, %s ", verb, words, to_or_from);
	if (head->header.mgmt_class == UMAD_CLASS_SUBN_DIRECTED_ROUTE)
		put_route(line, head->mad);
	else
		put(line, "LID %u QP %u", be16toh(addr->lid), be32toh(addr->qpn));
	put_notice(line, head);
}

static void put_details(struct line *line, const struct ib_user_mad *umad, size_t length)
{
	const struct ib_mad_addr *addr = &umad->addr;
	char gid[INET6_ADDRSTRLEN] = "";

	if (umad_state_debug_level() < LEVEL_DETAILS)
		return;
	put(line, "; agent %u, %zu bytes, SL %u, Q_Key 0x%x", umad->agent_id, length, addr->sl,
	    be32toh(addr->qkey));
	if (umad_state_pkey_layout())
		put(line, ", P_Key index %u", addr->pkey_index);
	if (addr->grh_present && inet_ntop(AF_INET6, addr->gid, gid, sizeof(gid)))
		put(line, ", GID %s, GID index %u", gid, addr->gid_index);
}

/* Prints the line before the MAD is sent, so that it precedes that of the response. */
void umad_debug_sending(int portid, const void *umad, size_t length)
{
	const struct ib_user_mad *mad = umad;
	struct line line;
	union head head;
	uint32_t key;

	begin(&line, &head, portid, umad, length, "sends", "to");
	if (is_response(&head.header))
		put_status(&line, &head.header);
	put_details(&line, mad, length);
	if (umad_state_debug_level() >= LEVEL_DETAILS)
		put(&line, ", timeout %d ms, retries %d", (int)mad->timeout_ms, (int)mad->retries);
	umad_state_trace(LEVEL_MADS, 0, "%s", line.text);
	if (!is_response(&head.header)) {
		key = make_key(portid, &head.header);
		sends[key % SENDS] = (uint64_t)key << 32 | now_us();
	}
}

/* Prints a second line if sending failed; error is a negative errno. */
void umad_debug_not_sent(int portid, const void *umad, size_t length, int error)
{
	struct line line;
	union head head;

	begin(&line, &head, portid, umad, length, "could not send", "to");
	umad_state_trace(LEVEL_MADS, error, "%s", line.text);
}

/* Prints the line of a MAD, or of a request that the kernel returned, with the reason. */
void umad_debug_received(int portid, const void *umad, size_t length)
{
	const struct ib_user_mad *mad = umad;
	struct line line;
	union head head;

	begin(&line, &head, portid, umad, length, mad->status ? "no response to" : "received",
	      mad->status ? "to" : "from");
	if (!mad->status && is_response(&head.header))
		put_status(&line, &head.header);
	if (mad->status || is_response(&head.header))
		put_time(&line, portid, &head.header);
	put_details(&line, mad, length);
	umad_state_trace(LEVEL_MADS, mad->status <= INT_MAX ? -(int)mad->status : 0, "%s",
			 line.text);
}
