/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Numbers that users write: in addresses and in the environment.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "libibmad/internal.h"

bool mad_parse_number(const char *text, uint64_t *number)
{
	const char *digit = text;
	int saved_errno = errno;
	bool is_valid;
	char *end;

	while (isspace((unsigned char)*digit))
		digit++;
	if (*digit == '-')
		return false;
	errno = 0;
	*number = strtoull(digit, &end, 0);
	is_valid = !errno && end != digit;
	errno = saved_errno;
	if (!is_valid)
		return false;
	while (isspace((unsigned char)*end))
		end++;
	return !*end;
}
