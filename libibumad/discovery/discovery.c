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

/* The device name that ca_name selects; NULL selects the device of the default port. */
static int resolve_ca(const char *ca_name, struct umad_port_choice *choice)
{
	/* With a port number, a name is not checked against the devices. */
	return umad_selection_resolve(ca_name, ca_name ? 1 : UMAD_ANY_PORT, false, choice);
}

int umad_get_ca(const char *ca_name, umad_ca_t *ca)
{
	struct umad_port_choice choice;
	int error;

	if (!ca)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	error = resolve_ca(ca_name, &choice);
	if (!error)
		error = umad_ca_read(choice.ca_name, ca);
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
	struct umad_port_choice choice;
	int error;

	if (!port)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	error = umad_selection_resolve(ca_name, portnum, false, &choice);
	if (!error)
		error = umad_port_read(choice.ca_name, choice.portnum, port);
	return umad_state_finish(error);
}

int umad_release_port(umad_port_t *port)
{
	if (!port)
		return umad_state_finish(-ENODEV);
	umad_port_clear(port);
	return 0;
}

/* The highest number in a non-empty mask of ports. */
static int highest_port(unsigned int mask)
{
	int portnum = UMAD_CA_MAX_PORTS - 1;

	while (portnum > 0 && !(mask & 1u << portnum))
		portnum--;
	return portnum;
}

int umad_get_ca_portguids(const char *ca_name, __be64 *portguids, int max)
{
	__be64 found[UMAD_CA_MAX_PORTS] = { 0 };
	struct umad_port_choice choice;
	unsigned int mask = 0;
	int result, i, count;

	umad_sys_clear_resource_error();
	result = resolve_ca(ca_name, &choice);
	if (!result)
		result = umad_sys_resource_error_or(umad_device_read_ports(choice.ca_name, &mask));
	if (result < 0)
		return umad_state_finish(result);
	if (!portguids)
		return 0;
	count = highest_port(mask) + 1;
	if (max < count)
		return umad_state_finish(-ENOMEM);
	for (i = 0; i < count; i++)
		if (mask & 1u << i)
			umad_port_read_guid(choice.ca_name, i, &found[i]);
	result = umad_sys_resource_error();
	if (result < 0)
		return umad_state_finish(result);
	memcpy(portguids, found, (size_t)count * sizeof(found[0]));
	return count;
}
