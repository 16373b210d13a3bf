/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A list of queries, the responses that one thread got, and a group of threads that sends them all
 * at once and compares. Errors are reported on standard error.
 */
#ifndef TESTS_ENGINE_QUERIES_H
#define TESTS_ENGINE_QUERIES_H

#include <infiniband/mad.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum query_kind {
	QUERY_SMP,   /* attribute `attr_id` of `to`, by LID or by directed route */
	QUERY_PERF,  /* counters of port `mod` of `to` */
	QUERY_PATH,  /* from `sgid` to `dgid` */
	QUERY_NODE,  /* NodeRecord of port `guid` */
	QUERY_TABLE, /* all NodeRecords */
};

struct query {
	enum query_kind kind;
	ib_portid_t to;
	unsigned attr_id;
	unsigned mod;
	uint64_t guid;
	ibmad_gid_t sgid;
	ibmad_gid_t dgid;
	size_t size; /* of the part of the response that is compared */
	uint8_t response[256];
};

struct query_list {
	struct query *queries;
	size_t count;
	size_t capacity;
	ib_portid_t sm;
};

/* Threads that ask queries of a list on one port, from different places of it. */
struct query_crew {
	struct ibmad_port *port;
	const struct query_list *list;
	unsigned threads;
	unsigned queries_each;
	unsigned failures; /* out */
};

#define QUERY_TIMEOUT_MS 20000

/* Adds a query, with nothing but its kind set, for the caller to fill in. */
struct query *query_add(struct query_list *list, enum query_kind kind);
struct query *query_add_smp(struct query_list *list, const ib_portid_t *to, unsigned attr_id,
			    unsigned mod);
void query_list_free(struct query_list *list);

/* Sends the query once and stores the response in `response` (256 bytes), what may change in it set
 * to 0. */
bool query_ask(const struct ibmad_port *port, const struct query_list *list,
	       const struct query *query, uint8_t *response);

/* Sends all queries of the list, one after the other, and keeps the responses. Returns how many
 * failed. */
unsigned query_list_ask(const struct ibmad_port *port, struct query_list *list);

/* Whether a response is the one that was kept; reports the difference if not. */
bool query_is_same(const struct query *query, const uint8_t *response);

/* Runs the crews at the same time, all their threads beginning together. Returns the failures. */
unsigned query_crews_run(struct query_crew *crews, unsigned count);

/*
 * The queries that safe_smp_query() and safe_sa_call() can ask, by threads on the default port, in
 * and out of madrpc_lock(). Returns the failures.
 */
unsigned query_safely_run(const struct query_list *list, unsigned threads, unsigned rounds_each);

/*
 * Checks that on this port, since `before`, so many requests went out, each with one response, and
 * that nothing else happened. Returns false and says what is wrong.
 */
bool query_statistics_are(const struct ibmad_port *port, const struct mad_rpc_statistics *before,
			  uint64_t requests);

#endif
