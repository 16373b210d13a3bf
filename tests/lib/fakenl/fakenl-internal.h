/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakenl-internal.h - what the parts of fakenl have for one another: fakenl.c (sockets) and
 * fakenl-kernel.c (replies to requests).
 */
#ifndef TESTS_LIB_FAKENL_INTERNAL_H
#define TESTS_LIB_FAKENL_INTERNAL_H

#include "fakenl.h"

struct netlink_socket;

/* Puts a message, or an error of receiving it, into a socket. */
void fakenl_queue(struct netlink_socket *socket, const void *data, size_t size, uint32_t sender,
		  int error);

/* Replies to a request, whose header it completes. Returns what nl_send_auto() returns. */
int fakenl_kernel_response(struct netlink_socket *socket, int protocol, struct nlmsghdr *request);
void fakenl_kernel_reset(void);

#endif
