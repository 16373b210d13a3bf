/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Shows what is sent and received to those who watch: debugging. While nobody does,
 * io.c looks at one number and calls nothing of this.
 */
#include <errno.h>

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
	bool debugs = has_watcher(UMAD_WATCHER_DEBUG);
	ssize_t count;

	if (debugs)
		umad_debug_sending(portid, umad, length);
	count = umad_sys_write(portid, umad, size);
	if (count != (ssize_t)size && debugs)
		umad_debug_not_sent(portid, umad, length, count < 0 ? (int)count : -EIO);
	return count;
}

void umad_traffic_received(int portid, const void *umad, size_t size)
{
	size_t length = size - umad_state_header_size();

	if (has_watcher(UMAD_WATCHER_DEBUG))
		umad_debug_received(portid, umad, length);
}
