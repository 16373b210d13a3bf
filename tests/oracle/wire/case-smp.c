/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: smp_query*() and smp_set*(): which class, which fields of the portid, status, M_Key. */
#include "wire.h"

enum call { QUERY, SET, QUERY_STATUS, SET_STATUS };

static void call(struct ibmad_port *port, enum call which, ib_portid_t portid, const char *rules)
{
	static const char *const names[] = { "smp_query_via", "smp_set_via", "smp_query_status_via",
					     "smp_set_status_via" };
	uint8_t data[128];
	void *result = NULL;
	int status = 0x5555;

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	for (int i = 0; i < 64; i++)
		data[i] = (uint8_t)i;
	fakekernel_rules(rules);
	errno = 0;
	switch (which) {
	case QUERY:
		result = smp_query_via(data, &portid, 0x15, 3, 20, port);
		break;
	case SET:
		result = smp_set_via(data, &portid, 0x15, 3, 20, port);
		break;
	case QUERY_STATUS:
		result = smp_query_status_via(data, &portid, 0x15, 3, 20, &status, port);
		break;
	case SET_STATUS:
		result = smp_set_status_via(data, &portid, 0x15, 3, 20, &status, port);
		break;
	}
	show_result(names[which], result, data, sizeof(data));
	if (which >= QUERY_STATUS)
		printf("  rstatus %#x\n", (unsigned)status);
	show_portid("portid", &portid);
}

static void once(enum call which, ib_portid_t portid, const char *rules)
{
	struct ibmad_port *port = wire_port();

	mad_rpc_set_retries(port, 1);
	call(port, which, portid, rules);
}

static ib_portid_t full_portid(int lid)
{
	ib_portid_t portid = wire_lid(lid);

	portid.qp = 5;
	portid.qkey = 0x1234;
	portid.sl = 7;
	portid.pkey_idx = 3;
	portid.grh_present = 1;
	memset(portid.gid, 0xab, 16);
	return portid;
}

TEST_CALL(smp_query_lid, once(QUERY, wire_lid(4), "reply"))
TEST_CALL(smp_query_full_portid, once(QUERY, full_portid(4), "reply"))
TEST_CALL(smp_query_route, once(QUERY, wire_route(3), "reply"))
TEST_CALL(smp_query_route_0, once(QUERY, wire_route(0), "reply"))
TEST_CALL(smp_query_negative_lid, once(QUERY, wire_lid(-1), "reply"))
TEST_CALL(smp_query_route_63, once(QUERY, wire_route(63), "reply"))
TEST_CALL(smp_query_route_64, once(QUERY, wire_route(64), "reply"))

TEST(smp_query_lid_with_route)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	once(QUERY, portid, "reply");
}

TEST(smp_query_drslid)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	portid.drpath.drslid = 0xffff;
	once(QUERY, portid, "reply");
}

TEST(smp_query_drdlid)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	portid.drpath.drdlid = 0xffff;
	once(QUERY, portid, "reply");
}

TEST(smp_query_drslid_lid)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	portid.drpath.drslid = 9;
	portid.drpath.drdlid = 0xffff;
	once(QUERY, portid, "reply");
}

TEST(smp_query_drslid_lid_only)
{
	ib_portid_t portid = wire_route(2);

	portid.drpath.drslid = 9;
	portid.drpath.drdlid = 8;
	once(QUERY, portid, "reply");
}

TEST_CALL(smp_set_lid, once(SET, full_portid(4), "reply"))
TEST_CALL(smp_set_route, once(SET, wire_route(1), "reply"))
TEST_CALL(smp_query_status, once(QUERY_STATUS, wire_lid(4), "reply"))
TEST_CALL(smp_query_bad_status, once(QUERY_STATUS, wire_lid(4), "reply status=0x1c"))
TEST_CALL(smp_query_dr_bad_status, once(QUERY_STATUS, wire_route(2), "reply status=0x800c"))
TEST_CALL(smp_query_status_nothing, once(QUERY_STATUS, wire_lid(4), "none"))
TEST_CALL(smp_query_status_timed_out, once(QUERY_STATUS, wire_lid(4), "timeout"))
TEST_CALL(smp_query_status_write_fails, once(QUERY_STATUS, wire_lid(4), "writeerr=22"))

TEST(smp_set_status)
{
	once(SET_STATUS, wire_lid(4), "reply status=0x8");
	call(wire_port(), SET_STATUS, wire_route(1), "reply");
}

TEST(smp_status_null)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t portid = wire_lid(4);
	uint8_t data[64] = { 0 };

	errno = 0;
	show_success("smp_query_status_via",
		     smp_query_status_via(data, &portid, 0x11, 0, 20, NULL, port) == data);
	fakekernel_rules("reply status=0x1c");
	errno = 0;
	show_success("smp_query_status_via",
		     smp_query_status_via(data, &portid, 0x11, 0, 20, NULL, port) == data);
	errno = 0;
	show_success("smp_set_status_via",
		     smp_set_status_via(data, &portid, 0x11, 0, 20, NULL, port) == data);
}

TEST(smp_mkey)
{
	struct ibmad_port *port = wire_port();

	printf("smp_mkey_get %llx\n", (unsigned long long)smp_mkey_get(port));
	smp_mkey_set(port, 0x1122334455667788);
	printf("smp_mkey_get %llx\n", (unsigned long long)smp_mkey_get(port));
	call(port, QUERY, wire_lid(4), "reply");
	call(port, SET, wire_route(1), "reply");
	call(port, QUERY_STATUS, wire_lid(4), "reply");
	call(port, SET_STATUS, wire_lid(4), "reply");
}

TEST(smp_default_port)
{
	uint8_t data[64] = { 0 };
	ib_portid_t portid = wire_lid(4);

	wire_default_port();
	errno = 0;
	show_result("smp_query", smp_query(data, &portid, 0x11, 7, 0), data, sizeof(data));
	errno = 0;
	show_result("smp_set", smp_set(data, &portid, 0x11, 7, 33), data, sizeof(data));
}
