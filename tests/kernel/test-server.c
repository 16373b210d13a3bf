/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The server side of libibmad on a real port: registering, receiving, responding through the GRH
 * that a request came with, tables of many MADs. Clients are raw umad agents.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "loop.h"
#include "optional.h"
#include "sys.h"
#include "tap.h"

enum {
	TID = 0x01020304,
	WAIT_MS = 2000,
	QUIET_MS = 100,
	STATUS_BUSY = 0x0001,
	RECORD_SIZE = 100,
	RECORDS = 900,
	TABLE_SIZE = RECORD_SIZE * RECORDS,
};

/* A server through libibmad, and a client without it. */
struct setup {
	struct ibmad_port *server;
	int fd, client;
	void *umad; /* the client's */
};

static bool set_up(struct setup *setup, int rmpp_version)
{
	setup->fd = loop_open(LOOP_DEVICE);
	setup->client = loop_client(setup->fd, LOOP_CLASS, rmpp_version);
	setup->umad = loop_alloc(LOOP_MAD_SIZE + TABLE_SIZE);
	setup->server = mad_rpc_open_port((char *)LOOP_DEVICE, 1, NULL, 0);
	if (!check(setup->server != NULL))
		return false;
	return check(mad_register_server_via(LOOP_CLASS, rmpp_version, NULL, LOOP_OUI,
					     setup->server) >= 0);
}

static void tear_down(struct setup *setup)
{
	mad_rpc_close_port(setup->server);
	check_equal(umad_close_port(setup->fd), 0);
	free(setup->umad);
}

static void send_request(struct setup *setup, int method, uint32_t tid)
{
	loop_request(setup->umad, LOOP_DEVICE, LOOP_CLASS, method, tid);
	loop_mad(setup->umad)[LOOP_MAD_SIZE - 1] = 0x77;
	check_equal(umad_send(setup->fd, setup->client, setup->umad, LOOP_MAD_SIZE, WAIT_MS, 0), 0);
}

static void check_response(struct setup *setup, int method, unsigned status, uint32_t tid)
{
	uint8_t *mad = loop_mad(setup->umad);

	check_equal(loop_receive(setup->fd, setup->umad, setup->client), LOOP_MAD_SIZE);
	check_equal(umad_status(setup->umad), 0);
	check_equal(mad[MAD_METHOD], method);
	check_equal(loop_get16(mad + MAD_STATUS), status);
	check_equal(loop_get32(mad + MAD_TID_LOW), tid);
	check_equal(mad[LOOP_MAD_SIZE - 1], 0x77);
}

/* Receives one request and responds to it. */
static void serve(struct setup *setup, unsigned status)
{
	void *umad = mad_receive_via(NULL, WAIT_MS, setup->server);

	require(umad != NULL);
	check_equal(mad_respond_via(umad, NULL, status, setup->server), 0);
	mad_free(umad);
}

TEST(Get_and_Set_get_responses)
{
	struct setup setup;

	require(set_up(&setup, 0));
	send_request(&setup, METHOD_GET, TID);
	serve(&setup, 0);
	check_response(&setup, METHOD_GET | METHOD_RESPONSE, 0, TID);
	send_request(&setup, METHOD_SET, TID + 1);
	serve(&setup, 0);
	check_response(&setup, METHOD_GET | METHOD_RESPONSE, 0, TID + 1);
	tear_down(&setup);
}

TEST(a_status_gets_a_response)
{
	struct setup setup;

	require(set_up(&setup, 0));
	send_request(&setup, METHOD_GET, TID);
	serve(&setup, STATUS_BUSY);
	check_response(&setup, METHOD_GET | METHOD_RESPONSE, STATUS_BUSY, TID);
	tear_down(&setup);
}

/* Into the caller's buffer, which shows where the request came from. */
TEST(a_request_shows_its_sender)
{
	struct setup setup;
	struct ib_mad_addr *from;
	void *umad = mad_alloc();
	uint8_t gid[16];

	require(set_up(&setup, 0));
	send_request(&setup, METHOD_GET, TID);
	check(mad_receive_via(umad, WAIT_MS, setup.server) == umad);
	from = umad_get_mad_addr(umad);
	sys_read_gid(LOOP_DEVICE, gid);
	check_equal(from->grh_present, 1);
	check(!memcmp(from->gid, gid, sizeof(gid)));
	check_equal(be32toh(from->qpn), 1);
	check_equal(loop_mad(umad)[MAD_METHOD], METHOD_GET);
	check_equal(mad_respond_via(umad, NULL, 0, setup.server), 0);
	check_response(&setup, METHOD_GET | METHOD_RESPONSE, 0, TID);
	mad_free(umad);
	tear_down(&setup);
}

/* To an address that the server gives. */
TEST(a_response_goes_to_the_given_address)
{
	ib_portid_t portid = { .lid = 1, .qp = 1, .qkey = (int)LOOP_QKEY, .grh_present = 1 };
	struct setup setup;
	void *umad;

	sys_read_gid(LOOP_DEVICE, portid.gid);
	require(set_up(&setup, 0));
	send_request(&setup, METHOD_GET, TID);
	umad = mad_receive_via(NULL, WAIT_MS, setup.server);
	require(umad != NULL);
	check_equal(mad_respond_via(umad, &portid, 0, setup.server), 0);
	check_response(&setup, METHOD_GET | METHOD_RESPONSE, 0, TID);
	mad_free(umad);
	tear_down(&setup);
}

TEST(waiting_for_a_request_ends)
{
	struct setup setup;
	int64_t start, took;

	require(set_up(&setup, 0));
	start = sys_now_ms();
	errno = 0;
	check(!mad_receive_via(NULL, QUIET_MS, setup.server));
	check_equal(errno, ETIMEDOUT);
	took = sys_now_ms() - start;
	check(took >= QUIET_MS && took < QUIET_MS + 40);
	check(!mad_receive_via(NULL, 0, setup.server));
	check_equal(errno, EWOULDBLOCK);
	tear_down(&setup);
}

/* Some hundreds that come faster than they are served. */
TEST(a_burst_of_requests_is_served)
{
	enum { BURST = 200 };
	struct setup setup;
	unsigned responded = 0;

	require(set_up(&setup, 0));
	for (unsigned i = 0; i < BURST; i++)
		send_request(&setup, METHOD_GET, i + 1);
	for (unsigned i = 0; i < BURST; i++)
		serve(&setup, 0);
	for (unsigned i = 0; i < BURST; i++)
		if (loop_receive(setup.fd, setup.umad, setup.client) == LOOP_MAD_SIZE &&
		    !umad_status(setup.umad))
			responded++;
	check_equal(responded, BURST);
	tear_down(&setup);
}

TEST(sends_without_waiting)
{
	ib_portid_t portid = { .lid = 1, .qp = 1, .qkey = (int)LOOP_QKEY, .grh_present = 1 };
	ib_rpc_t rpc = caller_rpc(0);
	uint8_t data[CALLER_DATA_SIZE];
	struct caller caller;
	struct setup setup;
	void *umad;

	sys_read_gid(LOOP_DEVICE, portid.gid);
	memset(data, 0x3c, sizeof(data));
	require(set_up(&setup, 0) && caller_open(&caller, LOOP_DEVICE));
	rpc.method = METHOD_SEND;
	check_equal(mad_send_via(&rpc, &portid, NULL, data, caller.port), 0);
	umad = mad_receive_via(NULL, WAIT_MS, setup.server);
	require(umad != NULL);
	check_equal(loop_mad(umad)[MAD_METHOD], METHOD_SEND);
	check(!memcmp(loop_mad(umad) + MAD_VENDOR_DATA, data, sizeof(data)));
	mad_free(umad);
	caller_close(&caller);
	tear_down(&setup);
}

/* A client and a server of board management, on ports of their own. */
struct board_management {
	struct ibmad_port *client, *server;
	ib_portid_t portid;
	ib_bm_call_t call;
	uint8_t data[IB_BM_DATA_SZ];
};

static bool open_board_management(struct board_management *bm)
{
	int classes[] = { IB_BOARD_MGMT_CLASS };

	*bm = (struct board_management){
		.client = mad_rpc_open_port((char *)LOOP_DEVICE, 1, classes, 1),
		.server = mad_rpc_open_port((char *)LOOP_DEVICE, 1, NULL, 0),
		.portid = { .lid = 1, .grh_present = 1 },
		.call = { .method = METHOD_SEND,
			  .attrid = IB_BM_ATTR_READ_VPD,
			  .mod = 0x12345678,
			  .timeout = QUIET_MS },
	};
	sys_read_gid(LOOP_DEVICE, bm->portid.gid);
	memset(bm->data, 0x3c, sizeof(bm->data));
	return check(bm->client && bm->server) &&
	       check(mad_register_server_via(IB_BOARD_MGMT_CLASS, 0, NULL, 0, bm->server) >= 0);
}

static void close_board_management(struct board_management *bm)
{
	mad_rpc_close_port(bm->client);
	mad_rpc_close_port(bm->server);
}

/* The kernel takes a MAD of this class for a response by bit 0 of its attribute modifier. */
TEST(a_Send_of_board_management_gets_a_response)
{
	struct board_management bm;
	void *umad;

	require(open_board_management(&bm));
	bm.call.timeout = WAIT_MS;
	check(bm_call_via(bm.data, &bm.portid, &bm.call, bm.client) == bm.data);
	umad = mad_receive_via(NULL, WAIT_MS, bm.server);
	require(umad != NULL);
	check_equal(loop_mad(umad)[MAD_METHOD], METHOD_SEND);
	memset(loop_mad(umad) + IB_BM_DATA_OFFS, 0x77, IB_BM_DATA_SZ);
	check_equal(mad_respond_via(umad, NULL, 0, bm.server), 0);
	mad_free(umad);
	umad = mad_receive_via(NULL, WAIT_MS, bm.client);
	require(umad != NULL);
	check_equal(umad_status(umad), 0);
	check_equal(loop_mad(umad)[MAD_METHOD], METHOD_SEND);
	check_equal(mad_get_field(loop_mad(umad), 0, IB_MAD_ATTRMOD_F), 0x12345679);
	check_equal(loop_mad(umad)[LOOP_MAD_SIZE - 1], 0x77);
	mad_free(umad);
	close_board_management(&bm);
}

TEST(a_Send_of_board_management_comes_back)
{
	struct board_management bm;
	void *umad;

	require(open_board_management(&bm));
	check(bm_call_via(bm.data, &bm.portid, &bm.call, bm.client) == bm.data);
	umad = mad_receive_via(NULL, WAIT_MS, bm.client);
	require(umad != NULL);
	check_equal(umad_status(umad), ETIMEDOUT);
	mad_free(umad);
	close_board_management(&bm);
}

TEST(a_class_is_served_once)
{
	struct ibmad_port *other;
	struct setup setup;

	require(set_up(&setup, 0));
	errno = 0;
	check_equal(mad_register_server_via(LOOP_CLASS, 0, NULL, LOOP_OUI, setup.server), -1);
	check(errno > 0);
	other = mad_rpc_open_port((char *)LOOP_DEVICE, 1, NULL, 0);
	require(other != NULL);
	check_equal(mad_register_server_via(LOOP_CLASS, 0, NULL, LOOP_OUI, other), -1);
	check(errno > 0);
	mad_rpc_close_port(other);
	tear_down(&setup);
}

static void *make_records(void)
{
	uint8_t *records = malloc(TABLE_SIZE);

	for (size_t i = 0; records && i < TABLE_SIZE; i++)
		records[i] = i * 31 + i / RECORD_SIZE;
	return records;
}

TEST(a_table_of_many_MADs_gets_a_response)
{
	uint8_t *records = make_records();
	struct setup setup;
	int length = LOOP_MAD_SIZE + TABLE_SIZE;
	void *umad;

	require(records && set_up(&setup, 1));
	send_request(&setup, METHOD_GET, TID);
	umad = mad_receive_via(NULL, WAIT_MS, setup.server);
	require(umad != NULL);
	check_equal(mad_message_respond_table(setup.server, NULL, umad, 0, records, RECORD_SIZE,
					      RECORDS),
		    0);
	check_equal(umad_recv(setup.fd, setup.umad, &length, 10000), setup.client);
	check_equal(umad_status(setup.umad), 0);
	check_equal(length, MAD_VENDOR_DATA + TABLE_SIZE);
	check(!memcmp(loop_mad(setup.umad) + MAD_VENDOR_DATA, records, TABLE_SIZE));
	mad_free(umad);
	tear_down(&setup);
	free(records);
}

TEST(an_empty_table_gets_a_response)
{
	struct setup setup;
	int length = LOOP_MAD_SIZE;
	void *umad;

	require(set_up(&setup, 1));
	send_request(&setup, METHOD_GET, TID);
	umad = mad_receive_via(NULL, WAIT_MS, setup.server);
	require(umad != NULL);
	check_equal(mad_message_respond_table(setup.server, NULL, umad, STATUS_BUSY, NULL, 0, 0),
		    0);
	check_equal(umad_recv(setup.fd, setup.umad, &length, WAIT_MS), setup.client);
	check_equal(umad_status(setup.umad), 0);
	check_equal(loop_get16(loop_mad(setup.umad) + MAD_STATUS), STATUS_BUSY);
	mad_free(umad);
	tear_down(&setup);
}

/* A request of many MADs comes in one piece, into a buffer of its own size. */
TEST(a_request_of_many_MADs_is_received)
{
	enum { SIZE = 5000 };
	struct setup setup;
	void *umad;

	require(set_up(&setup, 1));
	loop_request(setup.umad, LOOP_DEVICE, LOOP_CLASS, METHOD_SET, TID);
	loop_fill_rmpp(setup.umad, SIZE, 9);
	check_equal(umad_send(setup.fd, setup.client, setup.umad, SIZE, WAIT_MS, 0), 0);
	umad = mad_receive_via(NULL, WAIT_MS, setup.server);
	require(umad != NULL);
	check(loop_holds_pattern(loop_mad(umad) + MAD_VENDOR_DATA, SIZE - MAD_VENDOR_DATA, 9));
	mad_free(umad);
	tear_down(&setup);
}
