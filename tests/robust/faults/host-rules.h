/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * host-rules.h - what discovery reports when calls fail, with sysfs and without. What the kernel
 * does not let us read is left out: an attribute is 0 then, a port or device not there
 * (docs/differences.md). But if this process has no descriptors or memory left, that is reported,
 * and nothing counts as missing.
 */
#ifndef TESTS_FAULTS_HOST_RULES_H
#define TESTS_FAULTS_HOST_RULES_H

#include "host.h"

#include <errno.h>

/* Without sysfs, an error of netlink means that nothing can be known, unless it is exhausted
 * memory, which libnl-3 and the kernel report in different ways. */
#define RULES(...)                                                                   \
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_LESS, { __VA_ARGS__ } },            \
		{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_LESS, { __VA_ARGS__ } },    \
		{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { __VA_ARGS__ } }, \
		{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { __VA_ARGS__ } }, \
		{ FAULT_POLL, FAULT_NOT_EXHAUSTED, FAULT_LESS, { __VA_ARGS__ } },    \
		{ FAULT_NL_RECEIVE, ENOMEM, FAULT_REPORTS, { ENOMEM } },             \
		{ FAULT_NL_CONNECT, ENOMEM, FAULT_REPORTS, { ENOMEM } },             \
		{ FAULT_NL_SETUP, ENOMEM, FAULT_REPORTS, { ENOMEM } },               \
		{ FAULT_NL_SEND, ENOMEM, FAULT_REPORTS, { ENOMEM } },                \
		{ FAULT_NL_CONNECT, FAULT_ANY, FAULT_LESS, { __VA_ARGS__ } },        \
		{ FAULT_NL_SETUP, FAULT_ANY, FAULT_LESS, { __VA_ARGS__ } },          \
		{ FAULT_NL_SEND, FAULT_ANY, FAULT_LESS, { __VA_ARGS__ } },           \
		{ FAULT_NL_RECEIVE, FAULT_ANY, FAULT_LESS, { __VA_ARGS__ } },        \
		{ FAULT_DLOPEN, FAULT_ANY, FAULT_LESS, { __VA_ARGS__ } },            \
	{                                                                            \
		FAULT_DLSYM, FAULT_ANY, FAULT_LESS,                                  \
		{                                                                    \
			__VA_ARGS__                                                  \
		}                                                                    \
	}

#endif
