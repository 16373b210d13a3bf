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
	int error; /* why the sweep had not come to its end; 0: it had */
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

/* Bytes in hexadecimal; what is not there, or something else, leaves text as it was. */
static void read_bytes(const json_t *object, const char *key, char *text, size_t size)
{
	const char *digits = json_string_value(json_object_get(object, key));
	size_t length = digits ? strlen(digits) / 2 : 0;
	unsigned byte;

	if (!length || length >= size || strspn(digits, "0123456789abcdef") != 2 * length)
		return;
	for (size_t i = 0; i < length; i++) {
		sscanf(digits + 2 * i, "%2x", &byte);
		text[i] = (char)byte;
	}
	text[length] = '\0';
}

static int read_error(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? error_of_text(text) : 0;
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
	read_bytes(object, "name_bytes", node->description, sizeof(node->description));
	node->description_error = read_error(object, "name_error");
	node->duplicate = read_number(object, "duplicate", UINT16_MAX);
	if (node->duplicate)
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
	port->info_error = read_error(object, "port_info_error");
	port->peer_error = read_error(object, "peer_error");
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

/* What names a port in a file. */
struct end {
	uint64_t guid;
	unsigned duplicate;
	unsigned number;
};

static struct end read_end(const json_t *object)
{
	return (struct end){ .guid = read_guid(object, "guid"),
			     .duplicate = read_number(object, "duplicate", UINT16_MAX),
			     .number = read_number(object, "port", UINT8_MAX) };
}

static int compare_ports(const struct mad_fabric_port *port, const struct end *end)
{
	if (port->node->guid != end->guid)
		return port->node->guid < end->guid ? -1 : 1;
	if (port->node->duplicate != end->duplicate)
		return port->node->duplicate < end->duplicate ? -1 : 1;
	return port->number - (int)end->number;
}

static int compare(const void *left, const void *right)
{
	const struct mad_fabric_port *const *a = left, *const *b = right;
	struct end end = { (*b)->node->guid, (*b)->node->duplicate, (*b)->number };

	return compare_ports(*a, &end);
}

static struct mad_fabric_port *find(struct mad_fabric_port **sorted, size_t count,
				    const struct end *end)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_ports(sorted[middle], end) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && !compare_ports(sorted[low], end) ? sorted[low] : NULL;
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
		if (reader->peers[i]) {
			struct end end = read_end(reader->peers[i]);

			reader->ports[i].peer = find(sorted, count, &end);
		}
	/* A file may hold anything. */
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
		.error = reader->error,
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
	reader.error = read_error(document, "error");
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
	if (ferror(file)) { /* a folder, for example */
		complain("%s: %s: %s", option, name, strerror(errno));
		json_decref(document);
		fclose(file);
		return NULL;
	}
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
