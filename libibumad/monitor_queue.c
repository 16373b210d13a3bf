/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The events of a monitor that the caller has not read yet, in order. The queue has no limit of its
 * own: the reader stops reading messages, whose number the kernel limits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "monitor.h"

enum { EVENTS_AT_FIRST = 16 }; /* initial capacity; doubled as needed */

int umad_queue_add(struct umad_event_queue *queue, const struct umad_event *event)
{
	size_t wanted = queue->capacity ? 2 * queue->capacity : EVENTS_AT_FIRST;
	struct umad_event *grown;

	if (queue->first + queue->count == queue->capacity) {
		if (queue->first) {
			memmove(queue->event, queue->event + queue->first,
				queue->count * sizeof(*queue->event));
			queue->first = 0;
		} else {
			grown = realloc(queue->event, wanted * sizeof(*grown));
			if (!grown)
				return -ENOMEM;
			queue->event = grown;
			queue->capacity = wanted;
		}
	}
	queue->event[queue->first + queue->count++] = *event;
	return 0;
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
