/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A fabric, after fabric_sort(), written to an open file; and the way from a file's name to one. */
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
