/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * port-states.h - what the tests of selection and pairs share: changes to the ports of fakesys,
 * which are active InfiniBand ports with SMI, and the port that is chosen.
 */
#ifndef TESTS_UNIT_PORT_STATES_H
#define TESTS_UNIT_PORT_STATES_H

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

#define CLASS "/sys/class/infiniband"

static inline void set_state(const char *ca_name, int port, const char *state,
			     const char *phys_state)
{
	kernel_port_file(ca_name, port, "state", state);
	kernel_port_file(ca_name, port, "phys_state", phys_state);
}

static inline void set_polling(const char *ca_name, int port)
{
	set_state(ca_name, port, "1: DOWN\n", "2: Polling\n");
}

static inline void set_disabled(const char *ca_name, int port)
{
	set_state(ca_name, port, "1: DOWN\n", "3: Disabled\n");
}

static inline void set_link_up(const char *ca_name, int port)
{
	set_state(ca_name, port, "2: INIT\n", "5: LinkUp\n");
}

static inline void set_ethernet(const char *ca_name, int port)
{
	kernel_port_file(ca_name, port, "link_layer", "Ethernet\n");
}

static inline void set_smi_disabled(const char *ca_name, int port)
{
	kernel_port_file(ca_name, port, "cap_mask", "0x2651ec48\n");
}

static struct umad_port_choice choice;

static inline int resolve(const char *ca_name, int portnum, bool need_smi)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	int result = umad_selection_resolve(&source, ca_name, portnum, need_smi, &choice);

	umad_source_close(&source);
	return result;
}

#define assert_choice(ca, num, smi, expected_ca, expected_num)    \
	do {                                                      \
		assert_int_equal(resolve(ca, num, smi), 0);       \
		assert_string_equal(choice.ca_name, expected_ca); \
		assert_int_equal(choice.portnum, expected_num);   \
	} while (0)

#define assert_no_choice(ca, num, smi, error) assert_int_equal(resolve(ca, num, smi), -(error))

#endif
