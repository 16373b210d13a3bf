/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A packet with one MAD, as it is between ports and as /dev/vhca gives and takes it: one frame for
 * each read() and write(). Integers are in host order, grh and mad in wire order.
 */
#ifndef TESTS_KERNEL_HCA_FRAME_H
#define TESTS_KERNEL_HCA_FRAME_H

#include <linux/types.h>

#define VHCA_GRH 1 /* in flags: grh is valid */

struct vhca_frame {
	__u16 dev; /* number of the node in the module, in the order of "add", from 0 */
	__u8 port; /* the port of the node that sent (read) or gets (write) the frame */
	__u8 flags;
	__u8 sl;
	__u8 vl; /* 15 for QP0, else 0 */
	__u16 pkey;
	__u16 slid;
	__u16 dlid;
	__u32 sqpn;
	__u32 dqpn;
	__u32 qkey;
	__u8 grh[40];
	__u8 mad[256];
};

#endif
