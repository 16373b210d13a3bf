/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* script.c - rows of the table of requests for the fake kernel: see script.h. */
#include "script.h"

#include <ctype.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void request_put_bytes(const struct request_script *script, uint8_t *mad, const char *offset,
		       const char *bytes)
{
	const struct request_call *call = script->call;
	unsigned needed = script->asynchronous ? REQUEST_SENDS_ASYNC : REQUEST_SENDS;
	uint8_t *at = mad + strtoul(offset, NULL, 10);
	unsigned start, count, byte;

	if (!strcmp(bytes, "=data")) {
		if (call->kind->flags & needed && !request_misses(call, "data") &&
		    !request_misses(call, "payload"))
			memcpy(at, call->given, call->size);
	} else if (sscanf(bytes, "@%u+%u", &start, &count) == 2) {
		while (count--)
			*at++ = (uint8_t)start++;
	} else if (sscanf(bytes, "zeros+%u", &count) == 1) {
		memset(at, 0, count);
	} else {
		int digits = 0;

		for (; sscanf(bytes, "%2x%n", &byte, &digits) == 1 && digits == 2; bytes += 2)
			*at++ = (uint8_t)byte;
		if (*bytes)
			table_error("no bytes", bytes);
	}
}

int request_agent(const struct request_call *call, uint8_t mgmt_class)
{
	unsigned i = 0;

	while (i < call->class_count && call->classes[i] != mgmt_class)
		i++;
	return (int)i;
}

#define HEADER(kind, name, base, member) kind(struct ib_user_mad, name, base, member)
static const struct request_member header_members[] = {
	HEADER(REQUEST_MEMBER, "timeout", 10, timeout_ms),
	HEADER(REQUEST_BIG_ENDIAN, "lid", 16, addr.lid),
	HEADER(REQUEST_BIG_ENDIAN, "qpn", 16, addr.qpn),
	HEADER(REQUEST_BIG_ENDIAN, "qkey", 16, addr.qkey),
	HEADER(REQUEST_MEMBER, "sl", 16, addr.sl),
	HEADER(REQUEST_MEMBER, "pkey", 16, addr.pkey_index),
	HEADER(REQUEST_MEMBER, "grh", 16, addr.grh_present),
	HEADER(REQUEST_MEMBER, "tclass", 16, addr.traffic_class),
	HEADER(REQUEST_BIG_ENDIAN, "flow", 16, addr.flow_label),
	REQUEST_LAST_MEMBER,
};

/* The packet of a "> ..." line. */
static void build(const struct request_script *script, const char *text,
		  uint8_t packet[FAKEUMAD_PACKET])
{
	struct ib_user_mad *umad = (void *)packet;
	uint8_t mad[REQUEST_LONGEST] = { 0 };
	char name[REQUEST_WORD];
	const char *value;

	memset(packet, 0, FAKEUMAD_PACKET);
	umad->timeout_ms = script->call->timeout_ms;
	while (request_word(&text, name, &value)) {
		if (isdigit((unsigned char)*name)) {
			request_put_bytes(script, mad, name, value);
		} else if (!strcmp(name, "gid")) {
			umad->addr.grh_present = 1;
			umad->addr.hop_limit = 255;
			request_read_gid(value, umad->addr.gid);
		} else if (!request_member_set(header_members, umad, name, value)) {
			table_error("unknown word of a write", name);
		}
	}
	umad->agent_id = (uint32_t)request_agent(script->call, mad[1]);
	memcpy(packet + FAKEUMAD_HEADER, mad, FAKEUMAD_MAD);
}

#define REPLY(name, base, member) REQUEST_MEMBER(struct request_outcome, name, base, member)
static const struct request_member outcome_members[] = {
	REPLY("status", 16, reply.status),
	REPLY("method", 16, reply.method),
	REPLY("class", 16, reply.mgmt_class),
	REPLY("base", 16, reply.base_version),
	REPLY("tid", 10, reply.tid_change),
	REPLY("length", 10, reply.length),
	REPLY("read", 10, reply.error),
	REPLY("write", 10, write_error),
	REQUEST_LAST_MEMBER,
};

/* Reads a "< ..." line, for the packet that was written. */
static void read_outcome(const struct request_script *script, const char *text,
			 const uint8_t packet[FAKEUMAD_PACKET], struct request_outcome *outcome)
{
	char name[REQUEST_WORD];
	const char *value;

	memset(outcome, 0, sizeof(*outcome));
	memcpy(outcome->mad, packet + FAKEUMAD_HEADER, FAKEUMAD_MAD);
	while (request_word(&text, name, &value)) {
		if (isdigit((unsigned char)*name))
			request_put_bytes(script, outcome->mad, name, value);
		else if (!strcmp(name, "none"))
			outcome->nothing = true;
		else if (!strcmp(name, "returned"))
			outcome->reply = (struct fakeumad_reply)FAKEUMAD_TIMED_OUT;
		else if (strcmp(name, "ok") != 0 &&
			 !request_member_set(outcome_members, outcome, name, value))
			table_error("unknown word of a response", name);
	}
	if (!outcome->reply.length)
		outcome->reply.length = FAKEUMAD_MAD;
}

void request_write(const struct request_script *script, int step, uint8_t packet[FAKEUMAD_PACKET])
{
	build(script, script->row->steps[step].write, packet);
}

void request_response(const struct request_script *script, int step,
		      const uint8_t packet[FAKEUMAD_PACKET], struct request_outcome *outcome)
{
	read_outcome(script, script->row->steps[step].response, packet, outcome);
	/* The common header is fakeumad's to fill in; the rest is in the row. */
	outcome->reply.data_offset = 16;
	outcome->reply.data = outcome->mad + 16;
	if (outcome->reply.length > 16)
		outcome->reply.data_size = outcome->reply.length - 16;
}

size_t request_last_mad(const struct request_script *script, bool response,
			uint8_t mad[REQUEST_LONGEST])
{
	uint8_t packet[FAKEUMAD_PACKET];
	static struct request_outcome outcome;
	int last = script->row->step_count - 1;

	request_write(script, last, packet);
	request_response(script, last, packet, &outcome);
	memset(mad, 0, REQUEST_LONGEST);
	memcpy(mad, response ? outcome.mad : packet + FAKEUMAD_HEADER,
	       response ? outcome.reply.length : FAKEUMAD_MAD);
	return response ? outcome.reply.length : FAKEUMAD_MAD;
}
