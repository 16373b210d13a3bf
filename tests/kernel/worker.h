/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * For the tests of events: a process that stays root and changes soft RoCE devices and netdevs on
 * command, while the test watches, as an ordinary user if wanted.
 */
#ifndef KERNEL_WORKER_H
#define KERNEL_WORKER_H

#include <stdbool.h>

#define NETDEV "m0" /* a veth pair of the worker's */
#define PEER   "m1"
#define DEVICE "mon0"
#define OTHER  "mon1" /* what it is renamed to */

enum command { ADD, DELETE, DOWN, UP, RENAME, DELETE_NETDEV };

/* Makes the veth pair, and starts the worker; then, if wanted, the caller becomes an ordinary
 * user. */
bool start_worker(bool as_user);

/* One command, carried out before this returns. */
bool order(enum command command);

#endif
