/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Process-wide values, and debugging lines. The values are independent and guard no other memory.
 * One kernel serves all ports, so all have the same header layout.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/refusals.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum {
	LEGACY_HEADER_SIZE = UMAD_HEADER_SIZE - 8, /* no pkey_index, nor reserved bytes after it */
};
_Static_assert(sizeof(struct ib_user_mad) == UMAD_HEADER_SIZE,
	       "header of kernels with P_Key indices");
_Static_assert(LEGACY_HEADER_SIZE == 56, "header of kernels without P_Key indices");
_Static_assert(offsetof(struct ib_user_mad, addr.pkey_index) == LEGACY_HEADER_SIZE,
	       "the two headers agree up to the P_Key index");

struct umad_state umad_state = { .header_size = UMAD_HEADER_SIZE };

void umad_state_set_pkey_layout(bool enabled)
{
	umad_state.header_size = enabled ? UMAD_HEADER_SIZE : LEGACY_HEADER_SIZE;
}

size_t umad_size(void)
{
	return umad_state_header_size();
}

/* Prints the message and, for a negative result, the text of that errno as one line. fputs() makes
 * one write of it, so that the lines of threads and processes do not mix; fprintf() may make
 * several. */
void umad_state_print(int result, const char *format, ...)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno;
	char text[1024], line[sizeof(text) + 128];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(line, sizeof(line), "libibumad: %s%s%s\n", text, result < 0 ? ": " : "",
		 result < 0 ? strerror(-result) : "");
	fputs(line, stderr);
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
}

int umad_state_finish(int result)
{
	if (result < 0)
		errno = -result;
	return result;
}

int umad_state_end_call(const char *function, int result)
{
	const char *why;

	if (result >= 0)
		return result;
	why = mad_refusal_take(result);
	if (umad_state_debug_level() > 0)
		umad_state_print(result, "%.*s%s%s", mad_refusal_name_length(function), function,
				 why ? ": " : "", why ? why : "");
	umad_state_finish(result);
	return -1;
}

void umad_state_watch(enum umad_watcher watcher, bool on)
{
	if (on)
		umad_state.watchers |= watcher;
	else
		umad_state.watchers &= ~(unsigned int)watcher;
}

int umad_debug(int level)
{
	if (level >= 0) {
		umad_state.debug_level = level;
		umad_state_watch(UMAD_WATCHER_DEBUG, level > 0);
	}
	return umad_state_debug_level();
}
