/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-threads.c - captures with threads, forks and signals: each MAD is one whole record, and no
 * thread waits permanently.
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

enum { THREADS = 8, EACH = 300, FORKS = 100 };

static pthread_t threads[THREADS];

/* Sends and receives on a separate wire. */
static void *talk(void *done)
{
	struct wire_packet packet;
	struct wire own;

	if (wire_open(&own) < 0)
		return NULL;
	for (uint32_t i = 0; i < EACH; i++)
		if (wire_send(&own, i) < 0 || wire_receive(&own, &packet) < 0)
			return NULL;
	wire_close(&own);
	return done;
}

static void start_threads(void)
{
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, talk, threads), 0);
}

static void join(pthread_t thread, void *wanted)
{
	void *result;

	assert_int_equal(pthread_join(thread, &result), 0);
	assert_ptr_equal(result, wanted);
}

static void join_threads(void)
{
	for (int i = 0; i < THREADS; i++)
		join(threads[i], threads);
}

static void *start_and_stop(void *stops)
{
	do /* once in any case: this thread may begin late */
		if (umad_capture_start(name, 0) < 0 || umad_capture_stop() < 0)
			return NULL;
	while (!atomic_load((atomic_bool *)stops));
	return stops;
}

CASE(captures_may_begin_and_end_meanwhile)
{
	atomic_bool stops = false;
	struct pcap_file file;
	pthread_t other;

	assert_int_equal(pthread_create(&other, NULL, start_and_stop, &stops), 0);
	start_threads();
	join_threads();
	atomic_store(&stops, true);
	join(other, &stops);
	assert_null(pcap_read(name, &file));
	pcap_free(&file);
}

/* A child finds the lock free, whatever other threads were doing. */
CASE(forks_do_not_lock_up)
{
	begin_capture();
	start_threads();
	for (int i = 0; i < FORKS; i++) {
		struct wire own;
		pid_t child;
		int status;

		assert_int_equal(wire_open(&own), 0);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			alarm(60);
			/* The thread sanitizer, which misses the threads that do not exist in the
			 * child, does not see this exit. */
			syscall(SYS_exit_group, wire_send(&own, 1) < 0 || umad_capture_stop() < 0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		wire_close(&own);
	}
	join_threads();
	end_capture(THREADS * EACH * 2 + FORKS);
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

	assert_int_equal(wire_open(&signal_wire), 0);
	begin_capture();
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
	assert_ptr_equal(talk(threads), threads);
	while (signals < 50)
		usleep(1000);
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN); /* another may be on its way */
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(failures, 0);
	assert_packets(EACH * 2 + (size_t)signals);
	wire_close(&signal_wire);
}

static void *send_until_cancelled(void *own)
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

	begin_capture();
	for (int i = 0; i < 50; i++) {
		struct wire own;
		pthread_t thread;

		assert_int_equal(wire_open(&own), 0);
		assert_int_equal(pthread_create(&thread, NULL, send_until_cancelled, &own), 0);
		usleep(500);
		assert_int_equal(pthread_cancel(thread), 0);
		join(thread, PTHREAD_CANCELED);
		wire_close(&own);
	}
	assert_int_equal(umad_capture_stop(), 0);
	assert_null(pcap_read(name, &file));
	pcap_free(&file);
}

TEST_GROUP(make_folder, remove_folder)
