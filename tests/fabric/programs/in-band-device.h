/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A device that responds to requests to which the simulator's hosts do not: the vendor's class by
 * which mstflint's tools read and write a device's registers in-band, and device management (16.3
 * of the InfiniBand Architecture Specification), with one I/O controller that is an SRP target.
 * What is written to it stays until the process ends.
 */
#ifndef TESTS_PROGRAMS_IN_BAND_DEVICE_H
#define TESTS_PROGRAMS_IN_BAND_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

enum { DEVICE_MGMT_CLASS = 0x06, REGISTER_CLASS = 0x0a };

/* A MAD as it lies on the wire: numbers are big-endian. */
struct mad {
	uint8_t base_version;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t method;
	uint16_t status;
	uint16_t class_specific;
	uint64_t tid;
	uint16_t attr_id;
	uint16_t reserved;
	uint32_t attr_mod;
	uint8_t data[232];
};

_Static_assert(sizeof(struct mad) == 256, "a MAD");

/*
 * Turns a request to the device into its response, in place, and returns true; false where the
 * device does not respond to such a MAD at all. One thread at a time.
 */
bool device_respond(struct mad *mad);

#endif
