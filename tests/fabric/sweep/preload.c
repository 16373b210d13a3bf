/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Stands between a program and the simulator's preload: counts the MADs that the program sends, and
 * makes each take its time. SWEEP_MAD_COUNT names a file for the count, SWEEP_MAD_DELAY_US is the
 * time.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../lib/preload.h"

#define UMAD_HEADER_SIZE 64

static atomic_ulong sent;

ssize_t write(int fd, const void *data, size_t size)
{
	const char *delay = getenv("SWEEP_MAD_DELAY_US");

	if (is_simulated(fd) && size > UMAD_HEADER_SIZE) {
		atomic_fetch_add(&sent, 1);
		if (delay)
			usleep((useconds_t)atoi(delay));
	}
	return NEXT(write)(fd, data, size);
}

__attribute__((destructor)) static void report(void)
{
	const char *name = getenv("SWEEP_MAD_COUNT");
	unsigned long count = atomic_load(&sent);
	FILE *file;

	if (!name || !count)
		return;
	file = fopen(name, "w");
	if (!file)
		return;
	fprintf(file, "%lu\n", count);
	fclose(file);
}
