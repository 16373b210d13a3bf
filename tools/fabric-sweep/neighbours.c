/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the file "neighbors" of opensm's cache as a fabric: lines "0xGUID:PORT 0xGUID:PORT", a port
 * by port GUID and what is at the other end of its link; most links are there once for each end.
 * Each GUID becomes a node whose port 0 has it, as that of a switch.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

struct end {
	uint64_t guid;
	unsigned port;
};

struct neighbour {
	struct end end;
	struct end peer;
};

struct neighbours {
	struct neighbour *list;
	size_t count;
	size_t capacity;
};

static int compare_ends(const struct end *a, const struct end *b)
{
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return (a->port > b->port) - (a->port < b->port);
}

static int compare(const void *left, const void *right)
{
	const struct neighbour *a = left, *b = right;

	return compare_ends(&a->end, &b->end);
}

static int add(struct neighbours *all, struct end end, struct end peer)
{
	size_t capacity = all->capacity ? all->capacity * 2 : 256;
	struct neighbour *list;

	if (all->count == all->capacity) {
		list = realloc(all->list, capacity * sizeof(*list));
		if (!list)
			return ENOMEM;
		all->list = list;
		all->capacity = capacity;
	}
	all->list[all->count++] = (struct neighbour){ end, peer };
	return 0;
}

/* 0, or an errno. */
static int read_line(struct neighbours *all, const char *line)
{
	struct end one, other;
	char rest;
	int error;

	if (!line[strspn(line, " \t\r\n")] || *line == '#')
		return 0;
	if (!strchr(line, '\n') ||
	    sscanf(line, "0x%" SCNx64 ":%u 0x%" SCNx64 ":%u %c", &one.guid, &one.port, &other.guid,
		   &other.port, &rest) != 4 ||
	    !one.guid || !other.guid || !one.port || !other.port || one.port > UINT8_MAX ||
	    other.port > UINT8_MAX)
		return EBADMSG;
	error = add(all, one, other);
	return error ? error : add(all, other, one);
}

/* In order, each port once. */
static void sort(struct neighbours *all)
{
	size_t kept = 0;

	qsort(all->list, all->count, sizeof(*all->list), compare);
	for (size_t i = 0; i < all->count; i++)
		if (!kept || compare(&all->list[kept - 1], &all->list[i]) != 0)
			all->list[kept++] = all->list[i];
	all->count = kept;
}

/* The place of the other end of a link; the number of ends where the two contradict each other. */
static size_t find_peer(const struct neighbours *all, size_t place)
{
	struct neighbour key = { .end = all->list[place].peer };
	const struct neighbour *found = bsearch(&key, all->list, all->count, sizeof(key), compare);

	if (!found || compare_ends(&found->peer, &all->list[place].end) != 0)
		return all->count;
	return (size_t)(found - all->list);
}

/* ports: first port 0 of each node, then those with links. */
static struct mad_fabric *build(const struct neighbours *all, struct mad_fabric_node *nodes,
				struct mad_fabric_port *ports)
{
	struct mad_fabric_port *linked = ports + all->count;
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct end *end = &all->list[i].end;
		size_t peer = find_peer(all, i);

		if (!count || nodes[count - 1].guid != end->guid) {
			nodes[count].type = IB_NODE_SWITCH;
			nodes[count++].guid = end->guid;
		}
		nodes[count - 1].port_count = (uint8_t)end->port;
		linked[i].node = &nodes[count - 1];
		linked[i].port_number = (uint8_t)end->port;
		linked[i].peer = peer < all->count ? &linked[peer] : NULL;
	}
	ports = linked - count;
	for (size_t i = 0; i < count; i++) {
		ports[i].node = &nodes[i];
		ports[i].guid = nodes[i].guid;
	}
	return mad_fabric_build(&(struct mad_fabric_description){
		.nodes = nodes,
		.node_count = count,
		.node_size = sizeof(*nodes),
		.ports = ports,
		.port_count = count + all->count,
		.port_size = sizeof(*ports),
	});
}

static struct mad_fabric *make_fabric(struct neighbours *all)
{
	struct mad_fabric_node *nodes = calloc(all->count + 1, sizeof(*nodes));
	struct mad_fabric_port *ports = calloc(2 * all->count + 1, sizeof(*ports));
	struct mad_fabric *fabric = NULL;

	if (nodes && ports) {
		sort(all);
		fabric = build(all, nodes, ports);
	}
	free(nodes);
	free(ports);
	return fabric;
}

struct mad_fabric *neighbours_read(const char *name)
{
	struct mad_fabric *fabric = NULL;
	struct neighbours all = { 0 };
	char line[256];
	FILE *file = fopen(name, "re");
	int error = file ? 0 : errno;

	while (!error && fgets(line, sizeof(line), file))
		error = read_line(&all, line);
	if (!error && ferror(file))
		error = EIO;
	if (file)
		fclose(file);
	if (!error) {
		fabric = make_fabric(&all);
		error = fabric ? 0 : errno;
	}
	if (error)
		complain("--keys: %s: %s", name,
			 error == EBADMSG ? "a line is not 0xGUID:PORT 0xGUID:PORT"
					  : strerror(error));
	free(all.list);
	return fabric;
}
