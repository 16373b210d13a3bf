/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * libibmad/base/class.c, mad_address_gsi(): QP and Q_Key of an address are filled in where they are
 * 0 and stay where a caller, or a redirect, has set them; in every call that makes a GSI request.
 */
#include "test.h"
#include "fakeumad.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <string.h>

static uint8_t data[256];

/* One way to make a request to an address; returns whether it got its response. */
typedef bool make_request(struct ibmad_port *port, ib_portid_t *to);

static bool by_sa(struct ibmad_port *port, ib_portid_t *to)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET };

	return sa_rpc_call(port, data, to, &sa, 0);
}

static bool by_path_query(struct ibmad_port *port, ib_portid_t *to)
{
	ibmad_gid_t gid = { 0xfe, 0x80, [15] = 1 };

	return ib_path_query_via(port, gid, gid, to, data) >= 0;
}

static bool by_node_query(struct ibmad_port *port, ib_portid_t *to)
{
	return ib_node_query_via(port, 1, to, data) == 0;
}

static bool by_vendor(struct ibmad_port *port, ib_portid_t *to)
{
	ib_vendor_call_t call = { .method = IB_MAD_METHOD_GET, .mgmt_class = 0x0a };

	return ib_vendor_call_via(data, to, &call, port);
}

static bool by_vendor_range2(struct ibmad_port *port, ib_portid_t *to)
{
	ib_vendor_call_t call = { .method = IB_MAD_METHOD_GET,
				  .mgmt_class = 0x32,
				  .oui = IB_OPENIB_OUI };

	return ib_vendor_call_via(data, to, &call, port);
}

static bool by_cc(struct ibmad_port *port, ib_portid_t *to)
{
	return cc_query_status_via(data, to, 0x11, 0, 0, NULL, port, 0);
}

static bool by_bm(struct ibmad_port *port, ib_portid_t *to)
{
	ib_bm_call_t call = { .method = IB_MAD_METHOD_GET, .attrid = IB_BM_ATTR_BKEYINFO };

	return bm_call_via(data, to, &call, port);
}

static bool by_perf(struct ibmad_port *port, ib_portid_t *to)
{
	return pma_query_via(data, to, 1, 0, IB_GSI_PORT_COUNTERS, port);
}

static make_request *const ways[] = { by_sa,	 by_path_query,	   by_node_query,
				      by_vendor, by_vendor_range2, by_cc,
				      by_bm,	 by_perf };
#define WAYS (sizeof(ways) / sizeof(ways[0]))

/* Every request gets a valid response. */
static int response(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply reply = { 0 };

	(void)context;
	fakeumad_reply(request, &reply);
	return 0;
}

/* Makes the request in each way at `to`: what goes out, and what is then in the address. */
static void check(struct ibmad_port *port, ib_portid_t to, uint32_t qp, uint32_t qkey)
{
	fakeumad_respond_with(response, NULL);
	for (size_t i = 0; i < WAYS; i++) {
		const struct ib_user_mad *umad;
		ib_portid_t used = to;

		assert_true(ways[i](port, &used));
		assert_int_equal(fakeumad_writes(), i + 1);
		umad = (const void *)fakeumad_written((int)i + 1);
		assert_int_equal(be32toh(umad->addr.qpn), qp);
		assert_int_equal(be32toh(umad->addr.qkey), qkey);
		assert_int_equal(used.qp, qp);
		assert_int_equal(used.qkey, qkey);
	}
}

FAKEUMAD_TEST(nothing_set)
{
	check(*state, (ib_portid_t){ .lid = 7 }, 1, IB_DEFAULT_QP1_QKEY);
}

FAKEUMAD_TEST(qp_set)
{
	check(*state, (ib_portid_t){ .lid = 7, .qp = 9 }, 9, IB_DEFAULT_QP1_QKEY);
}

FAKEUMAD_TEST(qkey_set)
{
	check(*state, (ib_portid_t){ .lid = 7, .qkey = 0x4444 }, 1, 0x4444);
}

FAKEUMAD_TEST(both_set)
{
	check(*state, (ib_portid_t){ .lid = 7, .qp = 9, .qkey = 0x4444 }, 9, 0x4444);
}

/* What an address that a redirect has changed is worth for the next call. */
struct redirector {
	size_t offset; /* of ClassPortInfo in the class */
	int requests;
	uint32_t last_qp;
	uint32_t last_qkey;
	uint16_t last_lid;
};

/* The first request is redirected to LID 8, QP 9, Q_Key 0x4444; the others get a response. */
static int redirect_first(const struct fakeumad_request *request, void *context)
{
	static const uint8_t info[72] = { [29] = 8, [35] = 9, [38] = 0x44, [39] = 0x44 };
	const struct ib_user_mad *umad = (const void *)request->packet;
	struct fakeumad_reply reply = { 0 };
	struct redirector *redirector = context;

	if (!redirector->requests++)
		reply = (struct fakeumad_reply){ .status = 2,
						 .data = info,
						 .data_size = sizeof(info),
						 .data_offset = redirector->offset };
	redirector->last_lid = be16toh(umad->addr.lid);
	redirector->last_qp = be32toh(umad->addr.qpn);
	redirector->last_qkey = be32toh(umad->addr.qkey);
	fakeumad_reply(request, &reply);
	return 0;
}

FAKEUMAD_TEST(redirected_address_serves_the_next_call)
{
	static const size_t offsets[WAYS] = { 56, 56, 56, 24, 40, 64, 64, 64 };

	for (size_t i = 0; i < WAYS; i++) {
		struct redirector redirector = { .offset = offsets[i] };
		ib_portid_t to = { .lid = 7 };

		fakeumad_respond_with(redirect_first, &redirector);
		for (int call = 0; call < 3; call++) {
			assert_true(ways[i](*state, &to));
			assert_int_equal(redirector.requests, call + 2);
			assert_int_equal(redirector.last_lid, 8);
			assert_int_equal(redirector.last_qp, 9);
			assert_int_equal(redirector.last_qkey, 0x4444);
		}
	}
}

/* The functions whose addresses are const: what goes out is complete, and the address stays. */
FAKEUMAD_TEST(a_table_query_leaves_the_address)
{
	const struct mad_sa_request query = { .method = IB_MAD_METHOD_GET,
					      .attr_id = IB_SA_ATTR_NODERECORD };
	struct redirector redirector = { .offset = 56 };
	const ib_portid_t to = { .lid = 7 };
	struct mad_sa_table *table;

	fakeumad_respond_with(redirect_first, &redirector);
	table = mad_sa_query(*state, &to, &query, sizeof(query), NULL);
	assert_non_null(table);
	mad_sa_table_free(table);
	assert_int_equal(redirector.requests, 2);
	assert_int_equal(redirector.last_lid, 8);
	assert_int_equal(redirector.last_qp, 9);
}

/* They would name another port, attribute, LID or method. */
FAKEUMAD_TEST(numbers_wider_than_their_field)
{
	struct ibmad_port *port = *state;
	ib_portid_t to = { .lid = 7 }, far = { .lid = 0x10007 };
	ib_sa_call_t sa = { .method = 0x101, .attrid = IB_SA_ATTR_NODERECORD };

	errno = 0;
#define assert_refused(call)                     \
	do {                                     \
		assert_null(call);               \
		assert_int_equal(errno, EINVAL); \
		errno = 0;                       \
	} while (0)
	assert_refused(performance_reset_via(data, &to, 258, 0, 0, IB_GSI_PORT_COUNTERS, port));
	assert_refused(pma_query_via(data, &to, -1, 0, IB_GSI_PORT_COUNTERS, port));
	assert_refused(pma_query_via(data, &to, 1, 0, 0x10012, port));
	assert_refused(smp_query_via(data, &to, 0x10011, 0, 0, port));
	assert_refused(smp_query_via(data, &far, IB_ATTR_NODE_INFO, 0, 0, port));
	assert_refused(sa_rpc_call(port, data, &to, &sa, 0));
	assert_int_equal(fakeumad_writes(), 0);
}
