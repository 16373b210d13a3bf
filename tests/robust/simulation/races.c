/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * See races.h. Each thread has a clock, which ticks when it releases something, and a list of how
 * far it knows the clocks of the others (vector clocks). Each byte of the libraries' memory has a
 * shadow: when it was written last, and when read. An access that the current thread does not know
 * of is unordered.
 */
#include "races.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <infiniband/mad_async.h>

#include "invariants.h"
#include "memory.h"
#include "scheduler.h"
#include "threads.h"

enum { CLOCK_BITS = 26, OBJECTS = 1024, RANGES = 4 };
#define CLOCK_MASK ((UINT32_C(1) << CLOCK_BITS) - 1)
#define NO_BLOCK   UINT32_MAX /* as a time of writing: freed, or beside what was allocated */

/* Times are those of a thread's clock, with the number of the thread above it; 0: never. */
struct shadow {
	uint32_t written;
	uint32_t read;	    /* the oldest that is not ordered before the last access */
	uint32_t writer_at; /* the code, from the start of the program */
	uint32_t reader_at;
};

/* Memory that the libraries share between threads. */
struct range {
	const char *start;
	size_t size;
	struct shadow *shadows;
};

struct clocks {
	uint32_t of[SIM_THREADS];
};

struct object {
	const void *address;
	struct clocks known;
};

extern char __start_library_data[], __stop_library_data[];
extern char __start_library_bss[], __stop_library_bss[];
extern const char __executable_start[];

unsigned sim_races_spares;

static struct range ranges[RANGES];
static const struct range *const heap = &ranges[0], *const stacks = &ranges[1];
static struct clocks threads[SIM_THREADS];
static struct object objects[OBJECTS];
static unsigned object_numbers[OBJECTS], object_count;
static uint32_t latest; /* of all clocks, in all runs: nobody has done anything after that */

static void add_range(unsigned number, const char *start, size_t size)
{
	ranges[number] = (struct range){ start, size, sim_map((size + 1) * sizeof(struct shadow)) };
}

static void find_ranges(void)
{
	const char *start;
	size_t size;

	start = sim_memory_range(&size);
	add_range(0, start, size);
	add_range(1, sim_stacks(), (size_t)SIM_STACK_SIZE * SIM_THREADS);
	add_range(2, __start_library_data, (size_t)(__stop_library_data - __start_library_data));
	add_range(3, __start_library_bss, (size_t)(__stop_library_bss - __start_library_bss));
}

static void forget_times(void)
{
	for (unsigned i = 0; i < RANGES; i++)
		madvise(ranges[i].shadows, ranges[i].size * sizeof(struct shadow), MADV_DONTNEED);
	latest = 0;
}

/* Times of earlier runs are before all of this one's. */
void sim_races_clear(void)
{
	if (!heap->start)
		find_ranges();
	if (latest > CLOCK_MASK / 2)
		forget_times();
	for (unsigned i = 0; i < SIM_THREADS; i++)
		for (unsigned j = 0; j < SIM_THREADS; j++)
			threads[i].of[j] = latest + (i == j);
	latest++;
	sim_races_spares = sim.choices.state & 1 ? 0 : MAD_ASYNC_MAX_WINDOW;
	for (unsigned i = 0; i < object_count; i++)
		objects[object_numbers[i]].address = NULL;
	object_count = 0;
}

static struct clocks *own(void)
{
	return &threads[sim.current->number];
}

static void tick(void)
{
	uint32_t now = ++own()->of[sim.current->number];

	if (now > latest)
		latest = now;
	if (latest == CLOCK_MASK)
		abort();
}

static void learn(struct clocks *clocks, const struct clocks *from)
{
	for (unsigned i = 0; i < SIM_THREADS; i++)
		if (from->of[i] > clocks->of[i])
			clocks->of[i] = from->of[i];
}

void sim_races_start(unsigned thread)
{
	learn(&threads[thread], own());
	tick();
}

void sim_races_join(unsigned thread)
{
	learn(own(), &threads[thread]);
}

void sim_races_join_all(void)
{
	for (unsigned i = 0; i < SIM_THREADS; i++)
		learn(own(), &threads[i]);
}

static struct object *object_of(const void *address)
{
	unsigned number = (unsigned)(((uintptr_t)address >> 3) * 2654435761u) % OBJECTS;

	while (objects[number].address && objects[number].address != address)
		number = (number + 1) % OBJECTS;
	if (objects[number].address)
		return &objects[number];
	if (object_count == OBJECTS - 1)
		abort();
	memset(&objects[number], 0, sizeof(objects[number]));
	objects[number].address = address;
	object_numbers[object_count++] = number;
	return &objects[number];
}

void sim_races_acquire(const void *object)
{
	learn(own(), &object_of(object)->known);
}

void sim_races_release(const void *object)
{
	learn(&object_of(object)->known, own());
	tick();
}

static uint32_t time_now(void)
{
	return sim.current->number << CLOCK_BITS | own()->of[sim.current->number];
}

/* Whether what was done then comes before what the current thread does now. */
static bool is_known(uint32_t time)
{
	return (time & CLOCK_MASK) <= own()->of[time >> CLOCK_BITS];
}

/* Reports. The function and line of an address take addr2line(1); without it, the address. */
static void print_place(char *text, size_t size, uint32_t at)
{
	char command[96], line[160] = "";
	FILE *output;

	snprintf(text, size, "%#x", (unsigned)at);
	snprintf(command, sizeof(command), "addr2line -s -f -p -e /proc/%d/exe %#x 2>/dev/null",
		 (int)getpid(), (unsigned)at);
	output = popen(command, "r");
	if (!output)
		return;
	if (fgets(line, sizeof(line), output) && line[0] != '?') {
		line[strcspn(line, "\n(")] = '\0';
		snprintf(text, size, "%s", line);
	}
	pclose(output);
}

static uint32_t place_of(const void *where)
{
	return (uint32_t)((const char *)where - 1 - __executable_start);
}

static void report_race(const char *what, const void *where, const char *before, uint32_t time,
			uint32_t at)
{
	unsigned number = time >> CLOCK_BITS;
	char here[160], there[160];

	if (sim_rule_is_broken("race"))
		return;
	print_place(here, sizeof(here), place_of(where));
	print_place(there, sizeof(there), at);
	sim_broken("race", "%u %s %s in %s what %u %s has %s in %s, and nothing orders them",
		   sim.current->number, sim.current->name, what, here, number,
		   sim.threads[number].name, before, there);
}

static void report_gone(const void *where, const char *what, const char *gone)
{
	char here[160];

	if (sim_rule_is_broken("memory"))
		return;
	print_place(here, sizeof(here), place_of(where));
	sim_broken("memory", "%s %s %s in %s", sim.current->name, what, gone, here);
}

/* Accesses */

static const struct range *range_of(const char *start, size_t size)
{
	for (unsigned i = 0; i < RANGES; i++)
		if (start >= ranges[i].start && start < ranges[i].start + ranges[i].size)
			return size <= ranges[i].size - (size_t)(start - ranges[i].start)
				       ? &ranges[i]
				       : NULL;
	return NULL;
}

/* The part of a stack below the frame that its thread is in has no owner. */
static bool is_gone(const char *start)
{
	size_t number = (size_t)(start - sim_stacks()) / SIM_STACK_SIZE;
	const struct sim_thread *owner = &sim.threads[number];

	if (number >= sim.thread_count)
		return false;
	if (owner == sim.current)
		return start < (const char *)__builtin_frame_address(0);
	return owner->ended || start < (const char *)owner->frame;
}

static void note_read(struct shadow *shadow, uint32_t now, const void *where)
{
	if (!is_known(shadow->written))
		report_race("reads", where, "written", shadow->written, shadow->writer_at);
	if (!is_known(shadow->read))
		return;
	shadow->read = now;
	shadow->reader_at = place_of(where);
}

static void note_write(struct shadow *shadow, uint32_t now, const void *where)
{
	if (!is_known(shadow->written))
		report_race("writes", where, "written", shadow->written, shadow->writer_at);
	if (!is_known(shadow->read))
		report_race("writes", where, "read", shadow->read, shadow->reader_at);
	shadow->written = now;
	shadow->writer_at = place_of(where);
	shadow->read = 0;
}

/* The handlers of fork() may read what threads that vanished have left on their stacks. */
void sim_races_access(const void *start, size_t size, enum sim_access access, const void *where)
{
	const struct range *range = range_of(start, size);
	const char *what = access == SIM_READ ? "reads" : "writes";
	struct shadow *shadow;
	uint32_t now;

	if (!range || !sim.current || sim.over)
		return;
	shadow = &range->shadows[(const char *)start - range->start];
	if (range == stacks && is_gone(start) && !sim_is_in_fork_handler)
		report_gone(where, what, "the frame of a function that has returned");
	now = time_now();
	for (; size; size--, shadow++) {
		if (shadow->written == NO_BLOCK) {
			report_gone(where, what, "memory that was freed or never allocated");
			return;
		}
		if (access == SIM_READ)
			note_read(shadow, now, where);
		else if (access == SIM_WRITE)
			note_write(shadow, now, where);
	}
}

void sim_races_allocate(const void *block, size_t whole, const void *start, size_t size)
{
	struct shadow *shadow = &heap->shadows[(const char *)block - heap->start];
	size_t first = (size_t)((const char *)start - (const char *)block);
	uint32_t now = time_now();

	for (size_t i = 0; i < whole; i++)
		shadow[i] = (struct shadow){ .written = i - first < size ? now : NO_BLOCK };
}

void sim_races_free(const void *start, size_t size, const void *where)
{
	sim_races_access(start, size, SIM_WRITE, where);
	sim_races_allocate(start, size, start, 0);
}
