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

struct id {
	char text[ID_SIZE];
	size_t node; /* in the nodes of the fabric */
};

struct link {
	size_t node;
	unsigned port;
	char peer_id[ID_SIZE];
	unsigned peer_port;
	unsigned width;
	uint8_t speed;
};

struct text {
	struct mad_fabric_node next; /* lines in front of the line that begins a node */
	struct file_fabric found;
	struct list ids; /* of its nodes */
	struct list links;
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
	uint64_t number;
	char name[16];

	if (sscanf(line, "%15[^=]=%" SCNx64, name, &number) != 2)
		return false;
	if (!strcmp(name, "vendid"))
		node->vendor_id = (uint32_t)number;
	else if (!strcmp(name, "devid"))
		node->device_id = (uint16_t)number;
	else if (!strcmp(name, "sysimgguid"))
		node->system_guid = number;
	else if (strlen(name) >= 6 && !strcmp(name + strlen(name) - 4, "guid"))
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
	struct mad_fabric_node *node = list_add(&text->found.nodes, sizeof(*node));
	struct id *id = list_add(&text->ids, sizeof(*id));
	const char *name = strstr(line, "# \"");
	unsigned ports;
	char word[16];
	int quote = 0;

	if (!node || !id)
		return -ENOMEM;
	if (sscanf(line, "%15s %u \"%n", word, &ports, &quote) != 2 || !quote ||
	    type_of(word) < 0 || ports > UINT8_MAX ||
	    !copy_quoted(line + quote, id->text, sizeof(id->text)))
		return -EBADMSG;
	id->node = text->ids.count - 1;
	*node = text->next;
	text->next = (struct mad_fabric_node){ 0 };
	if (!node->guid && id->text[1] == '-')
		node->guid = strtoull(id->text + 2, NULL, 16);
	node->type = (uint8_t)type_of(word);
	node->port_count = (uint8_t)ports;
	if (name)
		copy_quoted(name + 3, node->description, sizeof(node->description));
	if (!strcmp(node_name(node), node->description) && node_name(node) != node->description)
		node->description[0] = '\0'; /* the site's name: the node has another */
	return 0;
}

/* "4xEDR" at the end of a line, where it is there. */
static void read_rate(const char *line, struct link *link)
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
	struct link *link = list_add(&text->links, sizeof(*link));
	const char *quote = strchr(line, '"'), *end = quote ? strchr(quote + 1, '"') : NULL;

	if (!link)
		return -ENOMEM;
	if (!text->ids.count || !end || sscanf(line, "[%u]", &link->port) != 1 ||
	    sscanf(end, "\"[%u]", &link->peer_port) != 1)
		return -EBADMSG;
	link->node = text->ids.count - 1;
	copy_quoted(quote + 1, link->peer_id, sizeof(link->peer_id));
	read_rate(line, link);
	return 0;
}

static int take_line(void *context, char *line)
{
	struct text *text = context;

	line[strcspn(line, "\r\n")] = '\0';
	line += strspn(line, " \t");
	if (!*line || *line == '#' || !strncmp(line, "Chassis", 7) ||
	    take_number(&text->next, line))
		return 0;
	return *line == '[' ? take_link(text, line) : take_node(text, line);
}

static int compare_with_id(const void *text, const void *id)
{
	return strcmp(text, ((const struct id *)id)->text);
}

static int compare_ids(const void *left, const void *right)
{
	return compare_with_id(((const struct id *)left)->text, right);
}

static int add_port(struct text *text, struct link_end end, struct link_end peer,
		    const struct link *link)
{
	struct file_port *port = list_add(&text->found.ports, sizeof(*port));

	if (!port)
		return -ENOMEM;
	port->end = end;
	port->peer = peer;
	port->port.width = (uint8_t)link->width;
	port->port.speed = link->speed;
	return 0;
}

/* Both ends of a link have a line, or one alone: it stands for both. */
static int add_ports(struct text *text)
{
	const struct mad_fabric_node *nodes = text->found.nodes.items;
	const struct link *links = text->links.items;

	if (text->ids.count)
		qsort(text->ids.items, text->ids.count, sizeof(struct id), compare_ids);
	for (size_t i = 0; i < text->links.count; i++) {
		const struct mad_fabric_node *node = &nodes[links[i].node], *peer;
		const struct id *id = bsearch(links[i].peer_id, text->ids.items, text->ids.count,
					      sizeof(*id), compare_with_id);
		struct link_end end = { node->guid, 0, links[i].port }, other;

		peer = id ? &nodes[id->node] : NULL;
		if (!peer || links[i].port > node->port_count ||
		    links[i].peer_port > peer->port_count)
			continue;
		other = (struct link_end){ peer->guid, 0, links[i].peer_port };
		if (add_port(text, end, other, &links[i]) || add_port(text, other, end, &links[i]))
			return -ENOMEM;
	}
	return 0;
}

static bool text_read(FILE *file, const char *option, const char *name, struct state *state)
{
	struct text text = { .found.repeats = true };

	if (lines_read(file, option, name,
		       "of --json, nor of a topology as ibnetdiscover writes it: Switch, Ca or Rt, "
		       "or [PORT]",
		       take_line, &text)) {
		if (text.found.nodes.count && !add_ports(&text))
			state->fabric = file_fabric_build(&text.found);
		if (!state->fabric)
			complain("%s: %s has no nodes, or two with one GUID", option, name);
	}
	list_free(&text.found.nodes);
	list_free(&text.found.ports);
	list_free(&text.ids);
	list_free(&text.links);
	return state->fabric;
}

/* JSON begins with a brace. */
bool state_read(const char *option, const char *name, struct state *state)
{
	FILE *file = fopen(name, "re");
	char first = '{';

	if (file && fscanf(file, " %c", &first) == 1 &&
	    (first == '{' || fseek(file, 0, SEEK_SET))) /* a pipe does not go back */
		ungetc(first, file);
	return first == '{' ? json_read(file, option, name, state)
			    : text_read(file, option, name, state);
}
