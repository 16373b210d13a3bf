/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Shared by all fuzz targets: an input that is read piece by piece, memory whose surroundings are
 * watched, checks that end the run, a kernel, and a port. A target is one function, fuzz_target();
 * main.c calls it.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../lib/kernel/kernel.h"

/* The rest of an input; behind its end come zeros. */
struct fuzz_input {
	const uint8_t *next;
	size_t left;
};

uint8_t fuzz_u8(struct fuzz_input *input);
uint16_t fuzz_u16(struct fuzz_input *input);
uint32_t fuzz_u32(struct fuzz_input *input);
uint64_t fuzz_u64(struct fuzz_input *input);
void fuzz_bytes(struct fuzz_input *input, void *to, size_t size);

/* Reads a length of one byte and a text, of which `to` gets at most size - 1 bytes and a NUL.
 * Returns their number. */
size_t fuzz_text(struct fuzz_input *input, char *to, size_t size);

/* An execution of the target. main.c checks what every execution has to keep. */
void fuzz_target(struct fuzz_input *input);

/* Ends the run unless the condition holds; libFuzzer keeps the input. */
#define FUZZ_CHECK(condition) \
	((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__, __func__))
void fuzz_fail(const char *condition, const char *file, int line, const char *function)
	__attribute__((noreturn));

/* Memory until the end of the execution, not initialised; the sanitizer watches its surroundings.
 */
void *fuzz_guard(size_t size);

/* Reads all of the bytes: the sanitizer reports those that may not be read. */
void fuzz_touch(const void *bytes, size_t size);

/*
 * The kernel of the fuzz targets: that of tests/lib/kernel, with a policy that follows the input
 * and a clock that moves only when a thread waits. kernel-responses.c decides what a write causes.
 */
enum {
	FUZZ_HEADER = 64, /* bytes before the MAD in a umad packet */
	FUZZ_MAD = 256,
	FUZZ_PACKET_MAX = FUZZ_HEADER + 1280, /* of what arrives */
};

struct fuzz_kernel {
	struct fuzz_input *input;
	int preferred; /* -1: none; else half of all responses are of this kind */
	unsigned writes;
	size_t arrival_count;
	uint8_t last_write[FUZZ_PACKET_MAX];
	size_t last_size;
	const char *stack; /* top of the stack when the execution began */
};
extern struct fuzz_kernel fuzz_kernel;

/* An execution begins: nothing is open, sysfs is empty, the clock is at one second. */
void fuzz_kernel_start(struct fuzz_input *input);
/* The execution ends: everything that was opened must be closed. */
void fuzz_kernel_end(void);

int64_t fuzz_kernel_ms(void); /* the clock, in milliseconds */
int fuzz_kernel_errno(struct fuzz_input *input);

void fuzz_kernel_one_hca(void); /* in sysfs: mlx5_0, port 1, umad0 */

/* Umad devices. */
void fuzz_kernel_ask(int fd); /* an unsolicited request arrives at a device */

/* Whether a response to the last write was read that has these bytes from offset on; behind its
 * end come zeros. */
bool fuzz_kernel_responded(const void *bytes, size_t offset, size_t size);
/* Whether a MAD that was read has these bytes from offset on; behind its end come zeros. */
bool fuzz_kernel_delivered(const void *bytes, size_t offset, size_t size);
/* The length of the longest MAD that was read. */
size_t fuzz_kernel_longest(void);

struct ibmad_port;
struct portid;

/* Opens mlx5_0 with all classes, and sets timeout and attempts from the input. */
struct ibmad_port *fuzz_open_port(struct fuzz_input *input);

/* An address: LID or path, and what else belongs to one, also such as can't be. */
void fuzz_portid(struct fuzz_input *input, struct portid *portid);

struct fuzz_call {
	const struct ibmad_port *port;
	unsigned timeout_ms; /* from the input; 0: the port's */
	int64_t started;     /* ms */
	unsigned writes;     /* before it */
};

/* A call begins: errno is 0. It ends: it has taken no longer than its attempts may. */
void fuzz_call_begin(struct fuzz_call *call, const struct ibmad_port *port,
		     struct fuzz_input *input);
void fuzz_call_end(const struct fuzz_call *call);

/* Between the files of this kernel */

enum {
	MAX_ARRIVALS = 48,    /* in an execution */
	STACK_MAX = 32 << 10, /* of calls that send; the sanitizers' padding is the most of it */
};

/* kernel-responses.c: what follows a write; 0, the error that it fails with, or -1: it is cut. */
int fuzz_response(int device, const uint8_t *packet, size_t size);

/* kernel-history.c: keeps a MAD that was read. */
bool fuzz_delivered(struct kernel_arrival *arrival);
void fuzz_forget_delivered(void);

#endif
