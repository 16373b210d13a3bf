/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * host.h - the hosts for discovery and monitors: the sysfs of fakesys and the netlink of fakenl.
 */
#ifndef TESTS_FAULTS_HOST_H
#define TESTS_FAULTS_HOST_H

#include "engine.h"

#include <infiniband/umad.h>

/* Two devices that are a pair by port 1 of each (the first carries no subnet management), and a
 * third; the first has two ports. All have umad devices: umad0 to umad3. */
extern const struct fault_scene host_sysfs;

/* Without /sys/class/infiniband: RDMA netlink knows an InfiniBand device and a RoCE one. */
extern const struct fault_scene host_netlink;

/* A host without sysfs, before libnl-3 is loaded. */
extern const struct fault_scene host_unloaded;

/* The kernel's result for the ioctl that the next opening of a umad device makes. */
void host_expect_open(void);
void host_forget_expected(void); /* if no device was opened */

/* Changes, and the messages about them to monitors: a device comes, and goes. */
void host_add_device(void);
void host_remove_device(void);
void host_change_port(void);
void host_forget_new(void); /* restores the first state */

#endif
