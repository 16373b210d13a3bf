/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* check.c - what fakeumad expects for a row of the table of requests, and results: see script.h. */
#include "script.h"

#include "scenes.h"
#include "test.h"

#include <ctype.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void request_expect(const struct request_script *script)
{
	static struct request_outcome
		outcomes[REQUEST_STEPS]; /* the script refers to their bytes */

	for (int i = 0; i < script->row->step_count; i++) {
		struct request_outcome *outcome = &outcomes[i];
		uint8_t packet[FAKEUMAD_PACKET];

		request_write(script, i, packet);
		request_response(script, i, packet, outcome);
		if (outcome->write_error)
			fakeumad_expect_write_error(packet, sizeof(packet), outcome->write_error);
		else
			fakeumad_expect_write(packet, sizeof(packet), &outcome->reply,
					      !outcome->nothing);
	}
}

static void check_error(const struct request_call *call, const char *name)
{
	int wanted = 0;

	if (name[0] == 'E')
		wanted = (int)scene_number(name);
	else if (strcmp(name, "data") != 0 && strcmp(name, "sent") != 0 &&
		 strcmp(name, "resolved") != 0)
		table_error("unknown result", name);
	if (call->error != wanted)
		fail_msg("%s came where %s was to come", call->error ? strerror(call->error) : "0",
			 name);
}

/* What only the blocking form tells its caller. */
static bool blocking_number(const struct request_call *call, const char *name, long long *number)
{
	if (!strcmp(name, "dlid"))
		*number = call->dlid;
	else if (!strcmp(name, "recsz"))
		*number = call->kind->offset ? call->recsz : call->rpc.plain.recsz;
	else if (!strcmp(name, "count"))
		*number = (long long)call->count;
	else if (!strcmp(name, "records"))
		*number = call->table_attr_id;
	else if (!strcmp(name, "size"))
		*number = (long long)call->record_size;
	else if (!strcmp(name, "flags"))
		*number = call->rmpp.flags;
	else if (!strcmp(name, "error"))
		*number = call->rpc.version1.error;
	else
		return false;
	return true;
}

/* The transaction ID of the last write, which the script does not compare. */
static uint64_t written_trid(void)
{
	const uint8_t *packet = fakeumad_written(fakeumad_writes());

	return mad_get_field64((void *)(packet + FAKEUMAD_HEADER), 0, IB_MAD_TRID_F);
}

/* A number of an address after the call. */
static bool address_number(const ib_portid_t *to, const char *name, long long *number)
{
	if (!strcmp(name, "lid"))
		*number = to->lid;
	else if (!strcmp(name, "qp"))
		*number = to->qp;
	else if (!strcmp(name, "qkey"))
		*number = to->qkey;
	else if (!strcmp(name, "sl"))
		*number = to->sl;
	else if (!strcmp(name, "pkey"))
		*number = to->pkey_idx;
	else if (!strcmp(name, "grh"))
		*number = to->grh_present;
	else if (!strcmp(name, "hops"))
		*number = to->drpath.cnt;
	else if (!strcmp(name, "slid"))
		*number = to->drpath.drslid;
	else if (!strcmp(name, "dlid"))
		*number = to->drpath.drdlid;
	else
		return false;
	return true;
}

static void check_rmpp(const ib_rmpp_hdr_t *rmpp, const char *wanted)
{
	char text[80];

	snprintf(text, sizeof(text), "%x,%x,%x,%x,%x", rmpp->type, rmpp->flags, rmpp->status,
		 rmpp->d1.u, rmpp->d2.u);
	assert_string_equal(text, wanted);
}

static bool statistics_number(const struct ibmad_port *port, const char *name, long long *number)
{
	struct mad_rpc_statistics statistics = { 0 };
	const struct {
		const char *name;
		const uint64_t *number;
	} members[] = {
		{ "written", &statistics.sent },	{ "retried", &statistics.retries },
		{ "timeouts", &statistics.timeouts },	{ "errors", &statistics.errors },
		{ "unmatched", &statistics.unmatched }, { "redirected", &statistics.redirected },
	};

	mad_rpc_get_statistics(port, &statistics);
	for (size_t i = 0; i < COUNT(members); i++)
		if (!strcmp(name, members[i].name)) {
			*number = (long long)*members[i].number;
			return true;
		}
	return false;
}

/* What a resolve_* call has found, "lid=33" or the ports of a route; after a failure, nothing. */
static void check_found(const struct request_call *call, const char *name, const char *value)
{
	ib_portid_t wanted = call->found;
	long long number = call->portnum;

	if (call->failed) {
		assert_memory_equal(&call->found, &call->found_before, sizeof(call->found));
		return;
	}
	if (!strcmp(name, "gid")) {
		memset(wanted.gid, 0, sizeof(wanted.gid));
		request_read_gid(value, wanted.gid);
	} else if (!strcmp(name, "route")) {
		request_read_route(&wanted.drpath, value);
	} else if (strcmp(name, "port") != 0 && !address_number(&call->found, name, &number)) {
		table_error("unknown word of what was found", name);
	} else if (number != request_number(value)) {
		fail_msg("found_%s is %llx, not %s", name, number, value);
	}
	assert_memory_equal(&call->found, &wanted, sizeof(wanted));
}

static void check_number(const struct request_script *script, struct ibmad_port *port,
			 const char *name, const char *value)
{
	const struct request_call *call = script->call;
	long long number;

	if (!strcmp(name, "target")) {
		ibmad_gid_t wanted = { 0 };

		request_read_gid(value, wanted);
		assert_memory_equal(call->target, wanted, sizeof(wanted));
		return;
	}
	if (!strncmp(name, "found_", strlen("found_"))) {
		check_found(call, name + strlen("found_"), value);
		return;
	}
	if (blocking_number(call, name, &number)) {
		if (script->asynchronous)
			return;
	} else if (!strcmp(name, "rstatus")) {
		number = call->rstatus;
	} else if (!strcmp(name, "trid")) {
		number = (long long)written_trid();
	} else if (!statistics_number(port, name, &number) &&
		   !address_number(&call->to, name, &number)) {
		table_error("unknown word of a result", name);
	}
	if (number != request_number(value))
		fail_msg("%s is %llx, not %s", name, number, value);
}

/* What a call that does not wait gets responds to mad_receive_via(). */
static void check_received(const struct request_script *script, struct ibmad_port *port)
{
	uint8_t wanted[REQUEST_LONGEST];
	uint8_t *umad = mad_receive_via(NULL, REQUEST_TIMEOUT_MS, port);
	size_t offset = script->call->offset;

	assert_non_null(umad);
	request_last_mad(script, true, wanted);
	assert_memory_equal((uint8_t *)umad_get_mad(umad) + offset, wanted + offset,
			    script->call->size);
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
			fail_msg("byte %zu of the data is 0x%02x, not 0x%02x", i, call->data[i],
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
		assert_int_equal(script->call->received, received);
	if (script->asynchronous && has_tries)
		assert_int_equal(script->call->tries, tries);
	if (script->call->failed)
		check_found(script->call, NULL, NULL);
	check_data(script, has_response);
}
