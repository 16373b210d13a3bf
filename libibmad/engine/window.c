/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The window of an asynchronous object: which limit each of its requests in flight counts against.
 */
#include "libibmad/engine/async.h"

/* A request leaves the window after this time, or half its timeout if that is shorter: a longer one
 * would let few unresponsive ports delay all others, whatever has responded before. */
#define PATIENCE (50 * MAD_NS_PER_MS)

void mad_item_set_share(struct mad_item *item, enum mad_share share)
{
	if (item->share != MAD_SHARE_NONE)
		mad_async_unsettle(item->async); /* another item may take its share */
	item->async->shares[item->share]--;
	item->share = share;
	item->async->shares[share]++;
}

/* The request delays no other from now on, and no submission of others. */
static void set_slow(struct mad_item *item)
{
	item->async->slow += !item->is_slow;
	item->is_slow = true;
}

int64_t mad_item_due(const struct mad_item *item, int64_t until)
{
	const struct mad_attempts *attempts = &item->request.attempts;
	int64_t half = attempts->timeout_ms * MAD_NS_PER_MS / 2, due;

	if (item->share != MAD_SHARE_WINDOW || attempts->phase == MAD_ATTEMPT_HELD)
		return until;
	due = attempts->began + (attempts->timeout_ms < 0 || half > PATIENCE ? PATIENCE : half);
	return due < until ? due : until;
}

bool mad_item_is_unresponsive(const struct mad_item *item)
{
	return item->destination && item->destination->unresponsive;
}

bool mad_item_enter_window(struct mad_request *request)
{
	struct mad_item *item = mad_item_of(request);
	enum mad_share share = MAD_SHARE_WINDOW;

	if (!item)
		return true;
	if (mad_item_is_unresponsive(item))
		share = MAD_SHARE_UNRESPONSIVE;
	if (item->async->shares[share] >= item->async->window)
		return false;
	mad_item_set_share(item, share);
	if (share == MAD_SHARE_UNRESPONSIVE)
		set_slow(item);
	return true;
}

void mad_item_slow_down(struct mad_request *request)
{
	struct mad_item *item = mad_item_of(request);

	if (!item || item->share != MAD_SHARE_WINDOW)
		return;
	mad_item_set_share(item, MAD_SHARE_NONE);
	set_slow(item);
	if (request->attempts.action == MAD_ATTEMPT_WAIT)
		mad_destination_doubt(item->async, item);
}
