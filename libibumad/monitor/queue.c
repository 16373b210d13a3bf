/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The events of a monitor that the caller has not read yet, in order. The queue has no limit of its
 * own: the reader stops reading messages, whose number the kernel limits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/monitor/monitor.h"

int umad_queue_add(struct umad_event_queue *queue, const struct umad_event *event)
{
	int error;

	if (queue->is_muted)
		return 0;
	if (queue->first && queue->first + queue->count == queue->capacity) {
		memmove(queue->event, queue->event + queue->first,
			queue->count * sizeof(*queue->event));
		queue->first = 0;
	}
	error = umad_array_reserve(&queue->event, queue->first + queue->count, &queue->capacity,
				   sizeof(*queue->event));
	if (!error)
		queue->event[queue->first + queue->count++] = *event;
	return error;
}

bool umad_queue_take(struct umad_event_queue *queue, struct umad_event *event)
{
	if (!queue->count)
		return false;
	*event = queue->event[queue->first++];
	if (!--queue->count)
		queue->first = 0;
	return true;
}

void umad_queue_clear(struct umad_event_queue *queue)
{
	free(queue->event);
	*queue = (struct umad_event_queue){ 0 };
}
