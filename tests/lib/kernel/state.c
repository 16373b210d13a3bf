/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The lock, the clock and the memory of the fake kernel. A child has one of its own after fork().
 */
#include "internal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000

struct kernel kernel = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The kernel calls libc's functions also where the test replaces them. */
void *__real_realloc(void *old, size_t size) __attribute__((weak));
void __real_free(void *memory) __attribute__((weak));
int __real_clock_gettime(clockid_t id, struct timespec *time) __attribute__((weak));
int __wrap_clock_gettime(clockid_t id, struct timespec *time);

void *kernel_allocate(void *old, size_t size)
{
	void *memory = __real_realloc ? __real_realloc(old, size) : realloc(old, size);

	if (!memory) {
		fputs("fake kernel: no memory\n", stderr);
		abort();
	}
	return memory;
}

void kernel_release(void *memory)
{
	if (__real_free)
		__real_free(memory);
	else
		free(memory);
}

void kernel_lock(void)
{
	pthread_mutex_lock(&kernel.lock);
}

void kernel_unlock(void)
{
	pthread_mutex_unlock(&kernel.lock);
}

static void init_changed(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&kernel.changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

/* Threads that waited do not exist in the child; the bells are the parent's. */
static void after_fork_in_child(void)
{
	kernel_open_bells();
	memset(&kernel.changed, 0, sizeof(kernel.changed));
	init_changed();
	kernel_unlock();
}

void kernel_reset(const struct kernel_policy *policy, int64_t start_ns)
{
	KERNEL_LOCKED;
	if (!kernel.ready) {
		init_changed();
		pthread_atfork(kernel_lock, kernel_unlock, after_fork_in_child);
		kernel.ready = true;
	}
	kernel.policy = policy;
	kernel.now_ns = start_ns;
	kernel.is_chardev = kernel.is_contained = false;
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++) {
		kernel_clear_device(i);
		kernel.devices[i] = (struct kernel_device){ .header = KERNEL_HEADER };
	}
	kernel_forget_timers();
	kernel_files_reset();
	kernel_descriptors_open(true);
	kernel_directories_open(true);
}

int kernel_count_open(void)
{
	KERNEL_LOCKED;
	return kernel_descriptors_open(false) + kernel_directories_open(false);
}

static int64_t real_now_ns(void)
{
	struct timespec now;

	if (__real_clock_gettime)
		__real_clock_gettime(CLOCK_MONOTONIC, &now);
	else
		clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t kernel_now_ns(void)
{
	return kernel.policy && kernel.policy->virtual_time ? kernel.now_ns : real_now_ns();
}

int __wrap_clock_gettime(clockid_t id, struct timespec *time)
{
	if (!kernel.policy || !kernel.policy->virtual_time)
		return __real_clock_gettime(id, time);
	kernel.now_ns += kernel.policy->call_ns;
	time->tv_sec = kernel.now_ns / NS_PER_S;
	time->tv_nsec = kernel.now_ns % NS_PER_S;
	return 0;
}

void kernel_change(void)
{
	pthread_cond_broadcast(&kernel.changed);
	if (kernel.is_chardev)
		kernel_ring();
}

void kernel_wait(int64_t until_ns)
{
	struct timespec until = { until_ns / NS_PER_S, until_ns % NS_PER_S };

	if (!kernel.policy->virtual_time)
		pthread_cond_timedwait(&kernel.changed, &kernel.lock, &until);
	else if (until_ns > kernel.now_ns)
		kernel_set_clock(until_ns);
}

void kernel_set_clock(int64_t now_ns)
{
	kernel.now_ns = now_ns;
	kernel_run_timers();
}
