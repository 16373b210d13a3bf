/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel of tests/lib instead of libc's calls for both pairs of libraries: one CA
 * (mlx5_0) with one port whose umad device prints on standard error what a library requests.
 */
#ifndef WIRE_FAKEKERNEL_H
#define WIRE_FAKEKERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FAKEKERNEL_UNTOUCHED 0xee /* the bytes of buffers before a call */

/* The kernel begins. */
void fakekernel_start(void);

/* Has the function decide what follows each write: it returns the errno that the write ends with,
 * or 0. */
typedef int fakekernel_response_fn(int device, const uint8_t *packet, size_t size);
void fakekernel_respond_with(fakekernel_response_fn *response);

/* Has a MAD arrive now; packet is a whole umad (64 bytes of header, then the MAD). */
void fakekernel_arrive(const void *packet, size_t length);

/* Prints bytes in rows, without rows that go on in the steps in which the row before ends, or are
 * untouched from the start on. */
void fakekernel_print(FILE *to, const char *name, const void *bytes, size_t size);

/* Keeps the data of SMP Gets out of the log: it has no meaning, and varies. */
void fakekernel_hide_smp_data(void);

#endif
