/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * MADs that belong to no transaction: puts them into the inbox for the threads in
 * mad_engine_receive().
 */
#include "libibmad/engine/engine.h"

/* All of them, since only they know for which MADs they have space. */
static void wake_receivers(struct mad_engine *engine)
{
	struct mad_waiter *receiver;

	TAILQ_FOREACH(receiver, &engine->receivers, in_group)
	mad_engine_wake(receiver);
}

void mad_engine_keep_incoming(struct mad_engine *engine)
{
	struct mad_buffer *buffer = NULL;

	if (mad_inbox_make_space(&engine->inbox, engine->buffers.incoming->length))
		buffer = mad_buffers_take_incoming(&engine->buffers);
	if (!buffer) {
		engine->statistics.unmatched++;
		return;
	}
	mad_inbox_put(&engine->inbox, buffer);
	wake_receivers(engine);
}
