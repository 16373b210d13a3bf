/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Interface of nldev.c: devices and ports as RDMA netlink reports them. Each function returns 0 (or
 * the value documented beside it) or a negative errno, and leaves errno unchanged.
 */
#ifndef LIBIBUMAD_NLDEV_H
#define LIBIBUMAD_NLDEV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

#define UMAD_NLDEV_NAME_LEN 64 /* IB_DEVICE_NAME_MAX of the kernel, with the NUL */

/* What a reply or a notification says; all in host byte order, 0 or "" where it does not say it. */
struct umad_nldev_record {
	uint32_t device;		/* its index */
	uint32_t port;			/* its number; of a device: the number of its last port */
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
	bool is_infiniband;		/* a port, or of Omni-Path */
	char chardev[UMAD_CA_NAME_LEN]; /* "umad0" */
	uint64_t chardev_abi;
};

/* A port that source.c has requested. */
struct umad_source_port {
	int requested; /* its number + 1; 0: none */
	int error;
	struct umad_nldev_record values;
};

bool umad_nldev_known(void); /* whether this kernel supports RDMA netlink; opens no socket */
/* Returns an array of all devices with a name that fits a caller's buffer; the caller frees it with
 * free(). */
int umad_nldev_read_devices(struct nl_sock *netlink, struct umad_nldev_record **devices,
			    size_t *count);
/* A port or, if chardev is not NULL, its character device of that type ("umad"). */
int umad_nldev_read_port(struct nl_sock *netlink, uint32_t device, int portnum, const char *chardev,
			 struct umad_nldev_record *record);

/* The multicast group of the notifications of newer kernels; false for any other message. */
#define UMAD_NLDEV_EVENTS 4 /* RDMA_NL_GROUP_NOTIFY */
bool umad_nldev_is_event(const struct nlmsghdr *message, struct umad_nldev_record *record);

#endif /* LIBIBUMAD_NLDEV_H */
