/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake netlink: where libibumad loads libnl-3 (dlopen, dlsym, dlclose at link time), the
 * functions that make sockets and move messages are those here; those that make and walk messages
 * are the real ones. Behind the sockets is a small kernel that replies to the requests of RDMA
 * netlink from a list of devices, as recorded from kernels 6.1 and 6.12, and whatever else a test
 * has written down. Its sysfs is that of fakesys.
 */
#ifndef TESTS_LIB_FAKENL_H
#define TESTS_LIB_FAKENL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/netlink.h>

/* Setup and teardown of a test: nothing is there, and no socket or memory may be left. */
int fakenl_setup(void **state);
int fakenl_teardown(void **state);
#define FAKENL_TEST(name) TEST_WITH(name, fakenl_setup, fakenl_teardown)

/* Set by tests, and counted since setup. Errors are an errno, 0 for none. */
extern struct fakenl {
	bool library_lost;		       /* the library is missing */
	const char *function_lost;	       /* or a function in it */
	atomic_bool load_held;		       /* the loader is busy: loading waits */
	atomic_bool is_loading;		       /* a thread is in the loader */
	int connect_error[32], join_error[32]; /* by protocol */
	int send_error;
	int interrupted_dumps; /* lists of devices that change while they are read */
	int loads, sockets;    /* opened */
} fakenl;

/* Devices that RDMA netlink reports; strings are kept, not copied. */
struct fakenl_device {
	uint32_t index;
	const char *name;
	const char *protocol;	 /* NULL: an older kernel, which does not report it */
	uint32_t ethernet_ports; /* bit n: port n of an InfiniBand device is Ethernet */
	uint8_t node_type;
	uint32_t ports;
	uint8_t state, phys_state;
	uint32_t netdev_index; /* 0: none */
	const char *node;      /* of port 1, "umad0"; NULL: none */
	uint64_t abi;
};
void fakenl_add_device(const struct fakenl_device *device);
void fakenl_remove_devices(void);
/* Two of them: rxe0, of RoCE, is Active, and mlx5_0, of InfiniBand, has its link up. */
void fakenl_show_devices(void);
void fakenl_know_rdma(void); /* /proc/net/netlink shows the protocol */

/* Sends to all sockets of a protocol that joined a group; sender 0 is the kernel. */
void fakenl_send(int protocol, const void *data, size_t size, uint32_t sender);
void fakenl_send_error(int protocol, int error); /* receiving fails next, with this errno */

/* The next request gets this instead of its reply, so many times. Each 0xffffffff there becomes the
 * sequence number of the request. */
void fakenl_response(const void *data, size_t size, int times);

int netlink_open_sockets(void);
int fakenl_requests(int type);	     /* how many of a type came since setup */
size_t fakenl_waiting(int protocol); /* messages that joined sockets have not read */

#endif
