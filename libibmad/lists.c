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
