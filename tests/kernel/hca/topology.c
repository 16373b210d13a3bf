// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* See topology.h. */
#include "topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PORTS = 254 };

static void *allocate(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		abort();
	return memory;
}

static struct fnode *add_node(struct topology *topology, const char *id, int type, int ports,
			      uint64_t guid, const char *description)
{
	struct fnode *node = allocate(sizeof(*node));

	if (topology->number_of_nodes == topology->capacity) {
		size_t capacity = topology->capacity ? 2 * (size_t)topology->capacity : 64;

		topology->nodes = realloc(topology->nodes, capacity * sizeof(*topology->nodes));
		topology->ids = realloc(topology->ids, capacity * sizeof(*topology->ids));
		if (!topology->nodes || !topology->ids)
			abort();
		topology->capacity = (int)capacity;
	}
	node->ports = allocate((size_t)(ports + 1) * sizeof(*node->ports));
	node->lft = type == FNODE_SWITCH ? allocate(FNODE_LFT) : NULL;
	node->number = topology->number_of_nodes;
	fnode_init(node, &topology->fabric, type, ports, guid, description);
	snprintf(topology->ids[node->number], sizeof(*topology->ids), "%s", id);
	topology->nodes[topology->number_of_nodes++] = node;
	return node;
}

static struct fnode *find_id(const struct topology *topology, const char *id)
{
	for (int i = 0; i < topology->number_of_nodes; i++)
		if (!strcmp(topology->ids[i], id))
			return topology->nodes[i];
	return NULL;
}

struct fnode *topology_find(const struct topology *topology, const char *description)
{
	for (int i = 0; i < topology->number_of_nodes; i++)
		if (!strcmp((char *)topology->nodes[i]->description, description))
			return topology->nodes[i];
	return NULL;
}

/* A line "Switch 8 "ID" # "NAME""; false if it is none. */
static bool read_node(struct topology *topology, const char *line, uint64_t guid)
{
	char type[8], id[64], name[64] = "";
	int ports;

	if (sscanf(line, "%7[A-Za-z] %d \"%63[^\"]\" # \"%63[^\"]\"", type, &ports, id, name) < 3 ||
	    ports < 1 || ports > MOST_PORTS || find_id(topology, id))
		return false;
	add_node(topology, id, !strcmp(type, "Switch") ? FNODE_SWITCH : FNODE_CA, ports, guid,
		 name[0] ? name : id);
	return true;
}

/* A line "[1](GUID) "ID"[2]", below its node. Every cable is there twice. */
static bool read_cable(const struct topology *topology, const char *line, struct fnode *node)
{
	struct fnode *peer;
	int port, peer_port;
	char id[64];

	if (sscanf(line, "[%d]%*[^\"]\"%63[^\"]\"[%d]", &port, id, &peer_port) != 3)
		return false;
	peer = find_id(topology, id);
	if (!peer || port < 1 || port > node->number_of_ports || peer_port < 1 ||
	    peer_port > peer->number_of_ports)
		return false;
	if (!node->ports[port].peer)
		fabric_plug(node, port, peer, peer_port);
	return true;
}

/* Reads the nodes or the cables; returns the number of the first wrong line, or 0. */
static int read_lines(struct topology *topology, FILE *file, bool cables)
{
	unsigned long long guid = 0;
	char line[512];
	int node = -1;

	for (int number = 1; fgets(line, sizeof(line), file); number++) {
		bool is_node = !strncmp(line, "Ca", 2) || !strncmp(line, "Hca", 3) ||
			       !strncmp(line, "Switch", 6);

		if (!strncmp(line, "caguid=", 7) || !strncmp(line, "switchguid=", 11))
			guid = strtoull(strchr(line, '=') + 1, NULL, 0);
		node += is_node;
		if (is_node && !cables && !read_node(topology, line, guid))
			return number;
		if (line[0] == '[' && cables &&
		    (node < 0 || !read_cable(topology, line, topology->nodes[node])))
			return number;
	}
	return 0;
}

bool topology_read(struct topology *topology, const char *path)
{
	FILE *file = fopen(path, "re");
	int wrong;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	wrong = read_lines(topology, file, false);
	rewind(file);
	if (!wrong)
		wrong = read_lines(topology, file, true);
	fclose(file);
	if (wrong)
		fprintf(stderr, "%s:%d: not a line of a topology, or a node twice\n", path, wrong);
	return !wrong;
}
