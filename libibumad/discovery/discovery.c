/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The public functions that list devices, and that describe a device or a port. Input: the caller's
 * choice and sysfs, through the files of lower layers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_device_names names;
	int result, filled = 0;

	if (!cas && max > 0)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	result = umad_device_read_names(&source, &names);
	umad_device_sort_names(&names);
	for (size_t i = 0; i < names.count && filled < max; i++)
		if (umad_device_read_type(&source, names.device[i].name))
			memcpy(cas[filled++], names.device[i].name, UMAD_CA_NAME_LEN);
	free(names.device);
	umad_source_close(&source);
	return umad_state_finish(umad_sys_resource_error_or(result < 0 ? result : filled));
}

/* An entry and its name, in one block of memory; NULL if out of memory. */
static struct umad_device_node *make_node(const char *name)
{
	size_t size = strlen(name) + 1;
	struct umad_device_node *node = malloc(sizeof(*node) + size);

	if (node)
		*node = (struct umad_device_node){ .ca_name = memcpy(node + 1, name, size) };
	return node;
}

struct umad_device_node *umad_get_ca_device_list(void)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_device_node *head = NULL, **end = &head;
	struct umad_device_names names;
	int result;

	umad_sys_clear_resource_error();
	result = umad_device_read_names(&source, &names);
	for (size_t i = 0; !result && i < names.count; i++) {
		if (!umad_device_read_type(&source, names.device[i].name))
			continue;
		*end = make_node(names.device[i].name);
		if (*end)
			end = &(*end)->next;
		else
			result = -ENOMEM;
	}
	result = umad_sys_resource_error_or(result);
	free(names.device);
	umad_source_close(&source);
	if (result < 0) {
		umad_free_ca_device_list(head);
		head = NULL;
	}
	errno = -result;
	return head;
}

void umad_free_ca_device_list(struct umad_device_node *head)
{
	struct umad_device_node *next;

	for (; head; head = next) {
		next = head->next;
		free(head);
	}
}

int umad_sort_ca_device_list(struct umad_device_node **head, size_t size)
{
	struct umad_device_node *sorted = NULL, **place, *node, *next;
	size_t count = 0;

	if (!head)
		return EINVAL;
	for (node = *head; node; node = node->next)
		count++;
	if (size && size != count)
		return EINVAL;
	for (node = *head; node; node = next) {
		next = node->next;
		for (place = &sorted; *place; place = &(*place)->next)
			if (strcmp((*place)->ca_name, node->ca_name) > 0)
				break;
		node->next = *place;
		*place = node;
	}
	*head = sorted;
	return 0;
}

/* With port 1 a device name is taken as it is: no port is chosen, no device looked for. */
#define NAMED_OR_ANY(ca_name) ((ca_name) ? 1 : UMAD_ANY_PORT)

int umad_get_ca(const char *ca_name, umad_ca_t *ca)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_port_choice choice;
	int error;

	if (!ca)
		return umad_state_finish(-EINVAL);
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
