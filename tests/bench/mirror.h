/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A umad device that responds at once and costs next to nothing: what is written to it can be read
 * back as the response. It replaces libc's open, close, read, write and ioctl in programs that
 * are linked with it and export their symbols, for any /dev/infiniband/umadN; other files are
 * libc's. Nothing is allocated and some 200 bytes of stack are used, so that what a request costs
 * can be distinguished from what the kernel's part does.
 */
#ifndef TESTS_BENCH_MIRROR_H
#define TESTS_BENCH_MIRROR_H

/*
 * From now on the response to a GetTable has so many records of record_size bytes (a multiple of
 * 8), as the kernel delivers a response that took many packets. Returns 0, or -1 without memory.
 */
int mirror_set_records(unsigned count, unsigned record_size);

/* From now on no request of this class gets a response. */
void mirror_ignore_class(unsigned mgmt_class);

/* How many packets got no response. */
unsigned mirror_ignored(void);

#endif
