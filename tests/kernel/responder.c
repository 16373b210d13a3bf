/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The thread that responds; see responder.h.
 */
#include <errno.h>
#include <stdlib.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "responder.h"
#include "sys.h"
#include "tap.h"

enum { LOOK_MS = 20 /* how soon it sees that it is to end */ };

/* Counts a request. */
static bool wants_response(struct responder *responder)
{
	atomic_fetch_add(&responder->requests, 1);
	return !responder->drops;
}

static void *respond(void *argument)
{
	struct responder *responder = argument;
	void *umad = loop_alloc(LOOP_MAD_SIZE);

	while (!atomic_load(&responder->stops)) {
		int length = LOOP_MAD_SIZE, result;

		result = umad_recv(responder->fd, umad, &length, LOOK_MS);
		if (result == -ETIMEDOUT)
			continue;
		if (result < 0) { /* the device is gone */
			sys_sleep_ms(LOOK_MS);
			continue;
		}
		if (umad_status(umad) || !wants_response(responder))
			continue;
		loop_response(umad);
		umad_send(responder->fd, responder->agent, umad, LOOP_MAD_SIZE, 0, 0);
	}
	free(umad);
	return NULL;
}

bool responder_start(struct responder *responder)
{
	atomic_init(&responder->requests, 0);
	atomic_init(&responder->stops, false);
	responder->fd = loop_open(responder->device);
	responder->agent = loop_server(responder->fd, LOOP_CLASS, 0);
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
