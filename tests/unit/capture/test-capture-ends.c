/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-capture-ends.c - how a capture ends when it can't go on, and what processes that share,
 * cut or survive it leave in the file.
 */
#include "recording.h"
#include "listen.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What writev() is to do in place of writing: after so many calls, write a part, then send the
 * process a signal, and then fail; with EINTR, once. */
static struct {
	int calls_left; /* below 0: forever */
	size_t part;
	int error;
	int signal;
	atomic_bool has_failed;
} failure = { .calls_left = -1 };

ssize_t __real_writev(int fd, const struct iovec *parts, int count);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);

ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)
{
	struct iovec part = parts[0];

	if (failure.calls_left < 0 || failure.calls_left-- > 0)
		return __real_writev(fd, parts, count);
	failure.calls_left = 0;
	part.iov_len = failure.part;
	failure.part = 0;
	if (part.iov_len)
		return __real_writev(fd, &part, 1);
	if (failure.signal)
		raise(failure.signal);
	atomic_store(&failure.has_failed, true);
	if (failure.error == EINTR)
		failure.calls_left = -1;
	errno = failure.error;
	return -1;
}

CASE(a_failing_start_leaves_files_as_they_were)
{
	failure.calls_left = 0;
	failure.part = 10;
	failure.error = ENOSPC;
	assert_errno(umad_capture_start(name, 0), ENOSPC);
	assert_int_equal(access(name, F_OK), -1);
	put_file(name, "older");
	failure.part = 0;
	assert_errno(umad_capture_start(name, 0), ENOSPC);
	assert_content(name, "older");
	assert_errno(umad_capture_stop(), EINVAL);
	failure.calls_left = -1;
	assert_int_equal(umad_capture_start(name, 0), 0);
}

/* A record that did not fit is not there; the file is in order; there is one line. */
static void assert_ended(size_t count, int error, const char *text)
{
	char line[200];

	listen_end();
	snprintf(line, sizeof(line), "libibumad: capture to %s stopped: %s\n", name, text);
	assert_string_equal(said, line);
	assert_packets(name, count);
	assert_errno(umad_capture_stop(), error);
	assert_errno(umad_capture_stop(), EINVAL);
}

CASE(a_full_disk_ends_the_capture_not_the_program)
{
	static const size_t parts[] = { 0, 1, 16, 40, RECORD - 1 };
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		assert_int_equal(umad_capture_start(name, 0), 0);
		listen_begin();
		failure.calls_left = 3;
		failure.part = parts[i];
		failure.error = ENOSPC;
		send_many(8);
		failure.calls_left = -1;
		assert_ended(3, ENOSPC, "No space left on device");
	}
	assert_int_equal(umad_capture_start(name, 0), 0);
	send_many(2);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 2);
}

static void fail_shortly(void)
{
	failure.calls_left = 0;
	failure.part = 100;
	failure.error = EINTR; /* and the rest, when it is asked again */
	errno = CALLERS;
}

CASE(writes_may_be_short)
{
	struct wire_packet packet;

	assert_int_equal(umad_capture_start(name, 0), 0);
	fail_shortly();
	assert_int_equal(wire_send(&wire, 1), 0);
	assert_int_equal(errno, CALLERS);
	assert_int_equal(failure.calls_left, -1);
	fail_shortly();
	assert_int_equal(wire_receive(&wire, &packet), 0);
	assert_int_equal(errno, CALLERS);
	assert_int_equal(failure.calls_left, -1);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 2);
}

/* Like a program that closes what it does not know, and opens files of its own. */
CASE(a_descriptor_that_became_another_file_is_not_written)
{
	char other[PATH_SIZE];
	int fd, taken;

	snprintf(other, sizeof(other), "%s/other", folder);
	fd = open("/dev/null", O_RDONLY);
	close(fd);
	assert_int_equal(umad_capture_start(name, 0), 0);
	send_many(2);
	listen_begin();
	close(fd);
	taken = open(other, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_int_equal(taken, fd);
	send_many(2);
	assert_ended(2, EBADF, "Bad file descriptor");
	assert_int_equal(fcntl(taken, F_GETFD), 0); /* nor is it closed */
	close(taken);
	assert_content(other, "");
	unlink(other);
}

CASE(standard_streams_are_never_the_file)
{
	pid_t child;
	int status;

	child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
		if (umad_capture_start(name, 0) < 0 || fcntl(0, F_GETFD) != -1 ||
		    fcntl(1, F_GETFD) != -1 || fcntl(2, F_GETFD) != -1 || wire_send(&wire, 1) < 0)
			_exit(1);
		_exit(umad_capture_stop() < 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_packets(name, 1);
}

/* As in a program that has closed its standard input. */
CASE(a_port_may_be_descriptor_0)
{
	struct wire_packet packet;
	int length = WIRE_MAD, status;
	pid_t child;

	child = fork();
	assert_true(child >= 0);
	if (!child) {
		if (umad_capture_start(name, 0) < 0 || wire_send(&wire, 1) < 0 ||
		    recv(wire.far, &packet, sizeof(packet), 0) < 0 ||
		    send(wire.far, &packet, sizeof(packet), 0) < 0 ||
		    dup2(wire.near, STDIN_FILENO) < 0 || umad_poll(STDIN_FILENO, 1000) < 0 ||
		    umad_recv(STDIN_FILENO, &packet, &length, 1000) != WIRE_AGENT ||
		    umad_send(STDIN_FILENO, WIRE_AGENT, &packet, WIRE_MAD, 0, 0) < 0 ||
		    umad_get_fd(STDIN_FILENO) != STDIN_FILENO ||
		    umad_unregister(STDIN_FILENO, 0) != -ENOTTY ||
		    umad_close_port(STDIN_FILENO) < 0)
			_exit(1);
		_exit(umad_capture_stop() < 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_packets(name, 3);
}

static void *open_and_send(void *done)
{
	umad_debug(2);
	if (umad_open_port("no such device", 1) < 0 && wire_send(&wire, 1) == 0)
		return done;
	return NULL;
}

/* The first port that is opened is early enough, and the smallest stack is large enough. (The
 * sanitizers need more of it.) */
CASE(a_port_begins_what_the_environment_asks_for)
{
	pthread_attr_t smallest;
	pthread_t thread;
	void *done = NULL;
	pid_t child;
	int status;

	put_file(name, "older");
	pthread_attr_init(&smallest);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	assert_int_equal(pthread_attr_setstacksize(&smallest, PTHREAD_STACK_MIN), 0);
#endif
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		setenv("LIBIBUMAD_CAPTURE", name, 1);
		if (!freopen("/dev/null", "w", stderr) ||
		    pthread_create(&thread, &smallest, open_and_send, &child) ||
		    pthread_join(thread, &done) || !done)
			_exit(1);
		_exit(umad_capture_stop() < 0);
	}
	pthread_attr_destroy(&smallest);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_packets(name, 1);
}

/* Like a log that is copied and then emptied, or shortened. What follows can be read, and so can a
 * file to which nothing was added any more. */
CASE(a_file_that_is_cut_begins_anew)
{
	static const int sizes[] = { 0, 10, 24, 100, 1000 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int count = 0; count < 3; count++) {
			assert_int_equal(umad_capture_start(name, 0), 0);
			send_many(5);
			assert_int_equal(truncate(name, sizes[i]), 0);
			send_many(count);
			assert_int_equal(umad_capture_stop(), 0);
			assert_packets(name, (size_t)count);
		}
}

/* Forks a process that sends two MADs to the capture; the second write ends as failure says. */
static pid_t share_and_fail(size_t part, int number, int error)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child)
		return child;
	failure.calls_left = 1;
	failure.part = part;
	failure.signal = number;
	failure.error = error;
	if (!freopen("/dev/null", "w", stderr) || wire_send(&wire, 1) < 0 ||
	    wire_send(&wire, 2) < 0)
		_exit(1);
	_exit(umad_capture_stop() == 0 || errno != error);
}

/* What one process leaves of a record, the others take away. */
CASE(processes_that_share_a_file_leave_whole_records)
{
	static const size_t parts[] = { 0, 1, 40, RECORD - 1 };
	struct wire_packet packet;
	int status;
	pid_t child;

	for (size_t i = 0; i < COUNT(parts); i++)
		for (int killed = 0; killed < 2; killed++) {
			assert_int_equal(umad_capture_start(name, 0), 0);
			send_many(1);
			child = share_and_fail(parts[i], killed ? SIGKILL : 0, ENOSPC);
			assert_int_equal(waitpid(child, &status, 0), child);
			assert_int_equal(status, killed ? SIGKILL : 0);
			while (recv(wire.far, &packet, sizeof(packet), 0) > 0)
				;
			send_many(killed);
			assert_int_equal(umad_capture_stop(), 0);
			assert_packets(name, 2 + (size_t)killed);
		}
}

/* It may have been stopped in the middle of a record, and for good. */
CASE(a_process_that_is_stopped_makes_nobody_wait)
{
	int status;
	pid_t child;

	assert_int_equal(umad_capture_start(name, 0), 0);
	child = share_and_fail(0, SIGSTOP, ENOSPC);
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_true(WIFSTOPPED(status));
	recv(wire.far, &(struct wire_packet){ 0 }, sizeof(struct wire_packet), 0);
	listen_begin();
	send_many(1);
	assert_ended(1, ETIMEDOUT, "Connection timed out");
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
}

static void *send_one(void *unused)
{
	wire_send(&wire, 1);
	return unused;
}

/* The program ends by SIGTERM while a thread waits in the line that says so. */
static void end_beside_a_full_pipe(void)
{
	static const char text[65536];
	pthread_t thread;
	int ends[2];

	if (umad_capture_start(name, 0) < 0 || pipe(ends) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
		_exit(1);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (write(ends[1], text, sizeof(text)) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	failure.calls_left = 0;
	failure.error = ENOSPC;
	atomic_store(&failure.has_failed, false);
	if (pthread_create(&thread, NULL, send_one, NULL))
		_exit(2);
	while (!atomic_load(&failure.has_failed))
		sched_yield();
	if (umad_capture_stop() == 0 || errno != ENOSPC || wire_send(&wire, 2) < 0)
		_exit(3);
	raise(SIGTERM);
	_exit(4);
}

CASE(nobody_waits_for_a_line_that_nobody_reads)
{
	pid_t child = fork();
	int status = 0, turns;

	assert_true(child >= 0);
	if (!child)
		end_beside_a_full_pipe();
	for (turns = 0; turns < 6000 && waitpid(child, &status, WNOHANG) == 0; turns++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	kill(child, SIGKILL);
	assert_int_equal(status, SIGTERM);
}

/* The kernel may cut the last record where it was killed in the middle of it. */
CASE(a_killed_program_leaves_whole_records)
{
	size_t recorded = 0;

	for (int round = 0; round < 20; round++) {
		struct pcap_file file;
		const char *wrong;
		int ready[2], status;
		pid_t child;
		char byte;

		assert_int_equal(pipe(ready), 0);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			struct wire_packet packet;

			if (umad_capture_start(name, 0) < 0 || write(ready[1], "", 1) != 1)
				_exit(1);
			for (uint32_t tid = 0;; tid++) {
				if (wire_send(&wire, tid) < 0)
					_exit(1);
				recv(wire.far, &packet, sizeof(packet), 0);
			}
		}
		close(ready[1]);
		assert_int_equal(read(ready[0], &byte, 1), 1);
		close(ready[0]);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 + round * 370001 }, NULL);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		wrong = pcap_read(name, &file);
		if (wrong && strncmp(wrong, "half a record", 13) != 0)
			fail_msg("packet %zu: %s", file.count, wrong);
		recorded += file.count;
		for (size_t i = 0; i < file.count; i++)
			assert_int_equal(file.packets[i].mad[15], i & 0xff);
		pcap_free(&file);
		recv(wire.far, &(struct wire_packet){ 0 }, sizeof(struct wire_packet), 0);
	}
	assert_int_not_equal(recorded, 0);
}

TEST_GROUP(make_folder, remove_folder)
