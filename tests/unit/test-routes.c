/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * libibmad/routes: directed routes to LIDs, on a small fabric that responds to SMPs:
 *
 *	local port (LID 1) --1 [switch 10] 2-- 1 [switch 11] 2-- host (LIDs 4 to 7)
 *	                        3 |                  3 |
 *	                     host (LID 3)            nobody
 */
#include "test.h"
#include "fakeumad.h"
#include "held-locks.h"

#include <errno.h>
#include <infiniband/mad_address.h>
#include "tests/lib/async-request.h"
#include <infiniband/mad_keys.h>
#include <string.h>

enum { LOCAL, NEAR_HOST, FAR_HOST, NEAR_SWITCH, FAR_SWITCH, NODES, NOBODY = -1 };

#define PATH_COUNT_AT 7 /* hop count of a directed route SMP */
#define PATH_AT	      128
#define KEY_AT	      24
#define GUID(node)    (UINT64_C(0x0002c90300000100) + (unsigned)(node))
#define KEY	      UINT64_C(0xa1b2c3d4e5f60718)
#define TIMEOUT_MS    20

struct node {
	bool is_switch;
	int lid;
	int lmc;
	int ports;
	int links[4];	    /* by port */
	uint8_t table[128]; /* by LID; from LID 16 on, 0 is no port */
	int top;
};

static struct node nodes[NODES];
static struct ibmad_port *port;
static bool silent[NODES];
static unsigned silent_attribute; /* of all nodes; 0: none is */
static int silent_times;	  /* requests without a response; 0: all */
static int asked_lft, asked_port;

static const struct node healthy[NODES] = {
	[LOCAL] = { false, 1, 0, 1, { NOBODY, NEAR_SWITCH }, { 0 }, 0 },
	[NEAR_HOST] = { false, 3, 0, 1, { NOBODY, NEAR_SWITCH }, { 0 }, 0 },
	[FAR_HOST] = { false, 4, 2, 1, { NOBODY, FAR_SWITCH }, { 0 }, 0 },
	[NEAR_SWITCH] = { true,
			  10,
			  0,
			  3,
			  { NOBODY, LOCAL, FAR_SWITCH, NEAR_HOST },
			  { 255, 1, 255, 3, 2, 2, 2, 2, 255, 255, 0, 2, 255, 255, 255, 255 },
			  11 },
	[FAR_SWITCH] = { true,
			 11,
			 0,
			 3,
			 { NOBODY, NEAR_SWITCH, FAR_HOST, NOBODY },
			 { 255, 1, 255, 1, 2, 2, 2, 2, 255, 255, 1, 0, 255, 255, 255, 255 },
			 11 },
};

/* Returns the node at the end of a route. */
static int walk(const uint8_t *mad)
{
	int at = LOCAL;

	for (int hop = 1; hop <= mad[PATH_COUNT_AT] && at != NOBODY; hop++)
		at = mad[PATH_AT + hop] < 4 ? nodes[at].links[mad[PATH_AT + hop]] : NOBODY;
	return at;
}

static void fill_port_info(const struct node *node, int number, uint8_t *data)
{
	bool is_up = !number || (number < 4 && node->links[number] != NOBODY);

	mad_set_field(data, 0, IB_PORT_LID_F, node->lid);
	mad_set_field(data, 0, IB_PORT_LMC_F, node->lmc);
	mad_set_field(data, 0, IB_PORT_PHYS_STATE_F, is_up ? 5 : 2);
	asked_port += number > 0;
}

static void fill(const struct node *node, unsigned attr_id, unsigned mod, uint8_t *data)
{
	switch (attr_id) {
	case IB_ATTR_NODE_INFO:
		mad_set_field(data, 0, IB_NODE_TYPE_F,
			      node->is_switch ? IB_NODE_SWITCH : IB_NODE_CA);
		mad_set_field(data, 0, IB_NODE_NPORTS_F, node->ports);
		mad_set_field64(data, 0, IB_NODE_PORT_GUID_F, GUID(node - nodes));
		mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F, 1);
		break;
	case IB_ATTR_PORT_INFO:
		fill_port_info(node, (int)mod, data);
		break;
	case IB_ATTR_SWITCH_INFO:
		mad_set_field(data, 0, IB_SW_LINEAR_FDB_TOP_F, node->top);
		break;
	case IB_ATTR_LINEARFORWTBL:
		memset(data, 0xff, 64);
		for (unsigned i = 0; i < 64 && 64 * mod + i < sizeof(node->table); i++)
			if (64 * mod + i < 16 || node->table[64 * mod + i])
				data[i] = node->table[64 * mod + i];
		asked_lft++;
		break;
	default:
		break;
	}
}

static int response(const struct fakeumad_request *request, void *context)
{
	static const struct fakeumad_reply returned = FAKEUMAD_TIMED_OUT;
	const uint8_t *mad = request->mad;
	unsigned attr_id = mad[16] << 8 | mad[17], mod = mad[22] << 8 | mad[23];
	uint8_t data[64] = { 0 };
	struct fakeumad_reply reply = { .data = data, .data_size = 64, .data_offset = 64 };
	int at = mad[1] == IB_SMI_DIRECT_CLASS ? walk(mad) : NOBODY;

	(void)context;
	if (at == NOBODY || silent[at] || attr_id == silent_attribute) {
		if (attr_id == silent_attribute && silent_times && !--silent_times)
			silent_attribute = 0;
		fakeumad_reply(request, &returned);
		return 0;
	}
	fill(&nodes[at], attr_id, mod, data);
	fakeumad_reply(request, &reply);
	return 0;
}

static int setup(void **state)
{
	int result = fakeumad_setup(state);

	port = *state;
	memcpy(nodes, healthy, sizeof(nodes));
	memset(silent, 0, sizeof(silent));
	silent_attribute = silent_times = 0;
	asked_lft = asked_port = 0;
	mad_rpc_set_retries(port, 1);
	mad_rpc_set_timeout(port, TIMEOUT_MS);
	fakeumad_respond_with(response, NULL);
	return result;
}

/* The route to the LID has these ports. */
static void assert_route(int lid, int count, const char *ports)
{
	ib_portid_t route = { .lid = 99 };

	assert_int_equal(mad_route_resolve(port, lid, &route, 0), 0);
	assert_int_equal(route.lid, 0);
	assert_int_equal(route.drpath.cnt, count);
	assert_memory_equal(route.drpath.p + 1, ports, (size_t)count);
	assert_int_equal(route.grh_present, 0);
}

static void assert_no_route(int lid, int error)
{
	ib_portid_t route = { .lid = 99 };

	errno = 0;
	assert_int_equal(mad_route_resolve(port, lid, &route, 0), -1);
	assert_int_equal(errno, error);
	assert_int_equal(route.lid, 99);
}

static int teardown(void **state)
{
	assert_int_equal(held_locks(), 0);
	return fakeumad_teardown(state);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

CASE(every_node)
{
	assert_route(1, 0, "");
	assert_route(10, 1, "\1");
	assert_route(3, 2, "\1\3");
	assert_route(11, 2, "\1\2");
	for (int lid = 4; lid <= 7; lid++) /* LMC 2 */
		assert_route(lid, 3, "\1\2\2");
	assert_int_equal(asked_port, 0); /* the tables lead everywhere */
	assert_int_equal(asked_lft, 2);
}

CASE(what_is_known_is_not_asked_again)
{
	ib_portid_t route;
	int requests;

	assert_route(4, 3, "\1\2\2");
	requests = fakeumad_writes();
	assert_route(4, 3, "\1\2\2");
	assert_route(5, 3, "\1\2\2");
	assert_int_equal(fakeumad_writes(), requests);
	mad_route_forget(port);
	assert_int_equal(mad_route_resolve(port, 4, &route, 0), 0);
	assert_int_equal(fakeumad_writes(), 2 * requests);
}

/* The end of the route is known by its GUID, for keys. */
CASE(the_guid_of_the_end)
{
	ib_portid_t route;

	assert_int_equal(mad_route_resolve(port, 6, &route, 0), 0);
	assert_true(mad_get_field64(route.gid, 0, IB_GID_GUID_F) == GUID(FAR_HOST));
	assert_int_equal(mad_route_resolve(port, 1, &route, 0), 0);
	assert_true(mad_get_field64(route.gid, 0, IB_GID_GUID_F) == GUID(LOCAL));
	/* A search finds the local port if that does not respond with its LID at first. */
	mad_route_forget(port);
	silent_attribute = IB_ATTR_PORT_INFO;
	silent_times = 1;
	assert_int_equal(mad_route_resolve(port, 1, &route, 0), 0);
	assert_true(mad_get_field64(route.gid, 0, IB_GID_GUID_F) == GUID(LOCAL));
}

/* On both sides of the border between two blocks of 64 LIDs. */
CASE(blocks_of_tables)
{
	int requests;

	nodes[NEAR_HOST].lid = 62;
	nodes[NEAR_HOST].lmc = 1;
	nodes[FAR_HOST].lid = 64;
	nodes[FAR_HOST].lmc = 6;
	nodes[NEAR_SWITCH].top = nodes[FAR_SWITCH].top = 127;
	nodes[NEAR_SWITCH].table[62] = nodes[NEAR_SWITCH].table[63] = 3;
	memset(nodes[NEAR_SWITCH].table + 64, 2, 64);
	memset(nodes[FAR_SWITCH].table + 64, 2, 64);
	assert_route(63, 2, "\1\3");
	requests = fakeumad_writes();
	assert_route(63, 2, "\1\3");
	assert_int_equal(fakeumad_writes(), requests);
	assert_route(127, 3, "\1\2\2");
	assert_route(64, 3, "\1\2\2");
	assert_int_equal(asked_lft, 3);
	mad_route_forget(port);
	assert_route(127, 3, "\1\2\2");
	assert_route(63, 2, "\1\3");
	assert_route(126, 3, "\1\2\2");
	assert_int_equal(asked_lft, 6);
	assert_int_equal(asked_port, 0); /* the tables lead there */
}

/* Tables that lead nowhere, in circles, to another port, or to no port of the switch. */
CASE(wrong_tables)
{
	static const uint8_t wrong[] = { 255, 1, 3, 200 };

	for (size_t i = 0; i < sizeof(wrong); i++) {
		memcpy(nodes, healthy, sizeof(nodes));
		nodes[FAR_SWITCH].table[4] = wrong[i];
		mad_route_forget(port);
		asked_port = 0;
		assert_route(4, 3, "\1\2\2");
		assert_true(asked_port > 0); /* found by a search */
	}
	assert_route(4, 3, "\1\2\2");
	nodes[NEAR_SWITCH].top = 3; /* entries behind it do not count */
	nodes[NEAR_SWITCH].table[11] = 1;
	mad_route_forget(port);
	assert_route(11, 2, "\1\2");
}

/* The cache keeps routes that a search has found. */
CASE(a_search_is_made_once)
{
	int requests;

	nodes[NEAR_SWITCH].table[4] = 255;
	assert_route(4, 3, "\1\2\2");
	requests = fakeumad_writes();
	assert_route(4, 3, "\1\2\2");
	assert_int_equal(fakeumad_writes(), requests);
}

/* As many LIDs as ports can have, beyond what the forwarding tables hold. */
CASE(many_lids)
{
	nodes[NEAR_HOST].lid = 256;
	nodes[FAR_HOST].lid = 128;
	nodes[NEAR_HOST].lmc = nodes[FAR_HOST].lmc = 7;
	for (int lid = 128; lid < 256; lid++)
		assert_route(lid, 3, "\1\2\2");
	for (int lid = 256; lid < 384; lid++)
		assert_route(lid, 2, "\1\3");
	assert_no_route(384, ENETUNREACH);
}

CASE(nodes_that_do_not_respond)
{
	silent[NEAR_HOST] = true;
	assert_no_route(3, ENETUNREACH);
	assert_route(4, 3, "\1\2\2");
	silent[FAR_SWITCH] = true;
	mad_route_forget(port);
	assert_no_route(4, ENETUNREACH);
	silent[LOCAL] = true;
	mad_route_forget(port);
	assert_no_route(4, ETIMEDOUT);
	silent[LOCAL] = false;
	silent_attribute = IB_ATTR_PORT_INFO;
	mad_route_forget(port);
	assert_no_route(4, ENETUNREACH);
}

CASE(what_is_refused)
{
	ib_portid_t route;
	int pm_class = IB_PERFORMANCE_CLASS;
	struct ibmad_port *other;

	assert_no_route(9, ENETUNREACH);
	other = mad_rpc_open_port(NULL, 0, &pm_class, 1);
	assert_non_null(other);
	assert_errno(mad_route_resolve(other, 4, &route, 0), EINVAL);
	assert_errno(mad_route_use(other, true), EINVAL);
	mad_rpc_close_port(other);
}

CASE(smps_by_lid_go_by_route)
{
	uint8_t data[64], *mad, saved[256] = { 0 };
	ib_portid_t to = { .lid = 4 };

	assert_int_equal(mad_route_use(port, true), 0);
	madrpc_save_mad(saved, sizeof(saved));
	assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	assert_int_equal(saved[PATH_COUNT_AT], 3); /* of this request, not of those for the route */
	assert_true(mad_get_field64(data, 0, IB_NODE_PORT_GUID_F) == GUID(FAR_HOST));
	assert_int_equal(to.lid, 4);
	assert_int_equal(to.drpath.cnt, 0);
	mad = (uint8_t *)fakeumad_written(fakeumad_writes()) + FAKEUMAD_HEADER;
	assert_int_equal(mad[1], IB_SMI_DIRECT_CLASS);
	assert_int_equal(mad[PATH_COUNT_AT], 3);
	to.lid = 9;
	assert_null_errno(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port), ENETUNREACH);
	assert_int_equal(mad_route_use(port, false), 0);
	to.lid = 4;
	assert_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	mad = (uint8_t *)fakeumad_written(fakeumad_writes()) + FAKEUMAD_HEADER;
	assert_int_equal(mad[1], IB_SMI_CLASS);
}

static void move_far_host(void)
{
	nodes[FAR_SWITCH].links[2] = NOBODY;
	nodes[FAR_SWITCH].links[3] = FAR_HOST;
	nodes[FAR_SWITCH].table[4] = 3;
}

/* The next request finds the new place of a host that was moved. */
CASE(a_host_that_was_moved)
{
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64];

	mad_route_use(port, true);
	assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	move_far_host();
	assert_null_errno(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port), ETIMEDOUT);
	assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	assert_true(mad_get_field64(data, 0, IB_NODE_PORT_GUID_F) == GUID(FAR_HOST));
}

static void note_error(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	(void)async;
	*(int *)context = result->error;
	if (!result->error)
		assert_int_equal(result->from->drpath.cnt, 3);
}

static int get_asynchronously(struct mad_async *async, const ib_portid_t *to)
{
	int error = -1;

	assert_true(mad_async_smp(async, ASYNC_TO(to, note_error, &error), IB_ATTR_NODE_INFO, 0,
				  NULL) > 0);
	while (error < 0)
		assert_true(mad_async_dispatch(async, 0, 1000) >= 0);
	return error;
}

/* Asynchronous SMPs go by route, too. */
CASE(asynchronous_smps)
{
	struct mad_async *async = mad_async_create(port, NULL);
	ib_portid_t to = { .lid = 4 }, nowhere = { .lid = 9 };
	int error = -1;

	mad_route_use(port, true);
	assert_int_equal(get_asynchronously(async, &to), 0);
	assert_errno(mad_async_smp(async, ASYNC_TO(&nowhere, note_error, &error), IB_ATTR_NODE_INFO,
				   0, NULL),
		     ENETUNREACH);
	move_far_host();
	assert_int_equal(get_asynchronously(async, &to), ETIMEDOUT);
	assert_int_equal(get_asynchronously(async, &to), 0);
	mad_async_free(async);
}

static void assert_last_key(uint64_t key)
{
	const uint8_t *mad = fakeumad_written(fakeumad_writes()) + FAKEUMAD_HEADER;

	assert_true(mad_get_field64((void *)(mad + KEY_AT), 0, IB_GID_PREFIX_F) == key);
}

/* The key of the LID, or else of the GUID at the end of the route. */
CASE(keys_of_routed_smps)
{
	struct mad_keys *keys = mad_keys_create();
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64];

	mad_route_use(port, true);
	mad_port_set_keys(port, keys);
	mad_keys_set_guid(keys, MAD_KEY_M, GUID(FAR_HOST), KEY);
	assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	assert_last_key(KEY);
	mad_keys_set_lid(keys, MAD_KEY_M, 4, KEY + 1);
	assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	assert_last_key(KEY + 1);
	smp_mkey_set(port, KEY + 2);
	assert_non_null(smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 0, port));
	assert_last_key(KEY + 2);
	mad_keys_free(keys);
}
