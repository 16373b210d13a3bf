/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Passes MADs sent and received to the observers: captures and debugging. While neither is enabled,
 * io.c tests one number and calls nothing here.
 */
#include <errno.h>
#include <pthread.h>

#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

/* Sends a MAD, and records it on success; the thread may be cancelled in the write. Returns the
 * result of umad_sys_write(), after which the buffer may belong to another thread that has received
 * the response. */
ssize_t umad_traffic_write(int portid, const void *umad, size_t size)
{
	bool captures = umad_state.watchers & UMAD_WATCHER_CAPTURE;
	bool debugs = umad_state.watchers & UMAD_WATCHER_DEBUG;
	size_t length = size - umad_state_header_size();
	struct umad_capture_note note = { .mad = NULL };
	int saved_errno = errno;
	ssize_t count;

	if (debugs)
		umad_debug_sending(portid, umad, length);
	if (captures)
		umad_capture_note_mad(portid, umad, length, false, &note);
	pthread_cleanup_push(umad_capture_free_note, &note);
	count = umad_sys_write(portid, umad, size);
	if (captures && count == (ssize_t)size)
		umad_capture_add(&note);
	pthread_cleanup_pop(true);
	errno = saved_errno;
	if (count < 0 && debugs)
		umad_debug_not_sent(portid, umad, length, (int)count);
	return count;
}

/* A MAD with a status is a request that the kernel returned. */
void umad_traffic_received(int portid, const void *umad, size_t size)
{
	size_t length = size - umad_state_header_size();
	const struct ib_user_mad *mad = umad;
	struct umad_capture_note note;
	int saved_errno = errno;

	if (!mad->status && (umad_state.watchers & UMAD_WATCHER_CAPTURE)) {
		umad_capture_note_mad(portid, umad, length, true, &note);
		umad_capture_add(&note);
		umad_capture_free_note(&note);
		errno = saved_errno;
	}
	if (umad_state.watchers & UMAD_WATCHER_DEBUG)
		umad_debug_received(portid, umad, length);
}
