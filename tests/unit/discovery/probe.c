/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Prints the results of every discovery call on the host that the process sees, in lines of those
 * about one port. A device or port that was printed before is shown by its name alone (mlx5_0:1).
 * Usage: probe [default]; with "default" only the calls that name no device are made. The output is
 * compared with expected/, so it does not change without those files.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

enum { PORTS_TRIED = 4, PAIR_PORTS_TRIED = 3, TEXT_SIZE = 1024, MOST_TEXTS = 256 };

static char names[2 * UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];

static char texts[MOST_TEXTS][TEXT_SIZE]; /* of devices and ports that were printed */
static int text_count;

static const char *shown(const char *ca_name)
{
	return ca_name ? ca_name : "NULL";
}

static bool was_printed(const char *text)
{
	for (int i = 0; i < text_count; i++) {
		if (!strcmp(texts[i], text))
			return true;
	}
	if (text_count < MOST_TEXTS)
		strcpy(texts[text_count++], text);
	return false;
}

static void print_port(const umad_port_t *port)
{
	char text[TEXT_SIZE];
	int length = snprintf(
		text, sizeof(text),
		"ca=%s num=%d lid=%u lmc=%u smlid=%u smsl=%u state=%u phys=%u "
		"rate=%u cap=%08x prefix=%016" PRIx64 " guid=%016" PRIx64 " ll=%s pkeys=%u:",
		port->ca_name, port->portnum, port->base_lid, port->lmc, port->sm_lid, port->sm_sl,
		port->state, port->phys_state, port->rate, be32toh(port->capmask),
		(uint64_t)be64toh(port->gid_prefix), (uint64_t)be64toh(port->port_guid),
		port->link_layer, port->pkeys_size);

	for (unsigned int i = 0; i < port->pkeys_size && length < TEXT_SIZE; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, "%s%04x",
				   i ? "," : "", port->pkeys[i]);
	if (was_printed(text))
		printf("%s:%d", port->ca_name, port->portnum);
	else
		printf("%s", text);
}

static int print_names(void)
{
	struct umad_device_node *head, *node;
	char first[1][UMAD_CA_NAME_LEN];
	int count, i;

	count = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	printf("cas_names = %d:", count);
	for (i = 0; i < count; i++)
		printf(" %s", names[i]);
	printf("\ncas_names(max 1) = %d\n", umad_get_cas_names(first, 1));
	head = umad_get_ca_device_list();
	if (umad_sort_ca_device_list(&head, 0))
		exit(1);
	printf("device_list sorted:");
	for (node = head; node; node = node->next)
		printf(" %s", node->ca_name);
	putchar('\n');
	umad_free_ca_device_list(head);
	return count;
}

static void print_ca(const char *ca_name)
{
	char text[TEXT_SIZE];
	umad_ca_t ca;

	printf("get_ca(%s) = ", shown(ca_name));
	if (umad_get_ca(ca_name, &ca)) {
		puts("error");
		return;
	}
	snprintf(text, sizeof(text),
		 "name=%s type=%u nports=%d fw=%s catype=%s hw=%s node=%016" PRIx64
		 " sys=%016" PRIx64,
		 ca.ca_name, ca.node_type, ca.numports, ca.fw_ver, ca.ca_type, ca.hw_ver,
		 (uint64_t)be64toh(ca.node_guid), (uint64_t)be64toh(ca.system_guid));
	printf("%s\n", was_printed(text) ? ca.ca_name : text);
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		if (!ca.ports[i])
			continue;
		printf("  ");
		print_port(ca.ports[i]);
		putchar('\n');
	}
	umad_release_ca(&ca);
}

/* The device that was opened, or the error. */
static void print_open(const char *ca_name, int portnum, int (*open_port)(const char *, int))
{
	char link[64], target[256], *slash;
	ssize_t length;
	int portid;

	portid = open_port(ca_name, portnum);
	if (portid < 0) {
		printf("%d", portid);
		return;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", portid);
	length = readlink(link, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = '\0';
	slash = strrchr(target, '/');
	printf("%s", slash ? slash + 1 : target);
	umad_close_port(portid);
}

static void print_port_calls(const char *ca_name, int portnum)
{
	char path[256] = "";
	umad_port_t port;
	int ret;

	printf("port(%s,%d): get ", shown(ca_name), portnum);
	if (umad_get_port(ca_name, portnum, &port)) {
		printf("error");
	} else {
		print_port(&port);
		umad_release_port(&port);
	}
	printf(", open ");
	print_open(ca_name, portnum, umad_open_port);
	printf(", smi ");
	print_open(ca_name, portnum, umad_open_smi_port);
	ret = umad_get_issm_path(ca_name, portnum, path, sizeof(path));
	printf(", issm %s%s\n", ret ? "error" : "", path);
}

static void print_portguids(const char *ca_name)
{
	__be64 guids[16];
	int count, i;

	count = umad_get_ca_portguids(ca_name, guids, 16);
	printf("portguids(%s) = %d:", shown(ca_name), count);
	for (i = 0; i < count; i++)
		printf(" %016" PRIx64, (uint64_t)be64toh(guids[i]));
	putchar('\n');
}

static void print_pair_calls(const char *ca_name)
{
	struct umad_ca_pair pair;

	for (uint8_t portnum = 0; portnum < PAIR_PORTS_TRIED; portnum++) {
		printf("pair(%s,%d):", shown(ca_name), portnum);
		for (unsigned int enforce = 0; enforce < 2; enforce++) {
			int ret =
				umad_get_smi_gsi_pair_by_ca_name(ca_name, portnum, &pair, enforce);

			printf(enforce ? ", with an SMI " : " ");
			if (ret < 0)
				printf("error");
			else
				printf("%d smi=%s:%u gsi=%s:%u", ret, pair.smi_name,
				       pair.smi_preferred_port, pair.gsi_name,
				       pair.gsi_preferred_port);
		}
		putchar('\n');
	}
}

static void print_pairs(int cas)
{
	static struct umad_ca_pair pairs[UMAD_MAX_PORTS];
	int count, i;

	count = umad_get_smi_gsi_pairs(pairs, UMAD_MAX_PORTS);
	printf("smi_gsi_pairs = %d\n", count);
	for (i = 0; i < count; i++)
		printf("  smi=%s gsi=%s\n", pairs[i].smi_name, pairs[i].gsi_name);
	for (i = -1; i < cas; i++)
		print_pair_calls(i < 0 ? NULL : names[i]);
}

int main(int argc, char **argv)
{
	const char *ca_name;
	int cas, i, portnum;

	cas = print_names();
	if (argc > 1 && !strcmp(argv[1], "default"))
		cas = 0;
	for (i = -1; i < cas; i++) {
		ca_name = i < 0 ? NULL : names[i];
		print_ca(ca_name);
		for (portnum = 0; portnum < PORTS_TRIED; portnum++)
			print_port_calls(ca_name, portnum);
		print_portguids(ca_name);
	}
	printf("open_port(nosuch0,1) = ");
	print_open("nosuch0", 1, umad_open_port);
	putchar('\n');
	print_pairs(cas);
	return 0;
}
