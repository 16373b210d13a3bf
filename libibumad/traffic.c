/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Shows what is sent and received to those who watch: captures and debugging. While nobody does,
 * io.c looks at one number and calls nothing of this.
 */
#include <errno.h>
#include <time.h>

#include "capture.h"
#include "internal.h"

atomic_uint umad_traffic_watchers;

void umad_traffic_watch(enum umad_watcher watcher, bool on)
{
	if (on)
		atomic_fetch_or_explicit(&umad_traffic_watchers, watcher, memory_order_relaxed);
	else
		atomic_fetch_and_explicit(&umad_traffic_watchers, ~(unsigned int)watcher,
					  memory_order_relaxed);
}

static bool has_watcher(enum umad_watcher watcher)
{
	return atomic_load_explicit(&umad_traffic_watchers, memory_order_relaxed) & watcher;
}

/* Sends; the time is from before that, since another thread may have the answer before the record
 * is written. Returns what umad_sys_write() does. */
ssize_t umad_traffic_write(int portid, const void *umad, size_t size)
{
	size_t length = size - umad_state_header_size();
	bool debugs = has_watcher(UMAD_WATCHER_DEBUG), captures = has_watcher(UMAD_WATCHER_CAPTURE);
	struct timespec when;
	ssize_t count;

	if (debugs)
		umad_debug_sending(portid, umad, length);
	if (captures)
		clock_gettime(CLOCK_REALTIME, &when);
	count = umad_sys_write(portid, umad, size);
	if (count == (ssize_t)size && captures)
		umad_capture_record(portid, umad, length, false, &when);
	if (count != (ssize_t)size && debugs)
		umad_debug_not_sent(portid, umad, length, count < 0 ? (int)count : -EIO);
	return count;
}

/* What came with a status was sent by ourselves and got no answer: the kernel gives it back. */
void umad_traffic_received(int portid, const void *umad, size_t size)
{
	size_t length = size - umad_state_header_size();
	const struct ib_user_mad *mad = umad;
	struct timespec when;

	if (!mad->status && has_watcher(UMAD_WATCHER_CAPTURE)) {
		clock_gettime(CLOCK_REALTIME, &when);
		umad_capture_record(portid, umad, length, true, &when);
	}
	if (has_watcher(UMAD_WATCHER_DEBUG))
		umad_debug_received(portid, umad, length);
}
