/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The policy of the fake kernel of tests/lib for wire-client: one device, which may be opened any
 * number of times, and prints each call.
 */
#include "fakekernel.h"
#include "kernel.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_mad.h>
#include <stdio.h>
#include <string.h>

#define DEVICE_PATH "/dev/infiniband/umad0"
#define TID_OFFSET  8
#define MAX_AGENTS  32
#define MAX_TIDS    256
#define MAX_MAD	    2048

static struct {
	fakekernel_response_fn *response; /* NULL: nothing follows a write */
	bool hides_smp_data;
	int owners[MAX_AGENTS]; /* of agents: the number of the device and 1 more, 0 for none */
	uint32_t tids[MAX_TIDS];
	int tid_count;
} fakekernel;

/* Transaction IDs are printed as numbers in the order in which their low halves were first seen. */
static int tid_number(uint32_t low)
{
	for (int i = 0; i < fakekernel.tid_count; i++)
		if (fakekernel.tids[i] == low)
			return i + 1;
	if (fakekernel.tid_count < MAX_TIDS)
		fakekernel.tids[fakekernel.tid_count++] = low;
	return fakekernel.tid_count;
}

/* Whether the bytes of a row go on in the steps of the two before it. */
static bool continues(const uint8_t *bytes, size_t at, size_t end)
{
	uint8_t last = at ? bytes[at - 1] : FAKEKERNEL_UNTOUCHED;
	uint8_t step = at ? (uint8_t)(last - bytes[at - 2]) : 0;

	while (at < end && bytes[at] == (uint8_t)(last + step))
		last = bytes[at++];
	return at == end;
}

void fakekernel_print(FILE *to, const char *name, const void *bytes, size_t size)
{
	for (size_t i = 0, end; i < size; i = end) {
		end = size - i < 32 ? size : i + 32;
		if (continues(bytes, i, end))
			continue;
		fprintf(to, "  %s%03zu:", name, i);
		for (size_t k = i; k < end; k++)
			fprintf(to, "%s%02x", k % 4 ? "" : " ", ((const uint8_t *)bytes)[k]);
		fputc('\n', to);
	}
}

static void log_write(const uint8_t *packet, size_t size)
{
	const struct ib_user_mad_hdr *h = (const void *)packet;
	size_t length = size < KERNEL_HEADER + MAX_MAD ? size - KERNEL_HEADER : MAX_MAD;
	uint8_t mad[MAX_MAD] = { 0 };
	uint64_t tid;

	memcpy(mad, packet + KERNEL_HEADER, length);
	memcpy(&tid, mad + TID_OFFSET, sizeof(tid));
	memset(mad + TID_OFFSET, 0, sizeof(tid));
	if (fakekernel.hides_smp_data && (mad[1] & 0x7f) == 0x01 && mad[3] == 1)
		memset(mad + 64, 0, 64);
	tid = be64toh(tid);
	fprintf(stderr,
		"write %zu: agent %u status %u timeout %d retries %d length %u qpn %u qkey %08x "
		"lid %u sl %u path_bits %u grh %u gid_index %u hop_limit %u tclass %u flow %x "
		"pkey_index %u",
		size, h->id, h->status, (int)h->timeout_ms, (int)h->retries, h->length,
		be32toh(h->qpn), be32toh(h->qkey), be16toh(h->lid), h->sl, h->path_bits,
		h->grh_present, h->gid_index, h->hop_limit, h->traffic_class,
		be32toh(h->flow_label), h->pkey_index);
	if (h->grh_present) {
		fputs(" gid ", stderr);
		for (int i = 0; i < 16; i++)
			fprintf(stderr, "%02x", h->gid[i]);
	}
	fprintf(stderr, " tid %s#%d\n", tid >> 32 ? "high," : "", tid_number((uint32_t)tid));
	fakekernel_print(stderr, "", mad, length);
}

void fakekernel_arrive(const void *packet, size_t length)
{
	kernel_deliver(kernel_last_device(), packet, length, 0);
}

void fakekernel_respond_with(fakekernel_response_fn *response)
{
	fakekernel.response = response;
}

void fakekernel_hide_smp_data(void)
{
	fakekernel.hides_smp_data = true;
}

/*
 * The policy
 */

static void check_open(const char *path, int flags)
{
	if (!strncmp(path, "/dev/", 5))
		fprintf(stderr, "open %s%s\n", path, flags & O_NONBLOCK ? " nonblock" : "");
}

static int open_device(const char *path)
{
	return strcmp(path, DEVICE_PATH) ? -ENOENT : KERNEL_UNUSED;
}

static void close_device(int device)
{
	for (int i = 0; i < MAX_AGENTS; i++)
		if (fakekernel.owners[i] == device + 1)
			fakekernel.owners[i] = 0;
	fprintf(stderr, "close umad0\n");
}

static ssize_t write_packet(int device, const void *packet, size_t size)
{
	log_write(packet, size);
	if (fakekernel.response && kernel_result(-fakekernel.response(device, packet, size)))
		return -1;
	return (ssize_t)size;
}

static int agent_new(int device)
{
	for (int i = 0; i < MAX_AGENTS; i++) {
		if (!fakekernel.owners[i]) {
			fakekernel.owners[i] = device + 1;
			return i;
		}
	}
	return -1;
}

static int register_agent(int device, struct ib_user_mad_reg_req *r)
{
	unsigned long mask[2];

	memcpy(mask, r->method_mask, sizeof(mask));
	fprintf(stderr, "register: qpn %u class %02x version %u rmpp %u mask %016lx %016lx", r->qpn,
		r->mgmt_class, r->mgmt_class_version, r->rmpp_version, mask[0], mask[1]);
	if (r->mgmt_class >= 0x30 && r->mgmt_class <= 0x4f) /* the kernel looks at it only there */
		fprintf(stderr, " oui %02x%02x%02x", r->oui[0], r->oui[1], r->oui[2]);
	fputc('\n', stderr);
	r->id = (uint32_t)agent_new(device);
	return 0;
}

static int register_agent2(int device, struct ib_user_mad_reg_req2 *r)
{
	fprintf(stderr,
		"register2: qpn %u class %02x version %u flags %x oui %06x rmpp %u mask %016llx "
		"%016llx\n",
		r->qpn, r->mgmt_class, r->mgmt_class_version, r->flags, r->oui, r->rmpp_version,
		(unsigned long long)r->method_mask[0], (unsigned long long)r->method_mask[1]);
	r->id = (uint32_t)agent_new(device);
	return 0;
}

static int control(int device, unsigned long request, void *argument)
{
	uint32_t agent;

	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
		return (int)kernel_result(register_agent(device, argument));
	case IB_USER_MAD_REGISTER_AGENT2:
		return (int)kernel_result(register_agent2(device, argument));
	case IB_USER_MAD_UNREGISTER_AGENT:
		agent = *(uint32_t *)argument;
		fprintf(stderr, "unregister %u\n", agent);
		if (agent < MAX_AGENTS)
			fakekernel.owners[agent] = 0;
		return 0;
	case IB_USER_MAD_ENABLE_PKEY:
		fprintf(stderr, "enable_pkey\n");
		return 0;
	default:
		return (int)kernel_result(-ENOTTY);
	}
}

static const struct kernel_policy policy = {
	.lists_dots = true,
	.check_open = check_open,
	.open_device = open_device,
	.close_device = close_device,
	.write = write_packet,
	.ioctl = control,
};

void fakekernel_start(void)
{
	kernel_reset(&policy, 0);
	kernel_host();
	kernel_file("/sys/class/infiniband_mad/issm0/ibdev", "mlx5_0\n");
	kernel_file("/sys/class/infiniband_mad/issm0/port", "1\n");
}
