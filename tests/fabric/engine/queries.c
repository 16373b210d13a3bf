/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The queries of queries.h. The responses come from a fabric or from a scripted kernel; nothing but
 * memory is touched.
 */
#include "queries.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t response_sizes[] = {
	[QUERY_SMP] = 64,
	[QUERY_PERF] = 44,
	[QUERY_PATH] = 64,
	[QUERY_NODE] = 108,
	[QUERY_TABLE] = 2 * sizeof(uint64_t),
};

struct query *query_add(struct query_list *list, enum query_kind kind)
{
	struct query *query;

	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 256;
		list->queries = realloc(list->queries, list->capacity * sizeof(*query));
		if (!list->queries)
			abort();
	}
	query = &list->queries[list->count++];
	memset(query, 0, sizeof(*query));
	query->kind = kind;
	query->size = response_sizes[kind];
	return query;
}

struct query *query_add_smp(struct query_list *list, const ib_portid_t *to, unsigned attr_id,
			    unsigned mod)
{
	struct query *query = query_add(list, QUERY_SMP);

	query->to = *to;
	query->attr_id = attr_id;
	query->mod = mod;
	return query;
}

void query_list_free(struct query_list *list)
{
	free(list->queries);
	memset(list, 0, sizeof(*list));
}

static bool ask_smp(const struct ibmad_port *port, const struct query *query, uint8_t *response)
{
	ib_portid_t to = query->to;

	return smp_query_via(response, &to, query->attr_id, query->mod, 0, port) == response;
}

/* The counters of data and packets move with our own traffic. */
static bool ask_perf(const struct ibmad_port *port, const struct query *query, uint8_t *response)
{
	static const enum MAD_FIELDS moving[] = { IB_PC_XMT_BYTES_F, IB_PC_RCV_BYTES_F,
						  IB_PC_XMT_PKTS_F, IB_PC_RCV_PKTS_F };
	ib_portid_t to = query->to;

	to.qp = 1;
	if (!pma_query_via(response, &to, (int)query->mod, 0, IB_GSI_PORT_COUNTERS, port))
		return false;
	for (size_t i = 0; i < sizeof(moving) / sizeof(moving[0]); i++)
		mad_set_field(response, 0, moving[i], 0);
	return true;
}

/* FNV-1a; a table is compared by its length and this. */
static uint64_t hash(const uint8_t *bytes, size_t size)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size; i++)
		value = (value ^ bytes[i]) * UINT64_C(0x100000001b3);
	return value;
}

static bool ask_table(const struct ibmad_port *port, ib_portid_t *sm, uint8_t *response)
{
	struct mad_sa_table *table;
	uint64_t result[2];
	size_t size = 0;

	table = mad_sa_query_all((struct ibmad_port *)port, sm, IB_SA_ATTR_NODERECORD, 0);
	if (!table)
		return false;
	result[0] = mad_sa_table_count(table);
	result[1] = hash(mad_sa_table_record(table, 0, &size), result[0] * size);
	memcpy(response, result, sizeof(result));
	mad_sa_table_free(table);
	return result[0];
}

bool query_ask(const struct ibmad_port *port, const struct query_list *list,
	       const struct query *query, uint8_t *response)
{
	ib_portid_t sm = list->sm;
	ibmad_gid_t sgid, dgid;

	memset(response, 0, sizeof(query->response));
	switch (query->kind) {
	case QUERY_SMP:
		return ask_smp(port, query, response);
	case QUERY_PERF:
		return ask_perf(port, query, response);
	case QUERY_PATH:
		memcpy(sgid, query->sgid, sizeof(sgid));
		memcpy(dgid, query->dgid, sizeof(dgid));
		return ib_path_query_via(port, sgid, dgid, &sm, response) >= 0;
	case QUERY_NODE:
		return ib_node_query_via(port, query->guid, &sm, response) >= 0;
	case QUERY_TABLE:
		return ask_table(port, &sm, response);
	}
	return false;
}

static void report(const struct query *query, const char *what)
{
	ib_portid_t to = query->to;

	fprintf(stderr, "%s: kind %d attribute 0x%x modifier %u guid 0x%" PRIx64 " to %s\n", what,
		(int)query->kind, query->attr_id, query->mod, query->guid, portid2str(&to));
}

unsigned query_list_ask(const struct ibmad_port *port, struct query_list *list)
{
	unsigned failures = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct query *query = &list->queries[i];

		if (!query_ask(port, list, query, query->response)) {
			report(query, strerror(errno));
			failures++;
		}
	}
	return failures;
}

bool query_is_same(const struct query *query, const uint8_t *response)
{
	for (size_t i = 0; i < query->size; i++) {
		if (response[i] != query->response[i]) {
			fprintf(stderr, "byte %zu is 0x%02x, not 0x%02x: ", i, response[i],
				query->response[i]);
			report(query, "another response");
			return false;
		}
	}
	return true;
}

/* One thread of a crew. */
struct member {
	pthread_t thread;
	struct query_crew *crew;
	unsigned number;
	unsigned failures;
	pthread_barrier_t *start;
};

static void *work(void *argument)
{
	struct member *member = argument;
	const struct query_list *list = member->crew->list;
	/* Each thread goes through the list in steps of its own. */
	size_t step = 2 * (size_t)member->number + 1, at = member->number * 37 % list->count;

	pthread_barrier_wait(member->start);
	for (unsigned i = 0; i < member->crew->queries_each; i++, at = (at + step) % list->count) {
		const struct query *query = &list->queries[at];
		uint8_t response[sizeof(query->response)];

		if (!query_ask(member->crew->port, list, query, response)) {
			report(query, strerror(errno));
			member->failures++;
		} else if (!query_is_same(query, response)) {
			member->failures++;
		}
	}
	return NULL;
}

unsigned query_crews_run(struct query_crew *crews, unsigned count)
{
	unsigned total = 0, failures = 0, at = 0;
	struct member *members;
	pthread_barrier_t start;

	for (unsigned i = 0; i < count; i++)
		total += crews[i].threads;
	members = calloc(total, sizeof(*members));
	if (!members || pthread_barrier_init(&start, NULL, total))
		abort();
	for (unsigned i = 0; i < count; i++) {
		for (unsigned j = 0; j < crews[i].threads; j++, at++) {
			members[at] =
				(struct member){ .crew = &crews[i], .number = at, .start = &start };
			if (pthread_create(&members[at].thread, NULL, work, &members[at]))
				abort();
		}
	}
	for (at = 0; at < total; at++) {
		pthread_join(members[at].thread, NULL);
		members[at].crew->failures += members[at].failures;
		failures += members[at].failures;
	}
	pthread_barrier_destroy(&start);
	free(members);
	return failures;
}

static bool is_count(const char *name, uint64_t value, uint64_t wanted)
{
	if (value != wanted)
		fprintf(stderr, "statistics: %s %" PRIu64 ", not %" PRIu64 "\n", name, value,
			wanted);
	return value == wanted;
}

bool query_statistics_are(const struct ibmad_port *port, const struct mad_rpc_statistics *before,
			  uint64_t requests)
{
	struct mad_rpc_statistics now;
	bool right;

	if (mad_rpc_get_statistics(port, &now, sizeof(now)) < 0)
		return false;
	right = is_count("sent", now.sent - before->sent, requests);
	right &= is_count("received", now.received - before->received, requests);
	right &= is_count("retries", now.retries, before->retries);
	right &= is_count("timeouts", now.timeouts, before->timeouts);
	right &= is_count("unmatched", now.unmatched, before->unmatched);
	right &= is_count("redirected", now.redirected, before->redirected);
	right &= is_count("errors", now.errors, before->errors);
	return right;
}
