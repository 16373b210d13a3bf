/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How pictures show the speed (colour) and the width (line style) of links. */
#ifndef FABRIC_SWEEP_STYLE_H
#define FABRIC_SWEEP_STYLE_H

#include "sweep.h"

#define STYLE_SILENT "#d00000"

static inline const char *style_colour(unsigned speed)
{
	static const char *const colours[] = { "#777777", "#999999", "#b58900", "#cb4b16",
					       "#8b5a2b", "#2aa198", "#00829b", "#268bd2",
					       "#6c71c4", "#4f8a10", "#d33682" };

	return speed < sizeof(colours) / sizeof(colours[0]) ? colours[speed] : colours[0];
}

#endif
