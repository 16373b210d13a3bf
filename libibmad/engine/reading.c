/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the MADs of a port and delivers them: to transactions in flight (inflight.c) or to the
 * inbox.
 */
#include <errno.h>

#include "common/mad_layout.h"
#include "libibmad/engine/engine.h"
#include "libibmad/engine/inflight.h"

static void deliver(struct mad_engine *engine)
{
	engine->statistics.received += !mad_buffer_status(engine->buffers.incoming);
	if (engine->buffers.incoming->length < MAD_HEADER_END)
		engine->statistics.errors++;
	else
		mad_inflight_deliver(engine);
	mad_buffers_shrink(&engine->buffers);
}

static __attribute__((noinline, cold)) int read_failed(struct mad_engine *engine, int error,
						       int length)
{
	if (error == -ENOSPC) /* the kernel keeps it for a read with a larger buffer */
		error = mad_buffers_enlarge(&engine->buffers, length);
	if (error == -EINTR)
		error = 0;
	if (error && error != -EAGAIN) /* once a deadline has passed, there is nothing to drain */
		engine->reads += MAD_ENGINE_DRAIN_READS;
	return error;
}

int mad_engine_read(struct mad_engine *engine)
{
	struct mad_buffer *incoming = engine->buffers.incoming;
	int length = (int)incoming->capacity;
	int result = umad_recv(engine->fd, incoming->umad, &length, 0);

	if (result < 0)
		return read_failed(engine, mad_umad_result(result), length);
	if ((unsigned)length > incoming->capacity)
		return -EIO; /* negative, or longer than the buffer */
	engine->reads++;
	engine->empty_reads = 0;
	incoming->length = length;
	deliver(engine);
	return 0;
}
