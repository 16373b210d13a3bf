/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The kernel as tests read and change it without the libraries under test: sysfs, devices,
 * descriptors.
 */
#ifndef KERNEL_SYS_H
#define KERNEL_SYS_H

#include <stdbool.h>

#define SYS_TEXT_SIZE 256

/* The first line of an attribute of a device, such as "ports/1/lid"; "" where there is none. */
const char *sys_read(const char *device, const char *attribute, char text[SYS_TEXT_SIZE]);

/* Whether the descriptor is of the umad device that sysfs has for a device. */
bool sys_is_umad_of(int fd, const char *device);

/* Runs a command of one line (rdma, ip); true when it succeeds. */
bool sys_run(const char *command);

/* Waits up to some seconds for an attribute to begin with a text. */
bool sys_wait_for(const char *device, const char *attribute, const char *begins);

/* Adds a soft RoCE device on a network interface, and waits until its port is Active. */
bool sys_add_device(const char *device, const char *netdev);

/* Removes it, and waits until it is gone from sysfs. */
bool sys_delete_device(const char *device);

/* How many descriptors this process has open. */
unsigned sys_count_fds(void);

#endif
