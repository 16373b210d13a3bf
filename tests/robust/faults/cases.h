/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases.h - the cases of the programs, in groups; and the form of most of them: a call, and how it
 * says that it failed.
 */
#ifndef TESTS_FAULTS_CASES_H
#define TESTS_FAULTS_CASES_H

#include "engine.h"

/* faults-host */
extern const struct fault_group cases_discovery;
extern const struct fault_group cases_selection;
extern const struct fault_group cases_monitor;

/* faults-fabric */
extern const struct fault_group cases_umad;
extern const struct fault_group cases_capture;
extern const struct fault_group cases_port;
extern const struct fault_group cases_server;
extern const struct fault_group cases_default;
extern const struct fault_group cases_async;
extern const struct fault_group cases_fabric;
extern const struct fault_group cases_listed;
extern const struct fault_group cases_keys;

#define FAULT_GROUP(array)                                                    \
	{                                                                     \
		.cases = (array), .count = sizeof(array) / sizeof((array)[0]) \
	}

/* A row of them: the function, which of its ways, the scene, the call, flags, and what else. */
#define FAULT_CASE(function_, how_, scene_, call_, flags_, ...)                             \
	{                                                                                   \
		.function = #function_, .how = (how_), .scene = &(scene_), .call = (call_), \
		.flags = (flags_), __VA_ARGS__                                              \
	}

#endif
