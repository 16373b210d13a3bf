/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The keys of a locked fabric: opensm's files in a folder, and single keys for all ports. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mad_keys.h>

#include "sweep.h"

/* A file of the folder; empty where there is none: opensm writes those that it uses. */
static void find_file(const char *folder, const char *name, char path[PATH_MAX])
{
	int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);

	if (length < 0 || length >= PATH_MAX || access(path, F_OK))
		path[0] = '\0';
}

static bool read_file(struct mad_keys *keys, const char *folder, const char *name, int type)
{
	char path[PATH_MAX], why[512];
	int failed;

	find_file(folder, name, path);
	if (!path[0])
		return true;
	failed = type < 0 ? mad_keys_read_lids(keys, path, 0, why, sizeof(why))
			  : mad_keys_read(keys, (enum mad_key_type)type, path, 0, why, sizeof(why));
	if (failed)
		complain("--keys: %s", why);
	return !failed;
}

static bool read_folder(struct mad_keys *keys, const char *folder)
{
	if (access(folder, R_OK | X_OK)) {
		complain("--keys: %s: %s", folder, strerror(errno));
		return false;
	}
	return read_file(keys, folder, "guid2mkey", MAD_KEY_M) &&
	       read_file(keys, folder, "guid2lid", -1);
}

static bool set_default(struct mad_keys *keys, enum mad_key_type type, uint64_t key)
{
	return !key || !mad_keys_set_default(keys, type, key);
}

bool keys_attach(const struct options *options, struct ibmad_port *port)
{
	struct mad_keys *keys;
	bool good;

	if (!options->keys && !options->m_key && !options->perf_key)
		return true;
	keys = mad_keys_create();
	good = keys && set_default(keys, MAD_KEY_M, options->m_key) &&
	       set_default(keys, MAD_KEY_PERF, options->perf_key);
	if (!good)
		complain("keys: %s", strerror(errno));
	else if (options->keys)
		good = read_folder(keys, options->keys);
	if (good)
		good = !mad_port_set_keys(port, keys);
	mad_keys_free(keys); /* the port still uses it */
	return good;
}

bool keys_read_neighbours(const struct options *options, struct mad_fabric **expected)
{
	char path[PATH_MAX];

	*expected = NULL;
	if (!options->keys)
		return true;
	find_file(options->keys, "neighbors", path);
	if (path[0])
		*expected = neighbours_read(path);
	return !path[0] || *expected;
}
