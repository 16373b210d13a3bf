/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Escapes node names for each output format. */
#ifndef FABRIC_SWEEP_ESCAPE_H
#define FABRIC_SWEEP_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

void escape_text(FILE *file, const char *name);
void escape_csv(FILE *file, const char *name);
/* most: of its characters. */
void escape_dot(FILE *file, const char *name, unsigned most);
void escape_json(FILE *file, const char *name);
/* Whether escape_json() prints characters that stand for these bytes alone. */
bool is_utf8(const char *name);
/* In place. */
void escape_message(char *text);
void escape_prometheus(FILE *file, const char *name);

#endif
