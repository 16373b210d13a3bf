/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* States of ports, as PortInfo (IBTA specification, 14.2.5.6) and the kernel number them, for
 * umad_port_t, umad_event and mad_fabric_port. */
#ifndef INFINIBAND_UMAD_PORT_STATES_H
#define INFINIBAND_UMAD_PORT_STATES_H

/* PortState: the state of a link, which the subnet manager activates. */
enum umad_port_state {
	UMAD_PORT_NO_CHANGE, /* in a Set alone: leave the state as it is */
	UMAD_PORT_DOWN,
	UMAD_PORT_INITIALIZE, /* the link is up, and waits for a subnet manager */
	UMAD_PORT_ARMED,
	UMAD_PORT_ACTIVE,
	UMAD_PORT_ACTIVE_DEFER, /* of the kernel: active, and the link is about to recover */
};

/* PortPhysicalState: the state of the cable and of what is at its ends. */
enum umad_phys_state {
	UMAD_PHYS_NO_CHANGE, /* in a Set alone: leave the state as it is */
	UMAD_PHYS_SLEEP,
	UMAD_PHYS_POLLING, /* for something at the other end */
	UMAD_PHYS_DISABLED,
	UMAD_PHYS_TRAINING,
	UMAD_PHYS_LINK_UP,
	UMAD_PHYS_LINK_ERROR_RECOVERY,
	UMAD_PHYS_TEST,
};

#endif
