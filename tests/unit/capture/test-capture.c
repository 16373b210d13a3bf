/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-capture.c - captures from begin to end (libibumad/capture/capture.c and file.c): what is in
 * the file, which files are made and replaced, and how a capture ends when it can't go on.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/umad_capture.h>

#include "test.h"
#include "listen.h"
#include "pcapfile.h"
#include "wire.h"

enum { PATH_SIZE = 64, RECORD = 16 + 16 + 290, CALLERS = 77 };

static char folder[] = "/tmp/capture-XXXXXX";
static char name[PATH_SIZE];
static struct wire wire;

/* What writev() is to do in place of writing: after so many calls, write a part and then fail; with
 * EINTR, once. */
static struct {
	int calls_left; /* below 0: forever */
	size_t part;
	int error;
} failure;

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
	if (failure.error == EINTR)
		failure.calls_left = -1;
	errno = failure.error;
	return -1;
}

/* With a response at once, the program may use a buffer again before the write is over. */
static void *reused;
static size_t reused_size;

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	ssize_t count = __real_write(fd, data, size);

	if (reused)
		memset(reused, 0xa5, reused_size);
	return count;
}

static int setup(void **state)
{
	(void)state;
	snprintf(name, sizeof(name), "%s/it.pcap", folder);
	failure.calls_left = -1;
	return wire_open(&wire);
}

static int teardown(void **state)
{
	(void)state;
	umad_capture_stop();
	wire_close(&wire);
	unlink(name);
	return 0;
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

/* Fails if a test has left a file. */
static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

#define assert_fails(call, error)                 \
	do {                                      \
		errno = 0;                        \
		assert_int_equal(call, -(error)); \
		assert_int_equal(errno, error);   \
	} while (0)

/* The file is in order and has so many packets; the caller frees it. */
static struct pcap_file read_back(const char *path, size_t count)
{
	struct pcap_file file;
	const char *wrong = pcap_read(path, &file);

	if (wrong)
		fail_msg("%s: packet %zu: %s", path, file.count, wrong);
	assert_int_equal(file.count, count);
	return file;
}

static void assert_packets(const char *path, size_t count)
{
	struct pcap_file file = read_back(path, count);

	pcap_free(&file);
}

static void send_many(int count)
{
	struct wire_packet packet;

	for (int i = 0; i < count; i++) {
		assert_int_equal(wire_send(&wire, 100 + (uint32_t)i), 0);
		recv(wire.far, &packet, sizeof(packet), 0);
	}
}

static void put_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
}

static void assert_content(const char *path, const char *content)
{
	char text[100];
	FILE *file = fopen(path, "r");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	assert_string_equal(text, content);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

CASE(what_is_sent_and_received_is_recorded)
{
	struct wire_packet packet;
	struct pcap_file file;
	struct timespec now;
	uint64_t before;

	clock_gettime(CLOCK_REALTIME, &now);
	before = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	errno = CALLERS;
	assert_int_equal(umad_capture_start(name), 0);
	assert_int_equal(wire_send(&wire, 0x1234), 0);
	assert_int_equal(errno, CALLERS);
	assert_int_equal(wire_receive(&wire, &packet), 0);
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(errno, CALLERS);

	clock_gettime(CLOCK_REALTIME, &now);
	file = read_back(name, 2);
	assert_false(file.packets[0].received);
	assert_true(file.packets[1].received);
	assert_true(file.packets[0].time >= before);
	assert_true(file.packets[1].time >= file.packets[0].time);
	assert_true(file.packets[1].time <=
		    (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	for (int i = 0; i < 2; i++) {
		const struct pcap_packet *one = &file.packets[i];

		assert_int_equal(one->length, WIRE_MAD);
		assert_memory_equal(one->mad, packet.mad.bytes, WIRE_MAD);
		assert_int_equal(one->slid, i ? WIRE_LID : 0); /* the wire has no LID of its own */
		assert_int_equal(one->dlid, i ? 0 : WIRE_LID);
		assert_int_equal(one->source_qp, 1);
		assert_int_equal(one->destination_qp, 1);
		assert_int_equal(one->qkey, UMAD_QKEY);
		assert_int_equal(one->pkey, 0xffff);
		assert_int_equal(one->sl, 2);
		assert_int_equal(one->vl, 0);
		assert_false(one->has_grh);
	}
	pcap_free(&file);
}

CASE(buffers_belong_to_the_program_once_sent)
{
	enum { LONG = 1000, SEGMENTS = 5 };
	union {
		struct ib_user_mad head;
		uint8_t bytes[WIRE_HEADER + LONG];
	} buffer;
	struct pcap_file file;

	assert_int_equal(umad_capture_start(name), 0);
	reused = &buffer;
	reused_size = sizeof(buffer);
	for (int length = WIRE_MAD; length <= LONG; length += LONG - WIRE_MAD) {
		memset(&buffer, 0x11, sizeof(buffer));
		umad_set_addr(&buffer, WIRE_LID, 1, 0, UMAD_QKEY);
		buffer.head.addr.grh_present = 0;
		buffer.bytes[WIRE_HEADER + 1] = UMAD_CLASS_SUBN_ADM;
		buffer.bytes[WIRE_HEADER + 24] = buffer.bytes[WIRE_HEADER + 25] = 1;
		assert_int_equal(umad_send(wire.near, WIRE_AGENT, &buffer, length, 0, 0), 0);
		assert_int_equal(buffer.bytes[WIRE_HEADER], 0xa5);
	}
	reused = NULL;
	assert_int_equal(umad_capture_stop(), 0);
	file = read_back(name, 1 + SEGMENTS);
	for (size_t i = 0; i < file.count; i++) {
		assert_int_equal(file.packets[i].dlid, WIRE_LID);
		assert_int_equal(file.packets[i].mad[0], 0x11);
		assert_int_equal(file.packets[i].mad[80], 0x11);
	}
	pcap_free(&file);
}

CASE(nothing_is_recorded_before_and_after)
{
	send_many(3);
	assert_int_equal(umad_capture_start(name), 0);
	send_many(2);
	assert_int_equal(umad_capture_stop(), 0);
	send_many(3);
	assert_packets(name, 2);
}

CASE(what_fails_or_comes_back_is_not_recorded)
{
	struct wire_packet packet = { .head = { .agent_id = WIRE_AGENT, .status = ETIMEDOUT } };
	int length = WIRE_MAD;

	assert_int_equal(umad_capture_start(name), 0);
	assert_int_equal(send(wire.far, &packet, sizeof(packet), 0), sizeof(packet));
	assert_int_equal(umad_recv(wire.near, &packet, &length, 1000), WIRE_AGENT);
	assert_int_equal(umad_send(-1, WIRE_AGENT, &packet, WIRE_MAD, 0, 0), -EINVAL);
	assert_int_equal(umad_recv(wire.near, &packet, &length, 0), -EAGAIN);
	shutdown(wire.near, SHUT_WR);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(umad_send(wire.near, WIRE_AGENT, &packet, WIRE_MAD, 0, 0), -EIO);
	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 0);
}

CASE(one_capture_at_a_time)
{
	char other[PATH_SIZE];

	snprintf(other, sizeof(other), "%s/other.pcap", folder);
	assert_fails(umad_capture_stop(), EINVAL);
	assert_int_equal(umad_capture_start(name), 0);
	assert_fails(umad_capture_start(other), EBUSY);
	assert_int_equal(access(other, F_OK), -1);
	send_many(1);
	assert_int_equal(umad_capture_stop(), 0);
	assert_fails(umad_capture_stop(), EINVAL);
	assert_packets(name, 1);
	assert_int_equal(umad_capture_start(name), 0);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 0);
}

CASE(the_file_is_the_owners_alone)
{
	mode_t mask = umask(0);
	struct stat status;
	char path[100];
	int fd, flags;

	fd = open("/dev/null", O_RDONLY);
	close(fd);
	assert_int_equal(umad_capture_start(name), 0);
	umask(mask);
	assert_int_equal(stat(name, &status), 0);
	assert_int_equal(status.st_mode, S_IFREG | 0600);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd); /* the lowest that was free */
	flags = fcntl(fd, F_GETFD);
	assert_true(flags >= 0);
	assert_true(flags & FD_CLOEXEC);
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

CASE(an_older_file_of_the_user_is_replaced)
{
	char other[PATH_SIZE];

	snprintf(other, sizeof(other), "%s/link", folder);
	put_file(name, "older");
	assert_int_equal(link(name, other), 0);
	assert_int_equal(umad_capture_start(name), 0);
	send_many(1);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 1);
	assert_content(other, "older"); /* replaced, not written into */
	unlink(other);
}

/* What a process leaves that is killed while it replaces a file. In a container the next one has
 * the same number. */
CASE(what_a_killed_process_left_is_passed_over)
{
	char left[2 * PATH_SIZE], beside[2 * PATH_SIZE];

	snprintf(beside, sizeof(beside), "%s.%d", name, getpid());
	snprintf(left, sizeof(left), "%s/.umad-capture.%d.0", folder, getpid());
	put_file(name, "older");
	put_file(beside, "left");
	put_file(left, "left");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(umad_capture_start(name), 0);
		send_many(1);
		assert_int_equal(umad_capture_stop(), 0);
		assert_packets(name, 1);
	}
	assert_content(beside, "left");
	assert_content(left, "left");
	unlink(beside);
	unlink(left);
}

/* A name as long as names can be, and a path as long as paths can be, with a file there and
 * without. */
CASE(long_names_work_more_than_once)
{
	char path[PATH_MAX], *end = path;
	int i;

	end += snprintf(path, sizeof(path), "%s/", folder);
	memset(end, 'x', NAME_MAX);
	end[NAME_MAX] = '\0';
	for (i = 0; i < 3; i++) {
		assert_int_equal(umad_capture_start(path), 0);
		assert_int_equal(umad_capture_stop(), 0);
	}
	unlink(path);
	while (end + 2 + sizeof("x.pcap") < path + sizeof(path))
		end = stpcpy(end, "./");
	strcpy(end, "x.pcap");
	assert_between(strlen(path), sizeof(path) - 4, sizeof(path) - 1);
	for (i = 0; i < 3; i++) {
		assert_int_equal(umad_capture_start(path), 0);
		assert_int_equal(umad_capture_stop(), 0);
	}
	unlink(path);
}

/* Without a directory in its name. */
CASE(a_file_here_is_replaced)
{
	char here[PATH_MAX];

	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(folder), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(umad_capture_start("here.pcap"), 0);
		send_many(1);
		assert_int_equal(umad_capture_stop(), 0);
		assert_packets("here.pcap", 1);
	}
	unlink("here.pcap");
	assert_int_equal(chdir(here), 0);
}

/* A device of our own: the machine's would be gone if this failed. */
static void device_is_left_alone(void)
{
	char device[PATH_SIZE];
	struct stat status;

	snprintf(device, sizeof(device), "%s/device", folder);
	if (mknod(device, S_IFCHR | 0600, makedev(1, 3)) < 0) {
		print_message("no right to make a device, so none is tried: %s\n", strerror(errno));
		return;
	}
	assert_fails(umad_capture_start(device), EPERM);
	assert_int_equal(lstat(device, &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	unlink(device);
}

CASE(other_things_are_left_alone)
{
	char target[PATH_SIZE], missing[PATH_MAX + 1];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat status;
	int fd;

	assert_fails(umad_capture_start(NULL), EINVAL);
	assert_fails(umad_capture_start(""), EINVAL);
	device_is_left_alone();
	assert_fails(umad_capture_start(folder), EPERM);
	assert_fails(umad_capture_start("/dev/stdin/x"), ENOTDIR);
	snprintf(missing, sizeof(missing), "%s/no/it.pcap", folder);
	assert_fails(umad_capture_start(missing), ENOENT);
	memset(missing, 'x', sizeof(missing) - 1);
	missing[sizeof(missing) - 1] = '\0';
	assert_fails(umad_capture_start(missing), ENAMETOOLONG);

	snprintf(target, sizeof(target), "%s/target", folder);
	put_file(target, "untouched");
	assert_int_equal(symlink(target, name), 0);
	assert_fails(umad_capture_start(name), ELOOP);
	assert_content(target, "untouched");
	unlink(target);
	assert_fails(umad_capture_start(name), ELOOP); /* nor is it made */
	assert_int_equal(access(target, F_OK), -1);
	unlink(name);

	assert_int_equal(mkfifo(name, 0600), 0);
	assert_fails(umad_capture_start(name), EPERM);
	unlink(name);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_fails(umad_capture_start(name), EPERM);
	assert_int_equal(lstat(name, &status), 0);
	assert_true(S_ISSOCK(status.st_mode));
	close(fd);
}

CASE(another_users_file_is_left_alone)
{
	put_file(name, "another's");
	if (chown(name, geteuid() + 1, getegid() + 1) < 0)
		skip();
	assert_fails(umad_capture_start(name), EPERM);
	assert_content(name, "another's");
}

CASE(a_failing_start_leaves_files_as_they_were)
{
	failure.calls_left = 0;
	failure.part = 10;
	failure.error = ENOSPC;
	assert_fails(umad_capture_start(name), ENOSPC);
	assert_int_equal(access(name, F_OK), -1);
	put_file(name, "older");
	failure.part = 0;
	assert_fails(umad_capture_start(name), ENOSPC);
	assert_content(name, "older");
	assert_fails(umad_capture_stop(), EINVAL);
	failure.calls_left = -1;
	assert_int_equal(umad_capture_start(name), 0);
}

/* A record that did not fit is not there; the file is in order; there is one line. */
static void assert_ended(size_t count, int error, const char *text)
{
	char line[200];

	listen_end();
	snprintf(line, sizeof(line), "libibumad: capture to %s stopped: %s\n", name, text);
	assert_string_equal(said, line);
	assert_packets(name, count);
	assert_fails(umad_capture_stop(), error);
	assert_fails(umad_capture_stop(), EINVAL);
}

CASE(a_full_disk_ends_the_capture_not_the_program)
{
	static const size_t parts[] = { 0, 1, 16, 40, RECORD - 1 };
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		assert_int_equal(umad_capture_start(name), 0);
		listen_begin();
		failure.calls_left = 3;
		failure.part = parts[i];
		failure.error = ENOSPC;
		send_many(8);
		failure.calls_left = -1;
		assert_ended(3, ENOSPC, "No space left on device");
	}
	assert_int_equal(umad_capture_start(name), 0);
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

	assert_int_equal(umad_capture_start(name), 0);
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

CASE(a_size_limit_ends_the_capture_not_the_program)
{
	struct rlimit old, limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(umad_capture_start(name), 0);
	limit = old;
	limit.rlim_cur = 24 + 4 * RECORD + RECORD / 2;
	listen_begin();
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	send_many(8);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_ended(4, EFBIG, "File too large");

	assert_int_equal(umad_capture_start(name), 0);
	limit.rlim_cur = 24 + 4 * RECORD;
	listen_begin();
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	send_many(8);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_ended(4, EFBIG, "File too large");
}

/* Like a program that closes what it does not know, and opens files of its own. */
CASE(a_descriptor_that_became_another_file_is_not_written)
{
	char other[PATH_SIZE];
	int fd, taken;

	snprintf(other, sizeof(other), "%s/other", folder);
	fd = open("/dev/null", O_RDONLY);
	close(fd);
	assert_int_equal(umad_capture_start(name), 0);
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
		if (umad_capture_start(name) < 0 || fcntl(0, F_GETFD) != -1 ||
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
		if (umad_capture_start(name) < 0 || wire_send(&wire, 1) < 0 ||
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

/* The first port that is opened is early enough. */
CASE(a_port_begins_what_the_environment_asks_for)
{
	pid_t child;
	int status;

	child = fork();
	assert_true(child >= 0);
	if (!child) {
		setenv("LIBIBUMAD_CAPTURE", name, 1);
		if (umad_open_port("no such device", 1) >= 0 || wire_send(&wire, 1) < 0)
			_exit(1);
		_exit(umad_capture_stop() < 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_packets(name, 1);
}

/* Like a log that is copied and then emptied. */
CASE(a_file_that_is_cut_meanwhile_goes_on_in_order)
{
	assert_int_equal(umad_capture_start(name), 0);
	send_many(5);
	assert_int_equal(truncate(name, 24), 0);
	send_many(2);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 2);
}

CASE(children_write_to_the_same_file)
{
	enum { CHILDREN = 4, EACH = 50 };
	pid_t child[CHILDREN];
	int status, i, sent;

	assert_int_equal(umad_capture_start(name), 0);
	for (i = 0; i < CHILDREN; i++) {
		child[i] = fork();
		assert_true(child[i] >= 0);
		if (!child[i]) {
			struct wire own;

			if (wire_open(&own) < 0)
				_exit(1);
			for (sent = 0; sent < EACH; sent++) {
				struct wire_packet packet;

				if (wire_send(&own, (uint32_t)sent) < 0)
					_exit(1);
				recv(own.far, &packet, sizeof(packet), 0);
			}
			_exit(umad_capture_stop() < 0);
		}
	}
	send_many(EACH);
	for (i = 0; i < CHILDREN; i++) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	send_many(1); /* that they ended theirs is nothing to us */
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, CHILDREN * EACH + EACH + 1);
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

			if (umad_capture_start(name) < 0 || write(ready[1], "", 1) != 1)
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
