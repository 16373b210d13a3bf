/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The thread that responds as a test wants; see responder.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "responder.h"
#include "sys.h"
#include "tap.h"

enum {
	LOOK_MS = 20, /* how soon it sees that it is to end */
	STATUS_REDIRECT = 0x0002,
	ATTR_CLASS_PORT_INFO = 0x0001,
	CLASS_PORT_INFO_SIZE = 72,
	REDIRECT_GID = 8, /* in it */
	GID_SIZE = 16,
	REDIRECT_LID = 28,
	REDIRECT_QP = 32,
	REDIRECT_QKEY = 36,
};

/* ClassPortInfo that sends the requester here again: to the GID that it came from, which is that of
 * the port on both sides. On RoCE a LID has no meaning, but stands for a redirect that is to be
 * followed. */
static void redirect(const struct responder *responder, void *umad, uint8_t *mad)
{
	uint8_t *info = mad + MAD_VENDOR_DATA;

	loop_put16(mad + MAD_STATUS, STATUS_REDIRECT);
	loop_put16(mad + MAD_ATTR_ID, ATTR_CLASS_PORT_INFO);
	memset(info, 0, CLASS_PORT_INFO_SIZE);
	memcpy(info + REDIRECT_GID, umad_get_mad_addr(umad)->gid, GID_SIZE);
	loop_put16(info + REDIRECT_LID, responder->redirect_lid);
	loop_put32(info + REDIRECT_QP, 1);
	loop_put32(info + REDIRECT_QKEY, LOOP_QKEY);
}

static void response(struct responder *responder, void *umad)
{
	size_t size = responder->response_size ? responder->response_size : LOOP_MAD_SIZE;
	uint8_t *mad = loop_mad(umad);

	if (responder->delay_ms)
		sys_sleep_ms(responder->delay_ms);
	loop_response(umad);
	if (responder->redirects) {
		responder->redirects--;
		redirect(responder, umad, mad);
		size = LOOP_MAD_SIZE;
	} else {
		loop_put16(mad + MAD_STATUS, responder->status);
		if (responder->response_size)
			loop_fill_rmpp(umad, size, responder->response_seed);
	}
	umad_send(responder->fd, responder->agent, umad, size, 0, 0);
}

/* Counts a request. */
static bool wants_response(struct responder *responder)
{
	unsigned number = atomic_fetch_add(&responder->requests, 1) + 1;

	if (responder->drop) {
		responder->drop -= responder->drop != RESPONDER_DROPS_ALL;
		return false;
	}
	if (responder->lose_every && number % responder->lose_every == 0) {
		atomic_fetch_add(&responder->lost, 1);
		return false;
	}
	return true;
}

static void *respond(void *argument)
{
	struct responder *responder = argument;
	size_t capacity =
		responder->response_size > LOOP_MAD_SIZE ? responder->response_size : LOOP_MAD_SIZE;
	void *umad = loop_alloc(capacity);

	while (!atomic_load(&responder->stops)) {
		int length = LOOP_MAD_SIZE, result;

		result = umad_recv(responder->fd, umad, &length, LOOK_MS);
		if (result == -ETIMEDOUT)
			continue;
		if (result < 0) { /* the device is gone */
			sys_sleep_ms(LOOK_MS);
			continue;
		}
		if (!umad_status(umad) && wants_response(responder))
			response(responder, umad);
	}
	free(umad);
	return NULL;
}

bool responder_start(struct responder *responder)
{
	atomic_init(&responder->requests, 0);
	atomic_init(&responder->lost, 0);
	atomic_init(&responder->stops, false);
	responder->fd = loop_open(responder->device ? responder->device : LOOP_DEVICE);
	responder->agent = loop_server(responder->fd, LOOP_CLASS, 1);
	if (responder->agent < 0)
		return false;
	return check_equal(pthread_create(&responder->thread, NULL, respond, responder), 0);
}

void responder_stop(struct responder *responder)
{
	atomic_store(&responder->stops, true);
	pthread_join(responder->thread, NULL);
	check_equal(umad_close_port(responder->fd), 0);
}
