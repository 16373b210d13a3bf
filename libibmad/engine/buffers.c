/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * buffers.c - see buffers.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/engine/buffers.h"

struct mad_buffer *mad_buffer_new(size_t capacity)
{
	struct mad_buffer *buffer;

	if (capacity > INT_MAX)
		return NULL;
	buffer = calloc(1, sizeof(*buffer) + umad_size() + capacity);
	if (buffer)
		buffer->capacity = capacity;
	return buffer;
}

void mad_buffer_free(struct mad_buffer *buffer)
{
	if (buffer)
		explicit_bzero(buffer->umad, umad_size() + buffer->capacity);
	free(buffer);
}

int mad_buffers_init(struct mad_buffers *buffers)
{
	buffers->spare = NULL;
	buffers->incoming = mad_buffer_new(IB_MAD_SIZE);
	return buffers->incoming ? 0 : -ENOMEM;
}

void mad_buffers_free(struct mad_buffers *buffers)
{
	mad_buffer_free(buffers->spare);
	mad_buffer_free(buffers->incoming);
}

static struct mad_buffer *take_spare(struct mad_buffers *buffers)
{
	struct mad_buffer *buffer = buffers->spare;

	buffers->spare = NULL;
	return buffer ? buffer : mad_buffer_new(IB_MAD_SIZE);
}

struct mad_buffer *mad_buffers_take_incoming(struct mad_buffers *buffers)
{
	struct mad_buffer *taken = buffers->incoming, *next = take_spare(buffers);

	if (!next)
		return NULL;
	buffers->incoming = next;
	return taken;
}

int mad_buffers_enlarge(struct mad_buffers *buffers, int length)
{
	struct mad_buffer *larger;

	if (length <= 0 || (size_t)length <= buffers->incoming->capacity)
		return -ENOSPC;
	larger = mad_buffer_new(length);
	if (!larger)
		return -ENOMEM;
	mad_buffers_give_back(buffers, buffers->incoming);
	buffers->incoming = larger;
	return 0;
}

void mad_buffers_replace_long(struct mad_buffers *buffers)
{
	struct mad_buffer *long_one = mad_buffers_take_incoming(buffers);

	if (long_one)
		mad_buffer_free(long_one);
}

void mad_buffers_give_back(struct mad_buffers *buffers, struct mad_buffer *buffer)
{
	if (!buffers->spare && buffer->capacity == IB_MAD_SIZE)
		buffers->spare = buffer;
	else
		mad_buffer_free(buffer);
}
