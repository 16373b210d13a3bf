/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The queries of queries.h on the default port, by the calls that are safe there, under a lock that
 * has to keep the threads apart and may be taken twice.
 */
#include "queries.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS_MAX 64

/* What the threads of the default port share; `inside` is guarded by madrpc_lock() alone. */
struct locking {
	const struct query_list *list;
	unsigned rounds_each;
	unsigned inside;
	unsigned rounds;
	unsigned failures;
};

/* The query by the calls of the default port that take the lock themselves. */
static bool ask_safely(const struct query_list *list, const struct query *query)
{
	ib_sa_call_t call = { .attrid = IB_SA_ATTR_NODERECORD,
			      .method = IB_MAD_METHOD_GET,
			      .mask = UINT64_C(0x100) };
	ib_portid_t to = query->to, sm = list->sm;
	uint8_t response[256] = { 0 };

	switch (query->kind) {
	case QUERY_SMP:
		if (!safe_smp_query(response, &to, query->attr_id, query->mod, QUERY_TIMEOUT_MS))
			return false;
		break;
	case QUERY_NODE:
		mad_set_field64(response, 0, IB_SA_NR_PORT_GUID_F, query->guid);
		if (!safe_sa_call(response, &sm, &call, QUERY_TIMEOUT_MS))
			return false;
		break;
	default:
		return true;
	}
	return query_is_same(query, response);
}

static void *lock_and_ask(void *argument)
{
	struct locking *locking = argument;
	unsigned failures = 0;

	for (unsigned i = 0; i < locking->rounds_each; i++) {
		const struct query *query;

		madrpc_lock();
		failures += locking->inside++ != 0;
		query = &locking->list->queries[locking->rounds++ % locking->list->count];
		failures += !ask_safely(locking->list, query); /* takes the lock once more */
		failures += --locking->inside != 0;
		madrpc_unlock();
		failures += !ask_safely(locking->list, query);
	}
	madrpc_lock();
	locking->failures += failures;
	madrpc_unlock();
	return NULL;
}

unsigned query_safely_run(const struct query_list *list, unsigned threads, unsigned rounds_each)
{
	struct locking locking = { .list = list, .rounds_each = rounds_each };
	pthread_t ids[THREADS_MAX];

	if (threads > THREADS_MAX)
		abort();
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, lock_and_ask, &locking))
			abort();
	for (unsigned i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	if (locking.rounds != threads * rounds_each) {
		fprintf(stderr, "%u rounds, not %u: the lock let two in\n", locking.rounds,
			threads * rounds_each);
		locking.failures++;
	}
	return locking.failures;
}
