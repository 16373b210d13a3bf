/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The source of a public call: sysfs or, for containers without /sys/class/infiniband, RDMA
 * netlink. The call decides at most once: when it lists the devices, or when the first file of
 * sysfs is missing. It is sysfs wherever the class directory exists, even empty, so that simulators
 * and hosts without devices are not affected. A call opens one socket and requests the list of
 * devices, and each port, once. Where netlink fails there are no devices, as on a host without
 * libnl-3 or RDMA; only exhausted resources are recorded (sys.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

/* A port that has been requested. */
struct umad_source_port {
	int requested; /* number + 1; 0: none */
	int error;
	struct umad_nldev_record values;
};

/* Requests all devices, once. */
static void request_devices(struct umad_source *source)
{
	int error;

	if (source->is_requested)
		return;
	source->is_requested = true;
	if (!umad_nldev_known())
		return;
	error = umad_netlink_open(NETLINK_RDMA, 0, &source->netlink);
	if (!error)
		error = umad_nldev_read_devices(source->netlink, &source->device, &source->count);
	if (!error)
		source->port = calloc(source->count + 1, UMAD_CA_MAX_PORTS * sizeof(*source->port));
	if (!error && !source->port)
		error = -ENOMEM;
	if (error < 0)
		source->count = 0;
	umad_sys_note_resource_error(error);
}

int umad_source_open_class(struct umad_source *source, DIR **dir)
{
	int error = umad_sys_opendir(SYS_INFINIBAND, dir);

	if (!error) {
		source->kind = UMAD_SOURCE_SYSFS;
		return 0;
	}
	*dir = NULL;
	if (!umad_sysfs_is_missing(error))
		return source->error = error;
	source->kind = UMAD_SOURCE_NETLINK;
	request_devices(source);
	return 0;
}

int umad_source_decide(struct umad_source *source)
{
	DIR *dir;
	int error;

	if (source->kind || source->error)
		return source->error;
	error = umad_source_open_class(source, &dir);
	if (!error && dir)
		umad_sys_closedir(dir);
	return error;
}

/* Begins at the device found last, because callers go through all devices in this order. */
const struct umad_nldev_record *umad_source_request(struct umad_source *source, const char *ca_name)
{
	size_t at;

	request_devices(source);
	for (size_t i = 0; i < source->count; i++) {
		at = (source->last + i) % source->count;
		if (ca_name && strcmp(source->device[at].name, ca_name) != 0)
			continue;
		source->last = at;
		return &source->device[at];
	}
	return NULL;
}

const struct umad_nldev_record *umad_source_request_port(struct umad_source *source,
							 const char *ca_name, int portnum)
{
	const struct umad_nldev_record *device = umad_source_request(source, ca_name);
	struct umad_source_port *port;

	if (!device)
		return NULL;
	port = &source->port[source->last * UMAD_CA_MAX_PORTS +
			     (size_t)(portnum % UMAD_CA_MAX_PORTS)];
	if (port->requested != portnum + 1) {
		port->requested = portnum + 1;
		port->error = umad_nldev_read_port(source->netlink, device->device, portnum, false,
						   &port->values);
		umad_sys_note_resource_error(port->error);
	}
	return port->error ? NULL : &port->values;
}

const struct umad_nldev_record *umad_source_find(struct umad_source *source, const char *ca_name)
{
	umad_source_decide(source);
	return source->kind == UMAD_SOURCE_NETLINK ? umad_source_request(source, ca_name) : NULL;
}

void umad_source_close(struct umad_source *source)
{
	umad_netlink_close(source->netlink);
	free(source->device);
	free(source->port);
	*source = (struct umad_source){ .kind = UMAD_SOURCE_UNDECIDED };
}
