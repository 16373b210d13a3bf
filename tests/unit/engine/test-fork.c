/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fork() while threads have locks that the simulation has not: of key rings, of madrpc_save_mad(),
 * of the default port. What a child does with the ports and asynchronous objects of its parent,
 * wherever the threads of the parent are, is in the simulation.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_keys.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SILENT_LID 9	/* of silence_for_9() */
#define SILENT_MS  1000 /* timeout of those who wait in the parent */
#define FORKS	   20
#define LATEST_MS  3000

static pthread_t start(void *(*run)(void *context), void *context)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, run, context), 0);
	return thread;
}

static void join(pthread_t thread)
{
	void *result;

	assert_int_equal(pthread_join(thread, &result), 0);
	assert_null(result);
}

/* A thread that has the lock of madrpc_lock(), which nobody used before, when a fork has begun. */
static sem_t has_lock, is_over;

static void *keep_lock(void *unused)
{
	madrpc_lock();
	sem_post(&has_lock);
	sem_wait(&is_over);
	madrpc_unlock();
	return unused;
}

static void start_keeping_lock(void)
{
	static bool is_started;

	if (is_started)
		return;
	is_started = true;
	pthread_detach(start(keep_lock, NULL));
	sem_wait(&has_lock);
}

static void use_lock(void)
{
	madrpc_lock();
	madrpc_unlock();
}

/* The first test: libc does not run what is registered from now on for this fork. */
THREAD_TEST(first_use_when_a_fork_has_begun)
{
	sem_init(&has_lock, 0, 0);
	sem_init(&is_over, 0, 0);
	assert_int_equal(pthread_atfork(start_keeping_lock, NULL, NULL), 0);
	run_in_child(use_lock);
	sem_post(&is_over);
	assert_true(query_node(*state, 2, LATEST_MS));
}

/*
 * fork() while other threads have the lock of a key ring: one that sets keys, and one whose
 * requests are redirected, which looks for the key of the new address with the lock of its port.
 * The ring is older than the port.
 */
static struct mad_keys *keys;
static atomic_bool ends;

static void set_key(void)
{
	assert_int_equal(mad_keys_set_default(keys, MAD_KEY_PERF, 1), 0);
}

static void *set_keys_all_the_time(void *unused)
{
	while (!atomic_load(&ends))
		set_key();
	return unused;
}

static void redirect(const struct responder_request *request, struct responder_response *response,
		     void *context)
{
	(void)context;
	if (request->lid == 9 || request->mgmt_class != IB_PERFORMANCE_CLASS)
		return;
	redirect_to_9(response, 0xffff);
}

static void *follow_redirects_all_the_time(void *async)
{
	ib_portid_t to = { .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };

	while (!atomic_load(&ends)) {
		for (int i = 0; i < 400; i++)
			mad_async_perf_get(async, ASYNC_TO(&to, ignore_outcome, NULL), 0x12, 1);
		dispatch_all(async);
	}
	return NULL;
}

TEST(key_ring_and_children)
{
	pthread_t setter, follower;
	struct mad_async *async;
	void *port;

	responder_reset(); /* registers the responder's fork handlers before those of key rings */
	keys = mad_keys_create();
	assert_non_null(keys);
	set_key();
	setup_threads(&port);
	responder_plan(redirect, NULL);
	assert_int_equal(mad_port_set_keys(port, keys), 0);
	async = create_async(port, 400, LATEST_MS, 1);
	atomic_store(&ends, false);
	setter = start(set_keys_all_the_time, NULL);
	follower = start(follow_redirects_all_the_time, async);
	for (int i = 0; i < 5 * FORKS; i++)
		run_in_child(set_key);
	atomic_store(&ends, true);
	join(setter);
	join(follower);
	mad_async_free(async);
	teardown_port(&port);
	mad_keys_free(keys);
}

/* fork() at any point of madrpc_save_mad(). */
static void *save_all_the_time(void *unused)
{
	static uint8_t saved[IB_MAD_SIZE];

	while (!atomic_load(&ends))
		madrpc_save_mad(saved, sizeof(saved));
	return unused;
}

static void save_nothing(void)
{
	madrpc_save_mad(NULL, 0);
}

TEST(saved_mad_and_children)
{
	pthread_t saver;

	atomic_store(&ends, false);
	saver = start(save_all_the_time, NULL);
	for (int i = 0; i < 10 * FORKS; i++)
		run_in_child(save_nothing);
	atomic_store(&ends, true);
	join(saver);
	save_nothing();
}

/* The lock of the default port, while a call of the parent is under way. Comes last. */
static void *query_safely(void *context)
{
	ib_portid_t to = { .lid = SILENT_LID };
	uint8_t data[64] = { 0 };

	(void)context;
	safe_smp_query(data, &to, 0x11, 0, SILENT_MS);
	return NULL;
}

static void take_lock(void)
{
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	madrpc_lock();
	assert_non_null(safe_smp_query(data, &to, 0x11, 0, LATEST_MS));
	madrpc_unlock();
}

TEST(safe_call_and_child)
{
	int classes[] = { 0x01, 0x81 };
	char name[] = "mlx5_0";
	pthread_t caller;

	responder_reset();
	responder_plan(silence_for_9, NULL);
	madrpc_set_retries(1);
	madrpc_init(name, 1, classes, COUNT(classes));
	caller = start(query_safely, NULL);
	wait_for_reader();
	run_in_child(take_lock);
	join(caller);
	take_lock();
}

/* Whether SIGUSR1 is blocked, and the thread cannot be cancelled; both are as before. */
static bool is_as_it_was(void)
{
	sigset_t signals;
	int cancel_state;

	pthread_sigmask(SIG_SETMASK, NULL, &signals);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	return sigismember(&signals, SIGUSR1) && !sigismember(&signals, SIGUSR2) &&
	       cancel_state == PTHREAD_CANCEL_DISABLE;
}

TEST(signals_and_cancellation_of_the_thread_that_forks)
{
	int cancel_state, status;
	sigset_t signals, before;
	pid_t child;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, &before);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	child = fork();
	if (!child)
		_exit(is_as_it_was() ? EXIT_SUCCESS : EXIT_FAILURE);
	assert_true(is_as_it_was());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	pthread_setcancelstate(cancel_state, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
