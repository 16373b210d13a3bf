/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A port on the fuzz targets' kernel, addresses, and how long a blocking call may take.
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
	unsigned timeout_ms; /* from the input; 0: the port's */
	int64_t started;     /* ms */
	unsigned writes;     /* before it */
};

/* A call begins: errno is 0. It ends: it has taken no longer than its attempts may. */
void fuzz_call_begin(struct fuzz_call *call, const struct ibmad_port *port,
		     struct fuzz_input *input);
void fuzz_call_end(const struct fuzz_call *call);

#endif
