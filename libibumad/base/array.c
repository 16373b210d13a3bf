/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Arrays that grow: lists of devices, ports and events, whose length is not known before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum { INITIAL_CAPACITY = 16 }; /* entries; doubled as needed */

int umad_array_reserve(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? 2 * *capacity : INITIAL_CAPACITY;
	void *old, *grown;

	if (count < *capacity)
		return 0;
	memcpy(&old, array, sizeof(old));
	grown = realloc(old, wanted * size);
	if (!grown) {
		umad_sys_note_resource_error(-ENOMEM);
		return -ENOMEM;
	}
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return 0;
}
