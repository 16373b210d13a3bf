/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads a fabric that json_write() wrote, with the jansson library. A file may hold anything, so
 * every number is checked for its range, and mad_fabric_build() refuses what contradicts itself.
 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sweep.h"

struct reader {
	struct mad_fabric_node *nodes;
	struct mad_fabric_port *ports;
	json_t **peers; /* of each port, or NULL */
	size_t number_of_nodes;
	size_t number_of_ports;
};

static uint64_t read_guid(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? strtoull(text, NULL, 16) : 0;
}

static unsigned read_number(const json_t *object, const char *key, unsigned most)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 && value <= (json_int_t)most ? (unsigned)value : 0;
}

/* The number whose name is the string at key; 0 for none. */
static unsigned read_name(const json_t *object, const char *key, const char *(*name)(unsigned),
			  unsigned count)
{
	const char *text = json_string_value(json_object_get(object, key));

	for (unsigned i = 0; text && i < count; i++)
		if (!strcmp(text, name(i)))
			return i;
	return 0;
}

static void read_node(const json_t *object, struct mad_fabric_node *node)
{
	const char *name = json_string_value(json_object_get(object, "name"));

	node->guid = read_guid(object, "guid");
	node->system_guid = read_guid(object, "system_guid");
	node->vendor_id = read_number(object, "vendor_id", UINT32_MAX);
	node->device_id = (uint16_t)read_number(object, "device_id", UINT16_MAX);
	node->revision = read_number(object, "revision", UINT32_MAX);
	node->type = (uint8_t)read_name(object, "type", node_type_name, IB_NODE_ROUTER + 1);
	node->number_of_ports = (uint8_t)read_number(object, "number_of_ports", UINT8_MAX);
	if (name)
		snprintf(node->description, sizeof(node->description), "%s", name);
	if (json_object_get(object, "name_error"))
		node->description_error = EIO;
	if (json_is_true(json_object_get(object, "duplicate_guid")))
		node->same_guid = node; /* for mad_fabric_build(): known to be one more */
}

static void read_port(const json_t *object, const struct mad_fabric_node *node,
		      struct mad_fabric_port *port)
{
	const char *width = json_string_value(json_object_get(object, "width"));

	port->node = node;
	port->number = (uint8_t)read_number(object, "port", UINT8_MAX);
	port->guid = read_guid(object, "guid");
	port->has_info = json_object_get(object, "state") != NULL;
	port->state = (uint8_t)read_name(object, "state", port_state_name, 5);
	port->physical_state = (uint8_t)read_name(object, "physical_state", physical_state_name, 8);
	port->lid = (uint16_t)read_number(object, "lid", UINT16_MAX);
	port->lmc = (uint8_t)read_number(object, "lmc", 7);
	port->lanes = width ? (uint8_t)strtoul(width, NULL, 10) : 0;
	port->speed = (uint8_t)read_name(object, "speed", mad_fabric_speed_name,
					 MAD_FABRIC_SPEED_XDR + 1);
}

static int allocate(struct reader *reader, const json_t *nodes)
{
	size_t ports = 0, index;
	const json_t *node;

	json_array_foreach(nodes, index, node) ports +=
		json_array_size(json_object_get(node, "ports"));
	reader->number_of_nodes = json_array_size(nodes);
	reader->nodes = calloc(reader->number_of_nodes + 1, sizeof(*reader->nodes));
	reader->ports = calloc(ports + 1, sizeof(*reader->ports));
	reader->peers = calloc(ports + 1, sizeof(json_t *));
	return reader->nodes && reader->ports && reader->peers ? 0 : -1;
}

static void read_nodes(struct reader *reader, const json_t *nodes)
{
	const json_t *node, *port;
	size_t i, j;

	json_array_foreach(nodes, i, node)
	{
		read_node(node, &reader->nodes[i]);
		json_array_foreach(json_object_get(node, "ports"), j, port)
		{
			reader->peers[reader->number_of_ports] = json_object_get(port, "peer");
			read_port(port, &reader->nodes[i],
				  &reader->ports[reader->number_of_ports++]);
		}
	}
}

static int compare_ports(const struct mad_fabric_port *port, uint64_t guid, unsigned number)
{
	if (port->node->guid != guid)
		return port->node->guid < guid ? -1 : 1;
	return port->number - (int)number;
}

static int compare(const void *left, const void *right)
{
	const struct mad_fabric_port *const *a = left, *const *b = right;

	return compare_ports(*a, (*b)->node->guid, (*b)->number);
}

static struct mad_fabric_port *find(struct mad_fabric_port **sorted, size_t count, uint64_t guid,
				    unsigned number)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_ports(sorted[middle], guid, number) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && !compare_ports(sorted[low], guid, number) ? sorted[low] : NULL;
}

static int link_ports(struct reader *reader)
{
	size_t count = reader->number_of_ports;
	struct mad_fabric_port **sorted = calloc(count + 1, sizeof(struct mad_fabric_port *));

	if (!sorted)
		return -1;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &reader->ports[i];
	qsort(sorted, count, sizeof(struct mad_fabric_port *), compare);
	for (size_t i = 0; i < count; i++)
		if (reader->peers[i])
			reader->ports[i].peer =
				find(sorted, count, read_guid(reader->peers[i], "guid"),
				     read_number(reader->peers[i], "port", UINT8_MAX));
	/* Of nodes with one GUID, the file does not say which one a link leads to. */
	for (size_t i = 0; i < count; i++)
		if (reader->ports[i].peer && reader->ports[i].peer->peer != &reader->ports[i])
			reader->ports[i].peer = NULL;
	free(sorted);
	return 0;
}

static struct mad_fabric *build(const struct reader *reader)
{
	struct mad_fabric_description description = {
		.size = sizeof(description),
		.node_size = sizeof(struct mad_fabric_node),
		.port_size = sizeof(struct mad_fabric_port),
		.nodes = reader->nodes,
		.number_of_nodes = reader->number_of_nodes,
		.ports = reader->ports,
		.number_of_ports = reader->number_of_ports,
	};

	return mad_fabric_build(&description);
}

static struct mad_fabric *read_fabric(const json_t *document)
{
	const json_t *nodes = json_object_get(document, "nodes");
	struct mad_fabric *fabric = NULL;
	struct reader reader = { 0 };

	if (read_number(document, "schema", INT32_MAX) != FABRIC_SWEEP_SCHEMA ||
	    !json_is_array(nodes)) {
		errno = EINVAL;
		return NULL;
	}
	if (!allocate(&reader, nodes)) {
		read_nodes(&reader, nodes);
		if (!link_ports(&reader))
			fabric = build(&reader);
	}
	free(reader.nodes);
	free(reader.ports);
	free(reader.peers);
	return fabric;
}

struct mad_fabric *json_read(const char *option, const char *name)
{
	struct mad_fabric *fabric;
	json_error_t error;
	json_t *document;
	FILE *file = fopen(name, "re");

	if (!file) {
		complain("%s: %s: %s", option, name, strerror(errno));
		return NULL;
	}
	document = json_loadf(file, 0, &error);
	fclose(file);
	if (!document) {
		complain("%s: %s: line %d is not JSON: %s", option, name, error.line, error.text);
		return NULL;
	}
	fabric = read_fabric(document);
	if (!fabric)
		complain("%s: %s is not what --json of this fabric-sweep writes (schema %d)",
			 option, name, FABRIC_SWEEP_SCHEMA);
	json_decref(document);
	return fabric;
}
