/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Tables of records over the real kernel's RMPP: mad_sa_query() asks, a server of the SA class
 * made with libibmad responds with mad_message_respond_table().
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "loop.h"
#include "optional.h"
#include "sys.h"
#include "tap.h"

enum {
	RECORD_SIZE = 108, /* NodeRecord; 112 on the wire, since tables count in eights */
	RECORD_SPACE = 112,
	RECORDS_MAX = 1000,
	WAIT_MS = 3000,
	STATUS_NO_RECORDS = 0x0300,
	STATUS_NO_RESOURCES = 0x0100,
};

struct server {
	struct ibmad_port *port;
	pthread_t thread;
	unsigned count, status;	  /* what it responds with */
	unsigned method, attr_id; /* what it was asked */
};

static uint8_t pattern(unsigned record, unsigned at)
{
	return record * 3 + at;
}

static uint8_t *make_records(unsigned count)
{
	uint8_t *records = calloc(count + 1, RECORD_SIZE);

	for (unsigned i = 0; records && i < count * RECORD_SIZE; i++)
		records[i] = pattern(i / RECORD_SIZE, i % RECORD_SIZE);
	return records;
}

/* Responds to one request. */
static void *serve(void *argument)
{
	struct server *server = argument;
	void *umad = mad_receive_via(NULL, WAIT_MS, server->port);
	uint8_t *records = make_records(server->count);

	if (check(umad != NULL) && check(records != NULL)) {
		server->method = loop_mad(umad)[MAD_METHOD];
		server->attr_id = loop_get16(loop_mad(umad) + MAD_ATTR_ID);
		check_equal(mad_message_respond_table(server->port, NULL, umad, server->status,
						      records, RECORD_SIZE, server->count),
			    0);
	}
	free(records);
	mad_free(umad);
	return NULL;
}

static bool start_server(struct server *server)
{
	server->port = mad_rpc_open_port((char *)LOOP_DEVICE, 1, NULL, 0);
	return check(server->port != NULL) &&
	       check(mad_register_server_via(IB_SA_CLASS, 1, NULL, 0, server->port) >= 0) &&
	       check_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static void stop_server(struct server *server)
{
	pthread_join(server->thread, NULL);
	mad_rpc_close_port(server->port);
}

static bool holds_records(const struct mad_sa_table *table, unsigned count)
{
	if (!check_equal(mad_sa_table_count(table), count))
		return false;
	for (unsigned i = 0; i < count; i++) {
		size_t size = 0;
		const uint8_t *record = mad_sa_table_record(table, i, &size);

		if (!check_equal(size, RECORD_SPACE))
			return false;
		for (unsigned j = 0; j < RECORD_SIZE; j++)
			if (record[j] != pattern(i, j))
				return false;
	}
	return true;
}

/* Asks for a table of `count` records with that status, which *status is again; returns 0 or errno.
 */
static int query(unsigned count, unsigned *status, struct mad_sa_table **table)
{
	ib_portid_t sm = { .lid = 1, .grh_present = 1 };
	struct mad_sa_request query = {
		.attr_id = IB_SA_ATTR_NODERECORD,
		.timeout_ms = WAIT_MS,
	};
	struct server server = { .count = count, .status = *status };
	int classes[] = { IB_SA_CLASS }, error;
	struct ibmad_port *port;

	sys_read_gid(LOOP_DEVICE, sm.gid);
	port = mad_rpc_open_port((char *)LOOP_DEVICE, 1, classes, 1);
	if (!start_server(&server) || !check(port != NULL))
		return EPROTO;
	*table = mad_sa_query(port, &sm, &query, sizeof(query), status);
	error = *table ? 0 : errno;
	stop_server(&server);
	mad_rpc_close_port(port);
	check_equal(server.method, IB_MAD_METHOD_GET_TABLE);
	check_equal(server.attr_id, IB_SA_ATTR_NODERECORD);
	return error;
}

static void check_table(unsigned count)
{
	unsigned status = 0;
	struct mad_sa_table *table;

	check_equal(query(count, &status, &table), 0);
	check(holds_records(table, count));
	mad_sa_table_free(table);
}

TEST(a_table_of_one_MAD)
{
	check_table(1);
}

TEST(a_table_of_some_MADs)
{
	check_table(2);
	check_table(25);
}

TEST(a_table_of_100_kB)
{
	check_table(RECORDS_MAX);
}

TEST(a_table_without_records)
{
	unsigned status = STATUS_NO_RECORDS;
	struct mad_sa_table *table;

	check_equal(query(0, &status, &table), 0);
	check_equal(mad_sa_table_count(table), 0);
	mad_sa_table_free(table);
}

TEST(the_status_of_the_server)
{
	unsigned status = STATUS_NO_RESOURCES;
	struct mad_sa_table *table;

	check_equal(query(0, &status, &table), EIO);
	check_equal(status, STATUS_NO_RESOURCES);
}

/* A RoCE port knows no SM; that has to be an error, and soon. */
TEST(a_port_without_a_subnet_manager)
{
	struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD, .timeout_ms = 100 };
	int classes[] = { IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port((char *)LOOP_DEVICE, 1, classes, 1);
	struct mad_sa_table *table;

	require(port != NULL);
	errno = 0;
	table = mad_sa_query(port, NULL, &query, sizeof(query), NULL);
	tap_note("mad_sa_query() without an SM: errno %d (%s)", errno, strerror(errno));
	check(!table);
	check(errno > 0);
	mad_rpc_close_port(port);
}
