/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel of tests/lib in the place of libc's calls for both pairs of libraries: one CA
 * (mlx5_0) with one port whose umad device responds by rules and prints on standard error what a
 * library requests.
 */
#ifndef WIRE_FAKEKERNEL_H
#define WIRE_FAKEKERNEL_H

#include <stddef.h>
#include <stdint.h>

/* The kernel begins. */
void fakekernel_start(void);

/*
 * Sets what happens at the coming writes: steps separated by ';', one for each write, of which the
 * last stays; what one write brings is separated by '+', each of these words:
 *   reply                 the request with the response method and patterned data
 *   none                  nothing comes
 *   timeout               the request itself, status 110, just before its timeout has passed
 *   writeerr=E readerr=E  the write, or the next read, fails with errno E
 * reply can be followed by: status=S (of the MAD) len=N (bytes of MAD) delay=MS tid=N (added)
 *   class=C method=M ustatus=S (of the umad header) at=OFFSET:HEX (patch) twice
 *   echo (data as sent) zero (data all 0)
 */
void fakekernel_rules(const char *rules);

/* The same by a function: what it returns is the errno that the write ends with, or 0. */
typedef int fakekernel_response_fn(int device, const uint8_t *packet, size_t size);
void fakekernel_respond_with(fakekernel_response_fn *response);

/* Has a MAD arrive now; packet is a whole umad (64 bytes of header, then the MAD). */
void fakekernel_arrive(const void *packet, size_t length);

/* Keeps the data of SMP Gets out of the log: it has no meaning, and varies. */
void fakekernel_hide_smp_data(void);

/* Has registrations fail: errno of REGISTER_AGENT and REGISTER_AGENT2, 0 for success. */
void fakekernel_refuse(int register_errno, int register2_errno);

#endif
