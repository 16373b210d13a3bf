/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The packets of fakeumad.h: those that tests build, and replies to what was written. */
#include "fakeumad-internal.h"

#include "common/bytes.h"

#include <endian.h>
#include <rdma/ib_user_mad.h>
#include <string.h>

void fakeumad_build(uint8_t packet[FAKEUMAD_PACKET], const struct fakeumad_packet *what)
{
	struct ib_user_mad_hdr *header = (void *)packet;
	uint8_t *mad = packet + FAKEUMAD_HEADER;

	memset(packet, 0, FAKEUMAD_PACKET);
	header->id = (uint32_t)what->agent;
	header->timeout_ms = (uint32_t)what->timeout_ms;
	header->qpn = htobe32(what->qpn);
	header->qkey = htobe32(what->qkey);
	header->lid = htobe16(what->lid);
	header->sl = what->sl;
	header->pkey_index = what->pkey_index;
	if (what->gid) {
		header->grh_present = 1;
		header->hop_limit = 255;
		memcpy(header->gid, what->gid, sizeof(header->gid));
	}
	mad[0] = 1;
	mad[1] = what->mgmt_class;
	mad[2] = what->mgmt_class == 0x03 || what->mgmt_class == 0x21 ? 2 : 1;
	mad[3] = what->method;
	mad_put_be16(mad + 4, what->status);
	mad_put_be64(mad + TID_OFFSET, what->tid);
	mad_put_be16(mad + 16, what->attr_id);
	mad_put_be32(mad + 20, what->attr_mod);
	if (what->data)
		memcpy(mad + what->data_offset, what->data, what->data_size);
}

void fakeumad_pattern(void *data, size_t size, uint8_t start)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)data)[i] = (uint8_t)(start + i);
}

enum { TID_LOW = 12 };

static uint8_t response_to(uint8_t method)
{
	return method == 2 ? 0x81 : (uint8_t)(method | 0x80);
}

static void fill_reply(uint8_t *packet, size_t length, const struct fakeumad_reply *reply)
{
	struct ib_user_mad_hdr *header = (void *)packet;
	uint8_t *mad = packet + FAKEUMAD_HEADER;

	header->status = reply->umad_status;
	header->length = (uint32_t)(FAKEUMAD_HEADER + length);
	if (!reply->request) {
		mad[3] = reply->method ? reply->method : response_to(mad[3]);
		mad_put_be16(mad + 4, reply->status);
	}
	if (reply->base_version)
		mad[0] = reply->base_version;
	if (reply->mgmt_class)
		mad[1] = reply->mgmt_class;
	if (reply->attr_id)
		mad_put_be16(mad + 16, reply->attr_id);
	mad_put_be32(mad + TID_LOW, mad_get_be32(mad + TID_LOW) + (uint32_t)reply->tid_change);
	if (reply->data)
		memcpy(mad + reply->data_offset, reply->data, reply->data_size);
}

void fakeumad_reply_to(int device, const uint8_t *request, size_t size,
		       const struct fakeumad_reply *reply)
{
	size_t length = reply->length ? reply->length : FAKEUMAD_MAD;
	size_t whole =
		FAKEUMAD_HEADER + reply->data_offset + reply->data_size + FAKEUMAD_MAD + length;

	for (int i = 0; i < (reply->copies ? reply->copies : 1); i++) {
		struct kernel_arrival *arrival = kernel_arrival_new(device, whole);

		memcpy(arrival->packet, request, size);
		fill_reply(arrival->packet, length, reply);
		arrival->error = reply->error;
		arrival->size = reply->error ? 0 : FAKEUMAD_HEADER + length;
		arrival->due_ns += (int64_t)reply->delay_ms * 1000000;
		kernel_arrival_send(arrival);
	}
}

void fakeumad_reply(const struct fakeumad_request *request, const struct fakeumad_reply *reply)
{
	KERNEL_LOCKED;
	fakeumad_reply_to(kernel_last_device(), request->packet, request->size, reply);
}

void fakeumad_deliver(const void *packet, size_t size, int delay_ms)
{
	kernel_deliver(kernel_last_device(), packet, size, delay_ms);
}
