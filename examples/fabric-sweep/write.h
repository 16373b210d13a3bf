/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Writers of a fabric, after fabric_sort(), to an open file; and functions that open a file by
 * name. */
#ifndef FABRIC_SWEEP_WRITE_H
#define FABRIC_SWEEP_WRITE_H

#include <stdio.h>

#include "fabric.h"

void text_write(const struct fabric *fabric, FILE *file);
void json_write(const struct fabric *fabric, FILE *file);
void dot_write(const struct fabric *fabric, FILE *file); /* after fabric_find_levels() */

/* svg.c */
int svg_write(const struct fabric *fabric, const char *name);

#endif
