/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opens the port to discover from. mad_rpc_open_port() prints its own message and gives an errno
 * that a user can do little with, so the port is tried first, and what is missing is looked for.
 */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "sweep.h"

#define LATE_RESPONSES_MS 100

#define UMAD_CLASS "/sys/class/infiniband_mad"
#define IB_CLASS   "/sys/class/infiniband"

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

/* The kernel numbers the devices of a port alike; false where it has none. */
static bool find_device_node(const char *device, int port, char *node, size_t size)
{
	char path[PATH_MAX];
	const char *number;

	if (umad_get_issm_path(device, port, path, sizeof(path)) < 0)
		return false;
	number = strstr(path, "issm");
	snprintf(node, size, "/dev/infiniband/umad%s", number ? number + strlen("issm") : "");
	return number;
}

static void explain_no_device(void)
{
	if (!exists(IB_CLASS))
		complain("no InfiniBand device: " IB_CLASS " does not exist. Load the driver of "
			 "the adapter (mlx5_ib, for example)");
	else if (!exists(UMAD_CLASS))
		complain("no InfiniBand device with management access: " UMAD_CLASS " does not "
			 "exist. Load the kernel module: modprobe ib_umad");
	else
		complain("no InfiniBand device in " IB_CLASS ": is the driver of the adapter "
			 "loaded?");
}

/* True when the device is there. */
static bool check_device(const char *device)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN], list[512] = "";
	int count = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	size_t length = 0;

	if (count <= 0) {
		explain_no_device();
		return false;
	}
	for (int i = 0; i < count; i++) {
		if (!device || !strcmp(names[i], device))
			return true;
		if (length < sizeof(list))
			length += (size_t)snprintf(list + length, sizeof(list) - length, " %s",
						   names[i]);
	}
	complain("-C: there is no device %s; this host has:%s", device, list);
	return false;
}

/* True when the device has the port. */
static bool check_port(const char *device, int number)
{
	umad_ca_t ca;
	int ports = 0;
	bool good;

	if (!device || !number || umad_get_ca(device, &ca) < 0)
		return true;
	for (int i = 0; i <= ca.numports && i < UMAD_CA_MAX_PORTS; i++)
		ports += ca.ports[i] != NULL;
	good = number < UMAD_CA_MAX_PORTS && ca.ports[number];
	if (!good)
		complain("-P: %s has no port %d; it has %d port%s", device, number, ports,
			 ports == 1 ? "" : "s");
	umad_release_ca(&ca);
	return good;
}

static void explain_permission(const char *node)
{
	struct stat status;
	const struct group *group = NULL;

	if (!stat(node, &status))
		group = getgrgid(status.st_gid);
	if (group && status.st_mode & S_IRGRP && strcmp(group->gr_name, "root") != 0)
		complain("no permission to open %s: run as root, or as a member of group %s", node,
			 group->gr_name);
	else
		complain("no permission to open %s: run as root, or give a group access to it "
			 "by a udev rule",
			 node);
}

/* Why a port of a device that is there could not be opened: the best one, if several can be meant.
 */
static void explain(const struct options *options, int error)
{
	char node[64] = "/dev/infiniband/umad0";
	const char *device = options->device;
	int number = options->port;
	umad_port_t best = { 0 };
	bool listed;

	if (!umad_get_port(device, number, &best)) {
		device = best.ca_name;
		number = best.portnum;
		umad_release_port(&best);
	}
	listed = device && find_device_node(device, number, node, sizeof(node));
	if (listed && (error == EACCES || error == EPERM))
		explain_permission(node);
	else if (listed && error == ENXIO)
		complain("%s is not the device node of %s: is udev running? In a container, pass "
			 "the device in under its name",
			 node, device);
	else if (options->port && !options->device)
		complain("-P: no device has a usable port %d", options->port);
	else if (!exists(UMAD_CLASS))
		complain("%s has no management access: " UMAD_CLASS " does not exist. Load the "
			 "kernel module: modprobe ib_umad",
			 device ? device : "the device");
	else if (listed && !exists(node))
		complain("%s does not exist, although the kernel has it: is udev running? In a "
			 "container, pass the device in",
			 node);
	else
		complain("cannot open port %d of %s: %s", number, device ? device : "any",
			 strerror(error));
}

struct ibmad_port *open_port(const struct options *options)
{
	int classes[4] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS }, count = 2, fd;
	struct ibmad_port *port;

	if (!check_device(options->device) || !check_port(options->device, options->port))
		return NULL;
	fd = umad_open_port(options->device, options->port);
	if (fd < 0) {
		explain(options, errno);
		return NULL;
	}
	umad_close_port(fd);
	if (options_want_counters(options)) /* a port may be one for SMPs alone */
		classes[count++] = IB_PERFORMANCE_CLASS;
	if (options->from_sa)
		classes[count++] = IB_SA_CLASS;
	port = mad_rpc_open_port((char *)(uintptr_t)options->device, options->port, classes, count);
	if (!port)
		complain("the port does not carry subnet management (SMPs)%s: it is an Ethernet "
			 "port, or another program has taken its classes: %s",
			 count > 2 ? " and what else is asked for" : "", strerror(errno));
	if (port && !keys_attach(options, port)) {
		mad_rpc_close_port(port);
		port = NULL;
	}
	return port;
}

/*
 * Responses to what was in flight when the sweep was cancelled are still on their way, and ibsim's
 * umad2sim crashes when a port is closed under them. The response to the last request is the last
 * one.
 */
static void wait_for_late_responses(const struct ibmad_port *port)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t local = { 0 };

	smp_query_via(data, &local, IB_ATTR_NODE_INFO, 0, LATE_RESPONSES_MS, port);
}

void close_port(struct ibmad_port *port)
{
	if (sweep_stop_signal)
		wait_for_late_responses(port);
	mad_rpc_close_port(port);
}
