/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* cases-keys.c - key rings and P_Keys. A ring that a call could not change is as it was. */
#include "fabric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <infiniband/mad_address.h>
#include <infiniband/mad_keys.h>

#define KEY 77

/* A ring whose first table is full: the next key takes memory. */
static struct mad_keys *full_ring(void)
{
	struct mad_keys *keys = mad_keys_create();

	for (uint64_t guid = 1; guid <= 128; guid++)
		mad_keys_set_guid(keys, MAD_KEY_M, guid, guid);
	return keys;
}

/* Checks that the ring has all its old keys, and the new one if the call did not fail. */
static void check_ring(struct fault_run *run, struct mad_keys *keys)
{
	ib_portid_t to = { .lid = 9 };
	uint64_t key;

	for (uint64_t guid = 1; guid <= 128; guid++) {
		mad_set_field64(to.gid, 0, IB_GID_GUID_F, guid);
		FAULT_EXPECT(run, !mad_keys_get(keys, MAD_KEY_M, &to, &key) && key == guid);
	}
	mad_set_field64(to.gid, 0, IB_GID_GUID_F, 1000);
	FAULT_EXPECT(run, !mad_keys_get(keys, MAD_KEY_M, &to, &key) == !run->failed);
	mad_keys_free(keys);
}

#define RING_CALL(function, ...)                                                   \
	FAULT_STEPS(function, fabric_port, 0, struct mad_keys *keys = full_ring(), \
		    fault_minus_one(run, function(keys, __VA_ARGS__)), check_ring(run, keys))

RING_CALL(mad_keys_set_guid, MAD_KEY_M, 1000, KEY)
RING_CALL(mad_keys_set_lid, MAD_KEY_M, 9, KEY)
RING_CALL(mad_keys_set_default, MAD_KEY_M, KEY)
RING_CALL(mad_keys_map_lid, 9, 5)

static void read_file(struct fault_run *run, const char *line,
		      int (*read)(struct mad_keys *, const char *))
{
	char path[] = "/tmp/fault-keys-XXXXXX";
	struct mad_keys *keys = full_ring();
	ib_portid_t to = { .lid = 9 };
	uint64_t key;
	int fd;

	fault_enter_kernel();
	fd = mkstemp(path);
	dprintf(fd, "%s", line);
	close(fd);
	fault_leave_kernel();
	fault_begin(run);
	fault_minus_one(run, read(keys, path));
	FAULT_EXPECT(run, !mad_keys_get(keys, MAD_KEY_M, &to, &key) == !run->failed);
	mad_keys_free(keys);
	unlink(path);
}

static int read_keys(struct mad_keys *keys, const char *path)
{
	int ret = mad_keys_read(keys, MAD_KEY_M, path, 0, NULL, 0);

	return ret ? ret : mad_keys_map_lid(keys, 9, 2000);
}

static int read_lids(struct mad_keys *keys, const char *path)
{
	return mad_keys_read_lids(keys, path, 0, NULL, 0);
}

FAULT_DO(read_file(run, "0x7d0 0x5\n", read_keys), mad_keys_read, NULL, fabric_port, 0)
FAULT_DO(read_file(run, "0x5 0x9 0x9\n", read_lids), mad_keys_read_lids, NULL, fabric_port, 0)

FAULT_STEPS(mad_keys_query_lids, fabric_port, 0, struct mad_keys *keys = full_ring(),
	    fault_minus_one(run, mad_keys_query_lids(keys, PORT, &(ib_portid_t){ .lid = 1 }, 0)),
	    mad_keys_free(keys))

/* Without the GUID of the local port, requests find the other keys. */
FAULT(mad_port_set_keys, NULL, fabric_port, 0)
{
	struct mad_keys *keys = full_ring();
	int ret;

	fault_begin(run);
	ret = mad_port_set_keys(PORT, keys);
	fault_cannot_fail(run);
	FAULT_EXPECT(run, !ret);
	mad_keys_free(keys);
	mad_port_set_keys(PORT, NULL);
}

/* An entry that cannot be read does not exist, as for umad_get_port(). */
static const struct fault_rule pkey_rules[] = {
	{ FAULT_SYSFS, FAULT_NOT_EXHAUSTED, FAULT_REPORTS, { ENOENT } },
};

FAULT(mad_pkey_index, NULL, fabric_port, 0, FAULT_RULES(pkey_rules))
{
	uint16_t entry;

	fault_begin(run);
	fault_minus_one(run, mad_pkey_index(PORT, 0xffff, &entry));
}
