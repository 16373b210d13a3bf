/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The default port of default-port.h. */
#include "default-port.h"
#include "fabric.h"
#include "fakeumad.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <time.h>
#include <cmocka.h>

int classes[CLASSES] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS,
			 IB_SA_CLASS,  IB_PERFORMANCE_CLASS,
			 VENDOR1,      VENDOR2 };

int default_port_open(void **state)
{
	(void)state;
	fakeumad_reset();
	madrpc_init(NULL, 0, classes, CLASSES);
	return 0;
}

int default_port_setup(void **state)
{
	(void)state;
	fakeumad_restart();
	fabric_answers();
	madrpc_set_timeout(TIMEOUT_MS);
	madrpc_set_retries(3);
	return 0;
}

int default_port_teardown(void **state)
{
	(void)state;
	fakeumad_check();
	return 0;
}

static void *lock_in_turn(void *locked)
{
	madrpc_lock();
	atomic_store((atomic_int *)locked, 1);
	madrpc_unlock();
	return NULL;
}

/* Another thread waits for the lock until it is given back. */
void default_port_assert_lock(void)
{
	struct timespec a_while = { .tv_nsec = 20000000 };
	atomic_int locked = 0;
	pthread_t thread;

	madrpc_lock();
	assert_int_equal(pthread_create(&thread, NULL, lock_in_turn, &locked), 0);
	nanosleep(&a_while, NULL);
	assert_int_equal(atomic_load(&locked), 0);
	madrpc_unlock();
	pthread_join(thread, NULL);
	assert_int_equal(atomic_load(&locked), 1);
}
