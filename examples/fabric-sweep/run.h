/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests until all are done, an error occurs or the user stops the program; and the
 * progress shown meanwhile.
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
	bool terminal; /* one line that is overwritten, else a line from time to time */
	int64_t due_ms;
};

struct run {
	struct mad_async *async;
	const volatile sig_atomic_t *stop; /* the number of a signal that has arrived */
	struct progress progress;
	int error; /* 0, or -errno: no further requests */
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

/* sweep.c and counters.c: submit requests and evaluate responses. 0, -EINTR or -errno. */
int sweep_fabric(struct run *run, struct fabric *fabric);

struct counters;
int counters_read(struct run *run, struct fabric *fabric, struct counters **counters);
void counters_write(const struct counters *counters, FILE *file);
void counters_free(struct counters *counters);

#endif
