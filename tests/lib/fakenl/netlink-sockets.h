/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake netlink: where libibumad loads libnl-3 (dlopen, dlsym, dlclose at link time), the
 * functions that make sockets and move messages are those here; those that make and walk messages
 * are the real ones. Behind them is the small kernel of fakenl.h.
 */
#ifndef TESTS_LIB_NETLINK_SOCKETS_H
#define TESTS_LIB_NETLINK_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/netlink.h>

enum { NETLINK_MAX_SOCKETS = 32 };

struct netlink_socket {
	bool open;
	int number;   /* which of all */
	int protocol; /* -1: not connected */
	int fd;	      /* -1: none yet */
	int group;    /* 0: none */
};

/* fakenl.c. Functions that fail return a negative errno; libnl-3 leaves it in errno and returns its
 * own. */
bool netlink_has(const char *function);		  /* NULL: the library itself */
bool netlink_open(struct netlink_socket *socket); /* false: no memory */
void netlink_close(struct netlink_socket *socket);
int netlink_connect(struct netlink_socket *socket, int protocol);
int netlink_join(struct netlink_socket *socket);
int netlink_send(struct netlink_socket *socket, struct nlmsghdr *message);
/* The size of what came, in memory for free(), and who sent it. */
int netlink_receive(struct netlink_socket *socket, unsigned char **data, uint32_t *sender);

extern struct netlink_socket netlink_sockets[NETLINK_MAX_SOCKETS];
int netlink_open_sockets(void);

#endif
