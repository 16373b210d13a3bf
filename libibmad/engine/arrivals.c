/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * MADs that belong to no transaction: puts them into the inbox for the threads in
 * mad_engine_receive().
 */
#include "libibmad/engine/engine.h"

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
	/* since only they know for which MADs they have space */
	mad_engine_wake_all(&engine->receivers);
}
