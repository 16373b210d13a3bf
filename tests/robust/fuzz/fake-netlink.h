/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Netlink for the fuzz targets: the fake of tests/lib/fakenl, with sockets whose datagrams are
 * made of the input.
 */
#ifndef TESTS_FUZZ_FAKE_NETLINK_H
#define TESTS_FUZZ_FAKE_NETLINK_H

#include "fuzz-kernel.h"

/* While it is on, sockets give datagrams as long as there is input; else there is nothing. */
void fuzz_netlink_talk(bool on);

/* Names that messages are likely to contain. */
#define FUZZ_NETLINK_NAMES 4
extern const char *const fuzz_netlink_names[FUZZ_NETLINK_NAMES];

/* fake-datagrams.c: what a socket gives next. */
enum { FUZZ_DATAGRAM_MAX = 2048 };
struct fuzz_datagram {
	uint8_t bytes[FUZZ_DATAGRAM_MAX] __attribute__((aligned(8)));
	size_t size;
};
void fuzz_datagram_build(struct fuzz_datagram *datagram, int protocol, uint32_t sequence,
			 struct fuzz_input *input);

#endif
