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
	bool exists; /* one that the caller names does, whatever its type */
	bool is_known;
	bool is_switch;
	struct umad_port_set ports;
	enum umad_port_link link[UMAD_CA_MAX_PORTS];
};

struct search {
	struct umad_source *source;
	struct device *device;
	size_t count;
	int portnum; /* 0: any */
	bool need_smi;
	bool need_infiniband;
};

static void load_ports(const struct search *search, struct device *device)
{
	unsigned int type;

	if (device->is_known)
		return;
	device->is_known = true;
	type = umad_device_read_type(search->source, device->name);
	device->exists |= type != 0;
	device->is_switch = type == UMAD_NODE_SWITCH;
	device->ports.has[0] = device->is_switch;
	if (device->exists && !device->is_switch)
		umad_device_read_ports(search->source, device->name, &device->ports);
}

/* The link is read once, in the first search that is not for an Active port. */
static bool has_link(const struct search *search, struct device *device, int portnum,
		     enum umad_port_link link)
{
	if (link == UMAD_PORT_LINK_ACTIVE)
		return umad_port_read_state(search->source, device->name, portnum) ==
		       UMAD_PORT_ACTIVE;
	if (link == UMAD_PORT_LINK_UP)
		device->link[portnum] = umad_port_read_link(search->source, device->name, portnum);
	return device->link[portnum] == link;
}

static bool passes(const struct search *search, const struct device *device, int portnum)
{
	umad_port_t port;

	if (search->need_smi && umad_port_smi_disabled(search->source, device->name, portnum))
		return false;
	if (!search->need_infiniband)
		return true;
	umad_port_read_attributes(search->source, device->name, portnum, UMAD_PORT_LINK_LAYER,
				  &port);
	return umad_port_is_infiniband(&port);
}

static void set_choice(struct umad_port_choice *choice, const char *ca_name, int portnum)
{
	*choice = (struct umad_port_choice){ .portnum = portnum };
	memcpy(choice->ca_name, ca_name, strlen(ca_name));
}

/* A switch's port 0 always passes: it has the SMI of the switch, whatever its mask says. */
static bool choose_in_device(const struct search *search, struct device *device,
			     enum umad_port_link link, struct umad_port_choice *choice)
{
	load_ports(search, device);
	for (int portnum = 0; portnum < UMAD_CA_MAX_PORTS; portnum++) {
		if (!device->ports.has[portnum])
			continue;
		if (device->is_switch ||
		    ((!search->portnum || portnum == search->portnum) &&
		     has_link(search, device, portnum, link) && passes(search, device, portnum))) {
			set_choice(choice, device->name, portnum);
			return true;
		}
	}
	return false;
}

static bool choose(const struct search *search, struct umad_port_choice *choice)
{
	for (enum umad_port_link link = UMAD_PORT_LINK_ACTIVE; link > UMAD_PORT_LINK_DISABLED;
	     link--)
		for (size_t i = 0; i < search->count; i++)
			if (choose_in_device(search, &search->device[i], link, choice))
				return true;
	return false;
}

static int run(struct search *search, struct umad_port_choice *choice)
{
	search->need_infiniband = true;
	if (choose(search, choice))
		return 0;
	search->need_infiniband = false;
	if (!search->portnum)
		return choose(search, choice) ? 0 : -ENODEV;
	for (size_t i = 0; i < search->count; i++)
		if (search->device[i].exists)
			return -EINVAL;
	return -ENODEV;
}

static int choose_any_device(struct search *search, struct umad_port_choice *choice)
{
	struct umad_device_names names;
	int result = umad_device_read_names(search->source, &names);

	if (result < 0)
		return result;
	search->device = calloc(names.count + 1, sizeof(*search->device));
	for (size_t i = 0; search->device && i < names.count; i++)
		search->device[i].name = names.device[i].name;
	search->count = names.count;
	result = search->device ? run(search, choice) : -ENOMEM;
	free(search->device);
	umad_device_free_names(&names);
	return result;
}

static int resolve(struct umad_source *source, const char *ca_name, int portnum, bool need_smi,
		   struct umad_port_choice *choice)
{
	struct device device = { .name = ca_name, .exists = true };
	struct search search = { .source = source,
				 .device = &device,
				 .count = 1,
				 .portnum = portnum > 0 ? portnum : 0,
				 .need_smi = need_smi };

	if (portnum > UMAD_PORT_NUMBER_MAX)
		return -EINVAL;
	if (!ca_name)
		return choose_any_device(&search, choice);
	if (portnum < 0)
		return -EINVAL;
	if (!umad_device_name_valid(ca_name))
		return -ENODEV;
	if (!portnum)
		return run(&search, choice);
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
