/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel of the tests in one process: sysfs in memory, umad devices and a clock, real or
 * virtual. It replaces libc functions at link time (../CMakeLists.txt); paths and
 * descriptors that are not its own go on to libc. What differs between tests is a policy:
 *
 * - fakesys.h: every call of an open device follows a script, and any call may fail;
 * - fakeumad.h: writes are compared with a script, which also holds the responses;
 * - responder.h: a function decides on the response to each write, and when it comes;
 * - tests/robust/fuzz: the input of the fuzzer decides;
 * - tests/oracle/wire: a row of requests.tbl decides, and every call is printed.
 *
 * calls.c has the functions that replace libc's, descriptors.c what is open, files.c and
 * directories.c sysfs, hosts.c the usual content of sysfs, device.c and poll.c umad
 * devices, by umad-rules.c, arrivals.c what is on its way to them, state.c the clock and the lock,
 * timers.c the timers of programs, chardev.c what makes a device look like the kernel's.
 */
#ifndef TESTS_LIB_KERNEL_H
#define TESTS_LIB_KERNEL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	KERNEL_HEADER = 64,
	KERNEL_MAD = 256,
	KERNEL_PACKET = KERNEL_HEADER + KERNEL_MAD,
	KERNEL_FIRST_FD = 1024, /* as in simulators: no descriptor that the machine has given */
	KERNEL_MAX_FDS = 64,
	KERNEL_MAX_DEVICES = 16,
	KERNEL_UNUSED = 1000, /* the first device that is not open */
	KERNEL_PATH_SIZE = 384,
};

enum kernel_call {
	KERNEL_OPEN,
	KERNEL_CLOSE,
	KERNEL_READ,
	KERNEL_WRITE,
	KERNEL_POLL,
	KERNEL_IOCTL,
	KERNEL_OPENDIR,
	KERNEL_READDIR,
	KERNEL_ALLOCATE, /* malloc, calloc, realloc */
	KERNEL_CALL_COUNT
};

struct pollfd;

/* Something on its way to a device, or there to be read. A policy may put it into a larger
 * structure as the first member. */
struct kernel_arrival {
	struct kernel_arrival *next, *previous;
	int64_t due_ns;
	int device;
	int error;	/* the read fails with this errno */
	int poll_error; /* the poll fails with this errno, and nothing is left to read */
	bool removes;	/* the device is removed */
	bool returned;	/* a request that the kernel gives back */
	size_t size;
	uint8_t *packet; /* own, or more */
	uint8_t own[KERNEL_PACKET];
};

/* A policy's decisions. Functions may be NULL. Functions that stand for libc calls return and set
 * errno as these do. The lock is held in the last three. */
struct kernel_policy {
	bool virtual_time; /* the clock moves only on request, and when a poll waits */
	int64_t call_ns;   /* how much each call moves a virtual clock */
	bool lists_dots;   /* directories list . and .. */
	bool strict;	   /* a call for a descriptor that is not open ends the program */
	size_t arrival_size;

	/* Whether a call fails before it does anything, with errno. The path is NULL where there
	 * is none. */
	bool (*fails)(enum kernel_call call, const char *path);
	/* May check the path and the flags of an open or opendir (O_DIRECTORY). */
	void (*check_open)(const char *path, int flags);
	/* Replace all files: the text of every path that is opened, and the names that every
	 * directory lists, from 0 until NULL. */
	const char *(*text)(const char *path);
	const char *(*entry)(int number);
	/* The number of the device behind a path in /dev/infiniband, or a negative errno. */
	int (*open_device)(const char *path);
	void (*close_device)(int device);
	/* Replace kernel_device_read() and so on; write has no default. */
	ssize_t (*read)(int device, void *buffer, size_t size);
	int (*poll)(int device, struct pollfd *polled, int timeout_ms);
	int (*ioctl)(int device, unsigned long request, void *argument);
	ssize_t (*write)(int device, const void *packet, size_t size);
	/* An arrival is due, or its device was closed before; false: the kernel drops it. */
	bool (*arrived)(struct kernel_arrival *arrival);
	/* An agent is unregistered. */
	void (*unregistered)(int device, unsigned agent);
	/* An arrival was read; true: the policy keeps it and drops it later. */
	bool (*taken)(struct kernel_arrival *arrival);
};

struct kernel_device {
	bool open;
	int gone;	   /* removed: the errno of reads and writes, EIO in Linux */
	size_t header;	   /* bytes of its umad header */
	uint32_t agents;   /* a bit for each ID */
	unsigned received; /* MADs that wait to be read, without the requests that the kernel
			      returns */
	unsigned polls, reads;
	size_t flood_size; /* 0: no flood */
	uint8_t flood[KERNEL_PACKET];
	struct kernel_arrival *first, *last; /* can be read */
};

struct kernel {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool ready;
	const struct kernel_policy *policy;
	int64_t now_ns;	   /* of a virtual clock */
	bool is_chardev;   /* devices look like those of a real kernel: chardev.c */
	bool is_contained; /* as in a container without /sys/dev/char */
	struct kernel_device devices[KERNEL_MAX_DEVICES];
};

extern struct kernel kernel;

/* state.c. kernel_reset() begins a test: nothing is there or open, the virtual clock is at
 * start_ns. Arrivals and contents that a test left are freed. */
void kernel_reset(const struct kernel_policy *policy, int64_t start_ns);
void kernel_lock(void);
void kernel_unlock(void);
static inline void kernel_end_of_block(const char *unused)
{
	(void)unused;
	kernel_unlock();
}
/* Holds the lock until the end of the block. */
#define KERNEL_LOCKED \
	char locked_ __attribute__((cleanup(kernel_end_of_block), unused)) = (kernel_lock(), 0)
int64_t kernel_now_ns(void);
void kernel_change(void);		       /* lock held: wakes all who poll */
void kernel_wait(int64_t until_ns);	       /* lock held: until something has changed, or then */
void kernel_set_clock(int64_t now_ns);	       /* lock held: of a virtual clock */
int kernel_count_open(void);		       /* descriptors and directories */
void *kernel_allocate(void *old, size_t size); /* realloc() of libc; ends the program on failure */
void kernel_release(void *memory);

/* A libc function that its users replace at link time (-Wl,--wrap), and the replacement. */
#define KERNEL_REPLACES(type, name, ...) \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

/* Sysfs: files.c and directories.c. The same path again replaces the file; a NULL content makes a
 * directory. kernel_borrow() does not copy the content. */
void kernel_file(const char *path, const char *text);
void kernel_bytes(const char *path, const void *content, size_t size);
void kernel_borrow(const char *path, const void *content, size_t size);
void kernel_directory(const char *path);
void kernel_remove(const char *path);	      /* with all that is below */
void kernel_remove_prefix(const char *begin); /* all whose paths begin so */
bool kernel_has(const char *path);	      /* or something below it */
bool kernel_owns(const char *path);	      /* whether it is a path of the fake kernel */
int kernel_open_file(const char *path);	      /* a descriptor, or -ENOENT, -EMFILE */

/* hosts.c: a device with the ports first to last, all Active and InfiniBand, the GUID of each
 * ending in the number guid + port. kernel_port_file() sets one attribute of one port. */
void kernel_ca(const char *ca_name, int first, int last, unsigned int guid);
void kernel_ca_file(const char *ca_name, const char *attribute, const char *content);
void kernel_port_file(const char *ca_name, int port, const char *attribute, const char *content);
void kernel_node(unsigned int number, const char *ca_name, int port); /* umadN */
void kernel_abi_version(const char *content);
/* mlx5_0 with one port, LID 1, and umad0 of the fifth version of the ABI. */
void kernel_host(void);

/* Arrivals: arrivals.c, with the lock held. A new one is due now, and holds zeros. */
struct kernel_arrival *kernel_arrival_new(int device, size_t size);
void kernel_arrival_send(struct kernel_arrival *arrival);
void kernel_arrival_drop(struct kernel_arrival *arrival);
void kernel_advance(void);     /* makes what is due readable */
int64_t kernel_next_due(void); /* INT64_MAX: nothing is on its way */
void kernel_clear_device(int device);

/* Both take the lock. The first forgets all arrivals and frees their memory, the second delivers a
 * umad packet. */
void kernel_arrivals_free(void);
void kernel_deliver(int device, const void *packet, size_t size, int delay_ms);

/* The open device with the highest number. */
int kernel_last_device(void);

/* Umad devices: device.c and poll.c. */
/* Returns the result, or -1 with errno for a negative errno, as libc. */
ssize_t kernel_result(ssize_t result);
int kernel_open_device(int device); /* a descriptor; -EBUSY, -EMFILE, or the error given */
int kernel_device_of(int fd);	    /* the number of an open device, or -1 */
/* Reads and writes fail with this errno from now on; 0: the device is there again. */
void kernel_remove_device(int device, int error);
ssize_t kernel_device_read(int device, void *buffer, size_t size);
int kernel_device_ioctl(int device, unsigned long request, void *argument);
int kernel_device_poll(int device, struct pollfd *polled, int timeout_ms);

/* chardev.c: from now on devices look like those of a real kernel, not of a simulator: character
 * devices, which can be polled along with other descriptors, and which sysfs knows unless the
 * program is in a container. Before they are opened. */
void kernel_act_as_chardev(bool in_container);

#endif
