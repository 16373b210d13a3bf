/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The keys of a locked fabric: opensm's files in a folder, and single keys for all ports. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mad_keys.h>

#include "sweep.h"

/* The path of a file in the folder; false where there is none: opensm writes the files that it
 * uses. */
static bool find_file(const char *folder, const char *name, char path[PATH_MAX])
{
	int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);

	return length > 0 && length < PATH_MAX && !access(path, F_OK);
}

/* opensm writes its keys so that others can read them, unless its umask says otherwise. */
static int read_m_keys(struct mad_keys *keys, const char *path, bool is_private, char *why,
		       size_t size)
{
	int failed = mad_keys_read(keys, MAD_KEY_M, path, 0, why, size);
	char first[512];

	if (!failed || is_private || errno != EPERM)
		return failed;
	snprintf(first, sizeof(first), "%s", why);
	failed = mad_keys_read(keys, MAD_KEY_M, path, MAD_KEYS_ANY_READER, why, size);
	if (!failed)
		complain("warning: --keys: %s", first);
	return failed;
}

static bool read_files(struct mad_keys *keys, const struct options *options)
{
	char path[PATH_MAX], why[512];
	int failed = 0;

	if (find_file(options->keys, "guid2mkey", path))
		failed = read_m_keys(keys, path, options->keys_private, why, sizeof(why));
	if (!failed && find_file(options->keys, "guid2lid", path))
		failed = mad_keys_read_lids(keys, path, 0, why, sizeof(why));
	if (failed)
		complain("--keys: %s", why);
	return !failed;
}

static bool check_folder(const char *folder)
{
	static const char *const names[] = { "guid2mkey", "guid2lid", "neighbors" };
	char path[PATH_MAX];

	if (access(folder, R_OK | X_OK)) {
		complain("--keys: %s: %s", folder, strerror(errno));
		return false;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (find_file(folder, names[i], path))
			return true;
	complain("--keys: %s: no file of opensm's is there: guid2mkey, guid2lid, neighbors",
		 folder);
	return false;
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
		good = read_files(keys, options);
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
	if (!check_folder(options->keys))
		return false;
	if (!find_file(options->keys, "neighbors", path))
		return true;
	*expected = neighbours_read(path);
	return *expected;
}
