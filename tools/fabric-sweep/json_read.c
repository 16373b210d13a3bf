/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads a fabric that json_write() wrote, with the jansson library: node by node, since a document
 * takes five times the memory of its text. A file may hold anything: values of the wrong type or
 * range are refused, and mad_fabric_build() refuses what contradicts itself. Words that a later
 * version may have added are unknown values.
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

struct reader {
	FILE *file;
	char last;	   /* read of file */
	json_error_t why;  /* text: where this is no JSON; empty: it is */
	const char *wrong; /* the first member that json_write() would not write so */
	json_t *head;	   /* members of the document that are neither objects nor arrays */
	struct file_fabric found;
	struct list values; /* mad_fabric_counter_value; bits: the index of the port in found */
	void *links;	    /* for links.c */
};

static void refuse(struct reader *reader, const char *key)
{
	if (!reader->wrong)
		reader->wrong = key;
}

/* The text of a member; NULL: there is none. */
static const char *read_text(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (value && !json_is_string(value))
		refuse(reader, key);
	return json_string_value(value);
}

/* The object of a member; NULL: there is none. */
static const json_t *read_object(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (value && !json_is_object(value))
		refuse(reader, key);
	return value;
}

static uint64_t read_guid(struct reader *reader, const json_t *object, const char *key)
{
	const char *text = read_text(reader, object, key);
	char *end;
	uint64_t guid;

	if (!text)
		return 0;
	guid = strtoull(text, &end, 16);
	if (strlen(text) != 18 || strncmp(text, "0x", 2) != 0 || *end ||
	    strspn(text + 2, "0123456789abcdef") != 16)
		refuse(reader, key);
	return guid;
}

static uint64_t read_number(struct reader *reader, const json_t *object, const char *key,
			    uint64_t most)
{
	const json_t *value = json_object_get(object, key);
	double number = json_number_value(value);

	if (!value)
		return 0;
	if (!json_is_number(value) || number < 0 || number > (double)most ||
	    (double)(uint64_t)number != number) {
		refuse(reader, key);
		return 0;
	}
	return (uint64_t)number;
}

/* The number whose name is the text of a member; 0 for none. */
static uint8_t read_name(struct reader *reader, const json_t *object, const char *key,
			 const char *(*name)(unsigned), unsigned count)
{
	const char *text = read_text(reader, object, key);

	for (unsigned i = 0; text && i < count; i++)
		if (!strcmp(text, name(i)))
			return (uint8_t)i;
	return 0;
}

static int read_error(struct reader *reader, const json_t *object, const char *key)
{
	const char *text = read_text(reader, object, key);

	return text ? error_of_text(text) : 0;
}

/* ISO 8601, UTC, as nanoseconds since 1970; 0 for anything else. */
static int64_t read_time(struct reader *reader, const json_t *object, const char *key)
{
	const char *text = read_text(reader, object, key);
	struct tm parts = { 0 };
	const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &parts) : NULL;

	return end && !*end ? timegm(&parts) * NS_PER_S : 0;
}

/* "4x" */
static uint8_t read_width(struct reader *reader, const json_t *object, const char *key)
{
	const char *text = read_text(reader, object, key);
	unsigned long width = text ? strtoul(text, NULL, 10) : 0;

	if (width > WIDEST)
		refuse(reader, key);
	return (uint8_t)width;
}

/* A description that is not UTF-8 is in name_bytes, in hexadecimal. */
static void read_description(struct reader *reader, const json_t *object, char *text, size_t size)
{
	const char *name = read_text(reader, object, "description");
	const char *digits = read_text(reader, object, "name_bytes");
	size_t length = digits ? strlen(digits) / 2 : 0;
	unsigned byte;

	if (!name) /* no node name map has another one */
		name = read_text(reader, object, "name");
	snprintf(text, size, "%s", name ? name : "");
	if (!digits)
		return;
	if (length >= size || strspn(digits, "0123456789abcdef") != 2 * length ||
	    digits[2 * length]) {
		refuse(reader, "name_bytes");
		return;
	}
	memset(text, 0, size);
	for (size_t i = 0; i < length && sscanf(digits + 2 * i, "%2x", &byte) == 1; i++)
		text[i] = (char)byte;
}

static void read_node(struct reader *reader, const json_t *object, struct mad_fabric_node *node)
{
	node->guid = read_guid(reader, object, "guid");
	node->system_guid = read_guid(reader, object, "system_guid");
	node->vendor_id = (uint32_t)read_number(reader, object, "vendor_id", UINT32_MAX);
	node->device_id = (uint16_t)read_number(reader, object, "device_id", UINT16_MAX);
	node->revision = (uint32_t)read_number(reader, object, "revision", UINT32_MAX);
	node->type = read_name(reader, object, "type", node_type_name, IB_NODE_ROUTER + 1);
	node->port_count = (uint8_t)read_number(reader, object, "number_of_ports", UINT8_MAX);
	read_description(reader, object, node->description, sizeof(node->description));
	node->description_error = read_error(reader, object, "name_error");
	node->duplicate = (unsigned)read_number(reader, object, "duplicate", UINT16_MAX);
	node->out_of_reach = json_is_true(json_object_get(object, "out_of_reach"));
	node->seen_ns = read_time(reader, object, "seen");
}

static void read_port(struct reader *reader, const json_t *object, struct mad_fabric_port *port)
{
	port->guid = read_guid(reader, object, "guid");
	port->has_info = json_object_get(object, "state") != NULL;
	port->state = read_name(reader, object, "state", port_state_name, 5);
	port->physical_state = read_name(reader, object, "physical_state", physical_state_name, 8);
	port->lid = (uint16_t)read_number(reader, object, "lid", UINT16_MAX);
	port->lmc = (uint8_t)read_number(reader, object, "lmc", 7);
	if (json_is_true(json_object_get(object, "subnet_manager")))
		mad_set_field(port->port_info, 0, IB_PORT_CAPMASK_F, IS_SM);
	port->info_error = read_error(reader, object, "port_info_error");
	port->peer_error = read_error(reader, object, "peer_error");
	port->width = read_width(reader, object, "width");
	port->best_width = read_width(reader, object, "enabled_width");
	port->speed =
		read_name(reader, object, "speed", mad_fabric_speed_name, MAD_FABRIC_SPEED_XDR + 1);
	port->best_speed = read_name(reader, object, "enabled_speed", mad_fabric_speed_name,
				     MAD_FABRIC_SPEED_XDR + 1);
	port->has_fec = json_object_get(object, "fec") != NULL;
	port->fec_mode = read_name(reader, object, "fec", mad_fec_name, FEC_MODES);
}

static struct link_end read_end(struct reader *reader, const json_t *object)
{
	return (struct link_end){
		.guid = read_guid(reader, object, "guid"),
		.duplicate = (unsigned)read_number(reader, object, "duplicate", UINT16_MAX),
		.port_number = (unsigned)read_number(reader, object, "port", UINT8_MAX)
	};
}

/* A number; or text for a number beyond those of JSON. Returns false for anything else. */
static bool read_counter(const json_t *value, uint64_t *counter)
{
	const char *text = json_string_value(value);
	double number = json_number_value(value);
	char *end;

	if (!text) {
		*counter = number >= 0 && number < 0x1p64 ? (uint64_t)number : 0;
		return json_is_number(value) && number >= 0 && number < 0x1p64;
	}
	errno = 0;
	*counter = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* The counters of the newest port, if the file has any. */
static int take_counters(struct reader *reader, const json_t *counters)
{
	for (unsigned i = 0; counters && i < counter_count(); i++) {
		const char *name = mad_fabric_counter_get_kind(i)->name;
		const json_t *member = json_object_get(counters, name);
		struct mad_fabric_counter_value *value;
		uint64_t number;

		if (!member)
			continue;
		if (!read_counter(member, &number))
			refuse(reader, name);
		value = list_add(&reader->values, sizeof(*value));
		if (!value)
			return -ENOMEM;
		value->counter = i;
		value->value = number;
		value->bits = (uint32_t)reader->found.ports.count - 1;
	}
	return 0;
}

/* The peer that a port had before its link went down, if the file knows one. */
static int take_last_peer(struct reader *reader, const json_t *peer, struct link_end port)
{
	struct last_link link = { .from = port };
	const char *name = read_text(reader, peer, "name");

	if (!peer)
		return 0;
	link.to = read_end(reader, peer);
	link.lid = (unsigned)read_number(reader, peer, "lid", UINT16_MAX);
	link.type = read_name(reader, peer, "type", node_type_name, IB_NODE_ROUTER + 1);
	snprintf(link.name, sizeof(link.name), "%s", name ? name : "");
	return links_add(&reader->links, &link) ? 0 : -ENOMEM;
}

static int take_node(struct reader *reader, const json_t *object)
{
	struct mad_fabric_node *node = list_add(&reader->found.nodes, sizeof(*node));
	const json_t *ports = json_object_get(object, "ports"), *value;
	size_t i;

	if (!node)
		return -ENOMEM;
	read_node(reader, object, node);
	if (ports && !json_is_array(ports))
		refuse(reader, "ports");
	json_array_foreach(ports, i, value)
	{
		struct file_port *port = list_add(&reader->found.ports, sizeof(*port));

		if (!port)
			return -ENOMEM;
		if (!json_is_object(value))
			refuse(reader, "ports");
		read_port(reader, value, &port->port);
		port->end = (struct link_end){ node->guid, node->duplicate,
					       (unsigned)read_number(reader, value, "port",
								     UINT8_MAX) };
		port->peer = read_end(reader, read_object(reader, value, "peer"));
		if (take_last_peer(reader, read_object(reader, value, "last_peer"), port->end) ||
		    take_counters(reader, read_object(reader, value, "counters")))
			return -ENOMEM;
	}
	return 0;
}

/* jansson gets a byte at a time: only behind a number or word it reads a byte too many. */
static size_t give_byte(void *byte, size_t size, void *context)
{
	struct reader *reader = context;
	int c = getc(reader->file);

	(void)size;
	if (c == EOF)
		return 0;
	reader->last = *(char *)byte = (char)c;
	return 1;
}

/* The value that begins with c; NULL: none does. Counters are beyond the integers of jansson. */
static json_t *load(struct reader *reader, int c)
{
	json_t *value;

	ungetc(c, reader->file);
	value = json_load_callback(
		give_byte, reader,
		JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &reader->why);
	if (value && !json_is_object(value) && !json_is_array(value) && !json_is_string(value))
		ungetc(reader->last, reader->file);
	return value;
}

/* The next character that is no space. */
static int next(struct reader *reader)
{
	int c;

	do {
		c = getc(reader->file);
	} while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
	return c;
}

/* Behind the bracket of an array. Returns 0 or -errno. */
static int read_nodes(struct reader *reader)
{
	int c = next(reader), result = 0;

	while (c == '{' && !result) {
		json_t *object = load(reader, c);

		result = object ? take_node(reader, object) : -EBADMSG;
		json_decref(object);
		c = next(reader);
		if (c == ',')
			c = next(reader);
	}
	return result || c == ']' ? result : -EBADMSG;
}

static int read_member(struct reader *reader)
{
	json_t *key = load(reader, next(reader)), *value = NULL;
	const char *name = json_string_value(key);
	int result = -EBADMSG, c = name && next(reader) == ':' ? next(reader) : EOF;

	if (c == '[' && !strcmp(name, "nodes")) {
		result = read_nodes(reader);
	} else if (c != EOF) {
		value = load(reader, c);
		result = value ? 0 : -EBADMSG;
		if (value && !json_is_array(value) && json_object_set(reader->head, name, value))
			result = -ENOMEM;
	}
	json_decref(value);
	json_decref(key);
	return result;
}

static int read_document(struct reader *reader)
{
	int c = next(reader) == '{' ? ',' : EOF, result = -EBADMSG;

	if (c == EOF)
		strcpy(reader->why.text, "'{' expected");
	while (c == ',') {
		result = read_member(reader);
		c = result ? EOF : next(reader);
	}
	return result || (c == '}' && next(reader) == EOF) ? result : -EBADMSG;
}

/* Takes the members beside the nodes. */
static void read_head(struct reader *reader, struct state *state)
{
	struct mad_fabric_node *nodes = reader->found.nodes.items;

	reader->found.time_ns = read_time(reader, reader->head, "time");
	reader->found.error = read_error(reader, reader->head, "error");
	state->counters_time =
		(int64_t)read_number(reader, reader->head, "counters_timestamp", INT64_MAX / 2);
	state->last_complete =
		(int64_t)read_number(reader, reader->head, "last_complete", INT64_MAX / 2);
	for (size_t i = 0; i < reader->found.nodes.count; i++) {
		if (!nodes[i].out_of_reach)
			nodes[i].seen_ns = reader->found.time_ns;
		if (nodes[i].duplicate)
			nodes[i].same_guid =
				nodes; /* for mad_fabric_build(): known to be one more */
	}
}

static struct mad_fabric *read_fabric(const char *option, const char *name, struct reader *reader,
				      struct state *state)
{
	struct mad_fabric *fabric = NULL;
	int error = -read_document(reader);

	if (ferror(reader->file)) /* a folder, for example */
		error = errno;
	if (!error) {
		read_head(reader, state);
		if (read_number(reader, reader->head, "schema", UINT16_MAX) != FABRIC_SWEEP_SCHEMA)
			refuse(reader, "schema");
		if (!reader->wrong)
			fabric = file_fabric_build(&reader->found);
	}
	if (error == EBADMSG)
		complain("%s: %s: near byte %ld, this is not as --json writes it: %s", option, name,
			 ftell(reader->file),
			 *reader->why.text ? reader->why.text : "',' or the end expected");
	else if (error)
		complain("%s: %s: %s", option, name, strerror(error));
	else if (reader->wrong)
		complain("%s: %s: \"%s\" is not as --json of this fabric-sweep writes it (schema "
			 "%d)",
			 option, name, reader->wrong, FABRIC_SWEEP_SCHEMA);
	else if (!fabric)
		complain("%s: %s: nodes and ports contradict each other, or are too many: %s",
			 option, name, strerror(errno));
	return fabric;
}

static bool build_counters(struct reader *reader, struct state *state)
{
	struct mad_fabric_counter_value *values = reader->values.items;
	const struct file_port *ports = reader->found.ports.items;
	size_t kept = 0;

	for (size_t i = 0; i < reader->values.count; i++) {
		values[kept] = values[i];
		values[kept].port = ports[values[i].bits].built;
		values[kept].bits = 0;
		kept += values[kept].port != NULL;
	}
	if (kept)
		state->counters = mad_fabric_counters_build(state->fabric, values, kept);
	return !kept || state->counters;
}

bool json_read(FILE *file, const char *option, const char *name, struct state *state)
{
	struct reader reader = { .file = file, .head = json_object() };
	bool good;

	if (!file || !reader.head)
		complain("%s: %s: %s", option, name, strerror(errno));
	else
		state->fabric = read_fabric(option, name, &reader, state);
	state->links = reader.links;
	good = state->fabric && links_update(&state->links, state->fabric) &&
	       build_counters(&reader, state);
	if (state->fabric && !good)
		complain("%s: %s: %s", option, name, strerror(errno));
	if (!good)
		state_free(state);
	if (file)
		fclose(file);
	json_decref(reader.head);
	list_free(&reader.found.nodes);
	list_free(&reader.found.ports);
	list_free(&reader.values);
	return good;
}
