/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Lists of asynchronous requests: each request is in one at most.
 */
#include "async.h"

void mad_async_append(struct mad_async_list *list, struct mad_async_request *request)
{
	request->next = NULL;
	request->previous = list->last;
	if (list->last)
		list->last->next = request;
	else
		list->first = request;
	list->last = request;
}

void mad_async_prepend(struct mad_async_list *list, struct mad_async_request *request)
{
	request->previous = NULL;
	request->next = list->first;
	if (list->first)
		list->first->previous = request;
	else
		list->last = request;
	list->first = request;
}

void mad_async_remove(struct mad_async_list *list, struct mad_async_request *request)
{
	if (request->previous)
		request->previous->next = request->next;
	else
		list->first = request->next;
	if (request->next)
		request->next->previous = request->previous;
	else
		list->last = request->previous;
	request->next = NULL;
	request->previous = NULL;
}

/* Moves all of from, in its order, to the front of list. */
void mad_async_splice_front(struct mad_async_list *list, struct mad_async_list *from)
{
	if (!from->first)
		return;
	from->last->next = list->first;
	if (list->first)
		list->first->previous = from->last;
	else
		list->last = from->last;
	list->first = from->first;
	from->first = NULL;
	from->last = NULL;
}
