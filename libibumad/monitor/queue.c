/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The events of a monitor that nobody has read yet, in order. How many there may be is the reader's
 * matter: it stops reading messages, whose number the kernel limits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/monitor/monitor.h"

enum { EVENTS_AT_FIRST = 16 }; /* room when the first one comes; doubled as needed */

int umad_queue_add(struct umad_event_queue *queue, const struct umad_event *event)
{
	size_t wanted = queue->room ? 2 * queue->room : EVENTS_AT_FIRST;
	struct umad_event *grown;

	if (queue->first + queue->count == queue->room) {
		if (queue->first) {
			memmove(queue->event, queue->event + queue->first,
				queue->count * sizeof(*queue->event));
			queue->first = 0;
		} else {
			grown = realloc(queue->event, wanted * sizeof(*grown));
			if (!grown)
				return -ENOMEM;
			queue->event = grown;
			queue->room = wanted;
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
