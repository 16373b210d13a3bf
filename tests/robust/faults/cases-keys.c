/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-keys.c - key rings, P_Keys, routes, multicast groups, messages: a ring that can't be
 * changed is as it was.
 */
#include "fabric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <infiniband/mad_address.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>

#define PORT ((struct ibmad_port *)run->state)
#define KEY  77

/* A ring that holds as much as its first table can: what comes next takes memory. */
static struct mad_keys *full_ring(void)
{
	struct mad_keys *keys = mad_keys_create();

	for (uint64_t guid = 1; guid <= 128; guid++)
		mad_keys_set_guid(keys, MAD_KEY_M, guid, guid);
	return keys;
}

/* All that was there is there, and nothing else. */
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

#define RING_CALL(function, ...)                                   \
	FAULT(function, NULL, fabric_port, 0)                      \
	{                                                          \
		struct mad_keys *keys = full_ring();               \
                                                                   \
		fault_begin(run);                                  \
		fault_minus_one(run, function(keys, __VA_ARGS__)); \
		check_ring(run, keys);                             \
	}

RING_CALL(mad_keys_set_guid, MAD_KEY_M, 1000, KEY)
RING_CALL(mad_keys_set_lid, MAD_KEY_M, 9, KEY)
RING_CALL(mad_keys_set_default, MAD_KEY_M, KEY)
RING_CALL(mad_keys_map_lid, 9, 5)

static void read_file(struct fault_run *run, const char *line,
		      int (*read)(struct mad_keys *, const char *))
{
	char path[] = "/tmp/fault-keys-XXXXXX";
	struct mad_keys *keys = full_ring();
	ib_portid_t to = { .lid = 9, .gid = { [15] = 0 } };
	uint64_t key;
	FILE *file;

	fault_enter_kernel();
	file = fdopen(mkstemp(path), "w");
	fputs(line, file);
	fclose(file);
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

/* An entry that can't be read is none, as it is to umad_get_port(). */
static const struct fault_rule pkey_rules[] = {
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_REPORTS, { ENOENT } },
	{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_REPORTS, { ENOENT } },
	{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_REPORTS, { ENOENT } },
	{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_REPORTS, { ENOENT } },
};

FAULT_DO(read_file(run, "0x7d0 0x5\n", read_keys), mad_keys_read, NULL, fabric_port, 0)
FAULT_DO(read_file(run, "0x5 0x9 0x9\n", read_lids), mad_keys_read_lids, NULL, fabric_port, 0)

FAULT(mad_keys_query_lids, NULL, fabric_port, 0)
{
	struct mad_keys *keys = full_ring();
	ib_portid_t sm = { .lid = 1 };

	fault_begin(run);
	fault_minus_one(run, mad_keys_query_lids(keys, PORT, &sm, 0));
	mad_keys_free(keys);
}

/* Without the GUID of the local port, requests find the other keys. */
FAULT(mad_port_set_keys, NULL, fabric_port, 0)
{
	struct mad_keys *keys = full_ring();
	int ret;

	fault_begin(run);
	ret = mad_port_set_keys(PORT, keys);
	fault_end(run);
	FAULT_EXPECT(run, !ret);
	fault_cannot_fail(run);
	mad_keys_free(keys);
	mad_port_set_keys(PORT, NULL);
}

/* A notice that cannot be received stays for the next call. */
FAULT(mad_sa_receive_notice, NULL, fabric_port, 0)
{
	uint8_t notice[MAD_SA_NOTICE_SIZE];

	fabric_report_to_us();
	fault_begin(run);
	fault_minus_one(run, mad_sa_receive_notice(PORT, notice, FABRIC_TIMEOUT_MS));
	fabric_drop_all(PORT);
}

/* A request came; what can't be received stays for the next call. */
FAULT(mad_message_receive, NULL, fabric_port, 0)
{
	uint8_t data[IB_MAD_SIZE];
	struct iovec part = { data, sizeof(data) };
	struct mad_message message;

	fabric_ask_us();
	fault_begin(run);
	fault_minus_one(run, mad_message_receive(PORT, &message, &part, 1, FABRIC_TIMEOUT_MS));
	fabric_drop_all(PORT);
}

FAULT(mad_pkey_index, NULL, fabric_port, 0, FAULT_RULES(pkey_rules))
{
	uint16_t entry;

	fault_begin(run);
	fault_minus_one(run, mad_pkey_index(PORT, 0xffff, &entry));
}
