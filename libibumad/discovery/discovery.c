/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public functions that describe one device or one port. Input: the caller's choice and sysfs,
 * through the files of lower layers. The release functions here free the memory that this file
 * hands out.
 */
#include <errno.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

/* Of a device that is named no port is chosen, and the name not checked against the devices. */
#define NAMED_OR_ANY(ca_name) ((ca_name) ? 1 : UMAD_ANY_PORT)

int umad_get_ca(const char *ca_name, umad_ca_t *ca)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_port_choice choice;
	int error;

	if (!ca)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	error = umad_selection_resolve(&source, ca_name, NAMED_OR_ANY(ca_name), &choice);
	if (!error)
		error = umad_ca_read(&source, choice.ca_name, ca);
	umad_source_close(&source);
	return umad_state_finish(error);
}

int umad_release_ca(umad_ca_t *ca)
{
	if (!ca)
		return umad_state_finish(-ENODEV);
	umad_ca_clear(ca);
	return 0;
}

int umad_get_port(const char *ca_name, int portnum, umad_port_t *port)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_port_choice choice;
	int error;

	if (!port)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	error = umad_selection_resolve(&source, ca_name, portnum, &choice);
	if (!error)
		error = umad_port_read(&source, choice.ca_name, choice.portnum, port);
	umad_source_close(&source);
	return umad_state_finish(error);
}

int umad_release_port(umad_port_t *port)
{
	if (!port)
		return umad_state_finish(-ENODEV);
	umad_port_clear(port);
	return 0;
}

/* Fills in the GUIDs of the ports that umad_get_ca() finds, up to the last of them. Returns the
 * number of entries. */
static int read_portguids(struct umad_source *source, const char *ca_name, __be64 *guids)
{
	struct umad_port_set ports;
	umad_port_t port;
	int portnum, count = 1, result = umad_device_read_ports(source, ca_name, &ports);

	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS && !result; portnum++) {
		if (!ports.has[portnum])
			continue;
		if (umad_port_read_attributes(source, ca_name, portnum, UMAD_PORT_GUID, &port) <=
		    0) {
			result = umad_device_check(source, ca_name);
			if (umad_port_read_attributes(source, ca_name, portnum, UMAD_PORT_ALL,
						      &port) <= 0)
				continue;
		}
		guids[portnum] = port.port_guid;
		count = portnum + 1;
	}
	return umad_sys_resource_error_or(result < 0 ? result : count);
}

int umad_get_ca_portguids(const char *ca_name, __be64 *portguids, int max)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	__be64 found[UMAD_CA_MAX_PORTS] = { 0 };
	struct umad_port_choice choice;
	int result;

	umad_sys_clear_resource_error();
	result = umad_selection_resolve(&source, ca_name, NAMED_OR_ANY(ca_name), &choice);
	if (!result)
		result = read_portguids(&source, choice.ca_name, found);
	umad_source_close(&source);
	if (result < 0 || !portguids)
		return umad_state_finish(result < 0 ? result : 0);
	if (max < result)
		return umad_state_finish(-ENOMEM);
	memcpy(portguids, found, (size_t)result * sizeof(found[0]));
	return result;
}
