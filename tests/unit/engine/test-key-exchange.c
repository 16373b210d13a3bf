/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A port gets another key ring, and its ring other keys, while threads send: each request has one
 * of the keys that there were, and no ring is used after it is freed. What a race would be, thread
 * sanitizers see.
 */
#include "test.h"
#include "fixture.h"

#include <infiniband/mad_keys.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define THREADS	  4
#define EXCHANGES 100

static struct ibmad_port *port;
static atomic_bool ends;
static atomic_uint seen[4], strange;

static void count_key(const struct responder_request *request, struct responder_response *response,
		      void *context)
{
	static const uint8_t zeros[7];
	const uint8_t *key = request->mad + 24; /* big endian */

	(void)response;
	(void)context;
	if (memcmp(key, zeros, sizeof(zeros)) || key[7] > 3)
		atomic_fetch_add(&strange, 1);
	else
		atomic_fetch_add(&seen[key[7]], 1);
}

static void *send_all_the_time(void *unused)
{
	while (!atomic_load(&ends)) {
		uint8_t data[IB_SMP_DATA_SIZE];
		ib_portid_t to = { .lid = 7 };

		if (!smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port))
			atomic_fetch_add(&strange, 1);
	}
	return unused;
}

/* Waits until a request has gone out with the key. */
static void wait_for(unsigned key)
{
	unsigned before = atomic_load(&seen[key]);

	while (atomic_load(&seen[key]) == before)
		sched_yield();
}

static void use_ring(unsigned key)
{
	struct mad_keys *keys = mad_keys_create();

	assert_non_null(keys);
	assert_int_equal(mad_keys_set_default(keys, MAD_KEY_M, key), 0);
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	wait_for(key);
	assert_int_equal(mad_keys_set_default(keys, MAD_KEY_M, 3), 0);
	wait_for(3);
	mad_keys_free(keys); /* the port has it */
}

TEST_WITH(rings_are_exchanged_while_threads_send, setup_threads, teardown_port)
{
	pthread_t threads[THREADS];

	port = *state;
	responder_plan(count_key, NULL);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, send_all_the_time, NULL), 0);
	for (unsigned i = 0; i < EXCHANGES; i++) {
		use_ring(1 + i % 2);
		if (i % 16 == 0) {
			assert_int_equal(mad_port_set_keys(port, NULL), 0);
			wait_for(0);
		}
	}
	atomic_store(&ends, true);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(atomic_load(&strange), 0);
}
