/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Each library has a copy. */
#include <stddef.h>

#include "common/refusals.h"

static const struct {
	const char *text;
	int error;
} rows[] = {
#define ROW(name, error, argument, right) { argument ": " right, error },
	{ NULL, 0 }, MAD_REFUSALS(ROW)
};

static _Thread_local enum mad_refusal noted;

int mad_refuse(enum mad_refusal why)
{
	noted = why;
	return -rows[why].error;
}

const char *mad_refusal_take(int error)
{
	enum mad_refusal why = noted;

	noted = MAD_REFUSED_NOTHING;
	return rows[why].error == -error ? rows[why].text : NULL;
}
