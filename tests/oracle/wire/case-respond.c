/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: servers receive requests and respond. */
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
	fakekernel_arrive(packet, sizeof(packet));
	uint8_t *umad = mad_receive_via(NULL, 100, port);

	printf("mad_receive_via: %s\n", umad ? "data" : "NULL");
	if (!umad)
		return;
	fakekernel_print(stdout, "received ", umad, sizeof(packet));
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
