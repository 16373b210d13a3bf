/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Marks around what is to be counted. For callgrind, which writes its counts between the marks with
 * the name and the number of calls; for strace, which shows the getpgid() of a process that can't
 * be. Under neither of them a mark does nothing else. Read by meters.py.
 */
#ifndef TESTS_BENCH_MARKS_H
#define TESTS_BENCH_MARKS_H

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS_AT(label) ((void)(label))
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

#define MARK_BEGIN_PID 0x3ffffff0
#define MARK_END_PID   0x3ffffff1

static char mark_label[160];

/* calls: how many there are of what the counts are of. */
static inline void mark_begin(const char *name, unsigned calls)
{
	snprintf(mark_label, sizeof(mark_label), "figure %u %s", calls, name);
	syscall(SYS_getpgid, MARK_BEGIN_PID);
	CALLGRIND_ZERO_STATS;
}

/*
 * Around what is not to be counted and runs far more often than what is: callgrind keeps a few
 * instructions of each function for every call of it, even after CALLGRIND_ZERO_STATS.
 */
static inline void mark_pause(void)
{
	CALLGRIND_STOP_INSTRUMENTATION;
}

static inline void mark_resume(void)
{
	CALLGRIND_START_INSTRUMENTATION;
}

static inline void mark_end(void)
{
	CALLGRIND_DUMP_STATS_AT(mark_label);
	syscall(SYS_getpgid, MARK_END_PID);
}

#endif
