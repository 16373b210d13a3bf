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

/* A device; all in host byte order, 0 or "" where the kernel does not report it. */
struct umad_nldev_device {
	uint32_t index;
	uint32_t last_port;
	char name[UMAD_CA_NAME_LEN];
	char fw_ver[20];
	uint64_t node_guid;
	uint64_t system_guid;
	uint8_t node_type;
};

struct umad_nldev_port {
	bool is_infiniband; /* or Omni-Path */
	uint64_t cap_flags;
	uint64_t subnet_prefix;
	uint32_t lid;
	uint32_t sm_lid;
	uint32_t netdev_index;
	uint8_t lmc;
	uint8_t state;
	uint8_t phys_state;
};

/* A port that source.c has requested. */
struct umad_source_port {
	bool is_requested;
	int portnum;
	int error;
	struct umad_nldev_port values;
};

bool umad_nldev_known(void); /* whether this kernel supports RDMA netlink; opens no socket */
int umad_nldev_open(struct umad_netlink **netlink);
/* Returns an array of all devices with a name that fits a caller's buffer; the caller frees it with
 * free(). */
int umad_nldev_read_devices(struct umad_netlink *netlink, struct umad_nldev_device **devices,
			    size_t *count);
int umad_nldev_read_port(struct umad_netlink *netlink, uint32_t device_index, int portnum,
			 struct umad_nldev_port *port);
/* The character device of a port, "umad0" for the type "umad", and the ABI version of its
 * interface. */
int umad_nldev_read_chardev(struct umad_netlink *netlink, uint32_t device_index, int portnum,
			    const char *type, char name[UMAD_CA_NAME_LEN], uint64_t *abi);

/* The multicast group of the notifications of newer kernels; false for any other message. name: the
 * device that it is about, "" if the message does not say. */
#define UMAD_NLDEV_EVENTS 4 /* RDMA_NL_GROUP_NOTIFY */
bool umad_nldev_is_event(const struct nlmsghdr *message, char name[UMAD_CA_NAME_LEN]);

#endif /* LIBIBUMAD_NLDEV_H */
