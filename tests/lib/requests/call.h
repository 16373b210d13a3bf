/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The calls that the rows of the table of requests make. */
#ifndef TESTS_LIB_REQUESTS_CALL_H
#define TESTS_LIB_REQUESTS_CALL_H

#include "rows.h"

#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>
#include <infiniband/mad_async.h>

enum {
	REQUEST_DATA = 1200, /* bytes that a call is given, numbered from 0 */
	REQUEST_TIMEOUT_MS =
		5000, /* the timeout of a row that names none: longer than any pause of a machine */
	REQUEST_ARGUMENTS = 8,
};

/* Properties of a kind of call. */
enum {
	REQUEST_SENDS = 1,	 /* the caller's data go out */
	REQUEST_SENDS_ASYNC = 2, /* the caller's data go out in the asynchronous form */
	REQUEST_IN_PLACE = 4,	 /* the blocking form makes its request in the caller's memory */
	REQUEST_ASYNC = 8,	 /* the call has an asynchronous form */
	REQUEST_REGISTERS = 16,	 /* the call registers the port for reports first */
};

struct request_kind {
	const char *name;
	size_t offset, size; /* of the data in the MAD; 0, 0: as the call says */
	unsigned flags;
};

/* A call: its arguments, and what came of it. */
struct request_call {
	const struct request_kind *kind;
	size_t offset, size;
	uint64_t arguments[REQUEST_ARGUMENTS]; /* words before "to", in the order of requests.tbl */
	ib_portid_t to;
	unsigned timeout_ms;
	char missing[8]; /* the argument that is NULL: data, payload, to, call, rstatus, port, from,
			    into, found, target */
	union {
		ib_rpc_t plain;
		ib_rpc_v1_t version1;
		ib_rpc_cc_t cc;
	} rpc;
	ib_rmpp_hdr_t rmpp;
	uint8_t given[REQUEST_DATA], data[REQUEST_DATA]; /* as given, and as it is now */
	bool failed;
	int error, rstatus, dlid;
	unsigned recsz;
	unsigned count, table_attr_id, truncated; /* of the table of mad_sa_query() */
	size_t record_size;
	size_t received; /* bytes of the response's data, of the asynchronous form */
	unsigned tries;	 /* of the asynchronous form */
	bool only_blocking;
	uint8_t classes[8]; /* of the port; the agent of each is its index */
	unsigned class_count;
	unsigned shows_errors, debug_level; /* of the process */
	struct mad_keys *ring;		    /* the port's */
	/* Of the resolve_* calls: what is looked for, and what was found. */
	char text[REQUEST_WORD];
	ibmad_gid_t target;
	ib_portid_t found, found_before;
	int portnum;
};

/* Reads the text of a row. Keys and retries are set at the port, where it is not NULL. */
void request_call_read(struct request_call *call, const char *text, struct ibmad_port *port);

/* Whether the call has an asynchronous form, for which the row has a meaning. */
bool request_is_asynchronous(const struct request_call *call);

/* The numbers of an ib_portid_t. */
extern const struct request_member request_address_members[];

/* Reads "9" or "fe80000000000000000000000000abcd", of which what is not there is 0. */
void request_read_gid(const char *value, uint8_t gid[16]);

/* Reads "0,1,2", the ports of a directed route. */
void request_read_route(ib_dr_path_t *path, const char *text);

/* Whether that argument is NULL. */
bool request_misses(const struct request_call *call, const char *argument);

struct mad_sa_table;
/* Reads the records of a table (or NULL), one after the other, to data. */
void request_read_table(struct request_call *call, const struct mad_sa_table *table, uint8_t *data);

/* The structures that the arguments are for calls that take one. */
ib_vendor_call_t request_vendor_call(const struct request_call *call);
ib_sa_call_t request_sa_call(const struct request_call *call);

/* Makes the blocking call; its errno is in call->error, or 0. */
void request_call_make(struct request_call *call, struct ibmad_port *port);

/* async.c: submits the asynchronous form of the call. Returns the request's ID, or -1 with errno.
 */
int64_t request_submit(const struct request_call *call, struct mad_async *async,
		       mad_async_callback callback, void *context);

#endif
