/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: registering as client and server, receiving requests, responding, plain sends. */
#include "wire.h"

#include <endian.h>

static void put_header(uint8_t *packet, int mgmt_class, int method, int attr)
{
	ib_user_mad_t *umad = (void *)packet;
	uint8_t *mad = packet + 64;

	umad->agent_id = 3;
	umad->length = 64 + 256; /* header and MAD */
	umad->timeout_ms = 777;
	umad->retries = 5;
	umad->addr.qpn = htobe32(0x1234);
	umad->addr.qkey = htobe32(0x80010000);
	umad->addr.lid = htobe16(0x21);
	umad->addr.sl = 6;
	umad->addr.path_bits = 2;
	umad->addr.pkey_index = 4;
	for (int i = 0; i < 256; i++)
		mad[i] = (uint8_t)(i * 3 + 1);
	mad[0] = 1;
	mad[1] = (uint8_t)mgmt_class;
	mad[2] = mgmt_class == 3 || mgmt_class == 0x21 ? 2 : 1;
	mad[3] = (uint8_t)method;
	memset(mad + 4, 0, 4);
	mad[16] = (uint8_t)(attr >> 8);
	mad[17] = (uint8_t)attr;
}

static void show_umad(const char *name, uint8_t *umad)
{
	uint8_t copy[64 + 256];

	memcpy(copy, umad, sizeof(copy));
	memset(copy + 64 + 8, 0, 8);
	show_bytes(name, copy, sizeof(copy));
}

struct kind {
	int mgmt_class;
	int method;
	int attr;
	uint32_t rstatus;
	int grh;
	const ib_portid_t *to;
};

static void respond(const struct kind *kind)
{
	uint8_t packet[64 + 256] = { 0 };
	ib_user_mad_t *header = (void *)packet;
	struct ibmad_port *port = wire_port();
	ib_portid_t to;

	put_header(packet, kind->mgmt_class, kind->method, kind->attr);
	if (kind->mgmt_class == 0x81) {
		packet[64 + 4] = 0;
		packet[64 + 6] = 2; /* hop pointer */
		packet[64 + 7] = 2; /* hop count */
	}
	if (kind->grh) {
		header->addr.grh_present = 1;
		header->addr.gid_index = 1;
		header->addr.hop_limit = 33;
		header->addr.traffic_class = 44;
		header->addr.flow_label = htobe32(0x54321);
		memset(header->addr.gid, 0xcd, 16);
	}
	if (kind->to)
		to = *kind->to;
	fakekernel_rules("none");
	fakekernel_arrive(packet, sizeof(packet));
	uint8_t *umad = mad_receive_via(NULL, 100, port);

	printf("mad_receive_via: %s\n", umad ? "data" : "NULL");
	if (!umad)
		return;
	show_umad("received", umad);
	show_int("mad_respond_via",
		 mad_respond_via(umad, kind->to ? &to : NULL, kind->rstatus, port));
	if (kind->to)
		show_portid("to", &to);
	mad_free(umad);
	mad_rpc_close_port(port);
}

#define RESPOND(name, ...)                          \
	TEST(name)                                  \
	{                                           \
		struct kind kind = { __VA_ARGS__ }; \
                                                    \
		respond(&kind);                     \
	}

static const ib_portid_t elsewhere = {
	.lid = 9, .qp = 5, .qkey = 0x11223344, .sl = 4, .pkey_idx = 7
};
static const ib_portid_t only_lid = { .lid = 9 };
static const ib_portid_t by_gid = { .lid = 9,
				    .qp = 5,
				    .qkey = 0x11223344,
				    .sl = 4,
				    .grh_present = 1,
				    .gid = { 0xfe, 0x80, 1, 2 } };

RESPOND(respond_pm_get, 0x04, 0x01, 0x12, 0, 0, NULL)
RESPOND(respond_pm_set, 0x04, 0x02, 0x12, 0, 0, NULL)
RESPOND(respond_pm_status, 0x04, 0x01, 0x12, 0x1c, 0, NULL)
RESPOND(respond_pm_grh, 0x04, 0x01, 0x12, 0, 1, NULL)
RESPOND(respond_pm_elsewhere, 0x04, 0x01, 0x12, 0, 0, &elsewhere)
RESPOND(respond_pm_only_lid, 0x04, 0x01, 0x12, 0, 0, &only_lid)
RESPOND(respond_smp_elsewhere, 0x01, 0x01, 0x11, 0, 0, &elsewhere)
RESPOND(respond_pm_by_gid, 0x04, 0x01, 0x12, 0, 0, &by_gid)
RESPOND(respond_bm_send, 0x05, 0x03, 0x10, 0, 0, NULL)
RESPOND(respond_bm_trap, 0x05, 0x05, 0x02, 0, 0, NULL)
RESPOND(respond_bm_trap_repress, 0x05, 0x07, 0x02, 0, 0, NULL)
RESPOND(respond_bm_report, 0x05, 0x06, 0x02, 0, 0, NULL)
RESPOND(respond_sa_get, 0x03, 0x01, 0x11, 0, 0, NULL)
RESPOND(respond_sa_get_table, 0x03, 0x12, 0x11, 0x100, 0, NULL)
RESPOND(respond_sa_report, 0x03, 0x06, 0x02, 0, 0, NULL)
RESPOND(respond_smp_get, 0x01, 0x01, 0x11, 0, 0, NULL)
RESPOND(respond_dr_get, 0x81, 0x01, 0x11, 0, 0, NULL)
RESPOND(respond_dr_set_status, 0x81, 0x02, 0x15, 0x0c, 0, NULL)
RESPOND(respond_smp_trap, 0x01, 0x05, 0x02, 0, 0, NULL)
RESPOND(respond_cc_get, 0x21, 0x01, 0x11, 0, 0, NULL)
RESPOND(respond_vendor1_get, 0x0a, 0x01, 0x11, 0, 0, NULL)
RESPOND(respond_vendor2_get, 0x32, 0x01, 0x11, 0, 0, NULL)
RESPOND(respond_vendor2_set, 0x32, 0x02, 0x11, 0x08, 0, NULL)
RESPOND(respond_class_not_registered, 0x06, 0x01, 0x10, 0, 0, NULL)

static ib_rpc_t plain_rpc(int mgmt_class, int method, unsigned mod, int size, int timeout)
{
	return (ib_rpc_t){ .mgtclass = mgmt_class,
			   .method = method,
			   .attr = { 0x12, mod },
			   .dataoffs = 64,
			   .datasz = size,
			   .timeout = timeout };
}

TEST(receive_in_own_buffer)
{
	uint8_t packet[64 + 256] = { 0 };
	struct ibmad_port *port = wire_port();
	uint8_t *umad = mad_alloc();

	show_bytes("mad_alloc", umad, 320);
	put_header(packet, 4, 1, 0x12);
	fakekernel_arrive(packet, sizeof(packet));
	printf("mad_receive_via: %s\n", mad_receive_via(umad, 100, port) == umad ? "own" : "other");
	show_umad("received", umad);
	memset(umad, WIRE_UNTOUCHED, 320);
	show_success("mad_receive_via", mad_receive_via(umad, 5, port) != NULL);
	show_bytes("umad", umad, 320);
	show_success("mad_receive_via NULL", mad_receive_via(NULL, 5, port) != NULL);
	mad_free(umad);
}

TEST(receive_without_waiting)
{
	struct ibmad_port *port = wire_port();
	uint8_t *umad = mad_alloc();

	mad_rpc_set_timeout(port, 10);
	show_success("mad_receive_via 0", mad_receive_via(umad, 0, port) != NULL);
	mad_free(umad);
}

TEST(receive_short)
{
	uint8_t packet[64 + 256] = { 0 };
	struct ibmad_port *port = wire_port();
	uint8_t *umad = mad_alloc();

	memset(umad, WIRE_UNTOUCHED, 320);
	put_header(packet, 4, 1, 0x12);
	fakekernel_arrive(packet, 64 + 40);
	show_success("mad_receive_via", mad_receive_via(umad, 100, port) == umad);
	show_umad("received", umad);
}

TEST(receive_large)
{
	static uint8_t packet[64 + 1000];
	struct ibmad_port *port = wire_port();
	uint8_t *umad = mad_alloc();

	put_header(packet, 3, 0x12, 0x11);
	((ib_user_mad_t *)(void *)packet)->length = sizeof(packet);
	fakekernel_arrive(packet, sizeof(packet));
	show_success("mad_receive_via", mad_receive_via(umad, 100, port) == umad);
	umad = mad_receive_via(NULL, 100, port);
	show_success("mad_receive_via NULL", umad != NULL);
	if (umad)
		show_umad("umad", umad);
}

/* A request without a call, and what comes of it. */
static uint8_t *send_and_receive(const char *rules)
{
	ib_portid_t dport = { .lid = 5, .qp = 1, .qkey = 0x80010000 };
	ib_rpc_t rpc = plain_rpc(4, 1, 0, 192, 20);
	struct ibmad_port *port = wire_port();
	uint8_t *umad;

	fakekernel_rules(rules);
	show_int("mad_send_via", mad_send_via(&rpc, &dport, NULL, NULL, port));
	umad = mad_receive_via(NULL, 1000, port);
	show_success("mad_receive_via", umad != NULL);
	return umad;
}

TEST(receive_timed_out)
{
	uint8_t *umad = send_and_receive("timeout");

	if (umad)
		show_int("umad_status", umad_status(umad));
}

TEST(receive_response)
{
	uint8_t *umad = send_and_receive("reply");

	if (umad)
		show_umad("received", umad);
}

TEST(server_default_port)
{
	uint8_t packet[64 + 256] = { 0 };
	long mask[16 / sizeof(long)] = { 1 << 3, 0 };
	uint8_t *umad;

	madrpc_init(NULL, 0, NULL, 0);
	show_int("mad_register_client", mad_register_client(4, 0));
	show_int("mad_register_server", mad_register_server(5, 0, mask, 0));
	show_int("mad_class_agent 4", mad_class_agent(4));
	show_int("mad_class_agent 5", mad_class_agent(5));
	show_int("mad_class_agent 6", mad_class_agent(6));
	show_int("mad_class_agent 0", mad_class_agent(0));
	put_header(packet, 5, 2, 0x12);
	fakekernel_rules("none");
	fakekernel_arrive(packet, sizeof(packet));
	umad = mad_receive(NULL, 100);
	show_umad("received", umad);
	show_int("mad_respond", mad_respond(umad, NULL, 0));
	mad_free(umad);
	mad_free(NULL);
}

static void show_registered(const char *side, int mgmt_class, int result)
{
	char text[60];

	snprintf(text, sizeof(text), "class %#x %s", (unsigned)mgmt_class, side);
	show_int(text, result);
}

TEST(server_register_clients)
{
	static const int classes[] = { 0x81, 0x01, 0x03, 0x04, 0x05, 0x06,
				       0x09, 0x0f, 0x21, 0x30, 0x32, 0x4f };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		printf("class %#x client: %s\n", (unsigned)classes[i],
		       mad_register_client_via(classes[i], 1, port) < 0 ? "refused" : "done");
		show_registered("agent", classes[i], mad_rpc_class_agent(port, classes[i]));
	}
	mad_rpc_close_port(port);
}

TEST(server_register_clients_result)
{
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	show_int("mad_register_client_via", mad_register_client_via(4, 0, port));
	show_int("mad_register_client_via", mad_register_client_via(5, 0, port));
}

TEST(server_register_servers)
{
	static const int classes[] = { 0x81, 0x01, 0x03, 0x04, 0x05, 0x06,
				       0x09, 0x0f, 0x21, 0x30, 0x32, 0x4f };
	long mask[16 / sizeof(long)] = { 0x26, 1 };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		show_registered("server", classes[i],
				mad_register_server_via(classes[i], 1, mask, 0x00abcdef, port));
	show_registered("server without mask", 0x34,
			mad_register_server_via(0x34, 1, NULL, 0x1405, port));
	show_registered("server without mask", 0x0b,
			mad_register_server_via(0x0b, 0, NULL, 0, port));
	mad_rpc_close_port(port);
}

TEST(server_register_wrong)
{
	static const int classes[] = { 0, 0x07, 0x08, 0x10, 0x22, 0x2f, 0x50, 0xff };
	long mask[16 / sizeof(long)] = { 0x26, 1 };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		show_registered("client", classes[i], mad_register_client_via(classes[i], 1, port));
		show_registered("server", classes[i],
				mad_register_server_via(classes[i], 1, mask, 0x1405, port));
	}
	show_registered("client", 0x100, mad_register_client_via(0x100, 1, port));
	show_registered("client", -1, mad_register_client_via(-1, 1, port));
	mad_register_server_via(4, 0, mask, 0, port);
	show_registered("server twice", 4, mad_register_server_via(4, 0, mask, 0, port));
	mad_register_client_via(4, 0, port);
	show_registered("agent after registering as client", 4, mad_rpc_class_agent(port, 4));
	mad_rpc_close_port(port);
}

TEST(server_register_without_oui)
{
	long mask[16 / sizeof(long)] = { 0x26, 1 };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	show_registered("server", 0x33, mad_register_server_via(0x33, 1, mask, 0, port));
}

TEST(server_register_refused)
{
	long mask[16 / sizeof(long)] = { 2, 0 };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	fakekernel_refuse(EBUSY, EBUSY);
	show_int("mad_register_client_via", mad_register_client_via(4, 0, port));
	show_int("mad_register_server_via", mad_register_server_via(4, 0, mask, 0, port));
	show_int("range 2", mad_register_server_via(0x33, 0, mask, 0x1405, port));
	show_int("mad_rpc_class_agent", mad_rpc_class_agent(port, 4));
}

TEST(send_plain)
{
	ib_rpc_t rpc = plain_rpc(4, 3, 0x34, 192, 33);
	ib_portid_t dport = { .lid = 5, .qp = 1, .qkey = 0x80010000, .sl = 2 };
	ib_rmpp_hdr_t rmpp = { .type = 1, .flags = 3, .status = 4, .d1.u = 5, .d2.u = 6 };
	struct ibmad_port *port = wire_port();
	uint8_t data[256];

	memset(data, 0x5a, sizeof(data));
	fakekernel_rules("none");
	show_int("mad_send_via", mad_send_via(&rpc, &dport, NULL, data, port));
	show_rpc(&rpc);
	rpc.trid = 0;
	show_int("mad_send_via no data", mad_send_via(&rpc, &dport, NULL, NULL, port));
	show_rpc(&rpc);
	rpc.trid = 0;
	rpc.mgtclass = 3;
	rpc.dataoffs = 56;
	rpc.datasz = 200;
	show_int("mad_send_via rmpp", mad_send_via(&rpc, &dport, &rmpp, data, port));
	show_rmpp(&rmpp);
	rpc.trid = 0;
	rpc.mgtclass = 4 | IB_MAD_RPC_VERSION1;
	show_int("mad_send_via v1", mad_send_via(&rpc, &dport, NULL, data, port));
	rpc.trid = 0;
	rpc.mgtclass = 4;
	fakekernel_rules("writeerr=22");
	show_int("mad_send_via write fails", mad_send_via(&rpc, &dport, NULL, data, port));
}

TEST(send_class_not_registered)
{
	ib_rpc_t rpc = plain_rpc(6, 3, 0x34, 192, 33);
	ib_portid_t dport = { .lid = 5, .qp = 1, .qkey = 0x80010000, .sl = 2 };

	fakekernel_rules("none");
	show_int("mad_send_via", mad_send_via(&rpc, &dport, NULL, NULL, wire_port()));
}

TEST(send_default_port)
{
	ib_rpc_t rpc = { .mgtclass = 0x81,
			 .method = 1,
			 .attr = { 0x11, 0 },
			 .dataoffs = 64,
			 .datasz = 64,
			 .timeout = 33 };
	ib_portid_t dport = wire_route(2);

	wire_default_port();
	show_int("mad_send", mad_send(&rpc, &dport, NULL, NULL));
	show_rpc(&rpc);
	rpc.trid = 0;
	dport = wire_route(64);
	show_int("mad_send 64 hops", mad_send(&rpc, &dport, NULL, NULL));
}
