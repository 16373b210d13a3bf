/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Why public calls refuse arguments: THE table of reasons, each an errno, the argument, and which
 * values are right. A function that refuses returns mad_refuse(REASON); the public call takes the
 * text, and prints it where the program wants debugging lines.
 */
#ifndef COMMON_REFUSALS_H
#define COMMON_REFUSALS_H

#include <errno.h>
#include <string.h>

/* clang-format off */
#define MAD_REFUSALS(ROW) \
	ROW(STRUCTURE, EINVAL, "structure", "not NULL") \
	ROW(SIZE, EINVAL, "size", "sizeof the structure, not of a pointer to it, and not 0") \
	ROW(SIZE_MAX, E2BIG, "size", "sizeof the structure, at most 4096") \
	ROW(NEWER_MEMBERS, E2BIG, "structure", "0 in all members that this library does not know") \
	ROW(PORT, EINVAL, "port", "not NULL, from mad_rpc_open_port()") \
	ROW(CLASSES, EINVAL, "mgmt_classes", "not NULL, num_classes of them, from 0 to 255") \
	ROW(NO_CLASS, EINVAL, "mgmt_classes", "classes from 1 to 255 that this library knows") \
	ROW(PORT_CLASS, EINVAL, "port", "opened with the class of the request, or mad_register_client_via()") \
	ROW(PORT_DIRECT, EINVAL, "port", "opened with class 0x81 (IB_SMI_DIRECT_CLASS)") \
	ROW(PORT_NUMBER, EINVAL, "port_number", "0 to 255") \
	ROW(TIMEOUT, EINVAL, "timeout_ms", "0 (that of the port) or more") \
	ROW(ASYNC, EINVAL, "async", "not NULL, from mad_async_create()") \
	ROW(OPTIONS_FLAGS, EINVAL, "options", "flags 0, and reserved 0") \
	ROW(OPTIONS_WINDOW, EINVAL, "options.window", "at most MAD_ASYNC_MAX_WINDOW") \
	ROW(OPTIONS_TIMES, EINVAL, "options.timeout_ms, options.attempts", "0 or more") \
	ROW(REQUEST_TO, EINVAL, "req.to", "not NULL") \
	ROW(REQUEST_TIMES, EINVAL, "req.timeout_ms, req.attempts, req.deadline_ms", "0 or more") \
	ROW(REQUEST_FLAGS, EINVAL, "req.flags", "0") \
	ROW(REQUEST_ID, EINVAL, "id", "as a submission returned it, above 0") \
	ROW(COMPLETED, ENOENT, "id", "that of a request that has not completed") \
	ROW(QUEUE_FULL, ENOBUFS, "async", "with fewer requests than options.max_queued") \
	ROW(CLOSING, ECANCELED, "async", "not in mad_async_free()") \
	ROW(DATA, EINVAL, "data, portid", "not NULL") \
	ROW(RPC, EINVAL, "rpc", "not NULL") \
	ROW(CALL, EINVAL, "call", "not NULL") \
	ROW(RPC_DATA, EINVAL, "rpc", "dataoffs and datasz within 256 bytes, payload behind the header") \
	ROW(RPC_FIELDS, EINVAL, "request", "no number wider than its field, and a path of 0 to 63 hops") \
	ROW(NO_RESPONSE, EINVAL, "method", "one that has a response") \
	ROW(VENDOR_CLASS, EINVAL, "call.mgmt_class", "0x09 to 0x0f, or 0x30 to 0x4f with an OUI") \
	ROW(LID, EINVAL, "lid", "that of one port, 1 to 0xbfff") \
	ROW(LID_ROUTED, EINVAL, "to", "not NULL, with a LID: this class has no directed routes") \
	ROW(SM, EINVAL, "sm", "NULL, or an address with a LID") \
	ROW(ATTRIBUTE, EINVAL, "request.attr_id", "at most 0xffff") \
	ROW(METHOD, EINVAL, "request.method", "0, Get, GetTable, GetTraceTable or GetMulti") \
	ROW(QUERY_DATA, EINVAL, "request.data", "data_size bytes: at most 200, but for GetMulti") \
	ROW(TABLE, EINVAL, "table", "not NULL") \
	ROW(RESULT, EINVAL, "result", "not NULL, of a request to the SA, with its response") \
	ROW(TABLE_RECORDS, EINVAL, "table", "of the attribute that this function reads") \
	ROW(INDEX, ENOENT, "index", "below mad_sa_table_count()") \
	ROW(SHORT_RECORD, EBADMSG, "table", "with records that arrived whole") \
	ROW(GID, EINVAL, "sgid", "not NULL") \
	ROW(MC_SELECTOR, EINVAL, "request", "selectors of 0 to 3, and reserved 0") \
	ROW(MC_MEMBER, EINVAL, "request.member", "no component wider than its field") \
	ROW(RECORD, EINVAL, "record", "not NULL, with space for IB_SA_DATA_SIZE bytes") \
	ROW(TRAP, EINVAL, "trap", "at most 0xffff") \
	ROW(NOTICE, EINVAL, "notice", "not NULL") \
	ROW(NO_VALUE, ENOENT, "index", "below the number of values of this notice") \
	ROW(NO_FIELDS, ENOENT, "attr_id", "an attribute whose fields are known") \
	ROW(KEYS, EINVAL, "keys", "not NULL, from mad_keys_create()") \
	ROW(KEY_TYPE, EINVAL, "type", "an enum mad_key_type") \
	ROW(KEY_GUID, EINVAL, "guid", "not 0") \
	ROW(KEY_TO, EINVAL, "to, key", "not NULL") \
	ROW(NO_KEY, ENOENT, "to", "an address for which the ring has a key") \
	ROW(KEY_PATH, EINVAL, "path", "not NULL") \
	ROW(KEY_FLAGS, EINVAL, "flags", "0 or of MAD_KEYS_REPLACE and MAD_KEYS_ANY_READER") \
	ROW(PKEY, EINVAL, "pkey", "of 16 bits, the lower 15 not 0") \
	ROW(NO_PKEY, ENOENT, "pkey", "in the P_Key table of the port") \
	ROW(ROUTE, EINVAL, "route", "not NULL") \
	ROW(NO_ROUTE, ENETUNREACH, "lid", "that of a node that responds") \
	ROW(TO, EINVAL, "to", "not NULL") \
	ROW(RMPP_CLASS, EINVAL, "rpc.mgtclass", "one with RMPP: 0x03, or 0x30 to 0x4f") \
	ROW(PARTS, EINVAL, "parts", "not NULL where there are any, and at most 1 GB together") \
	ROW(SPACE, EMSGSIZE, "parts", "space for message.data_size bytes") \
	ROW(PACKET, EINVAL, "umad", "not NULL, from mad_receive_via()") \
	ROW(SERVER_OUI, EINVAL, "class_oui", "not 0, of 24 bits, for classes 0x30 to 0x4f") \
	ROW(UMAD, EINVAL, "umad", "not NULL, a request of a class with RMPP") \
	ROW(STATUS, EINVAL, "status", "at most 0xffff") \
	ROW(RECORDS, EINVAL, "records", "not NULL, of 1 to 0xffff bytes each, 1 GB at most") \
	ROW(FABRIC, EINVAL, "fabric", "not NULL") \
	ROW(FABRIC_OPTIONS, EINVAL, "options", \
	    "known flags, window to 4096, times 0 or more, hops to 63, nodes to 49151, " \
	    "thresholds with their count") \
	ROW(FABRIC_FROM_SA, EINVAL, "options", "MAD_FABRIC_FROM_SA without subtree and max_hops") \
	ROW(DESCRIPTION, EINVAL, "description", \
	    "each GUID once, each port once and of a node in it, peers that point back") \
	ROW(COUNTER, EINVAL, "row, counter", "not NULL, and below mad_fabric_counter_count()") \
	ROW(COUNTER_VALUE, EINVAL, "values", \
	    "of ports of the fabric and known counters, none wider than bits, up to 64") \
	ROW(PROBLEM, EINVAL, "problem", "not NULL") \
	ROW(MONITOR, EINVAL, "monitor", "not NULL, from umad_monitor_open()") \
	ROW(MONITOR_FLAGS, EINVAL, "flags", "0 or UMAD_MONITOR_REPORT_PRESENT") \
	ROW(INTERVAL, EINVAL, "interval_ms", "0 or more") \
	ROW(CAPTURE_PATH, EINVAL, "path", "not NULL, and not empty") \
	ROW(CAPTURE_FLAGS, EINVAL, "flags", "0 or UMAD_CAPTURE_KEYS") \
	ROW(CAPTURE_RUNS, EBUSY, "capture", "stopped by umad_capture_stop() before the next one") \
	ROW(NO_CAPTURE, EINVAL, "capture", "started by umad_capture_start()")
/* clang-format on */

enum mad_refusal_number {
	MAD_REFUSAL_NUMBER_NOTHING,
#define MAD_REFUSAL_NUMBER(name, error, argument, right) MAD_REFUSAL_NUMBER_##name,
	MAD_REFUSALS(MAD_REFUSAL_NUMBER)
#undef MAD_REFUSAL_NUMBER
};

/* Numbers of reasons, with their errno above: a caller that refuses shows the compiler its -errno.
 */
#define MAD_REFUSAL_ERROR_SHIFT 8
enum mad_refusal {
	MAD_REFUSED_NOTHING,
#define MAD_REFUSAL_NAME(name, error, argument, right) \
	MAD_REFUSED_##name = MAD_REFUSAL_NUMBER_##name | (error) << MAD_REFUSAL_ERROR_SHIFT,
	MAD_REFUSALS(MAD_REFUSAL_NAME)
#undef MAD_REFUSAL_NAME
};

/* Notes the reason for this thread. */
void mad_refusal_note(enum mad_refusal why) __attribute__((cold));

/* Notes the reason for this thread. Returns its -errno; 0 for NOTHING. */
static inline int mad_refuse(enum mad_refusal why)
{
	mad_refusal_note(why);
	return -(int)(why >> MAD_REFUSAL_ERROR_SHIFT);
}

/* Takes the reason that this thread has noted: "argument: right values", or NULL if it has noted
 * none with that -errno. The text is static. */
const char *mad_refusal_take(int error);

/* The length of the name by which programs know a function: without _sized at its end. */
static inline int mad_refusal_name_length(const char *function)
{
	size_t length = strlen(function), suffix = sizeof("_sized") - 1;

	return (int)(length > suffix && !strcmp(function + length - suffix, "_sized")
			     ? length - suffix
			     : length);
}

#endif
