// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* See faults.h. */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS INT64_C(1000000)

enum fault { LOSE, REPEAT, HOLD, FORGE, FAULTS };

static const char *const fault_names[FAULTS] = { "lose", "repeat", "hold", "forge" };

static struct {
	unsigned every[FAULTS]; /* 0: never */
	uint32_t random[FAULTS];
	unsigned long done[FAULTS];
	unsigned long frames; /* since the last report */
	int64_t first_ns, last_ns;
	int delay_ms;
	bool smps, gmps;
	struct passing *queue; /* by time */
	struct passing *held;
} faults = { .smps = true, .gmps = true };

static void report(void)
{
	printf("frames %lu in %lld us", faults.frames,
	       (long long)(faults.last_ns - faults.first_ns) / 1000);
	faults.frames = 0;
	for (int i = 0; i < FAULTS; i++)
		printf(", %s %lu", fault_names[i], faults.done[i]);
	printf("\n");
	fflush(stdout);
}

static bool read_number(const char *text, unsigned *number)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	*number = (unsigned)value;
	return end != text && !*end && value <= 1000000;
}

static bool set_fault(const char *name, const char *value, const char *more)
{
	unsigned every, seed = 0;
	int fault = 0;

	while (fault < FAULTS && strcmp(fault_names[fault], name) != 0)
		fault++;
	if (fault == FAULTS || !read_number(value, &every) || (*more && !read_number(more, &seed)))
		return false;
	faults.every[fault] = every;
	faults.random[fault] = 2463534242U + seed;
	return true;
}

bool faults_command(const char *line)
{
	char name[16], value[16] = "", seed[16] = "", more;
	int count = sscanf(line, "%15s %15s %15s %c", name, value, seed, &more);

	if (count == 1 && !strcmp(name, "report")) {
		report();
		return true;
	}
	if (count == 2 && !strcmp(name, "only")) {
		faults.smps = strcmp(value, "gmp") != 0;
		faults.gmps = strcmp(value, "smp") != 0;
		return !strcmp(value, "all") || faults.smps != faults.gmps;
	}
	if (count == 2 && !strcmp(name, "delay")) {
		faults.delay_ms = atoi(value);
		return faults.delay_ms >= 0;
	}
	return count >= 2 && count <= 3 && set_fault(name, value, seed);
}

/* Whether a fault concerns this frame: one of N, by chance, since what is sent again in rounds
 * would meet the same loss in each. */
static bool concerns(enum fault fault)
{
	uint32_t *random = &faults.random[fault];

	if (!faults.every[fault])
		return false;
	*random ^= *random << 13; /* xorshift */
	*random ^= *random >> 17;
	*random ^= *random << 5;
	if (*random % faults.every[fault])
		return false;
	faults.done[fault]++;
	return true;
}

static void enqueue(struct passing *entry)
{
	struct passing **at = &faults.queue;

	while (*at && (*at)->due_ns <= entry->due_ns)
		at = &(*at)->next;
	entry->next = *at;
	*at = entry;
}

static struct passing *make(const struct vhca_frame *frame, bool to_device, int64_t due_ns)
{
	struct passing *entry = malloc(sizeof(*entry));

	if (!entry)
		abort();
	*entry = (struct passing){ .due_ns = due_ns, .to_device = to_device, .frame = *frame };
	return entry;
}

void faults_pass(const struct vhca_frame *frame, bool to_device, int64_t now_ns)
{
	bool is_response = frame->mad[3] & 0x80;
	int64_t due_ns = now_ns + faults.delay_ms * NS_PER_MS;
	struct passing *released = faults.held;
	struct passing *entry = make(frame, to_device, due_ns);

	if (!faults.frames++)
		faults.first_ns = now_ns;
	faults.last_ns = now_ns;
	faults.held = NULL;
	if (frame->dqpn == 0 ? !faults.smps : !faults.gmps) {
		entry->due_ns = now_ns;
		enqueue(entry);
	} else if (concerns(LOSE)) {
		free(entry);
	} else if (!released && concerns(HOLD)) {
		faults.held = entry;
	} else {
		if (is_response && concerns(FORGE)) {
			struct passing *forged = make(frame, to_device, due_ns);

			forged->frame.mad[12] ^= 0x40; /* no request has a TID like that */
			enqueue(forged);
		}
		enqueue(entry);
		if (concerns(REPEAT))
			enqueue(make(frame, to_device, due_ns));
	}
	if (released) {
		released->due_ns = due_ns;
		enqueue(released);
	}
}

struct passing *faults_next(int64_t now_ns)
{
	struct passing *entry = faults.queue;

	if (!entry || entry->due_ns > now_ns)
		return NULL;
	faults.queue = entry->next;
	return entry;
}

int faults_wait_ms(int64_t now_ns)
{
	if (!faults.queue)
		return -1;
	return faults.queue->due_ns <= now_ns
		       ? 0
		       : (int)((faults.queue->due_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS);
}
