/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inbox.c - see inbox.h.
 */
#include <errno.h>

#include "libibmad/engine/inbox.h"

void mad_inbox_init(struct mad_inbox *inbox)
{
	STAILQ_INIT(&inbox->queue);
	inbox->length = 0;
	inbox->bytes = 0;
}

static void remove_buffer(struct mad_inbox *inbox, struct mad_buffer *buffer)
{
	STAILQ_REMOVE(&inbox->queue, buffer, mad_buffer, link);
	inbox->length--;
	inbox->bytes -= buffer->length;
}

void mad_inbox_free(struct mad_inbox *inbox)
{
	struct mad_buffer *buffer;

	while ((buffer = STAILQ_FIRST(&inbox->queue))) {
		remove_buffer(inbox, buffer);
		mad_buffer_free(buffer);
	}
}

static bool has_space(const struct mad_inbox *inbox, size_t bytes)
{
	return !inbox->length ||
	       (inbox->length < MAD_INBOX_MAX && inbox->bytes + bytes <= MAD_INBOX_BYTES_MAX);
}

static struct mad_buffer *first_refused(const struct mad_inbox *inbox)
{
	struct mad_buffer *buffer;

	STAILQ_FOREACH(buffer, &inbox->queue, link)
	if (buffer->refused)
		break;
	return buffer;
}

bool mad_inbox_make_space(struct mad_inbox *inbox, size_t bytes)
{
	struct mad_buffer *refused;

	while (!has_space(inbox, bytes)) {
		refused = first_refused(inbox);
		if (!refused)
			return false;
		remove_buffer(inbox, refused);
		mad_buffer_free(refused);
	}
	return true;
}

void mad_inbox_put(struct mad_inbox *inbox, struct mad_buffer *buffer)
{
	buffer->refused = false;
	STAILQ_INSERT_TAIL(&inbox->queue, buffer, link);
	inbox->length++;
	inbox->bytes += buffer->length;
}

/* The MAD that mad_inbox_take() would return or report, or NULL. */
static struct mad_buffer *find(const struct mad_inbox *inbox, size_t size_max)
{
	struct mad_buffer *buffer;

	STAILQ_FOREACH(buffer, &inbox->queue, link)
	if (buffer->length <= size_max || !buffer->refused)
		break;
	return buffer;
}

bool mad_inbox_has(const struct mad_inbox *inbox, size_t size_max)
{
	return find(inbox, size_max);
}

int mad_inbox_take(struct mad_inbox *inbox, size_t size_max, mad_inbox_accept *accept,
		   void *context, struct mad_buffer **taken)
{
	struct mad_buffer *buffer = find(inbox, size_max);
	int error;

	if (!buffer)
		return -EAGAIN;
	if (buffer->length > size_max) {
		buffer->refused = true;
		return -ENOSPC;
	}
	error = accept(buffer, context);
	if (error)
		return error;
	remove_buffer(inbox, buffer);
	*taken = buffer;
	return 0;
}
