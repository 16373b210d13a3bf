/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * host.h - the hosts on which discovery and monitors are called: the sysfs of fakesys and the
 * netlink of fakenl.
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

/* The same, and its libnl-3 is not loaded yet. */
extern const struct fault_scene host_unloaded;

/* The kernel's result for the ioctl that the next opening of a umad device makes. */
void host_expect_open(void);
void host_forget_expected(void); /* where it did not come to that */

/* Messages to monitors, and what leads to them: a device comes, and goes. */
void host_add_device(void);
void host_remove_device(void);
void host_change_port(void);
void host_forget_new(void); /* all is as it was at first */

#endif
