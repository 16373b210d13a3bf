/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The node name map: names that a site gives to GUIDs, since many switches all describe themselves
 * as their model. Lines of the file are 0xGUID "NAME", as opensm and ibnetdiscover read them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep.h"

struct entry {
	uint64_t guid;
	char *name;
};

static struct list entries; /* by GUID */

static int compare_entries(const void *left, const void *right)
{
	uint64_t a = ((const struct entry *)left)->guid, b = ((const struct entry *)right)->guid;

	return (a > b) - (a < b);
}

const char *node_name_or(uint64_t guid, const char *description)
{
	struct entry key = { .guid = guid }, *found = NULL;

	if (entries.count)
		found = bsearch(&key, entries.items, entries.count, sizeof(key), compare_entries);
	return found ? found->name : description;
}

const char *node_name(const struct mad_fabric_node *node)
{
	return node_name_or(node->guid, node->description);
}

/* Behind the name, anything may follow. */
static int take_line(void *context, char *line)
{
	struct entry *entry;
	char *first, *last;
	uint64_t guid;

	(void)context;
	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#')
		return 0;
	errno = 0;
	guid = strtoull(line, &first, 16);
	if (errno || *line == '-' || first == line)
		return -EBADMSG;
	first += strspn(first, " \t");
	last = *first == '"' ? strchr(first + 1, '"') : NULL;
	if (!last)
		return -EBADMSG;
	entry = list_add(&entries, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->guid = guid;
	entry->name = strndup(first + 1, (size_t)(last - first - 1));
	return entry->name ? 0 : -ENOMEM;
}

/* Of a GUID that comes twice, either name is taken. */
static bool read_map(const char *name)
{
	bool good = lines_read(fopen(name, "re"), "--node-name-map", name, "0xGUID \"NAME\"",
			       take_line, NULL);

	if (entries.count)
		qsort(entries.items, entries.count, sizeof(struct entry), compare_entries);
	return good;
}

bool node_names_read(const char *name)
{
	static const char *const defaults[] = { "/etc/opensm/ib-node-name-map",
						"/etc/rdma/ib-node-name-map" };

	for (unsigned i = 0; !name && i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (!access(defaults[i], F_OK)) {
			read_map(defaults[i]); /* the sweep does without, as nobody asked for it */
			return true;
		}
	return !name || read_map(name);
}
