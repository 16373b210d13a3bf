/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sending, receiving and waiting on an open port. Waits have an absolute deadline, which MADs that
 * another thread reads do not extend; a signal ends them. Captures and debugging lines watch the
 * MADs: while neither is enabled, a MAD costs the test of one number more.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>

#include "common/mad_layout.h"
#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

/* The length of a packet with a MAD, limited to what one system call can transfer: on 32-bit
 * machines the largest packet would exceed it. */
static size_t packet_size(size_t header_size, int length)
{
	size_t size = header_size + (size_t)length;

	return sizeof(size) > sizeof(length) || size < SSIZE_MAX ? size : SSIZE_MAX;
}

/* The historical result of a failed or partial send; errno has the reason. */
static __attribute__((cold, noinline)) int sending_failed(ssize_t count)
{
	if (count >= 0)
		count = -EIO;
	umad_state_finish((int)count);
	return -EIO;
}

/* Sends a MAD, and records it on success; the thread may be cancelled in the write. Returns the
 * result of umad_sys_write(), after which the buffer may belong to another thread that has received
 * the response. */
static __attribute__((cold, noinline)) ssize_t write_watched(int portid, const void *umad,
							     size_t size)
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

static inline int write_packet(int portid, struct ib_user_mad *umad, size_t size)
{
	ssize_t count;

	if (umad_state_is_watched())
		count = write_watched(portid, umad, size);
	else
		count = umad_sys_write(portid, umad, size);
	return count == (ssize_t)size ? 0 : sending_failed(count);
}

/* The kernel refuses a MAD without an RMPP header, and since 7.0 one without the header of its
 * class; earlier kernels wrote beyond their buffer then. */
static __attribute__((cold, noinline)) int write_short(int portid, struct ib_user_mad *umad,
						       int length)
{
	const uint8_t *mad = (const uint8_t *)umad + umad_state_header_size();

	if (length < RMPP_END || (size_t)length < mad_class_rmpp_data(mad[MAD_CLASS]))
		return sending_failed(-EINVAL);
	return write_packet(portid, umad, packet_size(umad_state_header_size(), length));
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	struct ib_user_mad *mad = umad;

	if (portid < 0 || agentid < 0 || !umad || length < 0)
		return umad_state_finish(-EINVAL);
	mad->timeout_ms = (uint32_t)timeout_ms;
	mad->retries = (uint32_t)retries;
	mad->agent_id = (uint32_t)agentid;
	if (length < DEVICE_DATA)
		return write_short(portid, mad, length);
	return write_packet(portid, mad, packet_size(umad_state_header_size(), length));
}

static __attribute__((cold, noinline)) int receiving_failed(int portid, void *umad, int *length,
							    ssize_t count)
{
	size_t header_size = umad_state_header_size(),
	       needed = ((struct ib_user_mad *)umad)->length;

	if (count >= 0) /* shorter than a header, or longer than the buffer */
		count = -EIO;
	/* the kernel keeps a MAD that is too large; the header has the whole length */
	if (count == -ENOSPC && needed > header_size + (size_t)*length && needed <= INT32_MAX)
		*length = (int)(needed - header_size);
	umad_state_trace(1, (int)count, "port %d: nothing received", portid);
	umad_state_finish((int)count);
	return count == -EINTR ? -EIO : (int)count;
}

/* A MAD with a status is a request that the kernel returned. */
static __attribute__((cold, noinline)) void pass_to_watchers(int portid, const void *umad,
							     size_t size)
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

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	size_t header_size = umad_state_header_size(), size;
	struct ib_user_mad *mad = umad;
	ssize_t count;

	if (!umad || !length || (portid | *length) < 0)
		return umad_state_finish(-EINVAL);
	size = packet_size(header_size, *length);
	count = timeout_ms ? umad_sys_wait_and_read(portid, umad, size, timeout_ms)
			   : umad_sys_read(portid, umad, size);
	if (count < (ssize_t)header_size || count > (ssize_t)size)
		return receiving_failed(portid, umad, length, count);
	*length = (int)(count - (ssize_t)header_size);
	if (umad_state_is_watched())
		pass_to_watchers(portid, umad, (size_t)count);
	return (int)mad->agent_id;
}

int umad_poll(int portid, int timeout_ms)
{
	int events;

	if (portid < 0)
		return umad_state_finish(-EINVAL);
	events = umad_sys_poll_input(portid, timeout_ms, !timeout_ms);
	umad_state_trace(2, events, "port %d: polled for %d ms", portid, timeout_ms);
	if (events > 0 && (events & POLLIN))
		return 0;
	if (events == -ETIMEDOUT)
		return umad_state_finish(events);
	if (events < 0) {
		umad_state_finish(events);
		return -EIO;
	}
	return umad_state_finish(events & POLLNVAL ? -EINVAL : -EIO);
}
