/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads a topology as ibnetdiscover and text_write() write it, or as a site has planned it: nodes
 * by GUID, with their names, and links with their rates. LIDs are no part of a plan.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

#define ID_SIZE 80

struct text_node {
	char id[ID_SIZE];
	size_t first_port; /* port 0, in ports */
	size_t index;
};

struct text_link {
	size_t node;
	unsigned port;
	char peer_id[ID_SIZE];
	unsigned peer_port;
	unsigned width;
	uint8_t speed;
};

struct text {
	struct mad_fabric_node next; /* what is read of a node before the line that begins it */
	struct mad_fabric_node *nodes;
	struct text_node *ids; /* of nodes */
	size_t node_count;
	struct text_link *links;
	size_t link_count;
	size_t port_count;
};

/* "\x22" and the like, up to the closing quote; false where there is none. */
static bool copy_quoted(const char *from, char *to, size_t size)
{
	size_t length = 0;
	unsigned byte;

	for (; *from && *from != '"'; from++) {
		if (sscanf(from, "\\x%2x", &byte) == 1)
			from += 3;
		else
			byte = (uint8_t)*from;
		if (length + 1 < size)
			to[length++] = (char)byte;
	}
	to[length] = '\0';
	return *from == '"';
}

/* vendid=0x2c9 and so on: true for such a line. */
static bool take_number(struct mad_fabric_node *node, const char *line)
{
	const char *equals = strchr(line, '=');
	uint64_t number = equals ? strtoull(equals + 1, NULL, 16) : 0;
	size_t length = equals ? (size_t)(equals - line) : 0;

	if (length == 6 && !memcmp(line, "vendid", length))
		node->vendor_id = (uint32_t)number;
	else if (length == 5 && !memcmp(line, "devid", length))
		node->device_id = (uint16_t)number;
	else if (length == 10 && !memcmp(line, "sysimgguid", length))
		node->system_guid = number;
	else if (length >= 6 && !memcmp(equals - 4, "guid", 4))
		node->guid = number;
	else
		return false;
	return true;
}

static int type_of(const char *word)
{
	static const char *const words[] = { "Node", "Ca", "Switch", "Rt" };

	for (int i = 0; i < (int)(sizeof(words) / sizeof(words[0])); i++)
		if (!strcmp(word, words[i]))
			return i;
	return -1;
}

/* Switch	36 "S-0002c902004885b0"		# "MF0;leaf-01" ... */
static int take_node(struct text *text, const char *line)
{
	struct mad_fabric_node *nodes, *node = &text->next;
	struct text_node *ids, *id;
	const char *name = strstr(line, "# \"");
	unsigned ports;
	char word[16];
	int quote = 0;

	if (sscanf(line, "%15s %u \"%n", word, &ports, &quote) != 2 || !quote ||
	    type_of(word) < 0 || ports > UINT8_MAX)
		return -EBADMSG;
	nodes = realloc(text->nodes, (text->node_count + 1) * sizeof(*nodes));
	text->nodes = nodes ? nodes : text->nodes;
	ids = realloc(text->ids, (text->node_count + 1) * sizeof(*ids));
	text->ids = ids ? ids : text->ids;
	if (!nodes || !ids)
		return -ENOMEM;
	id = &ids[text->node_count];
	*id = (struct text_node){ .first_port = text->port_count, .index = text->node_count };
	if (!copy_quoted(line + quote, id->id, sizeof(id->id)))
		return -EBADMSG;
	if (!node->guid && id->id[1] == '-')
		node->guid = strtoull(id->id + 2, NULL, 16);
	node->type = (uint8_t)type_of(word);
	node->port_count = (uint8_t)ports;
	if (name)
		copy_quoted(name + 3, node->description, sizeof(node->description));
	if (!strcmp(node_name(node), node->description) && node_name(node) != node->description)
		node->description[0] = '\0'; /* the site's name, and not what it calls itself */
	nodes[text->node_count++] = *node;
	text->port_count += ports + 1;
	*node = (struct mad_fabric_node){ 0 };
	return 0;
}

/* "4xEDR" at the end of a line, where it is there. */
static void read_rate(const char *line, struct text_link *link)
{
	const char *word = line + strlen(line);
	char speed[8];

	while (word > line && word[-1] != ' ' && word[-1] != '\t')
		word--;
	if (sscanf(word, "%2ux%7s", &link->width, speed) != 2 || link->width > 12) {
		link->width = 0;
		return;
	}
	for (uint8_t i = 0; i <= MAD_FABRIC_SPEED_XDR; i++)
		if (!strcmp(speed, mad_fabric_speed_name(i)))
			link->speed = i;
}

/* [1](200000000100011)	"S-0002c902004885b0"[7]		# ... 4xEDR */
static int take_link(struct text *text, const char *line)
{
	struct text_link *links = realloc(text->links, (text->link_count + 1) * sizeof(*links));
	struct text_link link = { .node = text->node_count - 1 };
	const char *quote = strchr(line, '"'), *end = quote ? strchr(quote + 1, '"') : NULL;

	if (!links)
		return -ENOMEM;
	text->links = links;
	if (!text->node_count || !end || sscanf(line, "[%u]", &link.port) != 1 ||
	    sscanf(end, "\"[%u]", &link.peer_port) != 1)
		return -EBADMSG;
	copy_quoted(quote + 1, link.peer_id, sizeof(link.peer_id));
	read_rate(line, &link);
	links[text->link_count++] = link;
	return 0;
}

static int take_line(struct text *text, char *line)
{
	line[strcspn(line, "\r\n")] = '\0';
	line += strspn(line, " \t");
	if (!*line || *line == '#' || !strncmp(line, "Chassis", 7) ||
	    take_number(&text->next, line))
		return 0;
	return *line == '[' ? take_link(text, line) : take_node(text, line);
}

static int compare_ids(const void *left, const void *right)
{
	return strcmp(((const struct text_node *)left)->id, ((const struct text_node *)right)->id);
}

/* Port 0 to the last one of each node. */
static void make_ports(const struct text *text, struct mad_fabric_port *ports)
{
	size_t count = 0;

	for (size_t i = 0; i < text->node_count; i++)
		for (unsigned number = 0; number <= text->nodes[i].port_count; number++) {
			ports[count].node = &text->nodes[i];
			ports[count++].port_number = (uint8_t)number;
		}
}

/* Both ends of a link have a line, or one alone; what is linked already stays so. */
static void link_ports(const struct text *text, const size_t *first_ports,
		       struct mad_fabric_port *ports)
{
	for (size_t i = 0; i < text->link_count; i++) {
		const struct text_link *link = &text->links[i];
		struct text_node key = { .index = 0 }, *peer;
		struct mad_fabric_port *one, *other;

		strcpy(key.id, link->peer_id);
		peer = bsearch(&key, text->ids, text->node_count, sizeof(key), compare_ids);
		if (!peer || link->port > text->nodes[link->node].port_count ||
		    link->peer_port > text->nodes[peer->index].port_count)
			continue;
		one = &ports[first_ports[link->node] + link->port];
		other = &ports[peer->first_port + link->peer_port];
		if (one->peer || other->peer)
			continue;
		one->peer = other;
		other->peer = one;
		one->width = other->width = (uint8_t)link->width;
		one->speed = other->speed = link->speed;
	}
}

static struct mad_fabric *build(struct text *text)
{
	struct mad_fabric_port *ports = calloc(text->port_count + 1, sizeof(*ports));
	size_t *first_ports = calloc(text->node_count + 1, sizeof(*first_ports));
	struct mad_fabric_description description = {
		.node_size = sizeof(struct mad_fabric_node),
		.port_size = sizeof(struct mad_fabric_port),
		.nodes = text->nodes,
		.node_count = text->node_count,
		.ports = ports,
		.port_count = text->port_count,
	};
	struct mad_fabric *fabric = NULL;

	if (ports && first_ports) {
		for (size_t i = 0; i < text->node_count; i++)
			first_ports[i] = text->ids[i].first_port;
		if (text->node_count)
			qsort(text->ids, text->node_count, sizeof(*text->ids), compare_ids);
		make_ports(text, ports);
		link_ports(text, first_ports, ports);
		fabric = mad_fabric_build(&description);
	}
	free(ports);
	free(first_ports);
	return fabric;
}

static bool text_read(const char *option, const char *name, FILE *file, struct state *state)
{
	struct text text = { .node_count = 0 };
	unsigned number = 0;
	char *line = NULL;
	size_t size = 0;
	int error = 0;

	while (!error && getline(&line, &size, file) >= 0) {
		number++;
		error = take_line(&text, line);
	}
	if (!error && ferror(file))
		error = -EIO;
	if (!error && text.node_count)
		state->fabric = build(&text);
	if (error == -EBADMSG)
		complain("%s: %s: line %u is neither of --json nor of a topology as ibnetdiscover "
			 "writes it",
			 option, name, number);
	else if (error)
		complain("%s: %s: %s", option, name, strerror(-error));
	else if (!state->fabric)
		complain("%s: %s has no nodes, or two with one GUID", option, name);
	free(line);
	free(text.nodes);
	free(text.ids);
	free(text.links);
	return state->fabric;
}

/* JSON begins with a brace. */
bool state_read(const char *option, const char *name, struct state *state)
{
	FILE *file = fopen(name, "re");
	char first = '{';
	bool good;

	if (file && fscanf(file, " %c", &first) == 1 && first != '{' && first != '[') {
		rewind(file);
		good = text_read(option, name, file, state);
	} else {
		good = json_read(option, name, state); /* this says why the file cannot be read */
	}
	if (file)
		fclose(file);
	return good;
}
