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

static void query_lid(void)
{
	once(QUERY, wire_lid(4), "reply");
}

static void query_full_portid(void)
{
	once(QUERY, full_portid(4), "reply");
}

static void query_route(void)
{
	once(QUERY, wire_route(3), "reply");
}

static void query_route_0(void)
{
	once(QUERY, wire_route(0), "reply");
}

static void query_negative_lid(void)
{
	once(QUERY, wire_lid(-1), "reply");
}

static void query_route_63(void)
{
	once(QUERY, wire_route(63), "reply");
}

static void query_route_64(void)
{
	once(QUERY, wire_route(64), "reply");
}

static void query_lid_with_route(void)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	once(QUERY, portid, "reply");
}

static void query_drslid(void)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	portid.drpath.drslid = 0xffff;
	once(QUERY, portid, "reply");
}

static void query_drdlid(void)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	portid.drpath.drdlid = 0xffff;
	once(QUERY, portid, "reply");
}

static void query_drslid_lid(void)
{
	ib_portid_t portid = wire_route(2);

	portid.lid = 4;
	portid.drpath.drslid = 9;
	portid.drpath.drdlid = 0xffff;
	once(QUERY, portid, "reply");
}

static void query_drslid_lid_only(void)
{
	ib_portid_t portid = wire_route(2);

	portid.drpath.drslid = 9;
	portid.drpath.drdlid = 8;
	once(QUERY, portid, "reply");
}

static void set_lid(void)
{
	once(SET, full_portid(4), "reply");
}

static void set_route(void)
{
	once(SET, wire_route(1), "reply");
}

static void query_status(void)
{
	once(QUERY_STATUS, wire_lid(4), "reply");
}

static void query_bad_status(void)
{
	once(QUERY_STATUS, wire_lid(4), "reply status=0x1c");
}

static void query_dr_bad_status(void)
{
	once(QUERY_STATUS, wire_route(2), "reply status=0x800c");
}

static void query_status_nothing(void)
{
	once(QUERY_STATUS, wire_lid(4), "none");
}

static void query_status_timed_out(void)
{
	once(QUERY_STATUS, wire_lid(4), "timeout");
}

static void query_status_write_fails(void)
{
	once(QUERY_STATUS, wire_lid(4), "writeerr=22");
}

static void set_status(void)
{
	once(SET_STATUS, wire_lid(4), "reply status=0x8");
	call(wire_port(), SET_STATUS, wire_route(1), "reply");
}

static void status_null(void)
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

static void mkey(void)
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

static void default_port(void)
{
	uint8_t data[64] = { 0 };
	ib_portid_t portid = wire_lid(4);

	wire_default_port();
	errno = 0;
	show_result("smp_query", smp_query(data, &portid, 0x11, 7, 0), data, sizeof(data));
	errno = 0;
	show_result("smp_set", smp_set(data, &portid, 0x11, 7, 33), data, sizeof(data));
}

const struct wire_case smp_cases[] = {
	{ "smp-query-lid", query_lid },
	{ "smp-query-full-portid", query_full_portid },
	{ "smp-query-route", query_route },
	{ "smp-query-route-0", query_route_0 },
	{ "smp-query-negative-lid", query_negative_lid },
	{ "smp-query-route-63", query_route_63 },
	{ "smp-query-route-64", query_route_64 },
	{ "smp-query-lid-with-route", query_lid_with_route },
	{ "smp-query-drslid", query_drslid },
	{ "smp-query-drdlid", query_drdlid },
	{ "smp-query-drslid-lid", query_drslid_lid },
	{ "smp-query-drslid-lid-only", query_drslid_lid_only },
	{ "smp-set-lid", set_lid },
	{ "smp-set-route", set_route },
	{ "smp-query-status", query_status },
	{ "smp-query-bad-status", query_bad_status },
	{ "smp-query-dr-bad-status", query_dr_bad_status },
	{ "smp-query-status-nothing", query_status_nothing },
	{ "smp-query-status-timed-out", query_status_timed_out },
	{ "smp-query-status-write-fails", query_status_write_fails },
	{ "smp-set-status", set_status },
	{ "smp-status-null", status_null },
	{ "smp-mkey", mkey },
	{ "smp-default-port", default_port },
	{ 0 },
};
