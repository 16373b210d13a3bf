/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Discovery, on a sysfs whose names and contents are the input, and whose files fail to be opened
 * and read; or without one, when RDMA netlink says what the input does. Results stay within their
 * arrays, strings are terminated, and no path leads elsewhere.
 */
#include <errno.h>
#include <stdio.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#include "fake-netlink.h"
#include "libibumad/internal.h"

enum { NAMES = 4, NAME_SIZE = 28, FILES_MAX = 40, TEXT_MAX = 140, CONTENTS = 8192 };

static char names[NAMES][NAME_SIZE];
static char contents[CONTENTS];
static size_t contents_used;

/* What a file holds where the input does not say. */
static const char *const usual[] = {
	"1: CA\n",
	"4: ACTIVE\n",
	"5: LinkUp\n",
	"0x12\n",
	"2\n",
	"100 Gb/sec (4X EDR)\n",
	"InfiniBand\n",
	"fe80:0000:0000:0000:0002:c903:0000:0001\n",
	"0xffff\n",
	"Ethernet\n",
	"0002:c903:0000:00a0\n",
	"1\n",
	"2: SWITCH\n",
	"0x2651ec48\n",
	"1: DOWN\n",
	"",
};

static const char *const device_files[] = {
	"node_type", "fw_ver", "hw_rev", "hca_type", "node_guid", "sys_image_guid",
};

static const char *const port_files[] = {
	"state", "phys_state", "lid",	 "lid_mask_count", "sm_lid",  "sm_sl",	 "cap_mask",
	"rate",	 "link_layer", "gids/0", "pkeys/0",	   "pkeys/1", "pkeys/7", "pkeys/127",
};
enum { CAP_MASK = 6 }; /* where it is among them */

static void read_names(struct fuzz_input *input)
{
	uint8_t control = fuzz_u8(input);
	int i;

	for (i = 0; i < NAMES; i++) {
		snprintf(names[i], sizeof(names[i]), "mlx5_%d", i);
		if (control & 1 << i)
			fuzz_text(input, names[i], sizeof(names[i]));
	}
}

/* Names come out of directories, so there is no slash in one, nor is one empty. */
static bool can_be_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static void put(const char *path, uint8_t control, struct fuzz_input *input)
{
	char *text = contents + contents_used;
	size_t length;

	if (control & 0x80 && contents_used + TEXT_MAX < CONTENTS) {
		length = fuzz_text(input, text, TEXT_MAX);
		contents_used += length + 1;
		fuzz_kernel_file(path, text, length);
	} else {
		fuzz_kernel_file(path, usual[control & 15], strlen(usual[control & 15]));
	}
}

static void add_port(const char *device, struct fuzz_input *input)
{
	static const uint8_t contents_of[] = { 1, 2, 3, 4, 11, 11, 3, 5, 6, 7, 8, 8, 8, 8 };
	char path[160], number[12] = "1";
	uint8_t which = fuzz_u8(input);
	bool is_smi_disabled = which & 2;
	size_t i, length;

	if (which & 0x40)
		fuzz_text(input, number, sizeof(number));
	else
		number[0] = (char)('0' + (which >> 3 & 7));
	if (!can_be_name(number))
		return;
	length = (size_t)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%s/", device,
				  number);
	for (i = 0; i < sizeof(contents_of); i++) {
		if (which & 0x80 && i % 3 == (which & 7) % 3)
			continue;
		strcpy(path + length, port_files[i]);
		put(path, is_smi_disabled && i == CAP_MASK ? 13 : contents_of[i], input);
	}
}

static void add_device_file(const char *device, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	char path[160];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/%s", device,
		 device_files[which % 6]);
	put(path, fuzz_u8(input), input);
}

static void add_port_file(const char *device, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	char path[160];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%u/%s", device, which >> 4,
		 port_files[(which & 15) % 14]);
	put(path, fuzz_u8(input), input);
}

static void add_node(const char *device, struct fuzz_input *input)
{
	static const char *const prefixes[] = { "umad", "umad0", "issm", "umad1" };
	uint8_t which = fuzz_u8(input);
	char node[16], path[160];

	snprintf(node, sizeof(node), "%s%u", prefixes[which & 0x30 ? 0 : which >> 6], which & 7U);
	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/%s/ibdev", node);
	fuzz_kernel_file(path, device, strlen(device));
	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/%s/port", node);
	put(path, which & 8 ? fuzz_u8(input) : 11, input);
	if (which & 0x20) {
		snprintf(path, sizeof(path), "/sys/class/infiniband/%s/device/infiniband_mad/%s",
			 device, node);
		fuzz_kernel_file(path, NULL, 0);
	}
}

static void build_tree(struct fuzz_input *input)
{
	int files = FILES_MAX;
	uint8_t control;

	contents_used = 0;
	fuzz_kernel_file("/sys/class/infiniband_mad/abi_version", "5\n", 2);
	while (files-- && input->left) {
		control = fuzz_u8(input);
		if (control == 0xff)
			break;
		if (!can_be_name(names[control & 3]))
			continue;
		switch (control >> 2 & 7) {
		case 0:
		case 1:
			add_device_file(names[control & 3], input);
			break;
		case 2:
		case 3:
			add_port_file(names[control & 3], input);
			break;
		case 4:
			add_node(names[control & 3], input);
			break;
		default:
			add_port(names[control & 3], input);
		}
	}
}

static bool ends(const char *text, size_t size)
{
	return strnlen(text, size) < size;
}

static void check_port(const umad_port_t *port)
{
	FUZZ_CHECK(ends(port->ca_name, sizeof(port->ca_name)));
	FUZZ_CHECK(ends(port->link_layer, sizeof(port->link_layer)));
	FUZZ_CHECK(port->portnum >= 0 && port->portnum < 256);
	FUZZ_CHECK(!port->pkeys_size == !port->pkeys);
	if (port->pkeys)
		fuzz_touch(port->pkeys, port->pkeys_size * sizeof(*port->pkeys));
}

static void ask_ca(const char *name)
{
	umad_ca_t *ca = fuzz_guard(sizeof(*ca));
	int i, result;

	result = umad_get_ca(name, ca);
	FUZZ_CHECK(result == 0 || (result < 0 && errno == -result));
	if (result < 0)
		return;
	FUZZ_CHECK(ends(ca->ca_name, sizeof(ca->ca_name)) && ends(ca->fw_ver, sizeof(ca->fw_ver)));
	FUZZ_CHECK(ends(ca->ca_type, sizeof(ca->ca_type)) && ends(ca->hw_ver, sizeof(ca->hw_ver)));
	FUZZ_CHECK(ca->numports >= 0 && ca->numports < UMAD_CA_MAX_PORTS);
	for (i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		if (!ca->ports[i])
			continue;
		FUZZ_CHECK(ca->ports[i]->portnum == i && i <= ca->numports);
		check_port(ca->ports[i]);
	}
	FUZZ_CHECK(!umad_release_ca(ca) && !umad_release_ca(ca));
}

static void ask_port(const char *name, int number)
{
	umad_port_t *port = fuzz_guard(sizeof(*port));
	int result = umad_get_port(name, number, port);

	FUZZ_CHECK(result == 0 || (result < 0 && errno == -result));
	if (!result) {
		check_port(port);
		FUZZ_CHECK(!umad_release_port(port) && !port->pkeys);
	}
}

static void ask_guids(const char *name, int max)
{
	__be64 *guids = fuzz_guard((size_t)max * sizeof(*guids));
	int result = umad_get_ca_portguids(name, guids, max);

	FUZZ_CHECK(result <= max && result <= UMAD_CA_MAX_PORTS);
	if (result > 0)
		fuzz_touch(guids, (size_t)result * sizeof(*guids));
}

static void ask_names(int max)
{
	char(*list)[UMAD_CA_NAME_LEN] = fuzz_guard((size_t)max * sizeof(*list));
	int i, result = umad_get_cas_names(list, max);

	FUZZ_CHECK(result <= max);
	for (i = 0; i < result; i++) {
		FUZZ_CHECK(ends(list[i], sizeof(list[i])) && umad_device_name_valid(list[i]));
		FUZZ_CHECK(!i || strcmp(list[i - 1], list[i]) < 0);
	}
}

static void ask_list(void)
{
	struct umad_device_node *list, *node;

	errno = 0;
	list = umad_get_ca_device_list();
	FUZZ_CHECK(!list || !errno);
	FUZZ_CHECK(!umad_sort_ca_device_list(&list, 0));
	for (node = list; node && node->next; node = node->next)
		FUZZ_CHECK(strcmp(node->ca_name, node->next->ca_name) < 0);
	umad_free_ca_device_list(list);
}

static void check_pair(const struct umad_ca_pair *pair)
{
	FUZZ_CHECK(ends(pair->smi_name, sizeof(pair->smi_name)));
	FUZZ_CHECK(ends(pair->gsi_name, sizeof(pair->gsi_name)) && pair->gsi_name[0]);
	FUZZ_CHECK(pair->smi_preferred_port < UMAD_CA_MAX_PORTS);
	FUZZ_CHECK(pair->gsi_preferred_port < UMAD_CA_MAX_PORTS);
}

static void ask_pairs(const char *name, int number, int max)
{
	struct umad_ca_pair *pairs = fuzz_guard((size_t)max * sizeof(*pairs));
	int i, result = umad_get_smi_gsi_pairs(pairs, (size_t)max);

	FUZZ_CHECK(result <= max);
	for (i = 0; i < result; i++)
		check_pair(&pairs[i]);
	pairs = fuzz_guard(sizeof(*pairs));
	result = umad_get_smi_gsi_pair_by_ca_name(name, (uint8_t)number, pairs, max & 1);
	FUZZ_CHECK(result <= 0);
	if (!result)
		check_pair(pairs);
}

static void open_one(const char *name, int number)
{
	int fd;

	errno = 0;
	fd = number & 1 ? umad_open_port(name, number) : umad_open_smi_port(name, number);
	FUZZ_CHECK(fd >= 0 || errno > 0);
	if (fd >= 0)
		FUZZ_CHECK(!umad_close_port(fd));
}

/* Both ports of a pair, or none. */
static void open_pair(char *name, int number, unsigned enforce_smi)
{
	int classes[] = { 0x01, 0x81, 0x03 };
	struct ibmad_ports_pair *pair;

	errno = 0;
	pair = mad_rpc_open_port2(name, number, classes, 3, enforce_smi);
	FUZZ_CHECK(pair ? pair->smi.port && pair->gsi.port : errno > 0);
	if (pair)
		FUZZ_CHECK(ends(pair->smi.ca_name, UMAD_CA_NAME_LEN) &&
			   ends(pair->gsi.ca_name, UMAD_CA_NAME_LEN));
	mad_rpc_close_port2(pair);
}

static void ask_issm(const char *name, int number, int max)
{
	char *path = fuzz_guard((size_t)max);

	if (umad_get_issm_path(name, number, path, max) == 0)
		FUZZ_CHECK(ends(path, (size_t)max) && !strncmp(path, "/dev/infiniband/issm", 20));
}

struct question {
	uint8_t which, more;
};

static void ask(const struct question *question)
{
	char *name = question->which & 4 ? NULL : names[question->which & 3];
	int number = question->more & 15, max = question->more >> 4;

	switch (question->which >> 3 & 7) {
	case 0:
		ask_ca(name);
		break;
	case 1:
		ask_port(name, number);
		break;
	case 2:
		ask_guids(name, max);
		break;
	case 3:
		ask_names(max);
		break;
	case 4:
		ask_list();
		break;
	case 5:
		ask_pairs(name, number, max);
		break;
	case 6:
		ask_issm(name, number, 2 * max);
		break;
	default:
		if (question->which & 0x40)
			open_pair(name, number, question->which & 0x80);
		else
			open_one(name, number);
	}
}

void fuzz_target(struct fuzz_input *input)
{
	static const char sockets[] = "sk Eth\n0000 20  0\n";
	struct question questions[2];
	uint8_t control = fuzz_u8(input);
	size_t i;

	fuzz_bytes(input, questions, sizeof(questions));
	read_names(input);
	if (control & 2) {
		fuzz_kernel_file("/proc/net/netlink", sockets, sizeof(sockets) - 1);
		fuzz_netlink_talk(true);
	} else {
		build_tree(input);
	}
	fuzz_kernel_fail_files(control & 1);
	for (i = 0; i < 2; i++)
		ask(&questions[i]);
}
