/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* check.c - checks the results of a row of the table of requests: see script.h. */
#include "script.h"

#include "scenes.h"

#include <ctype.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_error(const struct request_call *call, const char *name)
{
	int wanted = 0;

	if (name[0] == 'E')
		wanted = (int)scene_number(name);
	else if (strcmp(name, "data") != 0 && strcmp(name, "sent") != 0 &&
		 strcmp(name, "resolved") != 0)
		table_error("unknown result", name);
	if (call->error != wanted)
		test_fail("%s came where %s was to come", call->error ? strerror(call->error) : "0",
			  name);
}

/* Numbers that only the blocking form tells its caller. */
#define CALL(name, member) REQUEST_MEMBER(struct request_call, name, 16, member)
static const struct request_member blocking_members[] = {
	CALL("dlid", dlid),
	CALL("recsz", recsz),
	CALL("count", count),
	CALL("records", table_attr_id),
	CALL("truncated", truncated),
	CALL("size", record_size),
	CALL("flags", rmpp.flags),
	CALL("error", rpc.version1.error),
	CALL("rpc_recsz", rpc.plain.recsz),
	REQUEST_LAST_MEMBER,
};

#define COUNTER(name, member) REQUEST_MEMBER(struct mad_rpc_statistics, name, 16, member)
static const struct request_member statistics_members[] = {
	COUNTER("written", sent),
	COUNTER("retried", retries),
	COUNTER("timeouts", timeouts),
	COUNTER("errors", errors),
	COUNTER("unmatched", unmatched),
	COUNTER("redirected", redirected),
	REQUEST_LAST_MEMBER,
};

static void check_rmpp(const ib_rmpp_hdr_t *rmpp, const char *wanted)
{
	char text[80];

	snprintf(text, sizeof(text), "%x,%x,%x,%x,%x", rmpp->type, rmpp->flags, rmpp->status,
		 rmpp->d1.u, rmpp->d2.u);
	test_assert(!strcmp(text, wanted));
}

/* Checks the address that a resolve_* call has found, "lid=33" or the ports of a route. A failure
 * changes nothing. */
static void check_found(const struct request_call *call, const char *name, const char *value)
{
	ib_portid_t wanted = call->found;
	long long number = call->portnum;

	if (call->failed) {
		test_assert(!memcmp(&call->found, &call->found_before, sizeof(call->found)));
		return;
	}
	if (!strcmp(name, "gid")) {
		memset(wanted.gid, 0, sizeof(wanted.gid));
		request_read_gid(value, wanted.gid);
	} else if (!strcmp(name, "route")) {
		request_read_route(&wanted.drpath, value);
	} else if (strcmp(name, "port") != 0 &&
		   !request_member_get(request_address_members, &call->found, name, &number)) {
		table_error("unknown word of what was found", name);
	} else if (number != request_number(value)) {
		test_fail("found_%s is %llx, not %s", name, number, value);
	}
	test_assert(!memcmp(&call->found, &wanted, sizeof(wanted)));
}

static void check_number(const struct request_script *script, struct ibmad_port *port,
			 const char *name, const char *value)
{
	const struct request_call *call = script->call;
	struct mad_rpc_statistics statistics = { 0 };
	long long number;

	mad_rpc_get_statistics(port, &statistics);
	if (!strcmp(name, "target")) {
		ibmad_gid_t wanted = { 0 };

		request_read_gid(value, wanted);
		test_assert(!memcmp(call->target, wanted, sizeof(wanted)));
		return;
	}
	if (!strncmp(name, "found_", strlen("found_"))) {
		check_found(call, name + strlen("found_"), value);
		return;
	}
	if (request_member_get(blocking_members, call, name, &number)) {
		if (script->asynchronous && !call->table_attr_id)
			return;
	} else if (!strcmp(name, "rstatus")) {
		number = call->rstatus;
	} else if (!strcmp(name, "trid")) {
		number = (long long)request_written_trid();
	} else if (!request_member_get(statistics_members, &statistics, name, &number) &&
		   !request_member_get(request_address_members, &call->to, name, &number)) {
		table_error("unknown word of a result", name);
	}
	if (number != request_number(value))
		test_fail("%s is %llx, not %s", name, number, value);
}

/* mad_receive_via() has the response to a call that does not wait. */
static void check_received(const struct request_script *script, struct ibmad_port *port)
{
	uint8_t wanted[REQUEST_LONGEST];
	uint8_t *umad = mad_receive_via(NULL, REQUEST_TIMEOUT_MS, port);
	size_t offset = script->call->offset;

	test_assert(umad);
	request_last_mad(script, true, wanted);
	test_assert(!memcmp((uint8_t *)umad_get_mad(umad) + offset, wanted + offset,
			    script->call->size));
	mad_free(umad);
}

/*
 * The data that the caller has to find: those of the response; after a failure its own, or where
 * the call makes its request of them that request. "80:01" in the result changes them.
 */
static void check_data(const struct request_script *script, bool has_response)
{
	const struct request_call *call = script->call;
	const char *text = script->row->result, *value;
	uint8_t mad[REQUEST_LONGEST] = { 0 };
	char name[REQUEST_WORD];
	bool in_place = call->kind->flags & REQUEST_IN_PLACE && !script->asynchronous;

	if (script->row->step_count && (has_response || in_place))
		request_last_mad(script, has_response, mad);
	else
		memcpy(mad + call->offset, call->given, call->size);
	while (request_word(&text, name, &value))
		if (isdigit((unsigned char)*name))
			request_put_bytes(script, mad, name, value);
	for (size_t i = 0; i < REQUEST_DATA; i++) {
		uint8_t wanted = i < call->size ? mad[call->offset + i] : call->given[i];

		if (call->data[i] != wanted)
			test_fail("byte %zu of the data is 0x%02x, not 0x%02x", i, call->data[i],
				  wanted);
	}
}

void request_check(const struct request_script *script, struct ibmad_port *port)
{
	const char *text = script->row->result, *value;
	unsigned tries = (unsigned)script->row->step_count;
	size_t received = script->call->size;
	bool has_response = false, has_tries = false;
	char name[REQUEST_WORD];

	while (request_word(&text, name, &value)) {
		has_tries = has_tries || !strcmp(name, "tries") || !strcmp(name, "data");
		if (!strcmp(name, "received"))
			check_received(script, port);
		else if (!strcmp(name, "bytes"))
			received = strtoul(value, NULL, 10);
		else if (!strcmp(name, "tries"))
			tries = (unsigned)strtoul(value, NULL, 10);
		else if (!strcmp(name, "rmpp") && !script->asynchronous)
			check_rmpp(&script->call->rmpp, value);
		else if (!*value)
			check_error(script->call, name);
		else if (!isdigit((unsigned char)*name) && strcmp(name, "rmpp") != 0)
			check_number(script, port, name, value);
		has_response = has_response || !strcmp(name, "data");
	}
	if (script->asynchronous && has_response)
		test_assert_equal(script->call->received, received);
	if (script->asynchronous && has_tries)
		test_assert_equal(script->call->tries, tries);
	if (script->call->failed)
		check_found(script->call, NULL, NULL);
	check_data(script, has_response);
}
