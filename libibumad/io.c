/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sending, receiving and waiting on an open port. Input: the caller's buffers and what the umad
 * device delivers, whose length is checked before the caller sees it. Waits have an absolute
 * deadline: neither signals nor MADs that another thread fetched make them longer.
 */
#include <errno.h>
#include <poll.h>

#include "internal.h"

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	struct ib_user_mad *mad = umad;
	ssize_t size, count;

	if (portid < 0 || agentid < 0 || !umad || length < 0)
		return umad_state_finish(-EINVAL);
	mad->timeout_ms = (uint32_t)timeout_ms;
	mad->retries = (uint32_t)retries;
	mad->agent_id = (uint32_t)agentid;
	size = (ssize_t)umad_state_header_size() + length;
	umad_state_trace(1, 0, "port %d: agent %d sends %d bytes, timeout %d ms, retries %d",
			 portid, agentid, length, timeout_ms, retries);
	count = umad_sys_write(portid, umad, (size_t)size);
	if (count == size)
		return 0;
	if (count >= 0)
		count = -EIO;
	umad_state_trace(1, (int)count, "port %d: sending failed", portid);
	umad_state_finish((int)count);
	return -EIO;
}

/* Waits for input. A descriptor that only reports trouble counts as ready, since the read that
 * follows says what it is. */
static int wait_for_input(int portid, int64_t deadline, bool *readable)
{
	int events = umad_sys_poll_input(portid, deadline);

	*readable = events > 0 && (events & POLLIN);
	return events < 0 ? events : 0;
}

/* Reads one MAD; size is that of the whole buffer. Returns the bytes read. Another thread may have
 * been quicker after the wait: then it waits again, up to the same deadline. */
static ssize_t read_mad(int portid, void *umad, size_t size, int timeout_ms)
{
	int64_t deadline = timeout_ms > 0 ? umad_sys_deadline(timeout_ms) : UMAD_NO_DEADLINE;
	bool readable = false;
	ssize_t count;
	int ret;

	do {
		if (timeout_ms) {
			ret = wait_for_input(portid, deadline, &readable);
			if (ret < 0)
				return ret;
		}
		count = umad_sys_read(portid, umad, size);
	} while (count == -EAGAIN && readable);
	if (count == -EAGAIN && timeout_ms)
		return -EIO;
	return count;
}

/* A MAD that is too large stays with the kernel, which puts the whole length into the header. */
static void set_needed_length(const struct ib_user_mad *mad, int *length)
{
	size_t header_size = umad_state_header_size();

	if (mad->length > header_size + (size_t)*length && mad->length <= INT32_MAX)
		*length = (int)(mad->length - header_size);
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	ssize_t header_size = (ssize_t)umad_state_header_size(), count;
	struct ib_user_mad *mad = umad;

	if (portid < 0 || !umad || !length || *length < 0)
		return umad_state_finish(-EINVAL);
	count = read_mad(portid, umad, (size_t)(header_size + *length), timeout_ms);
	if (count >= 0 && (count < header_size || count > header_size + *length))
		count = -EIO;
	if (count < 0) {
		if (count == -ENOSPC)
			set_needed_length(mad, length);
		umad_state_trace(1, (int)count, "port %d: nothing received", portid);
		return umad_state_finish((int)count);
	}
	*length = (int)(count - header_size);
	umad_state_trace(1, 0, "port %d: agent %u received %d bytes, status %u", portid,
			 mad->agent_id, *length, mad->status);
	return (int)mad->agent_id;
}

int umad_poll(int portid, int timeout_ms)
{
	int events;

	if (portid < 0)
		return umad_state_finish(-EINVAL);
	events = umad_sys_poll_input(portid, umad_sys_deadline(timeout_ms));
	umad_state_trace(2, events, "port %d: polled for %d ms", portid, timeout_ms);
	if (events == -ETIMEDOUT)
		return umad_state_finish(events);
	if (events < 0) {
		umad_state_finish(events);
		return -EIO;
	}
	if (events & POLLIN)
		return 0;
	return umad_state_finish(events & POLLNVAL ? -EINVAL : -EIO);
}
