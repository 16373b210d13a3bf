/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads a fabric that json_write() wrote, with the jansson library: node by node, since a document
 * takes ten times the memory of what it says. A file may hold anything, so every number is checked
 * for its range, and mad_fabric_build() refuses what contradicts itself.
 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sweep.h"

enum {
	WIDEST = 12, /* lanes of a link */
	FEC_MODES = 16
};

/* What names a port in a file. */
struct end {
	uint64_t guid;
	unsigned duplicate;
	unsigned port_number; /* 0: none */
};

struct reader {
	FILE *file;
	json_error_t why; /* text: what is no JSON, if something is not */
	struct mad_fabric_node *nodes;
	size_t *ports_of; /* each node */
	struct mad_fabric_port *ports;
	struct end *peers;			 /* of each port */
	struct mad_fabric_counter_value *values; /* port: NULL so far */
	size_t *value_ports;			 /* of each of them: its place in ports */
	size_t value_count;
	int64_t counters_time;
	int64_t last_complete;
	void *links;	 /* for links.c */
	int64_t time_ns; /* of the sweep */
	size_t node_count;
	size_t port_count;
	unsigned schema;
	int error; /* why the sweep had not come to its end; 0: it had */
};

static uint64_t read_guid(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? strtoull(text, NULL, 16) : 0;
}

static unsigned read_number(const json_t *object, const char *key, unsigned most)
{
	double value = json_number_value(json_object_get(object, key));

	return value > 0 && value <= most ? (unsigned)value : 0;
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

/* ISO 8601, UTC, as nanoseconds since 1970; 0 for anything else. */
static int64_t read_time(const json_t *value)
{
	const char *text = json_string_value(value);
	struct tm parts = { 0 };
	const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts) : NULL;

	return end && !*end ? timegm(&parts) * NS_PER_S : 0;
}

static void read_node(const json_t *object, struct mad_fabric_node *node)
{
	const char *name = json_string_value(json_object_get(object, "description"));

	if (!name) /* no node name map has another one */
		name = json_string_value(json_object_get(object, "name"));
	node->guid = read_guid(object, "guid");
	node->system_guid = read_guid(object, "system_guid");
	node->vendor_id = read_number(object, "vendor_id", UINT32_MAX);
	node->device_id = (uint16_t)read_number(object, "device_id", UINT16_MAX);
	node->revision = read_number(object, "revision", UINT32_MAX);
	node->type = (uint8_t)read_name(object, "type", node_type_name, IB_NODE_ROUTER + 1);
	node->port_count = (uint8_t)read_number(object, "number_of_ports", UINT8_MAX);
	if (name)
		snprintf(node->description, sizeof(node->description), "%s", name);
	read_bytes(object, "name_bytes", node->description, sizeof(node->description));
	node->description_error = read_error(object, "name_error");
	node->duplicate = read_number(object, "duplicate", UINT16_MAX);
	node->out_of_reach = json_is_true(json_object_get(object, "out_of_reach"));
	node->seen_ns = read_time(json_object_get(object, "seen"));
}

static uint8_t read_width(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	unsigned long width = text ? strtoul(text, NULL, 10) : 0;

	return width <= WIDEST ? (uint8_t)width : 0;
}

static void read_port(const json_t *object, struct mad_fabric_port *port)
{
	port->port_number = (uint8_t)read_number(object, "port", UINT8_MAX);
	port->guid = read_guid(object, "guid");
	port->has_info = json_object_get(object, "state") != NULL;
	port->state = (uint8_t)read_name(object, "state", port_state_name, 5);
	port->physical_state = (uint8_t)read_name(object, "physical_state", physical_state_name, 8);
	port->lid = (uint16_t)read_number(object, "lid", UINT16_MAX);
	port->lmc = (uint8_t)read_number(object, "lmc", 7);
	if (json_is_true(json_object_get(object, "subnet_manager")))
		mad_set_field(port->port_info, 0, IB_PORT_CAPMASK_F, IS_SM);
	port->info_error = read_error(object, "port_info_error");
	port->peer_error = read_error(object, "peer_error");
	port->width = read_width(object, "width");
	port->best_width = read_width(object, "enabled_width");
	port->best_speed = (uint8_t)read_name(object, "enabled_speed", mad_fabric_speed_name,
					      MAD_FABRIC_SPEED_XDR + 1);
	port->has_fec = json_object_get(object, "fec") != NULL;
	port->fec_mode = (uint8_t)read_name(object, "fec", mad_fec_name, FEC_MODES);
	port->speed = (uint8_t)read_name(object, "speed", mad_fabric_speed_name,
					 MAD_FABRIC_SPEED_XDR + 1);
}

static struct end read_end(const json_t *object)
{
	return (struct end){ .guid = read_guid(object, "guid"),
			     .duplicate = read_number(object, "duplicate", UINT16_MAX),
			     .port_number = read_number(object, "port", UINT8_MAX) };
}

/* One more element, which is zero: NULL without memory. */
static void *append(void *elements, size_t count, size_t size)
{
	bool full = count >= 64 ? !(count & (count - 1)) : !count;
	char *grown = full ? realloc(elements, (count ? 2 * count : 64) * size) : elements;

	if (grown)
		memset(grown + count * size, 0, size);
	return grown;
}

static int reserve_node(struct reader *reader)
{
	struct mad_fabric_node *nodes = append(reader->nodes, reader->node_count, sizeof(*nodes));
	size_t *ports_of = NULL;

	if (nodes) {
		reader->nodes = nodes;
		ports_of = append(reader->ports_of, reader->node_count, sizeof(*ports_of));
	}
	if (ports_of)
		reader->ports_of = ports_of;
	return ports_of ? 0 : -1;
}

static int reserve_port(struct reader *reader)
{
	struct mad_fabric_port *ports = append(reader->ports, reader->port_count, sizeof(*ports));
	struct end *peers = NULL;

	if (ports) {
		reader->ports = ports;
		peers = append(reader->peers, reader->port_count, sizeof(*peers));
	}
	if (peers)
		reader->peers = peers;
	return peers ? 0 : -1;
}

static int add_value(struct reader *reader, unsigned counter, uint64_t value)
{
	struct mad_fabric_counter_value *values =
		append(reader->values, reader->value_count, sizeof(*values));
	size_t *ports = NULL;

	if (values) {
		reader->values = values;
		ports = append(reader->value_ports, reader->value_count, sizeof(*ports));
	}
	if (!ports)
		return -1;
	reader->value_ports = ports;
	values[reader->value_count].counter = counter;
	values[reader->value_count].value = value;
	ports[reader->value_count++] = reader->port_count;
	return 0;
}

/* Text for what is beyond the numbers of JSON; false for anything that is no counter. */
static bool read_counter(const json_t *object, uint64_t *counter)
{
	const char *text = json_string_value(object);
	double number = json_number_value(object);
	char *end;

	if (!text) {
		*counter = number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
		return json_is_number(object) && number >= 0 && number < 0x1p64;
	}
	errno = 0;
	*counter = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* The counters of a port, if the file has any. */
static int take_counters(struct reader *reader, const json_t *object)
{
	const json_t *counters = json_object_get(object, "counters");
	uint64_t value;

	for (unsigned i = 0; counters && i < counter_count(); i++) {
		if (!read_counter(json_object_get(counters, mad_fabric_counter_get_kind(i)->name),
				  &value))
			continue;
		if (add_value(reader, i, value))
			return -1;
	}
	return 0;
}

/* The peer that a port had before its link went down, if the file knows one. */
static int take_last_peer(struct reader *reader, const json_t *port)
{
	const struct mad_fabric_node *node = &reader->nodes[reader->node_count];
	const json_t *peer = json_object_get(port, "last_peer");
	const char *name = json_string_value(json_object_get(peer, "name"));
	struct end end = read_end(peer);
	struct last_link link = {
		.from = { node->guid, node->duplicate, read_number(port, "port", UINT8_MAX) },
		.to = { end.guid, end.duplicate, end.port_number },
		.lid = read_number(peer, "lid", UINT16_MAX),
		.type = read_name(peer, "type", node_type_name, IB_NODE_ROUTER + 1),
	};

	if (!peer)
		return 0;
	snprintf(link.name, sizeof(link.name), "%s", name ? name : "");
	return links_add(&reader->links, &link) ? 0 : -1;
}

static int take_node(struct reader *reader, const json_t *object)
{
	const json_t *port, *peer;
	size_t i;

	if (reserve_node(reader))
		return -1;
	read_node(object, &reader->nodes[reader->node_count]);
	json_array_foreach(json_object_get(object, "ports"), i, port)
	{
		if (reserve_port(reader) || take_counters(reader, port) ||
		    take_last_peer(reader, port))
			return -1;
		read_port(port, &reader->ports[reader->port_count]);
		peer = json_object_get(port, "peer");
		if (peer)
			reader->peers[reader->port_count] = read_end(peer);
		reader->port_count++;
		reader->ports_of[reader->node_count]++;
	}
	reader->node_count++;
	return 0;
}

/* The next character that is no space. */
static int next(struct reader *reader)
{
	int c = getc(reader->file);

	while (c == ' ' || c == '\t' || c == '\n' || c == '\r')
		c = getc(reader->file);
	return c;
}

static int fail(struct reader *reader, const char *why)
{
	if (!*reader->why.text)
		snprintf(reader->why.text, sizeof(reader->why.text), "%s", why);
	return -1;
}

/*
 * An object, array or string that begins with c: jansson reads no character behind it. Counters of
 * 64 bits are beyond its integers.
 */
static json_t *load(struct reader *reader, int c)
{
	ungetc(c, reader->file);
	return json_loadf(reader->file,
			  JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL,
			  &reader->why);
}

/* A number, true, false or null, as far as it matters. */
static unsigned long read_word(struct reader *reader, int c)
{
	char word[32];
	size_t length = 0;

	for (; c != EOF && !strchr(" \t\r\n,]}", c); c = getc(reader->file))
		if (length < sizeof(word) - 1)
			word[length++] = (char)c;
	ungetc(c, reader->file);
	word[length] = '\0';
	return strtoul(word, NULL, 10);
}

static int read_nodes(struct reader *reader)
{
	int c = next(reader), result = 0;

	while (c == '{' && !result) {
		json_t *object = load(reader, c);

		if (!object)
			return -1;
		result = take_node(reader, object);
		json_decref(object);
		c = next(reader);
		if (c == ',')
			c = next(reader);
	}
	return result || c == ']' ? result : fail(reader, "an element of nodes is no object");
}

/* What a key stands for; of most, nothing is needed. */
static int read_value(struct reader *reader, const char *key)
{
	int c = next(reader);
	json_t *value;

	if (c == '[' && !strcmp(key, "nodes"))
		return read_nodes(reader);
	if (c != '{' && c != '[' && c != '"') {
		unsigned long number = read_word(reader, c);

		if (!strcmp(key, "schema"))
			reader->schema = number <= UINT16_MAX ? (unsigned)number : 0;
		if (!strcmp(key, "counters_timestamp") && number <= INT64_MAX)
			reader->counters_time = (int64_t)number;
		if (!strcmp(key, "last_complete") && number <= INT64_MAX)
			reader->last_complete = (int64_t)number;
		return 0;
	}
	value = load(reader, c);
	if (value && !strcmp(key, "error") && json_is_string(value))
		reader->error = error_of_text(json_string_value(value));
	if (value && !strcmp(key, "time"))
		reader->time_ns = read_time(value);
	json_decref(value);
	return value ? 0 : -1;
}

static int read_member(struct reader *reader, int c)
{
	json_t *key = c == '"' ? load(reader, c) : NULL;
	int result = -1;

	if (!key || next(reader) != ':')
		fail(reader, "a name and a colon expected");
	else
		result = read_value(reader, json_string_value(key));
	json_decref(key);
	return result;
}

static int read_document(struct reader *reader)
{
	int c = next(reader);

	if (c != '{')
		return fail(reader, "'{' expected");
	do {
		if (read_member(reader, next(reader)))
			return -1;
		c = next(reader);
	} while (c == ',');
	return c == '}' && next(reader) == EOF ? 0 : fail(reader, "',' or '}' expected");
}

/* The arrays stay where they are from now on. */
static void set_nodes(struct reader *reader)
{
	struct mad_fabric_port *port = reader->ports;

	for (size_t i = 0; i < reader->node_count; i++) {
		struct mad_fabric_node *node = &reader->nodes[i];

		if (!node->out_of_reach)
			node->seen_ns = reader->time_ns;
		if (node->duplicate)
			node->same_guid = node; /* for mad_fabric_build(): known to be one more */
		for (size_t j = 0; j < reader->ports_of[i]; j++)
			port++->node = node;
	}
}

static int compare_ports(const struct mad_fabric_port *port, const struct end *end)
{
	if (port->node->guid != end->guid)
		return port->node->guid < end->guid ? -1 : 1;
	if (port->node->duplicate != end->duplicate)
		return port->node->duplicate < end->duplicate ? -1 : 1;
	return port->port_number - (int)end->port_number;
}

static int compare(const void *left, const void *right)
{
	const struct mad_fabric_port *const *a = left, *const *b = right;
	struct end end = { (*b)->node->guid, (*b)->node->duplicate, (*b)->port_number };

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
	size_t count = reader->port_count;
	struct mad_fabric_port **sorted = calloc(count + 1, sizeof(struct mad_fabric_port *));

	if (!sorted)
		return -1;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &reader->ports[i];
	qsort(sorted, count, sizeof(struct mad_fabric_port *), compare);
	for (size_t i = 0; i < count; i++)
		if (reader->peers[i].port_number)
			reader->ports[i].peer = find(sorted, count, &reader->peers[i]);
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
		.node_size = sizeof(struct mad_fabric_node),
		.port_size = sizeof(struct mad_fabric_port),
		.nodes = reader->nodes,
		.node_count = reader->node_count,
		.ports = reader->ports,
		.port_count = reader->port_count,
		.time_ns = reader->time_ns,
		.error = reader->error,
	};

	return mad_fabric_build(&description);
}

static struct mad_fabric *read_fabric(const char *option, const char *name, struct reader *reader)
{
	struct mad_fabric *fabric = NULL;
	int result = read_document(reader);

	if (ferror(reader->file)) { /* a folder, for example */
		complain("%s: %s: %s", option, name, strerror(errno));
		return NULL;
	}
	if (result) {
		complain("%s: %s: near byte %ld, this is not JSON: %s", option, name,
			 ftell(reader->file),
			 *reader->why.text ? reader->why.text : strerror(ENOMEM));
		return NULL;
	}
	set_nodes(reader);
	if (reader->schema == FABRIC_SWEEP_SCHEMA && reader->ports_of && !link_ports(reader))
		fabric = build(reader);
	if (!fabric)
		complain("%s: %s is not what --json of this fabric-sweep writes (schema %d)",
			 option, name, FABRIC_SWEEP_SCHEMA);
	return fabric;
}

/* The port of the fabric that was built; NULL: none. */
static const struct mad_fabric_port *find_built(const struct mad_fabric *fabric,
						const struct mad_fabric_port *port)
{
	const struct mad_fabric_node *wanted = port->node;
	const struct mad_fabric_node *node = mad_fabric_find_node(fabric, wanted->guid);

	if (node && node->duplicate != wanted->duplicate) { /* another one with this GUID */
		node = NULL;
		while ((node = mad_fabric_next_node(fabric, node)) &&
		       (node->guid != wanted->guid || node->duplicate != wanted->duplicate))
			;
	}
	return node ? mad_fabric_get_port(node, port->port_number) : NULL;
}

static bool build_counters(struct reader *reader, struct state *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < reader->value_count; i++) {
		reader->values[kept] = reader->values[i];
		reader->values[kept].port =
			find_built(state->fabric, &reader->ports[reader->value_ports[i]]);
		kept += reader->values[kept].port != NULL;
	}
	state->counters_time = reader->counters_time;
	if (kept)
		state->counters = mad_fabric_counters_build(state->fabric, reader->values, kept);
	return !kept || state->counters;
}

bool json_read(const char *option, const char *name, struct state *state)
{
	struct reader reader = { .file = fopen(name, "re") };

	if (!reader.file) {
		complain("%s: %s: %s", option, name, strerror(errno));
		return false;
	}
	state->fabric = read_fabric(option, name, &reader);
	state->last_complete = reader.last_complete;
	state->links = reader.links;
	if (state->fabric && !links_update(&state->links, state->fabric))
		state_free(state);
	if (state->fabric && !build_counters(&reader, state)) {
		complain("%s: %s: %s", option, name, strerror(errno));
		state_free(state);
	}
	fclose(reader.file);
	free(reader.nodes);
	free(reader.ports_of);
	free(reader.ports);
	free(reader.peers);
	free(reader.values);
	free(reader.value_ports);
	if (!state->fabric)
		state_free(state);
	return state->fabric;
}
