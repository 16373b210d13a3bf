/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Notices from the SA: InformInfo Set (volume 1, 13.4.8.3) subscribes a port to traps, which the SA
 * forwards to it as reports, again and again until it responds.
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibmad/base/clock.h"
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

/* InformInfo */
enum {
	LID_RANGE_BEGIN = 16,
	IS_GENERIC = 22,
	SUBSCRIBE = 23,
	TYPE = 24,
	TRAP_NUMBER = 26,
	QPN_AND_RESPONSE_TIME = 28,
	PRODUCER_TYPE = 32,

	ALL = 0xffff,
	ALL_PRODUCERS = 0xffffff,
	RESPONSE_TIME = 18, /* 4.096 us * 2^18: a second */
};

static void put_inform_info(uint8_t *record, unsigned trap, bool subscribe)
{
	memset(record, 0, IB_SA_DATA_SIZE);
	mad_put_be16(record + LID_RANGE_BEGIN, ALL);
	record[IS_GENERIC] = 1;
	record[SUBSCRIBE] = subscribe;
	mad_put_be16(record + TYPE, ALL);
	mad_put_be16(record + TRAP_NUMBER, (uint16_t)trap);
	mad_put_be32(record + QPN_AND_RESPONSE_TIME, 1 << 8 | RESPONSE_TIME);
	mad_put_be32(record + PRODUCER_TYPE, ALL_PRODUCERS);
}

/* An agent to which the kernel gives reports, too; RMPP is for tables, which it can request. */
static int register_for_reports(struct ibmad_port *port)
{
	long methods[16 / sizeof(long)] = { 0 };
	int agent;

	if (atomic_exchange(&port->receives_reports, true))
		return 0;
	methods[0] = 1L << IB_MAD_METHOD_REPORT;
	agent = mad_port_register(port, IB_SA_CLASS, 1, methods, 0);
	if (agent < 0)
		atomic_store(&port->receives_reports, false);
	return agent < 0 ? mad_state_refuse(agent) : 0;
}

static int inform(struct ibmad_port *port, const ib_portid_t *sm, unsigned trap, bool subscribe,
		  int timeout_ms)
{
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_INFORMINFO, .method = IB_MAD_METHOD_SET };
	MAD_QUIET_BLOCK;
	uint8_t record[IB_SA_DATA_SIZE];
	ib_portid_t to;
	ib_rpc_v1_t rpc;
	int error;

	if (!port || trap > ALL || timeout_ms < 0)
		return mad_state_refuse(mad_refuse(!port	? MAD_REFUSED_PORT
						   : trap > ALL ? MAD_REFUSED_TRAP
								: MAD_REFUSED_TIMEOUT));
	error = register_for_reports(port);
	if (!error)
		error = mad_sa_address(port, sm, &to);
	if (error)
		return error;
	mad_sa_request(&rpc, &to, &sa, mad_port_sa_key(port));
	rpc.timeout = timeout_ms;
	put_inform_info(record, trap, subscribe);
	return mad_rpc_call(port, (ib_rpc_t *)&rpc, &to, record, record);
}

int mad_sa_subscribe(struct ibmad_port *port, const ib_portid_t *sm, unsigned trap, int timeout_ms)
{
	return mad_zero_or_error(inform(port, sm, trap, true, timeout_ms));
}

int mad_sa_unsubscribe(struct ibmad_port *port, const ib_portid_t *sm, unsigned trap,
		       int timeout_ms)
{
	return mad_zero_or_error(inform(port, sm, trap, false, timeout_ms));
}

/* Whether a MAD is a report of a notice, and not something that we have sent and that came back. */
static bool is_notice(void *umad)
{
	const uint8_t *mad = umad_get_mad(umad);

	return !umad_status(umad) && mad[MAD_CLASS] == IB_SA_CLASS &&
	       mad[MAD_METHOD] == IB_MAD_METHOD_REPORT &&
	       mad_get_be16(mad + MAD_ATTR_ID) == IB_SA_ATTR_NOTICE;
}

/* Milliseconds from now on, as mad_receive_via() takes them; 0 when the time is over. */
static int remaining_ms(int timeout_ms, int64_t until_ns)
{
	int64_t left = until_ns - mad_clock_now();

	if (timeout_ms <= 0)
		return timeout_ms;
	return left > 0 ? (int)(left / MAD_NS_PER_MS) + 1 : 0;
}

int mad_sa_receive_notice(struct ibmad_port *port, void *notice, int timeout_ms)
{
	int64_t until_ns = mad_clock_now() + timeout_ms * MAD_NS_PER_MS;
	bool found = false;
	void *umad;

	if (!port || !notice)
		return mad_zero_or_error(mad_refuse(port ? MAD_REFUSED_NOTICE : MAD_REFUSED_PORT));
	while (!found) {
		int left = remaining_ms(timeout_ms, until_ns);

		if (!left && timeout_ms)
			return mad_zero_or_error(-ETIMEDOUT);
		umad = mad_receive_via(NULL, left, port);
		if (!umad)
			return mad_zero_or_error(-errno);
		found = is_notice(umad);
		if (found) {
			memcpy(notice, (uint8_t *)umad_get_mad(umad) + IB_SA_DATA_OFFS,
			       MAD_SA_NOTICE_SIZE);
			mad_respond_via(umad, NULL, 0, port); /* without it, it comes again */
		}
		mad_free(umad);
	}
	return 0;
}
