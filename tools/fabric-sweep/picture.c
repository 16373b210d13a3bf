/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See picture.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"

#define HOSTS_DRAWN_AT_MOST    48
#define SWITCHES_DRAWN_AT_MOST 64
#define LEVEL_UNKNOWN	       (-1)

struct maker {
	struct picture *picture;
	const struct mad_fabric *fabric;
	struct picture_places known;
	bool grouped;
};

static int compare_places(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t)((const struct picture_place *)left)->node;
	uintptr_t b = (uintptr_t)((const struct picture_place *)right)->node;

	return (a > b) - (a < b);
}

struct picture_place *picture_find(const struct picture_places *places,
				   const struct mad_fabric_node *node)
{
	struct picture_place key = { .node = node };

	return bsearch(&key, places->places, places->count, sizeof(key), compare_places);
}

static struct picture_place *find(const struct maker *maker, const struct mad_fabric_node *node)
{
	return picture_find(&maker->known, node);
}

static bool is_host(const struct mad_fabric_node *node)
{
	return node->type != IB_NODE_SWITCH;
}

/* Breadth first from all hosts: a level is the hops to the nearest one. */
static int find_levels(struct maker *maker)
{
	struct picture_place **queue =
		calloc(maker->known.count + 1, sizeof(struct picture_place *));
	size_t length = 0;

	if (!queue)
		return -ENOMEM;
	for (size_t i = 0; i < maker->known.count; i++) {
		struct picture_place *place = &maker->known.places[i];

		place->level = is_host(place->node) ? 0 : LEVEL_UNKNOWN;
		if (place->level == 0)
			queue[length++] = place;
	}
	for (size_t i = 0; i < length; i++)
		for (unsigned number = 0; number <= queue[i]->node->port_count; number++) {
			const struct mad_fabric_port *peer =
				mad_fabric_get_port(queue[i]->node, number)->peer;
			struct picture_place *next = peer ? find(maker, peer->node) : NULL;

			if (!next || next->level != LEVEL_UNKNOWN)
				continue;
			next->level = queue[i]->level + 1;
			queue[length++] = next;
		}
	for (size_t i = 0; i < length; i++)
		if (queue[i]->level > maker->picture->top)
			maker->picture->top = queue[i]->level;
	for (size_t i = 0; i < maker->known.count; i++) /* switches without a host anywhere */
		if (maker->known.places[i].level == LEVEL_UNKNOWN)
			maker->known.places[i].level = 1;
	if (maker->known.count && !maker->picture->top)
		maker->picture->top = 1;
	free(queue);
	return 0;
}

static void count_hosts(struct maker *maker)
{
	for (size_t i = 0; i < maker->known.count; i++) {
		const struct mad_fabric_node *node = maker->known.places[i].node;
		const struct mad_fabric_node *last = NULL;

		for (unsigned number = 0; is_host(node) && number <= node->port_count; number++) {
			const struct mad_fabric_port *peer =
				mad_fabric_get_port(node, number)->peer;

			if (peer && peer->node != last && !is_host(peer->node))
				find(maker, peer->node)->hosts++;
			if (peer)
				last = peer->node;
		}
	}
}

static void note_trouble(struct picture_place *place)
{
	for (unsigned number = 0; number <= place->node->port_count; number++) {
		const struct mad_fabric_port *port = mad_fabric_get_port(place->node, number);

		place->trouble |= port->peer_error || port->info_error || is_degraded(port);
	}
}

/* All nodes, or one and those at the other ends of its links. */
static void choose_drawn(struct maker *maker, const struct mad_fabric_node *around)
{
	for (size_t i = 0; i < maker->known.count; i++)
		maker->known.places[i].drawn = !around || maker->known.places[i].node == around;
	for (unsigned number = 0; around && number <= around->port_count; number++) {
		const struct mad_fabric_port *peer = mad_fabric_get_port(around, number)->peer;

		if (peer)
			find(maker, peer->node)->drawn = true;
	}
}

/* What is drawn for each, as far as the mode leaves that open. */
static void choose_detail(struct maker *maker, enum picture_mode mode)
{
	size_t hosts = 0, switches = 0;

	for (size_t i = 0; i < maker->known.count; i++) {
		const struct picture_place *place = &maker->known.places[i];

		hosts += place->drawn && is_host(place->node);
		switches += place->drawn && !is_host(place->node);
	}
	maker->picture->collapsed =
		mode == PICTURE_SWITCHES || mode == PICTURE_GROUPS ||
		(mode == PICTURE_AUTO && (hosts > HOSTS_DRAWN_AT_MOST || !hosts));
	maker->grouped = mode == PICTURE_GROUPS ||
			 (mode == PICTURE_AUTO && switches > SWITCHES_DRAWN_AT_MOST);
}

/* Without groups, each node is one of its own. */
static int find_groups(struct maker *maker)
{
	count_hosts(maker);
	maker->known.top = maker->picture->top;
	for (size_t i = 0; i < maker->known.count; i++) {
		note_trouble(&maker->known.places[i]);
		maker->known.places[i].group = i;
	}
	return maker->grouped ? groups_find(&maker->known) : 0;
}

/* Shortened, but not within a character. */
static void copy_name(char *to, size_t size, const struct mad_fabric_node *node)
{
	const char *name = node_name(node);
	size_t length;

	if (!*name) {
		snprintf(to, size, "0x%016llx", (unsigned long long)node->guid);
		return;
	}
	length = strnlen(name, size - 1);
	while (name[length] && length && ((uint8_t)name[length] & 0xc0) == 0x80)
		length--;
	memcpy(to, name, length);
	to[length] = '\0';
}

static int compare_names(const struct mad_fabric_node *a, const struct mad_fabric_node *b)
{
	int order = strverscmp(node_name(a), node_name(b));

	return order ? order : (a->guid > b->guid) - (a->guid < b->guid);
}

/* By group, then by name. */
static int compare_members(const void *left, const void *right)
{
	const struct picture_place *a = *(struct picture_place *const *)left;
	const struct picture_place *b = *(struct picture_place *const *)right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	return compare_names(a->node, b->node);
}

/* "leaf-01 ... leaf-08" and "8 switches, 24 hosts" */
static void label_box(const struct maker *maker, struct picture_box *box,
		      struct picture_place *const *members, size_t count)
{
	char first[33], last[33] = "", switches[32] = "", counted[32] = "";
	unsigned hosts = 0;

	for (size_t i = 0; i < count; i++)
		hosts += members[i]->hosts;
	copy_name(first, sizeof(first), members[0]->node);
	if (count > 1) {
		copy_name(last, sizeof(last), members[count - 1]->node);
		snprintf(switches, sizeof(switches), "%zu switches", count);
	}
	if (maker->picture->collapsed && hosts)
		snprintf(counted, sizeof(counted), "%s%u host%s", count > 1 ? ", " : "", hosts,
			 hosts == 1 ? "" : "s");
	snprintf(box->label, sizeof(box->label), "%s%s%s", first, count > 1 ? " ... " : "", last);
	snprintf(box->counts, sizeof(box->counts), "%s%s", switches, counted);
}

/* One box for all members of a group. */
static void add_box(const struct maker *maker, struct picture_place *const *members, size_t count)
{
	struct picture_box *box = &maker->picture->boxes[maker->picture->number_of_boxes++];

	box->node = members[0]->node;
	box->level = members[0]->level;
	for (size_t i = 0; i < count; i++)
		box->trouble |= members[i]->trouble;
	label_box(maker, box, members, count);
}

static int add_boxes(const struct maker *maker)
{
	struct picture_place **members = calloc(maker->known.count + 1, sizeof(*members));
	size_t count = 0, end;

	if (!members)
		return -ENOMEM;
	for (size_t i = 0; i < maker->known.count; i++)
		if (maker->known.places[i].drawn &&
		    (!maker->picture->collapsed || !is_host(maker->known.places[i].node)))
			members[count++] = &maker->known.places[i];
	qsort(members, count, sizeof(*members), compare_members);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count && members[end]->group == members[begin]->group;)
			end++;
		add_box(maker, &members[begin], end - begin);
	}
	free(members);
	return 0;
}

/* What does not respond behind a port is below what knows it: nobody can say what it is. */
static void add_silent(struct picture *picture, const struct mad_fabric_port *port, int level)
{
	picture->boxes[picture->number_of_boxes++] = (struct picture_box){
		.silent = port, .level = level > 0 ? level - 1 : 0, .label = "no response"
	};
}

static int compare_boxes(const void *left, const void *right)
{
	const struct picture_box *a = left, *b = right;
	int order;

	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	order = strverscmp(a->label, b->label);
	if (order)
		return order;
	if (a->node && b->node)
		return (a->node->guid > b->node->guid) - (a->node->guid < b->node->guid);
	if (a->silent && b->silent && a->silent->node == b->silent->node)
		return a->silent->port_number - b->silent->port_number;
	if (a->silent && b->silent)
		return compare_names(a->silent->node, b->silent->node);
	return !a->node - !b->node;
}

static size_t count_silent(const struct maker *maker)
{
	size_t count = 0;

	for (size_t i = 0; i < maker->known.count; i++)
		for (unsigned n = 0; n <= maker->known.places[i].node->port_count; n++)
			count += mad_fabric_get_port(maker->known.places[i].node, n)->peer_error !=
				 0;
	return count;
}

static int make_boxes(struct maker *maker)
{
	struct picture *picture = maker->picture;

	picture->boxes =
		calloc(maker->known.count + count_silent(maker) + 1, sizeof(*picture->boxes));
	if (!picture->boxes)
		return -ENOMEM;
	if (add_boxes(maker))
		return -ENOMEM;
	for (size_t i = 0; i < maker->known.count; i++)
		for (unsigned n = 0; n <= maker->known.places[i].node->port_count; n++) {
			const struct mad_fabric_port *port =
				mad_fabric_get_port(maker->known.places[i].node, n);

			if (port->peer_error && maker->known.places[i].drawn)
				add_silent(picture, port, maker->known.places[i].level);
		}
	qsort(picture->boxes, picture->number_of_boxes, sizeof(*picture->boxes), compare_boxes);
	for (size_t i = 0; i < picture->number_of_boxes; i++)
		if (picture->boxes[i].node)
			find(maker, picture->boxes[i].node)->box = (unsigned)i + 1;
	return 0;
}

/* Members of a group have the box of its first one. */
static int share_boxes(struct maker *maker)
{
	struct picture_place **members = calloc(maker->known.count + 1, sizeof(*members));
	unsigned box = 0;

	if (!members)
		return -ENOMEM;
	for (size_t i = 0; i < maker->known.count; i++)
		members[i] = &maker->known.places[i];
	qsort(members, maker->known.count, sizeof(*members), compare_members);
	for (size_t i = 0; i < maker->known.count; i++) {
		if (!i || members[i]->group != members[i - 1]->group)
			box = members[i]->box;
		members[i]->box = box;
	}
	free(members);
	return 0;
}

static void add_line(struct picture *picture, struct picture_line line)
{
	picture->lines[picture->number_of_lines++] = line;
}

static void add_link(struct maker *maker, const struct mad_fabric_port *port)
{
	const struct picture_place *one = find(maker, port->node),
				   *other = find(maker, port->peer->node);
	bool swap = one->level < other->level;
	const struct mad_fabric_port *end = port->width ? port : port->peer;

	if (!one->box || !other->box || one->box == other->box)
		return;
	add_line(maker->picture,
		 (struct picture_line){ .upper = (swap ? other : one)->box - 1,
					.lower = (swap ? one : other)->box - 1,
					.upper_port = (swap ? port->peer : port)->port_number,
					.lower_port = (swap ? port : port->peer)->port_number,
					.links = 1,
					.lanes = end->width,
					.speed = end->speed,
					.degraded = is_degraded(port) });
}

static void add_silent_line(struct maker *maker, unsigned index)
{
	const struct mad_fabric_port *port = maker->picture->boxes[index].silent;

	add_line(maker->picture, (struct picture_line){ .upper = find(maker, port->node)->box - 1,
							.lower = index,
							.upper_port = port->port_number,
							.links = 1,
							.silent = true });
}

static int compare_lines(const void *left, const void *right)
{
	const struct picture_line *a = left, *b = right;

	if (a->upper != b->upper)
		return a->upper < b->upper ? -1 : 1;
	if (a->lower != b->lower)
		return a->lower < b->lower ? -1 : 1;
	if (a->speed != b->speed)
		return a->speed - b->speed;
	if (a->lanes != b->lanes)
		return a->lanes - b->lanes;
	return a->degraded - b->degraded;
}

static void merge_lines(struct picture *picture)
{
	size_t kept = 0;

	qsort(picture->lines, picture->number_of_lines, sizeof(*picture->lines), compare_lines);
	for (size_t i = 0; i < picture->number_of_lines; i++)
		if (kept && !compare_lines(&picture->lines[kept - 1], &picture->lines[i]))
			picture->lines[kept - 1].links++;
		else
			picture->lines[kept++] = picture->lines[i];
	picture->number_of_lines = kept;
}

static int make_lines(struct maker *maker)
{
	const struct mad_fabric_port *link = NULL;
	struct picture *picture = maker->picture;
	size_t most = mad_fabric_get_info(maker->fabric)->links + count_silent(maker) + 1;

	picture->lines = calloc(most, sizeof(*picture->lines));
	if (!picture->lines)
		return -ENOMEM;
	while ((link = mad_fabric_next_link(maker->fabric, link)))
		add_link(maker, link);
	for (unsigned i = 0; i < picture->number_of_boxes; i++)
		if (picture->boxes[i].silent)
			add_silent_line(maker, i);
	merge_lines(picture);
	return 0;
}

int picture_make(struct picture *picture, const struct mad_fabric *fabric, enum picture_mode mode,
		 const struct mad_fabric_node *around)
{
	struct maker maker = { .picture = picture, .fabric = fabric };
	const struct mad_fabric_node *node = NULL;
	int error;

	memset(picture, 0, sizeof(*picture));
	maker.known.places =
		calloc(mad_fabric_get_info(fabric)->nodes + 1, sizeof(*maker.known.places));
	if (!maker.known.places)
		return -ENOMEM;
	while ((node = mad_fabric_next_node(fabric, node)))
		maker.known.places[maker.known.count++].node = node;
	qsort(maker.known.places, maker.known.count, sizeof(*maker.known.places), compare_places);
	choose_drawn(&maker, around);
	choose_detail(&maker, mode);
	error = find_levels(&maker);
	if (!error)
		error = find_groups(&maker);
	if (!error)
		error = make_boxes(&maker);
	if (!error)
		error = share_boxes(&maker);
	if (!error)
		error = make_lines(&maker);
	free(maker.known.places);
	if (error)
		picture_free(picture);
	return error;
}

/* The node of that GUID, or with a port of that GUID. */
static const struct mad_fabric_node *find_guid(const struct mad_fabric *fabric, const char *text)
{
	const struct mad_fabric_node *node;
	const struct mad_fabric_port *port;
	uint64_t guid;
	char *end;

	guid = strtoull(text, &end, 16);
	if (*end)
		return NULL;
	node = mad_fabric_find_node(fabric, guid);
	port = node ? NULL : mad_fabric_find_port(fabric, guid, NULL);
	return port ? port->node : node;
}

/* The node with that name; or the one whose name has that part, and *count: how many have it. */
static const struct mad_fabric_node *find_part(const struct mad_fabric *fabric, const char *part,
					       size_t *count)
{
	const struct mad_fabric_node *node = NULL, *found = NULL;

	*count = 0;
	while ((node = mad_fabric_next_node(fabric, node))) {
		if (!strcmp(node_name(node), part)) {
			*count = 1;
			return node;
		}
		if (strstr(node_name(node), part)) {
			found = node;
			++*count;
		}
	}
	return found;
}

const struct mad_fabric_node *picture_find_centre(const struct mad_fabric *fabric,
						  const struct options *options)
{
	const struct mad_fabric_node *node;
	size_t count = 1;

	if (!options->around)
		return NULL;
	node = mad_fabric_find_name(fabric, options->around, NULL);
	if (!node)
		node = find_guid(fabric, options->around);
	if (!node)
		node = find_part(fabric, options->around, &count);
	if (!count)
		complain("--around: no node has the name or GUID %s", options->around);
	else if (count > 1)
		complain("--around: %zu nodes have %s in their names", count, options->around);
	return count == 1 ? node : NULL;
}

void picture_free(struct picture *picture)
{
	free(picture->boxes);
	free(picture->lines);
	memset(picture, 0, sizeof(*picture));
}
