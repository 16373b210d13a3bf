/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Chooses the port when a caller names no device or no port. Input: sysfs, through device.c and
 * attributes.c; of each port only the attributes that the choice depends on are read.
 *
 * Devices are searched in directory order, their ports in number order; a switch is its port 0. The
 * first Active port wins, else the first whose link is up, else the first that is not disabled.
 * InfiniBand ports take precedence over all others. Other ports are chosen only when the caller
 * gave no port number.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

/* The values of a device; read when the search reaches it. */
struct device {
	const char *name;
	bool named; /* chosen by the caller, whatever its type */
	bool known;
	bool counts;
	bool is_switch;
	unsigned int ports; /* bit n: port n */
};

/* The conditions for choosing a port. */
struct filter {
	struct umad_source *source;
	int portnum; /* 0: any */
	bool need_smi;
	bool need_infiniband;
};

static bool load_device(struct umad_source *source, struct device *device)
{
	unsigned int type;

	if (device->known)
		return device->counts;
	type = umad_device_read_type(source, device->name);
	device->counts = type || device->named;
	device->is_switch = type == UMAD_NODE_SWITCH;
	if (device->counts && !device->is_switch)
		umad_device_read_ports(source, device->name, &device->ports);
	device->known = true;
	return device->counts;
}

/* A switch's port 0 always passes: it has the SMI of the switch, whatever its mask says. */
static bool port_passes(const struct device *device, int portnum, const struct filter *filter)
{
	umad_port_t port;

	if (device->is_switch)
		return true;
	if (filter->need_smi && umad_port_smi_disabled(filter->source, device->name, portnum))
		return false;
	if (!filter->need_infiniband)
		return true;
	umad_port_read_attributes(filter->source, device->name, portnum, UMAD_PORT_LINK_LAYER,
				  &port);
	return umad_port_is_infiniband(&port);
}

static bool port_wanted(const struct device *device, int portnum, const struct filter *filter)
{
	return device->ports & 1u << portnum && (!filter->portnum || portnum == filter->portnum);
}

/* The first port that is Active, or a switch; -1 if there is none. */
static int find_active(const struct device *device, const struct filter *filter)
{
	int portnum;

	if (device->is_switch)
		return 0;
	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++)
		if (port_wanted(device, portnum, filter) &&
		    umad_port_read_state(filter->source, device->name, portnum) ==
			    UMAD_PORT_ACTIVE &&
		    port_passes(device, portnum, filter))
			return portnum;
	return -1;
}

/* The first port whose link is up; -1 if there is none, and then *enabled is set to the first port
 * that is not disabled, unless it is set already. */
static int find_link_up(const struct device *device, const struct filter *filter, int *enabled)
{
	enum umad_port_link link;
	int portnum;

	if (device->is_switch)
		return -1;
	for (portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (!port_wanted(device, portnum, filter))
			continue;
		link = umad_port_read_link(filter->source, device->name, portnum);
		if (link == UMAD_PORT_LINK_UP) {
			if (port_passes(device, portnum, filter))
				return portnum;
		} else if (*enabled < 0 && link == UMAD_PORT_LINK_ENABLED &&
			   port_passes(device, portnum, filter)) {
			*enabled = portnum;
		}
	}
	return -1;
}

static void set_choice(struct umad_port_choice *choice, const char *ca_name, int portnum)
{
	*choice = (struct umad_port_choice){ .portnum = portnum };
	memcpy(choice->ca_name, ca_name, strlen(ca_name));
}

/* Chooses among devices; keeps the values that it reads for another search. */
static bool choose(struct device *devices, size_t count, const struct filter *filter,
		   struct umad_port_choice *choice)
{
	const struct device *enabled_device = NULL;
	int portnum, enabled = -1;
	size_t i;

	for (i = 0; i < count; i++) {
		portnum = load_device(filter->source, &devices[i])
				  ? find_active(&devices[i], filter)
				  : -1;
		if (portnum >= 0) {
			set_choice(choice, devices[i].name, portnum);
			return true;
		}
	}
	for (i = 0; i < count; i++) {
		portnum = find_link_up(&devices[i], filter, &enabled);
		if (portnum >= 0) {
			set_choice(choice, devices[i].name, portnum);
			return true;
		}
		if (enabled >= 0 && !enabled_device)
			enabled_device = &devices[i];
	}
	if (enabled_device)
		set_choice(choice, enabled_device->name, enabled);
	return enabled_device;
}

static int choose_by_filter(struct device *devices, size_t count, struct filter *filter,
			    struct umad_port_choice *choice)
{
	size_t i;

	filter->need_infiniband = true;
	if (choose(devices, count, filter, choice))
		return 0;
	filter->need_infiniband = false;
	if (!filter->portnum && choose(devices, count, filter, choice))
		return 0;
	if (filter->portnum)
		for (i = 0; i < count; i++)
			if (devices[i].counts)
				return -EINVAL;
	return -ENODEV;
}

static int choose_any_device(struct filter *filter, struct umad_port_choice *choice)
{
	struct umad_device_names names;
	struct device *devices;
	size_t i;
	int result;

	result = umad_device_read_names(filter->source, &names);
	if (result < 0)
		return result;
	devices = calloc(names.count + 1, sizeof(*devices));
	if (devices) {
		for (i = 0; i < names.count; i++)
			devices[i].name = names.name[i];
		result = choose_by_filter(devices, names.count, filter, choice);
		free(devices);
	} else {
		result = -ENOMEM;
	}
	umad_device_free_names(&names);
	return result;
}

static int resolve(struct umad_source *source, const char *ca_name, int portnum, bool need_smi,
		   struct umad_port_choice *choice)
{
	struct filter filter = { .source = source,
				 .portnum = portnum > 0 ? portnum : 0,
				 .need_smi = need_smi };
	struct device device = { .name = ca_name, .named = true };

	if (portnum > UMAD_PORT_NUMBER_MAX)
		return -EINVAL;
	if (!ca_name)
		return choose_any_device(&filter, choice);
	if (portnum < 0)
		return -EINVAL;
	if (!umad_device_name_valid(ca_name))
		return -ENODEV;
	if (!portnum)
		return choose_by_filter(&device, 1, &filter, choice);
	set_choice(choice, ca_name, portnum);
	return 0;
}

/* Finds the port that ca_name (NULL: any device) and portnum (0: any port) select. If both are
 * given, that port is the result, whether it exists or not. -ENODEV if nothing matches, -EINVAL if
 * there are devices but none has a port with that number, or for an invalid number. After a
 * resource error (sys.h) there is no result: a port that could not be read might have been
 * preferred. */
int umad_selection_resolve(struct umad_source *source, const char *ca_name, int portnum,
			   bool need_smi, struct umad_port_choice *choice)
{
	return umad_sys_resource_error_or(resolve(source, ca_name, portnum, need_smi, choice));
}
