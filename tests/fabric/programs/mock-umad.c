/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A mock of libibumad in the shape of those that CI systems preload on machines without InfiniBand:
 * it replaces the eight functions below and nothing else, its port is no descriptor, and its header
 * has MOCK_HEADER bytes (56 or 64). It responds to each request at once; with MOCK_SILENT set,
 * never.
 */
#include <endian.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_types.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { PORT = 123456, MAD = 256, WAITING_MAX = 64 };

/* Offsets in a MAD. */
enum {
	CLASS = 1,
	METHOD = 3,
	STATUS = 4,
	ATTRIBUTE = 16,
	RMPP = 24,
	SA_ATTRIBUTE_OFFSET = 44,
	SA_DATA = 56,
	SMP_DATA = 64,
};

static struct {
	uint8_t mad[MAD];
	int agent;
} waiting[WAITING_MAX];
static unsigned first, count;
static int agents;

int umad_init(void)
{
	return 0;
}

int umad_done(void)
{
	return 0;
}

int umad_open_port(const char *ca_name, int portnum)
{
	(void)ca_name;
	(void)portnum;
	return PORT;
}

int umad_close_port(int portid)
{
	return portid == PORT ? 0 : -EINVAL;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)])
{
	(void)mgmt_class;
	(void)mgmt_version;
	(void)rmpp_version;
	(void)method_mask;
	return portid == PORT ? agents++ : -EINVAL;
}

size_t umad_size(void)
{
	const char *size = getenv("MOCK_HEADER");

	return size ? (size_t)atoi(size) : 56;
}

/* A host whose port 1 is active, has LID 1 and the SM behind it. */
static void fill_smp(uint8_t *mad)
{
	static const uint8_t node_info[40] = {
		1, 1, 1, 1, [11] = 1, [19] = 1, [27] = 2, [29] = 1, [36] = 1
	};
	static const uint8_t port_info[64] = {
		[8] = 0xfe, 0x80, [17] = 1, [19] = 1, [28] = 1, 2, 2, 2, 0x24, 0x52, 0, 0x22
	};

	memset(mad + SMP_DATA, 0, 64);
	switch (mad[ATTRIBUTE + 1]) {
	case 0x10:
		memcpy(mad + SMP_DATA, "a mocked host", 13);
		break;
	case 0x11:
		memcpy(mad + SMP_DATA, node_info, sizeof(node_info));
		break;
	case 0x15:
		memcpy(mad + SMP_DATA, port_info, sizeof(port_info));
		break;
	default:
		for (unsigned i = 0; i < 64; i++)
			mad[SMP_DATA + i] = (uint8_t)(i * 7);
	}
}

/* The table has one record, in one packet. */
static void fill_sa(uint8_t *mad)
{
	static const uint8_t rmpp[12] = { 1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 0, 20 + 112 };

	if (mad[METHOD] == (UMAD_SA_METHOD_GET_TABLE | UMAD_METHOD_RESP_MASK))
		memcpy(mad + RMPP, rmpp, sizeof(rmpp));
	mad[SA_ATTRIBUTE_OFFSET + 1] = 112 / 8;
	for (unsigned i = 0; i < 112; i++)
		mad[SA_DATA + i] = (uint8_t)(i + 1);
}

static void respond(uint8_t *mad)
{
	mad[METHOD] = mad[METHOD] == UMAD_METHOD_SET ? UMAD_METHOD_GET_RESP
						     : mad[METHOD] | UMAD_METHOD_RESP_MASK;
	switch (mad[CLASS]) {
	case UMAD_CLASS_SUBN_DIRECTED_ROUTE:
		mad[STATUS] = 0x80;
		/* fall through */
	case UMAD_CLASS_SUBN_LID_ROUTED:
		fill_smp(mad);
		break;
	case UMAD_CLASS_SUBN_ADM:
		fill_sa(mad);
		break;
	default:
		for (unsigned i = SMP_DATA; i < MAD; i++)
			mad[i] = (uint8_t)(i * 3);
	}
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	unsigned last = (first + count) % WAITING_MAX;

	(void)timeout_ms;
	(void)retries;
	if (portid != PORT || agentid < 0 || agentid >= agents || length < 24)
		return -EINVAL;
	if (getenv("MOCK_SILENT") || count == WAITING_MAX)
		return 0;
	memset(waiting[last].mad, 0, MAD);
	memcpy(waiting[last].mad, (uint8_t *)umad + umad_size(), length < MAD ? length : MAD);
	waiting[last].agent = agentid;
	respond(waiting[last].mad);
	count++;
	return 0;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	struct ib_user_mad *header = umad;

	if (portid != PORT || *length < MAD)
		return -EINVAL;
	if (!count) {
		poll(NULL, 0, timeout_ms);
		errno = timeout_ms ? ETIMEDOUT : EWOULDBLOCK;
		return -errno;
	}
	memset(umad, 0, umad_size());
	header->agent_id = (uint32_t)waiting[first].agent;
	header->length = (uint32_t)umad_size() + MAD;
	header->addr.lid = htobe16(1);
	memcpy((uint8_t *)umad + umad_size(), waiting[first].mad, MAD);
	*length = MAD;
	first = (first + 1) % WAITING_MAX;
	count--;
	return waiting[(first + WAITING_MAX - 1) % WAITING_MAX].agent;
}
