/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the tests learn from the kernel and do to it without the libraries under test: sysfs, links,
 * descriptors, clock.
 */
#ifndef KERNEL_SYS_H
#define KERNEL_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYS_TEXT_SIZE 256

/* The first line of an attribute of a device, such as "ports/1/lid"; "" where there is none. */
const char *sys_read(const char *device, const char *attribute, char text[SYS_TEXT_SIZE]);

/* The number that such a line begins with, decimal or (with 0x) hexadecimal; 0 without. */
unsigned long sys_read_number(const char *device, const char *attribute);

/* A port's GID 0, the one that its link has from the start. */
void sys_read_gid(const char *device, uint8_t gid[16]);

/* Runs a command (rdma, ip), its words ended by NULL; true when it succeeds. */
bool sys_run(const char *program, ...) __attribute__((sentinel));

/* Waits up to some seconds for an attribute to begin with a text. */
bool sys_wait_for(const char *device, const char *attribute, const char *begins);

/* Adds a soft RoCE device on a network interface, and waits until its port is Active. */
bool sys_add_device(const char *device, const char *netdev);

/* Removes it, and waits until it is gone from sysfs. */
bool sys_delete_device(const char *device);

/* How many descriptors this process has open. */
unsigned sys_count_fds(void);

/* Milliseconds of the clock that cannot be set. */
int64_t sys_now_ms(void);

void sys_sleep_ms(int ms);

#endif
