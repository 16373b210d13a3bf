/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* cases-discovery.c - lists of devices, devices and ports. */
#include "host-rules.h"

#include <stdio.h>
#include <string.h>

static const struct fault_rule rules[] = { RULES(ENODEV) };
static const struct fault_rule port_rules[] = { RULES(ENODEV, EINVAL) };

/*
 * Lists of devices
 */

static const char (*names_in(const uint8_t *output))[UMAD_CA_NAME_LEN]
{
	return (const void *)(output + sizeof(int));
}

static int count_in(const uint8_t *output)
{
	int count;

	memcpy(&count, output, sizeof(count));
	return count;
}

static void put_names(struct fault_run *run, const char (*names)[UMAD_CA_NAME_LEN], int count)
{
	memset(run->output, 0, sizeof(run->output));
	memcpy(run->output, &count, sizeof(count));
	if (count > 0)
		memcpy(run->output + sizeof(count), names, (size_t)count * UMAD_CA_NAME_LEN);
}

/* Some of the names, in the same order. */
static bool has_fewer_names(const struct fault_run *run, const uint8_t *whole)
{
	int there = 0;

	for (int i = 0; i < count_in(run->output); i++, there++) {
		while (there < count_in(whole) &&
		       strcmp(names_in(whole)[there], names_in(run->output)[i]) != 0)
			there++;
		if (there == count_in(whole))
			return false;
	}
	return true;
}

static void call_cas_names(struct fault_run *run)
{
	char names[8][UMAD_CA_NAME_LEN];
	int count;

	fault_begin(run);
	count = fault_negative(run, umad_get_cas_names(names, 8));
	if (!run->failed)
		put_names(run, (const char(*)[UMAD_CA_NAME_LEN])names, count);
}

/*
 * Ports. In the output: the port, its P_Keys behind it in place of the pointer to them.
 */

struct port_output {
	umad_port_t port;
	uint16_t pkeys[8];
};

/* Releases the port, too. */
static void put_port(struct fault_run *run, struct port_output *output, umad_port_t *port)
{
	memset(output, 0, sizeof(*output));
	FAULT_EXPECT(run, !port->pkeys_size == !port->pkeys);
	FAULT_EXPECT(run, port->pkeys_size <= 128);
	for (unsigned int i = 0; i < port->pkeys_size && i < 8; i++)
		output->pkeys[i] = port->pkeys[i];
	output->port = *port;
	output->port.pkeys = NULL;
	umad_release_port(port);
}

static bool number_or_0(uint64_t value, uint64_t whole)
{
	return value == whole || !value;
}

/* Each attribute is right, or missing. */
static bool port_has_less(const struct port_output *output, const struct port_output *whole)
{
	const umad_port_t *port = &output->port, *all = &whole->port;
	bool pkeys = port->pkeys_size <= all->pkeys_size;

	for (int i = 0; i < 8; i++)
		pkeys = pkeys && number_or_0(output->pkeys[i], whole->pkeys[i]);
	return pkeys && !strcmp(port->ca_name, all->ca_name) && port->portnum == all->portnum &&
	       number_or_0(port->base_lid, all->base_lid) && number_or_0(port->lmc, all->lmc) &&
	       number_or_0(port->sm_lid, all->sm_lid) && number_or_0(port->sm_sl, all->sm_sl) &&
	       number_or_0(port->state, all->state) &&
	       number_or_0(port->phys_state, all->phys_state) &&
	       number_or_0(port->rate, all->rate) && number_or_0(port->capmask, all->capmask) &&
	       number_or_0(port->gid_prefix, all->gid_prefix) &&
	       number_or_0(port->port_guid, all->port_guid) &&
	       (!strcmp(port->link_layer, all->link_layer) || !strcmp(port->link_layer, "IB") ||
		!port->link_layer[0]);
}

static void get_port(struct fault_run *run, const char *ca_name, int portnum)
{
	umad_port_t port;

	memset(&port, FAULT_FILL, sizeof(port));
	fault_begin(run);
	fault_negative(run, umad_get_port(ca_name, portnum, &port));
	if (!run->failed)
		put_port(run, (struct port_output *)run->output, &port);
	else /* nothing in it to be freed: it was not looked at, or it is empty */
		FAULT_EXPECT(run, !port.pkeys || port.pkeys_size == 0xa5a5a5a5);
}

static bool get_port_less(const struct fault_run *run, const uint8_t *whole)
{
	return port_has_less((const void *)run->output, (const void *)whole);
}

/* Another port than undisturbed, because it can't be seen that the first is better. */
static bool other_port(const struct fault_run *run, const uint8_t *whole)
{
	const umad_port_t *port = &((const struct port_output *)run->output)->port;

	return get_port_less(run, whole) ||
	       (!strncmp(port->ca_name, "mlx5_", 5) && port->portnum > 0) ||
	       !strcmp(port->ca_name, "rxe0");
}

/*
 * Devices
 */

struct ca_output {
	umad_ca_t ca;
	struct port_output port[3];
};

static void get_ca(struct fault_run *run, const char *ca_name)
{
	struct ca_output *output = (struct ca_output *)run->output;
	umad_ca_t ca;

	memset(&ca, FAULT_FILL, sizeof(ca));
	fault_begin(run);
	fault_negative(run, umad_get_ca(ca_name, &ca));
	if (run->failed) {
		for (int i = 0; i < UMAD_CA_MAX_PORTS; i++)
			FAULT_EXPECT(run, !ca.ports[i] || (uint8_t)ca.node_type == FAULT_FILL);
		return;
	}
	memset(output, 0, sizeof(*output));
	output->ca = ca;
	memset(output->ca.ports, 0, sizeof(output->ca.ports));
	for (int i = 0; i < 3; i++)
		if (ca.ports[i])
			put_port(run, &output->port[i], ca.ports[i]);
	umad_release_ca(&ca);
}

static bool text_or_none(const char *text, const char *whole)
{
	return !text[0] || !strcmp(text, whole);
}

static bool get_ca_less(const struct fault_run *run, const uint8_t *whole_output)
{
	const struct ca_output *output = (const void *)run->output;
	const struct ca_output *whole = (const void *)whole_output;
	const umad_ca_t *ca = &output->ca, *all = &whole->ca;
	int highest = 0;

	for (int i = 0; i < 3; i++) {
		if (output->port[i].port.ca_name[0])
			highest = i;
		if (output->port[i].port.ca_name[0] &&
		    !port_has_less(&output->port[i], &whole->port[i]))
			return false;
	}
	return ca->numports == highest && !strcmp(ca->ca_name, all->ca_name) &&
	       number_or_0(ca->node_type, all->node_type) &&
	       number_or_0(ca->node_guid, all->node_guid) &&
	       number_or_0(ca->system_guid, all->system_guid) &&
	       text_or_none(ca->fw_ver, all->fw_ver) && text_or_none(ca->hw_ver, all->hw_ver) &&
	       text_or_none(ca->ca_type, all->ca_type);
}

static bool other_ca(const struct fault_run *run, const uint8_t *whole)
{
	const struct ca_output *output = (const void *)run->output;

	return strcmp(output->ca.ca_name, ((const struct ca_output *)whole)->ca.ca_name) != 0 ||
	       get_ca_less(run, whole);
}

static bool fewer_guids(const struct fault_run *run, const uint8_t *whole)
{
	__be64 guids[4], all[4];

	memcpy(guids, run->output, sizeof(guids));
	memcpy(all, whole, sizeof(all));
	for (int i = 0; i < 4; i++)
		if (!number_or_0(guids[i], all[i]))
			return false;
	return true;
}

FAULT_DO(call_cas_names(run), umad_get_cas_names, NULL, host_sysfs, FAULT_UNTOUCHED,
	 FAULT_RULES(rules), .less = has_fewer_names, .also = &host_netlink)
FAULT_DO(call_cas_names(run), umad_get_cas_names, NULL, host_unloaded, FAULT_FRESH,
	 FAULT_RULES(rules), .less = has_fewer_names)

/* NULL is a failure only with an errno. */
FAULT(umad_get_ca_device_list, NULL, host_sysfs, 0, FAULT_RULES(rules), .less = has_fewer_names,
      .also = &host_netlink)
{
	char names[8][UMAD_CA_NAME_LEN] = { "" };
	struct umad_device_node *list, *node;
	int count = 0;

	fault_begin(run);
	list = umad_get_ca_device_list();
	fault_end(run);
	if (!list && run->saved_errno) {
		fault_pointer(run, list);
		return;
	}
	fault_cannot_fail(run);
	for (node = list; node; node = node->next)
		snprintf(names[count++], UMAD_CA_NAME_LEN, "%s", node->ca_name);
	put_names(run, (const char(*)[UMAD_CA_NAME_LEN])names, count);
	umad_free_ca_device_list(list);
}

/* A list that could not be sorted is as it was, and whole. */
FAULT(umad_sort_ca_device_list, NULL, host_netlink, 0)
{
	struct umad_device_node *list = umad_get_ca_device_list(), *node;
	char names[8][UMAD_CA_NAME_LEN] = { "" };
	const void *first = list;
	int count = 0;

	fault_begin(run);
	fault_positive(run, umad_sort_ca_device_list(&list, 0));
	for (node = list; node; node = node->next)
		snprintf(names[count++], UMAD_CA_NAME_LEN, "%s", node->ca_name);
	FAULT_EXPECT(run, !run->failed || (list == first && count == 2));
	if (!run->failed)
		put_names(run, (const char(*)[UMAD_CA_NAME_LEN])names, count);
	umad_free_ca_device_list(list);
}

FAULT_DO(get_port(run, "mlx5_0", 2), umad_get_port, NULL, host_sysfs, FAULT_UNTOUCHED,
	 FAULT_RULES(port_rules), .less = get_port_less, .also = &host_netlink)
FAULT_DO(get_port(run, NULL, 0), umad_get_port, "of the default port", host_sysfs, FAULT_UNTOUCHED,
	 FAULT_RULES(rules), .less = other_port, .also = &host_netlink)

FAULT_DO(get_ca(run, "mlx5_0"), umad_get_ca, NULL, host_sysfs, FAULT_UNTOUCHED, FAULT_RULES(rules),
	 .less = get_ca_less, .also = &host_netlink)
FAULT_DO(get_ca(run, NULL), umad_get_ca, "of the default port", host_sysfs, FAULT_UNTOUCHED,
	 FAULT_RULES(rules), .less = other_ca)

FAULT(umad_get_ca_portguids, NULL, host_sysfs, FAULT_UNTOUCHED, FAULT_RULES(rules),
      .less = fewer_guids)
{
	__be64 guids[4] = { 0 };

	fault_begin(run);
	fault_negative(run, umad_get_ca_portguids("mlx5_0", guids, 4));
	if (!run->failed)
		memcpy(run->output, guids, sizeof(guids));
}
