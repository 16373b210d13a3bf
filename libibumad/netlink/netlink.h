/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Netlink sockets (netlink.c), without any type of libnl-3, and devices and ports as RDMA netlink
 * reports them (nldev.c). Each function returns 0 (or the value documented beside it) or a negative
 * errno, and leaves errno unchanged.
 */
#ifndef LIBIBUMAD_NETLINK_H
#define LIBIBUMAD_NETLINK_H

#include <linux/netlink.h>

#include "libibumad/internal.h"

struct nl_sock; /* of libnl-3 */

/* Opens a non-blocking socket for replies or, if group is not 0, also for bursts of a multicast
 * group's messages. -ELIBACC: libnl-3 is not installed; -ELIBBAD: a needed function is missing from
 * it; -EPROTONOSUPPORT: the kernel does not support the protocol. */
int umad_netlink_open(int protocol, int group, struct nl_sock **netlink);
void umad_netlink_close(struct nl_sock *netlink);
int umad_netlink_get_fd(const struct nl_sock *netlink);

/* A datagram from the kernel; the caller frees data with free(). */
struct umad_netlink_datagram {
	void *data;
	size_t size;
};
/* 1: a datagram; 0: none is waiting; -ENOBUFS: some were lost. */
int umad_netlink_receive(struct nl_sock *netlink, struct umad_netlink_datagram *datagram);

/* Calls handler for each complete message of a datagram until one call returns other than 0. */
typedef int umad_netlink_handler(const struct nlmsghdr *message, void *context);
void umad_netlink_walk(const struct umad_netlink_datagram *datagram, umad_netlink_handler *handler,
		       void *context);

/* handler gets the replies, which may be of another message type. */
struct umad_netlink_request {
	int type;
	int flags;	     /* NLM_F_DUMP or 0 */
	const void *payload; /* a header, or attributes */
	size_t size;
	umad_netlink_handler *handler;
	void *context;
};
/* Returns the kernel's reply. -EINTR: the data changed during the dump; the caller repeats it. */
int umad_netlink_ask(struct nl_sock *netlink, const struct umad_netlink_request *request);

/* Copies an attribute of a message, which is behind a header of header_size bytes, to a
 * destination, which keeps its value if there is none. A number whose size is not that of the
 * destination is ignored; a text is truncated, with a NUL. Returns whether the message has the
 * attribute. */
bool umad_netlink_take(const struct nlmsghdr *message, size_t header_size, int type, bool is_text,
		       void *value, size_t size);

/*
 * nldev.c
 */

#define UMAD_NLDEV_NAME_LEN 64 /* IB_DEVICE_NAME_MAX of the kernel, with the NUL */

/* A reply or a notification, in host byte order; 0 or "" for attributes that are missing. */
struct umad_nldev_record {
	uint32_t device; /* index */
	uint32_t port;	 /* number; in a reply about a device: that of its last port */
	char name[UMAD_NLDEV_NAME_LEN]; /* of the device */
	char fw_ver[20];
	uint64_t node_guid;
	uint64_t system_guid;
	uint64_t cap_flags;
	uint64_t subnet_prefix;
	uint32_t lid;
	uint32_t sm_lid;
	uint32_t netdev_index;
	uint8_t node_type;
	uint8_t lmc;
	uint8_t state;
	uint8_t phys_state;
	bool is_infiniband;		/* a port of InfiniBand or Omni-Path */
	char chardev[UMAD_CA_NAME_LEN]; /* "umad0" */
	uint64_t chardev_abi;
};

bool umad_nldev_known(void); /* whether this kernel supports RDMA netlink; opens no socket */
/* Returns an array of all devices with a name that fits a caller's buffer; the caller frees it with
 * free(). */
int umad_nldev_read_devices(struct nl_sock *netlink, struct umad_nldev_record **devices,
			    size_t *count);
/* A port or, if node, its umad device. */
int umad_nldev_read_port(struct nl_sock *netlink, uint32_t device, int portnum, bool node,
			 struct umad_nldev_record *record);

/* The multicast group of the notifications of newer kernels; false for any other message. */
#define UMAD_NLDEV_EVENTS 4 /* RDMA_NL_GROUP_NOTIFY */
bool umad_nldev_is_event(const struct nlmsghdr *message, struct umad_nldev_record *record);

#endif /* LIBIBUMAD_NETLINK_H */
