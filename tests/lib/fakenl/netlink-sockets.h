/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake netlink: where libibumad loads libnl-3 (dlopen, dlsym, dlclose at link time), the
 * functions that make sockets and move messages are those here; those that make and walk messages
 * are the real ones. What a socket does is a policy, which the program has as netlink_policy:
 * fakenl.h has a small kernel, and in tests/robust/fuzz the input decides.
 */
#ifndef TESTS_LIB_NETLINK_SOCKETS_H
#define TESTS_LIB_NETLINK_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/netlink.h>

enum { NETLINK_MAX_SOCKETS = 32 };

struct netlink_socket {
	bool open;
	int number;	   /* which of all */
	int protocol;	   /* -1: not connected */
	int fd;		   /* -1: none yet */
	int group;	   /* 0: none */
	uint32_t sequence; /* for the policy, 0 at first */
};

/* Functions that fail return a negative errno; libnl-3 leaves it in errno and returns its own. */
struct netlink_policy {
	/* Whether the library is there (NULL), or its function of this name. */
	bool (*has)(const char *function);
	bool (*open)(struct netlink_socket *socket); /* false: no memory */
	void (*close)(struct netlink_socket *socket);
	int (*connect)(struct netlink_socket *socket, int protocol);
	int (*join)(struct netlink_socket *socket);
	int (*send)(struct netlink_socket *socket, struct nlmsghdr *message);
	/* The size of what came, in memory for free(), and who sent it. */
	int (*receive)(struct netlink_socket *socket, unsigned char **data, uint32_t *sender);
};

extern const struct netlink_policy netlink_policy;

extern struct netlink_socket netlink_sockets[NETLINK_MAX_SOCKETS];
int netlink_open_sockets(void);

#endif
