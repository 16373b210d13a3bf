/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* script.c - rows of the table of requests for the fake kernel: see script.h. */
#include "script.h"

#include <ctype.h>
#include <endian.h>
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
		fakeumad_pattern(at, count, (uint8_t)start);
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

/* The number of the agent of a class, in the order of fakeumad_port(). */
static int agent_of(uint8_t mgmt_class)
{
	static const uint8_t classes[] = { 0x01, 0x81, 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };
	int i = 0;

	while (classes[i] != mgmt_class)
		if (++i == sizeof(classes))
			table_error("class without an agent", "");
	return i;
}

/* Words of the header that fakeumad_packet does not have: a GID that is there and does not count,
 * traffic class, flow label. */
struct grh {
	bool stale;
	uint8_t gid[16], traffic_class;
	uint32_t flow_label;
};

/* A word about the umad header of a write. */
static void set_header(struct fakeumad_packet *header, struct grh *grh, const char *name,
		       const char *value)
{
	uint32_t number = (uint32_t)strtoul(value, NULL, 16);

	if (!strcmp(name, "timeout"))
		header->timeout_ms = atoi(value);
	else if (!strcmp(name, "lid"))
		header->lid = (uint16_t)number;
	else if (!strcmp(name, "qpn"))
		header->qpn = number;
	else if (!strcmp(name, "qkey"))
		header->qkey = number;
	else if (!strcmp(name, "sl"))
		header->sl = (uint8_t)number;
	else if (!strcmp(name, "pkey"))
		header->pkey_index = (uint16_t)number;
	else if (!strcmp(name, "gid"))
		request_read_gid(value, grh->gid), header->gid = grh->gid;
	else if (!strcmp(name, "grh"))
		grh->stale = true;
	else if (!strcmp(name, "tclass"))
		grh->traffic_class = (uint8_t)number;
	else if (!strcmp(name, "flow"))
		grh->flow_label = number;
	else
		table_error("unknown word of a write", name);
}

/* The packet of a "> ..." line. */
static void build(const struct request_script *script, const char *text,
		  uint8_t packet[FAKEUMAD_PACKET])
{
	struct fakeumad_packet header = { .timeout_ms = (int)script->call->timeout_ms };
	struct ib_user_mad *umad = (void *)packet;
	uint8_t mad[REQUEST_LONGEST] = { 0 };
	struct grh grh = { .stale = false };
	char name[REQUEST_WORD];
	const char *value;

	while (request_word(&text, name, &value)) {
		if (isdigit((unsigned char)*name))
			request_put_bytes(script, mad, name, value);
		else
			set_header(&header, &grh, name, value);
	}
	header.agent = agent_of(mad[1]);
	fakeumad_build(packet, &header);
	umad->addr.traffic_class = grh.traffic_class;
	umad->addr.flow_label = htobe32(grh.flow_label);
	if (grh.stale)
		umad->addr.grh_present = 0;
	memcpy(packet + FAKEUMAD_HEADER, mad, FAKEUMAD_MAD);
}

static void set_outcome(struct request_outcome *outcome, const char *name, const char *value)
{
	struct fakeumad_reply *reply = &outcome->reply;

	if (!strcmp(name, "status"))
		reply->status = (uint16_t)strtoul(value, NULL, 16);
	else if (!strcmp(name, "method"))
		reply->method = (uint8_t)strtoul(value, NULL, 16);
	else if (!strcmp(name, "class"))
		reply->mgmt_class = (uint8_t)strtoul(value, NULL, 16);
	else if (!strcmp(name, "base"))
		reply->base_version = (uint8_t)strtoul(value, NULL, 16);
	else if (!strcmp(name, "tid"))
		reply->tid_change = atoi(value);
	else if (!strcmp(name, "length"))
		reply->length = (size_t)atoi(value);
	else if (!strcmp(name, "read"))
		reply->error = atoi(value);
	else if (!strcmp(name, "write"))
		outcome->write_error = atoi(value);
	else if (!strcmp(name, "none"))
		outcome->nothing = true;
	else if (!strcmp(name, "returned"))
		*reply = (struct fakeumad_reply)FAKEUMAD_TIMED_OUT;
	else if (strcmp(name, "ok") != 0)
		table_error("unknown word of a response", name);
}

/* What a "< ..." line says, for the packet that was written. */
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
		else
			set_outcome(outcome, name, value);
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
