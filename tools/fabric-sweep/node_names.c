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

static struct entry *entries; /* by GUID */
static size_t entry_count;

static int compare_entries(const void *left, const void *right)
{
	uint64_t a = ((const struct entry *)left)->guid, b = ((const struct entry *)right)->guid;

	return (a > b) - (a < b);
}

const char *node_name_or(uint64_t guid, const char *description)
{
	struct entry key = { .guid = guid }, *found = NULL;

	if (entry_count)
		found = bsearch(&key, entries, entry_count, sizeof(key), compare_entries);
	return found ? found->name : description;
}

const char *node_name(const struct mad_fabric_node *node)
{
	return node_name_or(node->guid, node->description);
}

static bool add_entry(uint64_t guid, const char *name, size_t length)
{
	struct entry *grown = realloc(entries, (entry_count + 1) * sizeof(*grown));

	if (!grown)
		return false;
	entries = grown;
	grown[entry_count].guid = guid;
	grown[entry_count].name = strndup(name, length);
	return grown[entry_count].name && ++entry_count;
}

/* Behind the name, anything may follow. */
static bool take_line(const char *line)
{
	const char *first, *last;
	char *end;
	uint64_t guid;

	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#')
		return true;
	errno = 0;
	guid = strtoull(line, &end, 16);
	first = end + strspn(end, " \t");
	last = *first == '"' ? strchr(first + 1, '"') : NULL;
	if (errno || *line == '-' || first == end || !last) {
		errno = 0;
		return false;
	}
	return add_entry(guid, first + 1, (size_t)(last - first - 1));
}

/* Of a GUID that comes twice, one of the names is taken. */
static bool read_map(const char *name)
{
	FILE *file = fopen(name, "re");
	unsigned number = 0;
	bool good = file;
	char *line = NULL;
	size_t size = 0;

	while (good && getline(&line, &size, file) >= 0) {
		number++;
		good = take_line(line);
	}
	if (!file || ferror(file) || (!good && errno))
		complain("--node-name-map: %s: %s", name, strerror(errno));
	else if (!good)
		complain("--node-name-map: %s: line %u is not 0xGUID \"NAME\"", name, number);
	good = good && !ferror(file);
	free(line);
	if (file)
		fclose(file);
	if (entry_count)
		qsort(entries, entry_count, sizeof(*entries), compare_entries);
	return good;
}

bool node_names_read(const char *name)
{
	static const char *const defaults[] = { "/etc/opensm/ib-node-name-map",
						"/etc/rdma/ib-node-name-map" };

	for (unsigned i = 0; !name && i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (!access(defaults[i], F_OK)) {
			read_map(defaults[i]); /* nobody has asked for it: the sweep goes on */
			return true;
		}
	return !name || read_map(name);
}
