/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Replies of RDMA netlink: devices, ports and character devices, as discovery asks for them on a
 * host without sysfs, and single messages.
 */
#include <errno.h>
#include <stdlib.h>

#include <infiniband/umad.h>

#include "fake-netlink.h"
#include "libibumad/netlink/nldev.h"

enum { QUESTIONS = 3 };

static bool ends(const char *text, size_t size)
{
	return strnlen(text, size) < size;
}

static void check_device(const struct umad_nldev_record *device)
{
	FUZZ_CHECK(umad_device_name_valid(device->name));
	FUZZ_CHECK(ends(device->fw_ver, sizeof(device->fw_ver)));
}

static void read_devices(struct nl_sock *netlink)
{
	struct umad_nldev_record *devices = NULL;
	size_t i, count = 0;
	int result = umad_nldev_read_devices(netlink, &devices, &count);

	FUZZ_CHECK(result <= 0);
	if (result < 0)
		return;
	for (i = 0; i < count; i++)
		check_device(&devices[i]);
	free(devices);
}

static void ask_netlink(struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	struct umad_nldev_record port;
	struct nl_sock *netlink;

	FUZZ_CHECK(!umad_netlink_open(NETLINK_RDMA, &netlink));
	switch (which & 3) {
	case 0:
	case 1:
		read_devices(netlink);
		break;
	case 2:
		FUZZ_CHECK(umad_nldev_read_port(netlink, 1, which >> 2, NULL, &port) <= 0);
		break;
	default:
		if (!umad_nldev_read_port(netlink, 1, which >> 2, "umad", &port))
			FUZZ_CHECK(ends(port.chardev, sizeof(port.chardev)));
	}
	umad_netlink_close(netlink);
}

static void ask_ca(const char *name)
{
	umad_ca_t *ca = fuzz_guard(sizeof(*ca));

	if (umad_get_ca(name, ca) < 0)
		return;
	FUZZ_CHECK(ends(ca->ca_name, sizeof(ca->ca_name)) && ends(ca->fw_ver, sizeof(ca->fw_ver)));
	FUZZ_CHECK(ca->numports >= 0 && ca->numports < UMAD_CA_MAX_PORTS);
	umad_release_ca(ca);
}

static void ask_port(const char *name, int number)
{
	umad_port_t *port = fuzz_guard(sizeof(*port));

	if (umad_get_port(name, number, port) < 0)
		return;
	FUZZ_CHECK(ends(port->ca_name, sizeof(port->ca_name)));
	FUZZ_CHECK(ends(port->link_layer, sizeof(port->link_layer)));
	umad_release_port(port);
}

static void ask_names(void)
{
	char(*names)[UMAD_CA_NAME_LEN] = fuzz_guard(3 * sizeof(*names));
	int i, count = umad_get_cas_names(names, 3);

	FUZZ_CHECK(count <= 3);
	for (i = 0; i < count; i++)
		FUZZ_CHECK(umad_device_name_valid(names[i]));
}

static void ask_discovery(struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	const char *name = which & 8 ? NULL : fuzz_netlink_names[which >> 4 & 3];
	struct umad_device_node *list;
	int fd;

	switch (which & 7) {
	case 0:
		ask_ca(name);
		break;
	case 1:
		ask_port(name, which >> 6);
		break;
	case 2:
		ask_names();
		break;
	case 3:
		list = umad_get_ca_device_list();
		umad_sort_ca_device_list(&list, 0);
		umad_free_ca_device_list(list);
		break;
	default:
		fd = umad_open_port(name, which >> 6);
		if (fd >= 0)
			umad_close_port(fd);
	}
}

void fuzz_target(struct fuzz_input *input)
{
	static const char sockets[] = "sk Eth\n0000 20  0\n";
	int questions = QUESTIONS;

	fuzz_kernel_file("/proc/net/netlink", sockets, sizeof(sockets) - 1);
	fuzz_netlink_talk(true);
	do {
		if (fuzz_u8(input) & 1)
			ask_discovery(input);
		else
			ask_netlink(input);
	} while (input->left && --questions);
}
