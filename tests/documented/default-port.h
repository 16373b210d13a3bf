/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The default port of libibmad on the small fabric of fabric.h, for the programs here that use it:
 * it stays open over all tests.
 */
#ifndef TESTS_DOCUMENTED_DEFAULT_PORT_H
#define TESTS_DOCUMENTED_DEFAULT_PORT_H

#include <infiniband/mad.h>

#define TIMEOUT_MS 2000
#define LID	   5 /* of a node to ask */
#define VENDOR1	   0x0a
#define VENDOR2	   0x32
#define VENDOR_OUI 0x001405
#define BAD_STATUS 0x1c
#define DIRECT_LID 0xffff

/* The classes that the default port is opened for. */
#define CLASSES 6
extern int classes[CLASSES];

int default_port_open(void **state);	 /* set-up of the group */
int default_port_setup(void **state);	 /* of each test: the fabric answers */
int default_port_teardown(void **state); /* fails where a script was not followed */

/* Fails the test unless madrpc_lock() keeps another thread out until madrpc_unlock(). */
void default_port_assert_lock(void);

#endif
