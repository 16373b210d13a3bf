/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the files of the fuzz targets' kernel have for one another. */
#ifndef TESTS_FUZZ_KERNEL_INTERNAL_H
#define TESTS_FUZZ_KERNEL_INTERNAL_H

#include <dirent.h>
#include <sys/types.h>

#include "kernel.h"

/* Numbers of descriptors: none that the machine's kernel gives. */
enum {
	FIRST_FILE = 1024,
	MAX_OPEN_FILES = 16,
	FIRST_DEVICE = 1100,
	MAX_DEVICES = 4,
	FIRST_OTHER = 1200, /* of fake-netlink.c */
	MAX_OTHERS = 32,
	MAX_ARRIVALS = 48,
	STACK_MAX = 32 << 10, /* of calls that send; the sanitizers' padding is the most of it */
};

/* What a read of a device gives. */
enum arrival_kind {
	ARRIVAL_PACKET,
	ARRIVAL_ERROR,	  /* read fails */
	ARRIVAL_SPURIOUS, /* poll says so, read finds nothing */
	ARRIVAL_POLL_ERROR,
	ARRIVAL_GONE, /* the device was removed */
};

struct arrival {
	enum arrival_kind kind;
	int fd;
	int error;
	int64_t due; /* ns */
	bool taken, delivered;
	size_t size;
	uint8_t packet[FUZZ_PACKET_MAX];
};

struct fuzz_kernel {
	struct fuzz_input *input;
	int64_t now; /* ns */
	bool script_calls, fail_files;
	int preferred;
	unsigned writes;
	size_t header; /* bytes of the umad header that the device speaks of */
	struct {
		bool open, gone;
	} devices[MAX_DEVICES];
	uint32_t next_agent;
	size_t arrival_count;
	size_t last_size;
	const char *stack; /* where it was when the execution began */
};

extern struct fuzz_kernel fuzz_kernel;
extern struct arrival fuzz_arrivals[MAX_ARRIVALS];

int fuzz_failed(int error); /* sets errno, returns -1 */

/* kernel-files.c */
void fuzz_files_start(void);
void fuzz_files_end(void);
bool fuzz_files_own(const char *path);
int fuzz_files_open(const char *path);
int fuzz_files_close(int fd);
ssize_t fuzz_files_read(int fd, void *buffer, size_t size);
DIR *fuzz_files_opendir(const char *path);
bool fuzz_files_own_dir(DIR *dir);
struct dirent *fuzz_files_readdir(DIR *dir);
void fuzz_files_closedir(DIR *dir);

/* kernel-device.c */
int fuzz_device_open(const char *path);
int fuzz_device_close(int fd);
ssize_t fuzz_device_read(int fd, void *buffer, size_t size);
ssize_t fuzz_device_write(int fd, const void *buffer, size_t size);
int fuzz_device_poll(int fd, short *revents, int timeout_ms);
int fuzz_device_ioctl(int fd, unsigned long request, void *argument);
struct arrival *fuzz_device_arrival(int fd); /* a new one, due now; NULL: no space */

/* kernel-answers.c: what follows a write; 0, or the error that it fails with. */
int fuzz_answer(int fd, const uint8_t *packet, size_t size);

/* fake-netlink.c, where a target has it: descriptors of sockets, epoll and counters. */
bool fuzz_other_poll(int fd, short *revents) __attribute__((weak));
bool fuzz_other_close(int fd) __attribute__((weak));
void fuzz_other_start(void) __attribute__((weak));
void fuzz_other_end(void) __attribute__((weak));

#endif
