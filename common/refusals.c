/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Each library has a copy. */
#include <stddef.h>

#include "common/refusals.h"

static const char *const texts[] = {
#define ROW(name, error, argument, right) argument ": " right,
	NULL, MAD_REFUSALS(ROW)
};

static _Thread_local enum mad_refusal noted;

void mad_refusal_note(enum mad_refusal why)
{
	noted = why;
}

const char *mad_refusal_take(int error)
{
	enum mad_refusal why = noted;

	noted = MAD_REFUSED_NOTHING;
	return (int)(why >> MAD_REFUSAL_ERROR_SHIFT) == -error
		       ? texts[why & ((1U << MAD_REFUSAL_ERROR_SHIFT) - 1)]
		       : NULL;
}
