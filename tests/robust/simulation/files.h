/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Descriptors of the simulated process: sysfs files, umad devices (kernel.h), eventfds. */
#ifndef TESTS_SIMULATION_FILES_H
#define TESTS_SIMULATION_FILES_H

/* Before a run: nothing is open. */
void sim_files_clear(void);
/* After a run: reports what is open. */
void sim_files_check(void);

/* In the child of a fork: its descriptors are those of the parent, too. */
void sim_files_share(void);

/* Waits until the eventfd can be read, or for timeout_ms. */
void sim_wait_for_eventfd(int fd, int timeout_ms);

#endif
