/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-files.c - the files of captures (libibumad/capture/file.c, capture.c): which are made,
 * replaced and left alone, how a capture ends when it can't go on, and what processes that share,
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
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libibumad/capture/capture.h"

/* After so many calls writev() writes a part, then sends the process a signal, and then fails; with
 * EINTR, once. */
static struct {
	int calls_left; /* below 0: no limit */
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

static void fail_after(int calls, size_t part, int error)
{
	failure.calls_left = calls;
	failure.part = part;
	failure.error = error;
}

/* With a response at once, the program may use a buffer again before the write is over. */
static void *reused;

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	ssize_t count = __real_write(fd, data, size);

	if (reused)
		memset(reused, 0xa5, size);
	return count;
}

/* The status with which a child ends that exits with the result of a function. */
static int in_child(int (*run)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child)
		_exit(run());
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/*
 * Beginning and end
 */

CASE(one_capture_at_a_time)
{
	char other[PATH_SIZE];

	snprintf(other, sizeof(other), "%s/other.pcap", folder);
	assert_errno(umad_capture_stop(), EINVAL);
	send_many(3);
	errno = CALLERS;
	begin_capture();
	assert_int_equal(errno, CALLERS);
	assert_errno(umad_capture_start(other, 0), EBUSY);
	assert_int_equal(access(other, F_OK), -1);
	send_many(2);
	errno = CALLERS;
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(errno, CALLERS);
	assert_errno(umad_capture_stop(), EINVAL);
	send_many(3);
	assert_packets(2);
	begin_capture();
	end_capture(0);
}

CASE(buffers_belong_to_the_program_once_sent)
{
	union {
		struct ib_user_mad umad;
		uint8_t bytes[WIRE_HEADER + 1000];
	} buffer;
	uint8_t *mad = buffer.bytes + WIRE_HEADER;
	struct pcap_file file;

	begin_capture();
	for (int length = WIRE_MAD; length <= 1000; length += 1000 - WIRE_MAD) {
		memset(&buffer, 0x11, sizeof(buffer));
		umad_set_addr(&buffer, WIRE_LID, 1, 0, UMAD_QKEY);
		buffer.umad.addr.grh_present = 0;
		memcpy(mad, (uint8_t[]){ UMAD_BASE_VERSION, UMAD_CLASS_SUBN_ADM, 2 }, 3);
		mad[24] = mad[25] = 1;
		reused = &buffer;
		assert_int_equal(umad_send(wire.near, WIRE_AGENT, &buffer, length, 0, 0), 0);
		reused = NULL;
		assert_int_equal(mad[0], 0xa5);
	}
	assert_int_equal(umad_capture_stop(), 0);
	file = read_back(1 + 5);
	for (size_t i = 0; i < file.count; i++) {
		assert_int_equal(file.packets[i].dlid, WIRE_LID);
		assert_int_equal(file.packets[i].mad[3], 0x11);
		assert_int_equal(file.packets[i].mad[80], 0x11);
	}
	pcap_free(&file);
}

/* A MAD that was copied for a capture with keys is written to the next one. */
CASE(next_capture_has_no_keys_of_the_last_one)
{
	struct wire_packet packet = { .umad.agent_id = WIRE_AGENT };
	struct umad_capture_note note;
	struct pcap_file file;

	memset(packet.mad.bytes, 0xa5, WIRE_MAD);
	memcpy(packet.mad.bytes, (uint8_t[]){ 1, 1, 1 }, 3);
	assert_int_equal(umad_capture_start(name, UMAD_CAPTURE_KEYS), 0);
	umad_capture_note_mad(-1, &packet, WIRE_MAD, false, &note);
	assert_int_equal(note.head[24], 0xa5);
	assert_int_equal(umad_capture_stop(), 0);
	begin_capture();
	umad_capture_add(&note);
	umad_capture_free_note(&note);
	assert_int_equal(umad_capture_stop(), 0);
	file = read_back(1);
	assert_int_equal(file.packets[0].mad[24], 0);
	pcap_free(&file);
}

/*
 * Names
 */

CASE(the_file_is_the_owners_alone)
{
	mode_t mask = umask(0);
	struct stat status;
	int fd = open("/dev/null", O_RDONLY), flags;

	close(fd);
	begin_capture();
	umask(mask);
	assert_int_equal(stat(name, &status), 0);
	assert_int_equal(status.st_mode, S_IFREG | 0600);
	flags = fcntl(fd, F_GETFD); /* the lowest that was free */
	assert_true(flags >= 0 && flags & FD_CLOEXEC);
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

/* Replaced, not written into; a process that was killed meanwhile has left its new file. In a
 * container the next process has the same number. */
CASE(an_older_file_of_the_user_is_replaced)
{
	char other[PATH_SIZE], left[2 * PATH_SIZE];

	snprintf(other, sizeof(other), "%s/link", folder);
	snprintf(left, sizeof(left), "%s/.umad-capture.%d.0", folder, getpid());
	put_file(name, "older");
	put_file(left, "left");
	assert_int_equal(link(name, other), 0);
	for (int i = 0; i < 3; i++) {
		begin_capture();
		send_many(1);
		end_capture(1);
	}
	assert_content(other, "older");
	assert_content(left, "left");
	unlink(other);
	unlink(left);
}

static void record_three_times(const char *path)
{
	for (int i = 0; i < 3; i++) {
		assert_int_equal(umad_capture_start(path, 0), 0);
		assert_int_equal(umad_capture_stop(), 0);
	}
	unlink(path);
}

/* A name as long as names can be, and a path as long as paths can be. */
CASE(long_names_work_more_than_once)
{
	char path[PATH_MAX], *end = path + sprintf(path, "%s/", folder);

	memset(end, 'x', NAME_MAX);
	end[NAME_MAX] = '\0';
	record_three_times(path);
	while (end + 2 + sizeof("x.pcap") < path + sizeof(path))
		end = stpcpy(end, "./");
	strcpy(end, "x.pcap");
	assert_between(strlen(path), sizeof(path) - 4, sizeof(path) - 1);
	record_three_times(path);
}

CASE(other_things_are_left_alone)
{
	static const mode_t kinds[] = { S_IFSOCK, S_IFIFO, S_IFCHR };
	char target[PATH_SIZE], missing[PATH_MAX + 1];
	struct stat status;

	assert_errno(umad_capture_start(NULL, 0), EINVAL);
	assert_errno(umad_capture_start("", 0), EINVAL);
	assert_errno(umad_capture_start(name, 2), EINVAL);
	assert_errno(umad_capture_start(folder, 0), EPERM);
	assert_errno(umad_capture_start("/dev/stdin/x", 0), ENOTDIR);
	snprintf(missing, sizeof(missing), "%s/no/it.pcap", folder);
	assert_errno(umad_capture_start(missing, 0), ENOENT);
	memset(missing, 'x', sizeof(missing) - 1);
	missing[sizeof(missing) - 1] = '\0';
	assert_errno(umad_capture_start(missing, 0), ENAMETOOLONG);

	snprintf(target, sizeof(target), "%s/target", folder);
	put_file(target, "untouched");
	assert_int_equal(symlink(target, name), 0);
	assert_errno(umad_capture_start(name, 0), ELOOP);
	assert_content(target, "untouched");
	unlink(target);
	assert_errno(umad_capture_start(name, 0), ELOOP); /* nor is it made */
	assert_int_equal(access(target, F_OK), -1);
	unlink(name);

	for (size_t i = 0; i < COUNT(kinds); i++) { /* the null device, if this user may make it */
		if (mknod(name, kinds[i] | 0600, makedev(1, 3)) < 0)
			continue;
		assert_errno(umad_capture_start(name, 0), EPERM);
		assert_int_equal(lstat(name, &status), 0);
		assert_int_equal(status.st_mode & S_IFMT, kinds[i]);
		unlink(name);
	}
}

CASE(another_users_file_is_left_alone)
{
	put_file(name, "another's");
	if (chown(name, geteuid() + 1, getegid() + 1) < 0)
		skip();
	assert_errno(umad_capture_start(name, 0), EPERM);
	assert_content(name, "another's");
}

/*
 * Failures
 */

CASE(a_failing_start_leaves_files_as_they_were)
{
	fail_after(0, 10, ENOSPC);
	assert_errno(umad_capture_start(name, 0), ENOSPC);
	assert_int_equal(access(name, F_OK), -1);
	put_file(name, "older");
	assert_errno(umad_capture_start(name, 0), ENOSPC);
	assert_content(name, "older");
	assert_errno(umad_capture_stop(), EINVAL);
	failure.calls_left = -1;
	begin_capture();
}

/* A record that did not fit is not there; the file is in order; there is one line. */
static void assert_ended(size_t count, int error, const char *text)
{
	char line[200];

	listen_end();
	snprintf(line, sizeof(line), "libibumad: capture to %s stopped: %s\n", name, text);
	assert_string_equal(said, line);
	assert_packets(count);
	assert_errno(umad_capture_stop(), error);
	assert_errno(umad_capture_stop(), EINVAL);
}

CASE(a_full_disk_ends_the_capture_not_the_program)
{
	static const size_t parts[] = { 0, 1, 16, 40, RECORD - 1 };

	for (size_t i = 0; i < COUNT(parts); i++) {
		begin_capture();
		listen_begin();
		fail_after(3, parts[i], ENOSPC);
		send_many(8);
		failure.calls_left = -1;
		assert_ended(3, ENOSPC, "No space left on device");
	}
	begin_capture();
	send_many(2);
	end_capture(2);
}

/* The rest is written when the library tries again; the caller's errno stays. */
CASE(writes_may_be_short)
{
	struct wire_packet packet;

	begin_capture();
	for (int received = 0; received < 2; received++) {
		fail_after(0, 100, EINTR);
		errno = CALLERS;
		assert_int_equal(received ? wire_receive(&wire, &packet) : wire_send(&wire, 1), 0);
		assert_int_equal(errno, CALLERS);
		assert_int_equal(failure.calls_left, -1);
	}
	end_capture(2);
}

/* Like a program that closes what it does not know, and opens files of its own. */
CASE(a_descriptor_that_became_another_file_is_not_written)
{
	char other[PATH_SIZE];
	int fd = open("/dev/null", O_RDONLY), taken;

	snprintf(other, sizeof(other), "%s/other", folder);
	close(fd);
	begin_capture();
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

static int record_without_streams(void)
{
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	return umad_capture_start(name, 0) < 0 || fcntl(0, F_GETFD) != -1 ||
	       fcntl(1, F_GETFD) != -1 || fcntl(2, F_GETFD) != -1 || wire_send(&wire, 1) < 0 ||
	       umad_capture_stop() < 0;
}

CASE(standard_streams_are_never_the_file)
{
	assert_int_equal(in_child(record_without_streams), 0);
	assert_packets(1);
}

static int use_descriptor_0(void)
{
	struct wire_packet packet;
	int length = WIRE_MAD;

	return umad_capture_start(name, 0) < 0 || wire_send(&wire, 1) < 0 ||
	       recv(wire.far, &packet, sizeof(packet), 0) < 0 ||
	       send(wire.far, &packet, sizeof(packet), 0) < 0 ||
	       dup2(wire.near, STDIN_FILENO) < 0 || umad_poll(STDIN_FILENO, 1000) < 0 ||
	       umad_recv(STDIN_FILENO, &packet, &length, 1000) != WIRE_AGENT ||
	       umad_send(STDIN_FILENO, WIRE_AGENT, &packet, WIRE_MAD, 0, 0) < 0 ||
	       umad_get_fd(STDIN_FILENO) != STDIN_FILENO ||
	       umad_unregister(STDIN_FILENO, 0) != -ENOTTY || umad_close_port(STDIN_FILENO) < 0 ||
	       umad_capture_stop() < 0;
}

/* As in a program that has closed its standard input. */
CASE(a_port_may_be_descriptor_0)
{
	assert_int_equal(in_child(use_descriptor_0), 0);
	assert_packets(3);
}

static void *open_and_send(void *done)
{
	umad_debug(2);
	return umad_open_port("no such device", 1) < 0 && wire_send(&wire, 1) == 0 ? done : NULL;
}

/* The smallest stack is large enough. (The sanitizers need more of it.) */
static int open_on_a_small_stack(void)
{
	pthread_attr_t smallest;
	pthread_t thread;
	void *done = NULL;

	pthread_attr_init(&smallest);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	if (pthread_attr_setstacksize(&smallest, PTHREAD_STACK_MIN))
		return 2;
#endif
	setenv("LIBIBUMAD_CAPTURE", name, 1);
	return !freopen("/dev/null", "w", stderr) ||
	       pthread_create(&thread, &smallest, open_and_send, name) ||
	       pthread_join(thread, &done) || !done || umad_capture_stop() < 0;
}

/* The first port that is opened is early enough. */
CASE(a_port_begins_what_the_environment_asks_for)
{
	put_file(name, "older");
	assert_int_equal(in_child(open_on_a_small_stack), 0);
	assert_packets(1);
}

/*
 * Processes
 */

/* Like a log that is copied and then emptied, or shortened. What follows can be read, and so can a
 * file to which nothing was added any more. */
CASE(a_file_that_is_cut_begins_anew)
{
	static const int sizes[] = { 0, 10, 24, 100, 1000 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int count = 0; count < 3; count++) {
			begin_capture();
			send_many(5);
			assert_int_equal(truncate(name, sizes[i]), 0);
			send_many(count);
			end_capture((size_t)count);
		}
}

/* Forks a process that sends two MADs to the capture; the second write fails. */
static pid_t share_and_fail(size_t part, int number, int error)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child)
		return child;
	fail_after(1, part, error);
	failure.signal = number;
	if (!freopen("/dev/null", "w", stderr) || wire_send(&wire, 1) < 0 ||
	    wire_send(&wire, 2) < 0)
		_exit(1);
	_exit(umad_capture_stop() == 0 || errno != error);
}

/* The others remove what a process leaves of a record. */
CASE(processes_that_share_a_file_leave_whole_records)
{
	static const size_t parts[] = { 0, 1, 40, RECORD - 1 };
	struct wire_packet packet;
	int status;
	pid_t child;

	for (size_t i = 0; i < COUNT(parts); i++)
		for (int killed = 0; killed < 2; killed++) {
			begin_capture();
			send_many(1);
			child = share_and_fail(parts[i], killed ? SIGKILL : 0, ENOSPC);
			assert_int_equal(waitpid(child, &status, 0), child);
			assert_int_equal(status, killed ? SIGKILL : 0);
			while (recv(wire.far, &packet, sizeof(packet), 0) > 0)
				;
			send_many(killed);
			end_capture(2 + (size_t)killed);
		}
}

/* The process may have been stopped in the middle of a record, and not be continued. */
CASE(a_process_that_is_stopped_makes_nobody_wait)
{
	int status;
	pid_t child;

	begin_capture();
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
static int end_beside_a_full_pipe(void)
{
	static const char text[65536];
	pthread_t thread;
	int ends[2];

	alarm(60);
	if (umad_capture_start(name, 0) < 0 || pipe(ends) < 0 || dup2(ends[1], STDERR_FILENO) < 0)
		return 1;
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	while (write(ends[1], text, sizeof(text)) > 0)
		;
	fcntl(ends[1], F_SETFL, 0);
	fail_after(0, 0, ENOSPC);
	atomic_store(&failure.has_failed, false);
	if (pthread_create(&thread, NULL, send_one, NULL))
		return 2;
	while (!atomic_load(&failure.has_failed))
		sched_yield();
	if (umad_capture_stop() == 0 || errno != ENOSPC || wire_send(&wire, 2) < 0)
		return 3;
	raise(SIGTERM);
	return 4;
}

CASE(nobody_waits_for_a_line_that_nobody_reads)
{
	assert_int_equal(in_child(end_beside_a_full_pipe), SIGTERM);
}

TEST_GROUP(make_folder, remove_folder)
