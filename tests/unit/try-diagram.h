/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The diagram of the try machine's phases, made of the steps that a search has seen. */
#ifndef TESTS_UNIT_TRY_DIAGRAM_H
#define TESTS_UNIT_TRY_DIAGRAM_H

#include <stdbool.h>
#include <stdio.h>

#include "libibmad/engine/try.h"

void diagram_note(enum mad_try_phase from, enum mad_try_event event, enum mad_try_phase to);

/* Writes a Markdown document with all steps from one phase to another that were noted. */
void diagram_print(FILE *file);

/* Whether the file holds what diagram_print() writes; prints the first line that differs. */
bool diagram_equals(const char *path);

const char *diagram_phase_name(enum mad_try_phase phase);
const char *diagram_event_name(enum mad_try_event event);

#endif
