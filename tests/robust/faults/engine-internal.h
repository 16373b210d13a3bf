/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* engine-internal.h - what the files of the engine offer each other. */
#ifndef TESTS_FAULTS_ENGINE_INTERNAL_H
#define TESTS_FAULTS_ENGINE_INTERNAL_H

#include "engine.h"

enum { FAULT_ERRNO_UNSET = 9999 }; /* errno before a call: no errno has it */

/* Complains unless the run, one of whose calls failed, reported what the case documents. */
void fault_check_outcome(struct fault_run *run, const struct fault_run *undisturbed);

/* Whether it gave all that an undisturbed run gives. */
bool fault_is_whole(const struct fault_run *run, const struct fault_run *undisturbed);

#endif
