/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* call.c - the blocking calls of the table of requests: see call.h. */
#include "call.h"

#include <errno.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_sa.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SENDS	  REQUEST_SENDS
#define ASYNC	  REQUEST_ASYNC
#define BOTH_SEND (SENDS | ASYNC | REQUEST_SENDS_ASYNC)
#define IN_PLACE  REQUEST_IN_PLACE

static const struct request_kind kinds[] = {
	{ "smp_get", 64, 64, SENDS | ASYNC },
	{ "smp_query", 64, 64, SENDS },
	{ "smp_set", 64, 64, BOTH_SEND },
	{ "smp_set_via", 64, 64, SENDS },
	{ "perf_get", 64, 192, SENDS | IN_PLACE | ASYNC },
	{ "perf_reset", 64, 192, IN_PLACE | ASYNC },
	{ "cc_get", 64, 192, SENDS | ASYNC },
	{ "cc_get_log", 32, 224, SENDS | ASYNC },
	{ "cc_set", 64, 192, BOTH_SEND },
	{ "cc_set_log", 32, 224, BOTH_SEND },
	{ "vendor1", 24, 232, BOTH_SEND },
	{ "vendor2", 40, 216, BOTH_SEND },
	{ "sa", 56, 200, BOTH_SEND },
	{ "query", 56, 0, 0 },
	{ "query_paths", 56, 0, 0 },
	{ "query_all", 56, 0, 0 },
	{ "path", 56, 200, IN_PLACE },
	{ "node", 56, 200, IN_PLACE },
	{ "bm", 64, 192, SENDS },
	{ "rpc", 0, 0, BOTH_SEND },
	{ "rpc_rmpp", 0, 0, SENDS },
	{ "send", 0, 0, SENDS },
	{ "resolve_sm", 64, 0, 0 },
	{ "resolve_self", 64, 0, 0 },
	{ "resolve_guid", 64, 0, 0 },
	{ "resolve_gid", 64, 0, 0 },
	{ "resolve_text", 64, 0, 0 },
	{ "mc_join", 56, 0, 0 },
	{ "mc_leave", 56, 0, 0 },
	{ "check_key", 56, 0, 0 },
	{ "subscribe", 56, 0, REQUEST_REGISTERS },
	{ "unsubscribe", 56, 0, REQUEST_REGISTERS },
};

#define ADDRESS(name, base, member) REQUEST_MEMBER(ib_portid_t, name, base, member)
const struct request_member request_address_members[] = {
	ADDRESS("lid", 16, lid),
	ADDRESS("sl", 16, sl),
	ADDRESS("qp", 16, qp),
	ADDRESS("qkey", 16, qkey),
	ADDRESS("pkey", 16, pkey_idx),
	ADDRESS("grh", 16, grh_present),
	ADDRESS("hops", 10, drpath.cnt),
	ADDRESS("slid", 16, drpath.drslid),
	ADDRESS("dlid", 16, drpath.drdlid),
	REQUEST_LAST_MEMBER,
};

#define CALL(name, base, member) REQUEST_MEMBER(struct request_call, name, base, member)
static const struct request_member call_members[] = {
	CALL("timeout", 10, timeout_ms),      CALL("class", 16, rpc.plain.mgtclass),
	CALL("method", 16, rpc.plain.method), CALL("attr", 16, rpc.plain.attr.id),
	CALL("mod", 16, rpc.plain.attr.mod),  CALL("status", 16, rpc.plain.rstatus),
	CALL("at", 10, rpc.plain.dataoffs),   CALL("size", 10, rpc.plain.datasz),
	CALL("key", 16, rpc.plain.mkey),      CALL("trid", 16, rpc.plain.trid),
	CALL("mask", 16, rpc.plain.mask),     CALL("oui", 16, rpc.plain.oui),
	CALL("cckey", 16, rpc.cc.cckey),      CALL("shows", 10, shows_errors),
	CALL("debug", 10, debug_level),	      REQUEST_LAST_MEMBER,
};

/* "0,1,2": the ports of a directed route. */
void request_read_route(ib_dr_path_t *path, const char *text)
{
	for (path->cnt = -1; text && path->cnt < 63; text = strchr(text, ',')) {
		text += *text == ',';
		path->p[++path->cnt] = (uint8_t)strtoul(text, NULL, 16);
	}
}

/* "1,1,0,0,dc": type, flags, status and the two data words. */
static void read_rmpp(ib_rmpp_hdr_t *rmpp, const char *text)
{
	unsigned word[5] = { 0 };

	sscanf(text, "%x,%x,%x,%x,%x", &word[0], &word[1], &word[2], &word[3], &word[4]);
	rmpp->type = (int)word[0];
	rmpp->flags = (int)word[1];
	rmpp->status = (int)word[2];
	rmpp->d1.u = word[3];
	rmpp->d2.u = word[4];
}

#ifdef REQUESTS_OF_REFERENCE /* the distribution's library has no such keys */
#define read_ring(call, value, port) (void)(call)
#define sa_key_set(port, key)
#else
/* "m,lid,7,a1": the ring of the port has the key a1 for M_Keys of LID 7. */
static void read_ring(struct request_call *call, const char *value, struct ibmad_port *port)
{
	static const char *const kinds_of_key[] = {
		[MAD_KEY_M] = "m",	 [MAD_KEY_SA] = "sa",	      [MAD_KEY_CC] = "cc",
		[MAD_KEY_PERF] = "perf", [MAD_KEY_VENDOR] = "vendor",
	};
	unsigned kind = MAD_KEY_M;
	char name[8], where[8];
	uint64_t who, key;

	if (sscanf(value, "%7[^,],%7[^,],%" SCNx64 ",%" SCNx64, name, where, &who, &key) != 4)
		table_error("no key of a ring", value);
	if (!call->ring) {
		call->ring = mad_keys_create();
		mad_port_set_keys(port, call->ring);
		mad_keys_free(call->ring); /* the port keeps the ring */
	}
	while (kind < MAD_KEY_PERF && strcmp(name, kinds_of_key[kind]) != 0)
		kind++;
	if (!strcmp(where, "any"))
		mad_keys_set_default(call->ring, kind, key);
	else if (!strcmp(where, "lid"))
		mad_keys_set_lid(call->ring, kind, (unsigned)who, key);
	else if (!strcmp(where, "guid"))
		mad_keys_set_guid(call->ring, kind, who, key);
	else
		mad_keys_map_lid(call->ring, (unsigned)who, key);
}
#endif

/* A word about the port that makes the call. */
static bool set_port(struct request_call *call, const char *name, const char *value,
		     struct ibmad_port *port)
{
	static const char *const names[] = { "ring", "sakey", "mkey", "retries" };
	size_t i = 0;

	while (strcmp(name, names[i]) != 0)
		if (++i == sizeof(names) / sizeof(names[0]))
			return false;
	if (!port)
		return true;
	if (i == 0) {
		read_ring(call, value, port);
	} else if (i == 1) {
		sa_key_set(port, (uint64_t)request_number(value));
	} else if (i == 2) {
		smp_mkey_set(port, (uint64_t)request_number(value));
		if (smp_mkey_get(port) != (uint64_t)request_number(value))
			table_error("another M_Key than was set", value);
	} else {
		mad_rpc_set_retries(port, atoi(value));
	}
	return true;
}

void request_read_gid(const char *value, uint8_t gid[16])
{
	size_t length = strlen(value);
	unsigned byte;

	for (int i = 15; i >= 0 && length; i--) {
		size_t digits = length > 1 ? 2 : 1;

		length -= digits;
		if (sscanf(value + length, digits == 2 ? "%2x" : "%1x", &byte) != 1)
			table_error("no GID", value);
		gid[i] = (uint8_t)byte;
	}
}

/* A word about what is to be resolved. */
static bool set_target(struct request_call *call, const char *name, const char *value)
{
	if (!strcmp(name, "target")) {
		request_read_gid(value, call->target);
	} else if (!strcmp(name, "found")) {
		request_read_gid(value, call->found.gid);
	} else if (!strcmp(name, "text")) {
		snprintf(call->text, sizeof(call->text), "%s", value);
		for (char *blank = call->text; (blank = strchr(blank, '_'));)
			*blank = ' ';
	} else {
		return false;
	}
	return true;
}

/* "3,81": the classes of the port; "0": none. */
static void read_classes(struct request_call *call, const char *text)
{
	for (call->class_count = 0; text; text = strchr(text, ',')) {
		text += *text == ',';
		call->classes[call->class_count] = (uint8_t)strtoul(text, NULL, 16);
		call->class_count += call->classes[call->class_count] != 0;
	}
}

static void set_other(struct request_call *call, const char *name, const char *value,
		      struct ibmad_port *port)
{
	if (!strcmp(name, "route")) {
		request_read_route(&call->to.drpath, value);
	} else if (!strcmp(name, "gid")) {
		call->to.grh_present = 1;
		request_read_gid(value, call->to.gid);
	} else if (!strcmp(name, "guid")) {
		request_read_gid(value, call->to.gid);
	} else if (!strcmp(name, "data")) {
		memset(call->given, 0, REQUEST_DATA);
		memset(call->data, 0, REQUEST_DATA);
	} else if (!strcmp(name, "rmpp")) {
		read_rmpp(&call->rmpp, value);
	} else if (!strcmp(name, "no")) {
		snprintf(call->missing, sizeof(call->missing), "%s", value);
	} else if (!strcmp(name, "classes")) {
		read_classes(call, value);
	} else if (!strcmp(name, "form")) {
		call->only_blocking = !strcmp(value, "blocking");
	} else if (!set_port(call, name, value, port) && !set_target(call, name, value)) {
		table_error("unknown word of a call", name);
	}
}

static const struct request_kind *kind_of(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	table_error("unknown call", name);
}

void request_call_read(struct request_call *call, const char *text, struct ibmad_port *port)
{
	char name[REQUEST_WORD] = "";
	const char *value;
	int arguments = 0;

	memset(call, 0, sizeof(*call));
	memset(&call->found, 0xee, sizeof(call->found));
	memset(call->found.gid, 0, sizeof(call->found.gid));
	call->rstatus = -1;
	call->rpc.version1.error = -1;
	call->timeout_ms = REQUEST_TIMEOUT_MS;
	read_classes(call, "1,81,3,4,5,21,a,32"); /* as fakeumad_port() */
	for (size_t i = 0; i < REQUEST_DATA; i++)
		call->given[i] = call->data[i] = (uint8_t)i;
	request_word(&text, name, &value);
	call->kind = kind_of(name);
	call->offset = call->kind->offset;
	call->size = call->kind->size;
	while (request_word(&text, name, &value)) {
		if (!strcmp(name, "to"))
			arguments = REQUEST_ARGUMENTS;
		else if (!*value && arguments < REQUEST_ARGUMENTS)
			call->arguments[arguments++] = (uint64_t)request_number(name);
		else if (!request_member_set(request_address_members, &call->to, name, value) &&
			 !request_member_set(call_members, call, name, value))
			set_other(call, name, value, port);
	}
	if (!call->kind->offset && call->rpc.plain.datasz >= 0 && call->rpc.plain.dataoffs >= 0 &&
	    call->rpc.plain.datasz <= REQUEST_DATA) {
		call->offset = (size_t)call->rpc.plain.dataoffs;
		call->size = (size_t)call->rpc.plain.datasz;
	}
	call->rpc.plain.timeout = (int)call->timeout_ms;
	call->received = call->size;
	call->found_before = call->found;
}

bool request_is_asynchronous(const struct request_call *call)
{
	if (call->only_blocking)
		return false;
	if (request_misses(call, "data"))
		return false; /* the asynchronous form takes NULL for zeros, or for a Get */
	return call->kind->flags & REQUEST_ASYNC;
}

bool request_misses(const struct request_call *call, const char *argument)
{
	return !strcmp(call->missing, argument);
}

ib_vendor_call_t request_vendor_call(const struct request_call *call)
{
	const uint64_t *a = call->arguments;

	return (ib_vendor_call_t){
		.mgmt_class = a[0],
		.method = a[1],
		.attrid = a[2],
		.mod = a[3],
		.oui = a[4],
		.timeout = call->timeout_ms,
		.rmpp = call->rmpp,
	};
}

ib_sa_call_t request_sa_call(const struct request_call *call)
{
	const uint64_t *a = call->arguments;

	return (ib_sa_call_t){
		.method = a[0],
		.attrid = a[1],
		.mod = a[2],
		.mask = a[3],
		.trid = call->rpc.plain.trid,
		.rmpp = call->rmpp,
	};
}

/* Makes a call with SMP or performance attributes, or for congestion control. */
static bool make_plain(struct request_call *call, void *data, ib_portid_t *to,
		       struct ibmad_port *port)
{
	int *rstatus = request_misses(call, "rstatus") ? NULL : &call->rstatus;
	const uint64_t *a = call->arguments;
	const char *kind = call->kind->name;
	unsigned timeout = call->timeout_ms;

	if (!strcmp(kind, "smp_get"))
		return smp_query_status_via(data, to, a[0], a[1], timeout, rstatus, port);
	if (!strcmp(kind, "smp_query"))
		return smp_query_via(data, to, a[0], a[1], timeout, port);
	if (!strcmp(kind, "smp_set"))
		return smp_set_status_via(data, to, a[0], a[1], timeout, rstatus, port);
	if (!strcmp(kind, "smp_set_via"))
		return smp_set_via(data, to, a[0], a[1], timeout, port);
	if (!strcmp(kind, "perf_get"))
		return pma_query_via(data, to, a[1], timeout, a[0], port);
	if (!strcmp(kind, "perf_reset"))
		return performance_reset_via(data, to, a[1], a[2], timeout, a[0], port);
	if (!strncmp(kind, "cc_get", strlen("cc_get")))
		return cc_query_status_via(data, to, a[0], a[1], timeout, rstatus, port, a[2]);
	return cc_config_status_via(call->given, data, to, a[0], a[1], timeout, rstatus, port,
				    a[2]);
}

static bool make_vendor(struct request_call *call, void *data, ib_portid_t *to,
			struct ibmad_port *port)
{
	ib_vendor_call_t vendor = request_vendor_call(call);
	bool success =
		ib_vendor_call_via(data, to, request_misses(call, "call") ? NULL : &vendor, port);

	call->rmpp = vendor.rmpp;
	return success;
}

static bool make_sa(struct request_call *call, void *data, ib_portid_t *to, struct ibmad_port *port)
{
	ib_sa_call_t sa = request_sa_call(call);
	bool success = sa_rpc_call(port, data, to, request_misses(call, "call") ? NULL : &sa,
				   call->timeout_ms);

	call->rmpp = sa.rmpp;
	call->recsz = sa.recsz;
	return success;
}

#ifdef REQUESTS_OF_REFERENCE /* the distribution's library has no such call */
#define make_table NULL
#else
void request_read_table(struct request_call *call, const struct mad_sa_table *table, uint8_t *data)
{
	call->truncated = table && mad_sa_table_truncated(table);
	call->table_attr_id = table ? mad_sa_table_attr_id(table) : 0;
	call->count = table ? mad_sa_table_count(table) : 0;
	for (unsigned i = 0; i < call->count; i++) {
		const void *record = mad_sa_table_record(table, i, &call->record_size);

		memcpy(data + call->size, record, call->record_size);
		call->size += call->record_size;
	}
}

static bool make_table(struct request_call *call, void *data, ib_portid_t *to,
		       struct ibmad_port *port)
{
	const uint64_t *a = call->arguments;
	const struct mad_sa_request request = { .method = a[0],
						.attr_id = a[1],
						.attr_mod = a[2],
						.mask = a[3],
						.sm_key = a[4],
						.timeout_ms = (int)call->timeout_ms };
	ibmad_gid_t from = { 0xfe, 0x80, [15] = 1 }, into = { 0xfe, 0x80, [15] = 2 };
	struct mad_sa_table *table;

	if (!strcmp(call->kind->name, "query_paths"))
		table = mad_sa_query_paths(port, to, from,
					   request_misses(call, "into") ? NULL : into,
					   (int)call->timeout_ms);
	else if (!strcmp(call->kind->name, "query_all"))
		table = mad_sa_query_all(port, to, (unsigned)a[0], (int)call->timeout_ms);
	else
		table = mad_sa_query(port, to, &request, NULL);
	request_read_table(call, table, data);
	mad_sa_table_free(table);
	return call->count;
}
#endif

static bool make_query(struct request_call *call, void *data, ib_portid_t *to,
		       struct ibmad_port *port)
{
	ibmad_gid_t from = { 0xfe, 0x80, [15] = 1 }, into = { 0xfe, 0x80, [15] = 2 };

	if (!strcmp(call->kind->name, "node"))
		return ib_node_query_via(port, call->arguments[0], to, data) != -1;
	call->dlid = ib_path_query_via(port, request_misses(call, "from") ? NULL : from,
				       request_misses(call, "into") ? NULL : into, to, data);
	return call->dlid != -1;
}

static bool make_resolve(struct request_call *call, void *data, ib_portid_t *sm,
			 struct ibmad_port *port)
{
	ib_portid_t *found = request_misses(call, "found") ? NULL : &call->found;
	bool has_target = !request_misses(call, "target");
	uint64_t guid = mad_get_field64(call->target, 0, IB_GID_GUID_F);
	const char *kind = call->kind->name;
	int timeout = (int)call->timeout_ms;

	(void)data;
	if (!strcmp(kind, "resolve_sm"))
		return !ib_resolve_smlid_via(found, timeout, port);
	if (!strcmp(kind, "resolve_self"))
		return !ib_resolve_self_via(found, &call->portnum,
					    has_target ? &call->target : NULL, port);
	if (!strcmp(kind, "resolve_guid"))
		return !ib_resolve_guid_via(found, has_target ? &guid : NULL, sm, timeout, port);
	if (!strcmp(kind, "resolve_gid"))
		return !ib_resolve_gid_via(found, has_target ? call->target : NULL, sm, timeout,
					   port);
	return !ib_resolve_portid_str_via(found, has_target ? call->text : NULL,
					  (enum MAD_DEST)call->arguments[0], sm, port);
}

#ifdef REQUESTS_OF_REFERENCE /* the distribution's library has no such calls */
#define make_membership NULL
#define make_own	NULL
#else
static bool make_own(struct request_call *call, void *data, ib_portid_t *sm,
		     struct ibmad_port *port)
{
	unsigned trap = (unsigned)call->arguments[0];
	int timeout = (int)call->timeout_ms;
	char kind = call->kind->name[0];

	(void)data;
	return !(kind == 'c'   ? mad_sa_check_key(port, sm, timeout)
		 : kind == 's' ? mad_sa_subscribe(port, sm, trap, timeout)
			       : mad_sa_unsubscribe(port, sm, trap, timeout));
}

/* The group is the target, the port that of "found". */
static bool make_membership(struct request_call *call, void *data, ib_portid_t *sm,
			    struct ibmad_port *port)
{
	struct mad_sa_mc_member member = { .pkey = (uint16_t)call->arguments[1],
					   .join_state = (uint8_t)call->arguments[2] };
	const struct mad_sa_mc_request request = { .member = &member,
						   .mask = call->arguments[0],
						   .timeout_ms = (int)call->timeout_ms };
	struct mad_sa_mc_member joined = { .mlid = 0xffff };
	unsigned status = 0;
	bool success;

	(void)data;
	memcpy(member.mgid, call->target, sizeof(member.mgid));
	memcpy(member.port_gid, call->found.gid, sizeof(member.port_gid));
	if (!strcmp(call->kind->name, "mc_join"))
		success = !mad_sa_mc_join(port, sm, &request, &joined, &status);
	else
		success = !mad_sa_mc_leave(port, sm, &request, &status);
	call->dlid = joined.mlid;
	call->rstatus = (int)status;
	return success;
}
#endif

static bool make_bm(struct request_call *call, void *data, ib_portid_t *to, struct ibmad_port *port)
{
	ib_bm_call_t bm = {
		.method = call->arguments[0],
		.attrid = call->arguments[1],
		.mod = call->arguments[2],
		.bkey = call->arguments[3],
		.timeout = call->timeout_ms,
	};

	return bm_call_via(data, to, request_misses(call, "call") ? NULL : &bm, port);
}

static bool make_raw(struct request_call *call, void *data, ib_portid_t *to,
		     struct ibmad_port *port)
{
	ib_rmpp_hdr_t *rmpp = call->rmpp.flags ? &call->rmpp : NULL;
	ib_rpc_t *rpc = request_misses(call, "call") ? NULL : &call->rpc.plain;
	void *payload = request_misses(call, "payload") ? NULL : data;
	bool success;

	if (!strcmp(call->kind->name, "send"))
		success = !mad_send_via(rpc, to, rmpp, payload, port);
	else if (!strcmp(call->kind->name, "rpc_rmpp"))
		success = mad_rpc_rmpp(port, rpc, to, rmpp, data);
	else
		success = mad_rpc(port, rpc, to, payload, data);
	call->rstatus = (int)call->rpc.plain.rstatus;
	return success;
}

static const struct {
	const char *kinds; /* kinds whose names begin so */
	bool (*make)(struct request_call *call, void *data, ib_portid_t *to,
		     struct ibmad_port *port);
} makers[] = {
	{ "query", make_table },     { "vendor", make_vendor }, { "sa", make_sa },
	{ "path", make_query },	     { "node", make_query },	{ "bm", make_bm },
	{ "resolve", make_resolve }, { "mc", make_membership }, { "rpc", make_raw },
	{ "send", make_raw },	     { "check", make_own },	{ "subscribe", make_own },
	{ "unsubscribe", make_own }, { "", make_plain },
};

void request_call_make(struct request_call *call, struct ibmad_port *port)
{
	void *data = request_misses(call, "data") ? NULL : call->data;
	ib_portid_t *to = request_misses(call, "to") ? NULL : &call->to;
	size_t i = 0;

	while (strncmp(call->kind->name, makers[i].kinds, strlen(makers[i].kinds)))
		i++;
	errno = 0;
	call->failed = !makers[i].make(call, data, to, request_misses(call, "port") ? NULL : port);
	call->error = call->failed ? errno : 0;
}
