/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A port on the fuzz targets' kernel, and what must hold of every blocking call on it: it takes no
 * longer than its attempts may, reports why it failed, and returns only received data.
 */
#ifndef TESTS_FUZZ_CALL_H
#define TESTS_FUZZ_CALL_H

#include <infiniband/mad.h>

#include "fuzz-kernel.h"

/* Opens mlx5_0 with all classes, and sets timeout and attempts from the input. */
struct ibmad_port *fuzz_open_port(struct fuzz_input *input);

/* An address: LID or path, and what else belongs to one, also such as can't be. */
void fuzz_portid(struct fuzz_input *input, ib_portid_t *portid);

struct fuzz_call {
	const struct ibmad_port *port;
	unsigned timeout_ms; /* 0: the port's */
	int64_t started;     /* ms */
	unsigned writes;     /* before it */
	uint8_t *data;	     /* goes in and comes back; size bytes */
	size_t size;
	uint8_t before[256];
};

/* A buffer of size bytes from the input, which the call gets; and a timeout. errno is 0 then. */
void fuzz_call_begin(struct fuzz_call *call, const struct ibmad_port *port, size_t size,
		     struct fuzz_input *input);
/* After it: result is what it returned, data (or NULL). Its data is at that offset in a MAD. A call
 * that changes the buffer before it fails says so by keeps_data false. */
void fuzz_call_end(struct fuzz_call *call, const void *result, size_t offset, bool keeps_data);
/* The same for calls that are only late or not. */
void fuzz_call_end_time(const struct fuzz_call *call);

#endif
