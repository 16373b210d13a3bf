/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests until all are done, something fails or the user has had enough; and what is
 * shown of it meanwhile.
 */
#ifndef FABRIC_SWEEP_RUN_H
#define FABRIC_SWEEP_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <infiniband/mad_async.h>

#include "fabric.h"

struct progress {
	bool wanted;
	bool terminal; /* one line that is written over, else a line from time to time */
	int64_t due_ms;
};

struct run {
	struct mad_async *async;
	const volatile sig_atomic_t *stop; /* a signal's number, once it has come */
	struct progress progress;
	int error; /* 0, or -errno: nothing more is asked */
};

/* run.c */
bool run_is_over(const struct run *run);
void run_fail(struct run *run, int error);
bool run_smp_get(struct run *run, const ib_portid_t *to, unsigned attribute, unsigned modifier,
		 mad_async_callback *callback, void *context, uint64_t *id);
bool run_perf_get(struct run *run, const ib_portid_t *to, int port, unsigned attribute,
		  mad_async_callback *callback, void *context);
int run_until_done(struct run *run, const char *what, const struct fabric *fabric);

/* progress.c */
int64_t progress_now_ms(void);
void progress_show(struct progress *progress, const char *what, const struct fabric *fabric,
		   unsigned pending);
void progress_clear(const struct progress *progress);

/* sweep.c and counters.c: what to ask, and what to make of the answers. 0, -EINTR or -errno. */
int sweep_fabric(struct run *run, struct fabric *fabric);

struct counters;
int counters_read(struct run *run, struct fabric *fabric, struct counters **counters);
void counters_write(const struct counters *counters, FILE *file);
void counters_free(struct counters *counters);

#endif
