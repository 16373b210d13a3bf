/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel of fakekernel.h: replaces open, close, read, write, ioctl, opendir and scandir of
 * libc for paths of InfiniBand's sysfs and device nodes, and leaves all others as they are. The
 * umad device is a timerfd that is readable when a MAD waits, so every kind of poll works on it.
 */
#include "fakekernel.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MAD_SIZE     256
#define HEADER_SIZE  sizeof(struct ib_user_mad_hdr)
#define RULES_SIZE   4096
#define MAX_DEVICES  64
#define MAX_AGENTS   32
#define MAX_TIDS     256
#define TID_OFFSET   8
#define EARLY_MS     5 /* that time-outs are told before the library would give up itself */
#define SYSFS_PREFIX "/sys/class/infiniband"
#define DEVICE_PATH  "/dev/infiniband/umad0"

struct arrival {
	struct arrival *next;
	int fd;
	int error;
	struct timespec due;
	size_t size;
	uint8_t bytes[];
};

static struct {
	pthread_mutex_t lock;
	char root[256];
	bool hides_smp_data;
	char rules[RULES_SIZE];
	char *step;
	FILE *log;
	int devices[MAX_DEVICES];
	int flags[MAX_DEVICES];
	int device_count;
	int agents[MAX_AGENTS]; /* the device that owns each, 0 for none */
	int register_errno;
	int register2_errno;
	uint32_t tids[MAX_TIDS];
	int tid_count;
	struct arrival *arrivals;
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct {
	const char *path;
	const char *text;
} tree[] = {
	{ "/infiniband_mad/abi_version", "5\n" },
	{ "/infiniband_mad/umad0/ibdev", "mlx5_0\n" },
	{ "/infiniband_mad/umad0/port", "1\n" },
	{ "/infiniband_mad/issm0/ibdev", "mlx5_0\n" },
	{ "/infiniband_mad/issm0/port", "1\n" },
	{ "/infiniband/mlx5_0/node_type", "1: CA\n" },
	{ "/infiniband/mlx5_0/fw_ver", "16.35.2000\n" },
	{ "/infiniband/mlx5_0/hw_rev", "0\n" },
	{ "/infiniband/mlx5_0/hca_type", "MT4119\n" },
	{ "/infiniband/mlx5_0/node_guid", "0002:c903:0000:0000\n" },
	{ "/infiniband/mlx5_0/sys_image_guid", "0002:c903:0000:0003\n" },
	{ "/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n" },
	{ "/infiniband/mlx5_0/ports/1/phys_state", "5: LinkUp\n" },
	{ "/infiniband/mlx5_0/ports/1/lid", "0x1\n" },
	{ "/infiniband/mlx5_0/ports/1/sm_lid", "0x1\n" },
	{ "/infiniband/mlx5_0/ports/1/lid_mask_count", "0\n" },
	{ "/infiniband/mlx5_0/ports/1/sm_sl", "0\n" },
	{ "/infiniband/mlx5_0/ports/1/cap_mask", "0x2651e848\n" },
	{ "/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n" },
	{ "/infiniband/mlx5_0/ports/1/gids/0", "fe80:0000:0000:0000:0002:c903:0000:0001\n" },
	{ "/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n" },
	{ "/infiniband/mlx5_0/ports/1/pkeys/0", "0xffff\n" },
};

/* The libc function that a function of ours stands before. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
}

static void make_tree(void)
{
	char path[512];

	snprintf(state.root, sizeof(state.root), "%s/wire.XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
	if (!mkdtemp(state.root)) {
		perror("fakekernel: mkdtemp");
		exit(99);
	}
	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", state.root, tree[i].path);
		make_parents(path);
		int fd = REAL(open)(path, O_WRONLY | O_CREAT, 0600);

		if (fd < 0 || REAL(write)(fd, tree[i].text, strlen(tree[i].text)) < 0)
			exit(99);
		REAL(close)(fd);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

__attribute__((destructor)) static void remove_tree(void)
{
	if (state.root[0])
		nftw(state.root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	state.root[0] = '\0';
}

static bool redirected(const char *path, char *out, size_t size)
{
	if (strncmp(path, SYSFS_PREFIX, strlen(SYSFS_PREFIX)))
		return false;
	pthread_mutex_lock(&state.lock);
	if (!state.root[0])
		make_tree();
	pthread_mutex_unlock(&state.lock);
	snprintf(out, size, "%s%s", state.root, path + strlen("/sys/class"));
	return true;
}

static FILE *log_file(void)
{
	const char *name = getenv("WIRE_LOG");

	if (!state.log)
		state.log = name ? fopen(name, "we") : stderr;
	return state.log ? state.log : stderr;
}

static int device_index(int fd)
{
	for (int i = 0; i < state.device_count; i++)
		if (state.devices[i] == fd)
			return i;
	return -1;
}

static bool passed(const struct timespec *due)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > due->tv_sec ||
	       (now.tv_sec == due->tv_sec && now.tv_nsec >= due->tv_nsec);
}

/* Sets the device's timer to the first arrival that waits for it. */
static void arm(int fd)
{
	struct itimerspec when = { 0 };

	for (struct arrival *a = state.arrivals; a; a = a->next) {
		if (a->fd != fd)
			continue;
		if (!when.it_value.tv_sec || a->due.tv_sec < when.it_value.tv_sec ||
		    (a->due.tv_sec == when.it_value.tv_sec &&
		     a->due.tv_nsec < when.it_value.tv_nsec))
			when.it_value = a->due;
	}
	timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

static void queue(int fd, int error, int delay_ms, const void *bytes, size_t size)
{
	struct arrival *a = calloc(1, sizeof(*a) + size), **end = &state.arrivals;

	if (!a)
		exit(99);
	clock_gettime(CLOCK_MONOTONIC, &a->due);
	a->due.tv_sec += delay_ms / 1000;
	a->due.tv_nsec += delay_ms % 1000 * 1000000L;
	if (a->due.tv_nsec >= 1000000000L) {
		a->due.tv_sec++;
		a->due.tv_nsec -= 1000000000L;
	}
	a->fd = fd;
	a->error = error;
	a->size = size;
	memcpy(a->bytes, bytes, size);
	while (*end)
		end = &(*end)->next;
	*end = a;
	arm(fd);
}

/* Transaction ids are told as the order in which their low halves were first seen. */
static int tid_number(uint32_t low)
{
	for (int i = 0; i < state.tid_count; i++)
		if (state.tids[i] == low)
			return i + 1;
	if (state.tid_count < MAX_TIDS)
		state.tids[state.tid_count++] = low;
	return state.tid_count;
}

static void log_hex(const uint8_t *bytes, size_t size)
{
	static const uint8_t zeros[32];
	bool hidden =
		state.hides_smp_data && (bytes[1] == 0x01 || bytes[1] == 0x81) && bytes[3] == 1;

	for (size_t i = 0; i < size; i += 32) {
		size_t n = size - i < 32 ? size - i : 32;

		if (!memcmp(bytes + i, zeros, n) || (i >= 64 && i < 128 && hidden))
			continue;
		fprintf(log_file(), "  %03zu:", i);
		for (size_t k = i; k < i + n; k++) {
			fputs(k % 4 ? "" : " ", log_file());
			if (k >= TID_OFFSET && k < TID_OFFSET + 8)
				fputs("..", log_file());
			else
				fprintf(log_file(), "%02x", bytes[k]);
		}
		fputc('\n', log_file());
	}
}

static void log_write(const uint8_t *packet, size_t size)
{
	const struct ib_user_mad_hdr *h = (const void *)packet;
	const uint8_t *mad = packet + HEADER_SIZE;
	uint64_t tid;

	if (size < HEADER_SIZE + 24) {
		fprintf(log_file(), "write of %zu bytes\n", size);
		return;
	}
	memcpy(&tid, mad + 8, 8);
	tid = be64toh(tid);
	fprintf(log_file(),
		"write %zu: agent %u status %u timeout %d retries %d length %u qpn %u qkey %08x "
		"lid %u sl %u path_bits %u grh %u gid_index %u hop_limit %u tclass %u flow %x "
		"pkey_index %u",
		size, h->id, h->status, (int)h->timeout_ms, (int)h->retries, h->length,
		be32toh(h->qpn), be32toh(h->qkey), be16toh(h->lid), h->sl, h->path_bits,
		h->grh_present, h->gid_index, h->hop_limit, h->traffic_class,
		be32toh(h->flow_label), h->pkey_index);
	if (h->grh_present) {
		fputs(" gid ", log_file());
		for (int i = 0; i < 16; i++)
			fprintf(log_file(), "%02x", h->gid[i]);
	}
	fprintf(log_file(), " tid %s#%d\n", tid >> 32 ? "high," : "", tid_number((uint32_t)tid));
	log_hex(mad, size - HEADER_SIZE);
}

static size_t data_offset(uint8_t mgmt_class)
{
	if (mgmt_class == 3)
		return 56;
	if (mgmt_class >= 0x30 && mgmt_class <= 0x4f)
		return 40;
	if (mgmt_class >= 0x09 && mgmt_class <= 0x0f)
		return 24;
	return 64;
}

static bool option(const char *words, const char *name, long *value)
{
	size_t n = strlen(name);

	for (const char *p = words; (p = strstr(p, name)); p += n) {
		if (p != words && p[-1] != ' ')
			continue;
		if (value && p[n] == '=')
			*value = strtol(p + n + 1, NULL, 0);
		if (p[n] == '=' || p[n] == ' ' || !p[n])
			return true;
	}
	return false;
}

static void patch(const char *words, uint8_t *mad, size_t size)
{
	for (const char *p = words; (p = strstr(p, " at=")); p++) {
		char *hex;
		size_t offset = strtoul(p + 4, &hex, 0);

		for (hex++; isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1]);
		     hex += 2) {
			char byte[3] = { hex[0], hex[1], '\0' };

			if (offset < size)
				mad[offset++] = (uint8_t)strtoul(byte, NULL, 16);
		}
	}
}

static uint8_t response_method(uint8_t method)
{
	return method == 2 ? 0x81 : (uint8_t)(method | 0x80);
}

static void reply(int fd, const char *words, const uint8_t *packet, size_t sent)
{
	long length = MAD_SIZE, delay = 0, value = 0;

	option(words, "len", &length);
	size_t size = HEADER_SIZE + (size_t)length, whole = size < 4096 ? 4096 : size;
	uint8_t *out = calloc(1, whole), *mad = out + HEADER_SIZE;
	struct ib_user_mad_hdr *h = (void *)out;

	memcpy(out, packet, sent < whole ? sent : whole);
	size_t offset = data_offset(mad[1]);

	h->status = option(words, "ustatus", &value) ? (uint32_t)value : 0;
	h->length = (uint32_t)size;
	mad[3] = response_method(mad[3]);
	for (size_t i = offset; i < whole - HEADER_SIZE && !option(words, "echo", NULL); i++)
		mad[i] = option(words, "zero", NULL) ? 0 : (uint8_t)(i * 7 + 3 + i / 256);
	long status = 0;

	option(words, "status", &status);
	mad[4] = (uint8_t)(status >> 8);
	mad[5] = (uint8_t)status;
	if (option(words, "tid", &value))
		mad[15] = (uint8_t)(mad[15] + value);
	if (option(words, "class", &value))
		mad[1] = (uint8_t)value;
	if (option(words, "method", &value))
		mad[3] = (uint8_t)value;
	patch(words, mad, whole - HEADER_SIZE);
	option(words, "delay", &delay);
	queue(fd, 0, (int)delay, out, size);
	if (option(words, "twice", NULL))
		queue(fd, 0, (int)delay, out, size);
	free(out);
}

/* One happening of a step. Returns the errno with which the write itself fails, or 0. */
static int happen(int fd, const char *words, const uint8_t *packet, size_t size)
{
	const struct ib_user_mad_hdr *h = (const void *)packet;
	long value = 0;

	while (*words == ' ')
		words++;
	if (option(words, "writeerr", &value))
		return (int)value;
	if (option(words, "readerr", &value)) {
		queue(fd, (int)value, 0, packet, HEADER_SIZE);
	} else if (option(words, "timeout", NULL)) {
		struct ib_user_mad_hdr *back = malloc(size);

		memcpy(back, packet, size);
		back->status = ETIMEDOUT;
		back->length = (uint32_t)size;
		queue(fd, 0, (int)h->timeout_ms - EARLY_MS, back, size);
		free(back);
	} else if (option(words, "reply", NULL)) {
		reply(fd, words, packet, size);
	}
	return 0;
}

static int answer(int fd, const uint8_t *packet, size_t size)
{
	char step[RULES_SIZE], *part, *rest = NULL, *end;
	int error = 0;

	if (!state.step)
		fakekernel_rules(getenv("WIRE_RULES") ? getenv("WIRE_RULES") : "reply");
	end = strchr(state.step, ';');
	snprintf(step, sizeof(step), "%.*s",
		 end ? (int)(end - state.step) : (int)strlen(state.step), state.step);
	if (end)
		state.step = end + 1;
	for (part = strtok_r(step, "+", &rest); part; part = strtok_r(NULL, "+", &rest))
		if (!error)
			error = happen(fd, part, packet, size);
	return error;
}

void fakekernel_rules(const char *rules)
{
	snprintf(state.rules, sizeof(state.rules), "%s", rules);
	state.step = state.rules;
}

void fakekernel_arrive(const void *packet, size_t length)
{
	pthread_mutex_lock(&state.lock);
	if (state.device_count)
		queue(state.devices[state.device_count - 1], 0, 0, packet, length);
	pthread_mutex_unlock(&state.lock);
}

void fakekernel_hide_smp_data(void)
{
	state.hides_smp_data = true;
}

void fakekernel_refuse(int register_errno, int register2_errno)
{
	state.register_errno = register_errno;
	state.register2_errno = register2_errno;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

int open(const char *path, int flags, ...)
{
	char real[512];
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, mode_t);
	va_end(args);
	if (redirected(path, real, sizeof(real)))
		return REAL(open)(real, flags);
	if (strncmp(path, "/dev/infiniband/", 16))
		return REAL(open)(path, flags, mode);
	fprintf(log_file(), "open %s%s\n", path, flags & O_NONBLOCK ? " nonblock" : "");
	if (strcmp(path, DEVICE_PATH) || state.device_count == MAX_DEVICES)
		return fail(ENOENT);

	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

	pthread_mutex_lock(&state.lock);
	state.flags[state.device_count] = flags;
	state.devices[state.device_count++] = fd;
	pthread_mutex_unlock(&state.lock);
	return fd;
}

static void forget_device(int fd)
{
	struct arrival **p = &state.arrivals;

	while (*p) {
		struct arrival *a = *p;

		if (a->fd == fd) {
			*p = a->next;
			free(a);
		} else {
			p = &a->next;
		}
	}
	for (int i = 0; i < MAX_AGENTS; i++)
		if (state.agents[i] == fd)
			state.agents[i] = 0;
}

int close(int fd)
{
	pthread_mutex_lock(&state.lock);
	int i = device_index(fd);

	if (i >= 0) {
		forget_device(fd);
		state.devices[i] = state.devices[--state.device_count];
		state.flags[i] = state.flags[state.device_count];
		fprintf(log_file(), "close umad0\n");
	}
	pthread_mutex_unlock(&state.lock);
	return REAL(close)(fd);
}

/* Takes the first arrival that is due: bytes read, or -errno. */
static ssize_t take(int fd, void *buf, size_t size)
{
	for (struct arrival **p = &state.arrivals; *p; p = &(*p)->next) {
		struct arrival *a = *p;

		if (a->fd != fd || !passed(&a->due))
			continue;
		if (!a->error && size < a->size) {
			memcpy(buf, a->bytes, size < HEADER_SIZE ? size : HEADER_SIZE);
			if (a->size <= HEADER_SIZE + MAD_SIZE)
				return -EINVAL;
			if (size > HEADER_SIZE)
				memcpy((char *)buf + HEADER_SIZE, a->bytes + HEADER_SIZE,
				       size - HEADER_SIZE);
			return -ENOSPC;
		}
		ssize_t result = a->error ? -a->error : (ssize_t)a->size;

		if (!a->error)
			memcpy(buf, a->bytes, a->size);
		*p = a->next;
		free(a);
		arm(fd);
		return result;
	}
	return -EAGAIN;
}

ssize_t read(int fd, void *buf, size_t size)
{
	pthread_mutex_lock(&state.lock);
	int i = device_index(fd);

	if (i < 0) {
		pthread_mutex_unlock(&state.lock);
		return REAL(read)(fd, buf, size);
	}
	ssize_t result = take(fd, buf, size);

	while (result == -EAGAIN && !(state.flags[i] & O_NONBLOCK)) {
		pthread_mutex_unlock(&state.lock);
		usleep(500);
		pthread_mutex_lock(&state.lock);
		result = take(fd, buf, size);
	}
	if (getenv("WIRE_READS") && result != -EAGAIN)
		fprintf(log_file(), "read of up to %zu gives %zd\n", size, result);
	pthread_mutex_unlock(&state.lock);
	return result < 0 ? fail((int)-result) : result;
}

ssize_t write(int fd, const void *buf, size_t size)
{
	pthread_mutex_lock(&state.lock);
	if (device_index(fd) < 0) {
		pthread_mutex_unlock(&state.lock);
		return REAL(write)(fd, buf, size);
	}
	log_write(buf, size);
	int error = answer(fd, buf, size);

	pthread_mutex_unlock(&state.lock);
	return error ? fail(error) : (ssize_t)size;
}

static int agent_new(int fd)
{
	for (int i = 0; i < MAX_AGENTS; i++) {
		if (!state.agents[i]) {
			state.agents[i] = fd;
			return i;
		}
	}
	return -1;
}

static int register_agent(int fd, struct ib_user_mad_reg_req *r)
{
	unsigned long mask[2];

	memcpy(mask, r->method_mask, sizeof(mask));
	fprintf(log_file(), "register: qpn %u class %02x version %u rmpp %u mask %016lx %016lx",
		r->qpn, r->mgmt_class, r->mgmt_class_version, r->rmpp_version, mask[0], mask[1]);
	if (r->mgmt_class >= 0x30 && r->mgmt_class <= 0x4f) /* the kernel looks at it only there */
		fprintf(log_file(), " oui %02x%02x%02x", r->oui[0], r->oui[1], r->oui[2]);
	fputc('\n', log_file());
	if (state.register_errno)
		return fail(state.register_errno);
	r->id = (uint32_t)agent_new(fd);
	return 0;
}

static int register_agent2(int fd, struct ib_user_mad_reg_req2 *r)
{
	fprintf(log_file(),
		"register2: qpn %u class %02x version %u flags %x oui %06x rmpp %u mask %016llx "
		"%016llx\n",
		r->qpn, r->mgmt_class, r->mgmt_class_version, r->flags, r->oui, r->rmpp_version,
		(unsigned long long)r->method_mask[0], (unsigned long long)r->method_mask[1]);
	if (state.register2_errno)
		return fail(state.register2_errno);
	r->id = (uint32_t)agent_new(fd);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;
	int known, result = 0;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	pthread_mutex_lock(&state.lock);
	known = device_index(fd) >= 0;
	if (known) {
		switch (request) {
		case IB_USER_MAD_REGISTER_AGENT:
			result = register_agent(fd, arg);
			break;
		case IB_USER_MAD_REGISTER_AGENT2:
			result = register_agent2(fd, arg);
			break;
		case IB_USER_MAD_UNREGISTER_AGENT:
			fprintf(log_file(), "unregister %u\n", *(uint32_t *)arg);
			if (*(uint32_t *)arg < MAX_AGENTS)
				state.agents[*(uint32_t *)arg] = 0;
			break;
		case IB_USER_MAD_ENABLE_PKEY:
			fprintf(log_file(), "enable_pkey\n");
			break;
		default:
			result = fail(ENOTTY);
		}
	}
	pthread_mutex_unlock(&state.lock);
	return known ? result : REAL(ioctl)(fd, request, arg);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	if (getenv("WIRE_POLLS")) {
		pthread_mutex_lock(&state.lock);
		if (count && device_index(fds[0].fd) >= 0)
			fprintf(log_file(), "poll %d ms\n", timeout);
		pthread_mutex_unlock(&state.lock);
	}
	return REAL(poll)(fds, count, timeout);
}

DIR *opendir(const char *path)
{
	char real[512];

	return REAL(opendir)(redirected(path, real, sizeof(real)) ? real : path);
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	char real[512];

	return REAL(scandir)(redirected(path, real, sizeof(real)) ? real : path, list, filter,
			     compare);
}
