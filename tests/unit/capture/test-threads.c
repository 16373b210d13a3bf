/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-threads.c - captures with threads, forks and signals: each MAD is one whole record, and no
 * thread waits forever.
 */
#include "recording.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, EACH = 300 };

static atomic_bool stops;

/* Sends and receives on a separate wire; the transaction IDs are number * 1000 and up. */
static void *talk(void *number)
{
	struct wire_packet packet;
	struct wire own;

	if (wire_open(&own) < 0)
		return NULL;
	for (uint32_t i = 0; i < EACH; i++)
		if (wire_send(&own, *(uint32_t *)number * 1000 + i) < 0 ||
		    wire_receive(&own, &packet) < 0)
			return NULL;
	wire_close(&own);
	return number;
}

static void start_threads(pthread_t threads[THREADS], uint32_t numbers[THREADS])
{
	for (uint32_t i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, talk, &numbers[i]), 0);
	}
}

static void join_threads(pthread_t threads[THREADS], uint32_t numbers[THREADS])
{
	void *result;

	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &result), 0);
		assert_ptr_equal(result, &numbers[i]);
	}
}

static void *start_and_stop(void *count)
{
	do { /* once in any case: this thread may begin late */
		if (umad_capture_start(name, 0) < 0)
			return NULL;
		if (umad_capture_stop() < 0)
			return NULL;
		++*(int *)count;
	} while (!atomic_load(&stops));
	return count;
}

CASE(captures_may_begin_and_end_meanwhile)
{
	uint32_t numbers[THREADS];
	pthread_t threads[THREADS], other;
	struct pcap_file file;
	int count = 0;
	void *result;

	assert_int_equal(pthread_create(&other, NULL, start_and_stop, &count), 0);
	start_threads(threads, numbers);
	join_threads(threads, numbers);
	atomic_store(&stops, true);
	pthread_join(other, &result);
	assert_ptr_equal(result, &count);
	assert_true(count > 0);
	assert_null(pcap_read(name, &file));
	pcap_free(&file);
}

/* A child finds the lock free, whatever other threads were doing. */
CASE(forks_do_not_lock_up)
{
	uint32_t numbers[THREADS];
	pthread_t threads[THREADS];
	struct pcap_file file;
	enum { FORKS = 100 };

	assert_int_equal(umad_capture_start(name, 0), 0);
	start_threads(threads, numbers);
	for (int i = 0; i < FORKS; i++) {
		struct wire own;
		pid_t child;
		int status;

		assert_int_equal(wire_open(&own), 0);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			alarm(60);
			/* Past the thread sanitizer, which misses the threads that do not exist in
			 * the child.
			 */
			syscall(SYS_exit_group, wire_send(&own, 1) < 0 || umad_capture_stop() < 0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		wire_close(&own);
	}
	join_threads(threads, numbers);
	assert_int_equal(umad_capture_stop(), 0);
	assert_null(pcap_read(name, &file));
	assert_int_equal(file.count, THREADS * EACH * 2 + FORKS);
	pcap_free(&file);
}

static struct wire signal_wire;
static volatile sig_atomic_t signals, failures;

static void send_from_handler(int number)
{
	struct wire_packet packet;
	int saved_errno = errno;

	(void)number;
	signals++;
	if (wire_send(&signal_wire, 1) < 0 ||
	    recv(signal_wire.far, &packet, sizeof(packet), 0) != sizeof(packet))
		failures++;
	errno = saved_errno;
}

CASE(signal_handlers_may_send)
{
	struct sigaction action = { .sa_handler = send_from_handler, .sa_flags = SA_RESTART };
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, never = { { 0, 0 }, { 0, 0 } };
	struct pcap_file file;
	uint32_t number = 1;

	assert_int_equal(wire_open(&signal_wire), 0);
	assert_int_equal(umad_capture_start(name, 0), 0);
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	assert_ptr_equal(talk(&number), &number);
	while (signals < 50)
		usleep(1000);
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN); /* one may be on its way */
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(failures, 0);
	assert_null(pcap_read(name, &file));
	assert_int_equal(file.count, EACH * 2 + signals);
	pcap_free(&file);
	wire_close(&signal_wire);
}

static void *send_for_ever(void *own)
{
	struct wire_packet packet;

	for (;;)
		if (wire_send(own, 1) == 0)
			recv(((struct wire *)own)->far, &packet, sizeof(packet), 0);
	return NULL;
}

CASE(cancelled_threads_leave_no_lock)
{
	struct pcap_file file;

	assert_int_equal(umad_capture_start(name, 0), 0);
	for (int i = 0; i < 50; i++) {
		struct wire own;
		pthread_t thread;

		assert_int_equal(wire_open(&own), 0);
		assert_int_equal(pthread_create(&thread, NULL, send_for_ever, &own), 0);
		usleep(500);
		assert_int_equal(pthread_cancel(thread), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
		wire_close(&own);
	}
	assert_int_equal(umad_capture_stop(), 0);
	assert_null(pcap_read(name, &file));
	pcap_free(&file);
}

TEST_GROUP(make_folder, remove_folder)
