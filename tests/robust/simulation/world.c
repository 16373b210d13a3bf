/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See world.h. Most worlds have a few kinds of trouble, some none, some all. */
#include "world.h"

#include "invariants.h"
#include "scheduler.h"

enum { MANY_REDIRECTS = 40 };

/* The programs of a world follow from its seed modulo PROGRAMS. Seeds that were recorded before
 * these programs existed have other remainders, so their runs have not changed. */
enum { PROGRAMS = 17, CANCELS_DISPATCHERS = 4, HAS_MESSAGES = 8, HAS_BOTH = 10 };

struct sim_world sim_world;

/* A percentage up to most, in one world of `in`; else 0. */
static uint32_t share(uint32_t in, uint32_t most)
{
	return sim_chance_once_in(in) ? 1 + sim_chance(most) : 0;
}

static void choose_schedule(void)
{
	static const uint32_t switches[] = { 1, 2, 4, 16 };
	static const int64_t costs[] = { 0, 50, 200, 1000 };
	struct sim_schedule *schedule = &sim.schedule;

	schedule->by_priority = sim_chance_once_in(4);
	schedule->switch_once_in = switches[sim_chance(4)];
	schedule->step_cost = costs[sim_chance(4)];
	schedule->stop_once_in = sim_chance_once_in(6) ? 20 + sim_chance(300) : 0;
	schedule->freeze_once_in = sim_chance_once_in(6) ? 20 + sim_chance(300) : 0;
	schedule->pause_max = (1 + sim_chance(300)) * SIM_MS;
	schedule->spurious_once_in = sim_chance_once_in(4) ? 8 : 0;
}

static void choose_fabric(void)
{
	static const int64_t delays[] = { 10 * SIM_US, 300 * SIM_US, 3 * SIM_MS, 30 * SIM_MS };
	struct sim_world *world = &sim_world;

	world->never = share(2, 40);
	world->late = share(3, 25);
	world->at_the_end = share(3, 25);
	world->slowly = share(2, 40) / 4;
	world->redirected = share(4, MANY_REDIRECTS);
	if (world->redirected == MANY_REDIRECTS)
		world->redirected = 95; /* requests reach the limit of redirects */
	world->with_status = share(4, 20);
	world->malformed = share(4, 30);
	world->twice = share(3, 50);
	world->usual_delay = delays[sim_chance(4)];
	world->remote_requests = sim_chance(30);
	world->by_gid = share(8, 60);
	world->stray_responses = sim_chance_once_in(60) ? 300 : share(4, 40);
	world->stray_spread = sim_chance_once_in(2) ? 20 * SIM_MS : 300 * SIM_MS;
	world->long_once_in = sim_chance_once_in(6) ? 4 : 0;
}

/* Removes everything that makes requests to a destination that responds take longer than others. */
static void have_all_respond(struct sim_world *world)
{
	world->never = world->late = world->at_the_end = world->slowly = 0;
	world->redirected = world->with_status = world->malformed = world->busy = 0;
	world->drop_once_in = world->send_fails_once_in = world->write_fails_once_in = 0;
	world->allocations_fail_once_in = 0;
	world->removed_at = SIM_NEVER;
}

/* Requests may have to wait for places of the kernel's agents, other requests, memory, the kernel.
 * No recorded seed has these remainders. */
static void choose_waits(uint64_t seed)
{
	static const unsigned queues[] = { 512, 64, 128, 16 };
	enum {
		ONE_FAILURE = 3,
		PLACES = 4,
		TURNS = 7,
		MORE_PLACES = 11,
		SLOW_WRITES = 14,
		LOOP = 20,
		WARNINGS = 21,
		SILENCE = 23,
		SLOW_PLACES = 28,
		LOOP_ALONE = 29,
		WAITS = 37
	};
	struct sim_world *world = &sim_world;
	unsigned kind = seed % WAITS;
	bool has_places = kind == PLACES || kind == MORE_PLACES || kind == SLOW_PLACES ||
			  kind == TURNS || kind == SILENCE || (kind == LOOP && seed & 1);

	world->shows_errors = kind == WARNINGS;
	world->tables = kind == TURNS ? 75 : kind == ONE_FAILURE ? 50 : 0;
	world->has_silent_lids = kind == SILENCE;
	world->in_blocks = kind == SILENCE && seed & 2;
	if (has_places || kind == LOOP || kind == LOOP_ALONE)
		world->kernel = SIM_KERNEL_REAL;
	if (has_places)
		world->receive_queue = kind == SILENCE ? seed & 1 ? 512 : 0 : queues[seed / 2 % 4];
	world->sends_to_sa = has_places && seed % 3;
	if (kind == SLOW_WRITES || kind == SLOW_PLACES)
		world->write_takes = (int64_t)(1 + seed % 200) * SIM_MS;
	if (kind == TURNS || kind == SILENCE)
		have_all_respond(world);
	world->has_loop =
		kind == LOOP || kind == LOOP_ALONE || kind == TURNS || kind == ONE_FAILURE;
	world->is_alone = kind == LOOP_ALONE || (kind == ONE_FAILURE && seed & 1);
	if (world->is_alone) {
		world->empty_read_once_in = 0;
		world->cancels_dispatchers = world->has_messages = world->shares_queue = false;
	}
	if (kind == ONE_FAILURE) {
		world->allocations_fail_once_in = world->write_fails_once_in = 0;
		world->fails_at = 1 + seed / WAITS % 40;
	}
}

/* Other remainders choose what is rare: busy SAs, deadlines, shared queues. */
static void choose_rarities(uint64_t seed)
{
	if (seed % 23 == 16 && sim_world.kernel != SIM_KERNEL_SIMULATOR)
		sim_world.receive_queue = seed % 2 ? 16 : 64;
	sim_world.busy = seed % 31 == 19 ? 30 : 0;
	sim_world.has_deadlines = seed % 29 == 10;
	if (sim_world.has_deadlines && seed % 2) {
		sim_world.redirected = 30; /* a deadline ends what follows a redirect */
		sim_world.by_gid = 80;
	} else if (sim_world.has_deadlines && seed % 4 == 0) {
		sim_world.busy = 30;
	}
	sim_world.shares_queue = seed % 11 == 6;
	if (sim_world.shares_queue && seed % 2)
		sim.schedule.by_priority = true;
	if (sim_world.shares_queue && seed % 3)
		sim_world.usual_delay = 10 * SIM_US;
	if (sim_world.shares_queue && seed % 4 < 2)
		sim.schedule.stop_once_in = 40; /* several responses are there after a stop */
	choose_waits(seed);
}

/* Requests that nobody waits for fill the few places of an agent; some are refused, or lost. A
 * remainder that no recorded seed has. */
static void choose_senders(uint64_t seed)
{
	enum { SENDERS = 3, KINDS = 41 };
	struct sim_world *world = &sim_world;

	world->has_senders = seed % KINDS == SENDERS && !world->has_loop && !world->fails_at &&
			     !world->has_silent_lids;
	if (!world->has_senders)
		return;
	world->kernel = SIM_KERNEL_REAL;
	world->receive_queue = 64;
	world->sends_to_sa = true;
	world->write_fails_once_in = seed & 1 ? 4 : 0;
	world->send_fails_once_in = seed & 2 ? 4 : 0;
}

static void choose_programs(uint64_t kind)
{
	sim_world.cancels_dispatchers = kind == CANCELS_DISPATCHERS || kind == HAS_BOTH;
	sim_world.has_messages = kind == HAS_MESSAGES || kind == HAS_BOTH;
	if (!sim_world.has_messages)
		return;
	sim_world.long_once_in = 2;
	sim_world.remote_requests += 10;
}

void sim_world_choose(uint64_t seed)
{
	sim_world = (struct sim_world){ .chances.state = seed * 3 };
	sim_random_next(&sim_world.chances);
	sim_world.plans.state = sim_random_next(&sim_world.chances);
	sim.choices.state = sim_random_next(&sim_world.chances);
	sim_world.kernel = (enum sim_kernel_kind)sim_chance(3);
	sim_world.short_header = sim_chance_once_in(16);
	sim_world.has_no_stdin = seed % 3 == 0;
	sim_world.in_bursts = seed % 5 == 0;
	sim_world.tid_wraps = seed % 7 == 0;
	sim_world.returns_whole = sim_chance_once_in(3);
	sim_world.write_fails_once_in = sim_chance_once_in(12) ? 4 + sim_chance(30) : 0;
	sim_world.allocations_fail_once_in = sim_chance_once_in(20) ? 8 + sim_chance(60) : 0;
	sim_world.empty_read_once_in = sim_chance_once_in(16) ? 3 + sim_chance(40) : 0;
	sim_world.drop_once_in = sim_chance_once_in(6) ? 2 + sim_chance(10) : 0;
	sim_world.removed_at =
		sim_chance_once_in(24) ? (int64_t)sim_chance(400) * SIM_MS : SIM_NEVER;
	sim_world.sends.state = seed * 5 + 1;
	sim_world.send_fails_once_in = sim_random_once_in(&sim_world.sends, 12) ? 5 : 0;
	choose_schedule();
	choose_fabric();
	choose_programs(seed % PROGRAMS);
	choose_rarities(seed);
	choose_senders(seed);
}

void sim_world_choose_cases(void)
{
	sim_world = (struct sim_world){
		.kernel = SIM_KERNEL_REAL,
		.removed_at = SIM_NEVER,
		.receive_queue = 512,
		.has_cases = true,
	};
	sim.schedule = (struct sim_schedule){ 0 };
}

/* Times are ns. */
#define LOG(a, b, c, d)                                                                            \
	sim_log(#a " %lld, " #b " %lld, " #c " %lld, " #d " %lld", (long long)(a), (long long)(b), \
		(long long)(c), (long long)(d))

void sim_world_log(void)
{
	const struct sim_world *world = &sim_world;
	const struct sim_schedule *schedule = &sim.schedule;

	LOG(world->kernel, world->short_header, world->has_no_stdin, world->tid_wraps);
	LOG(world->receive_queue, world->returns_whole, world->write_fails_once_in,
	    world->send_fails_once_in);
	LOG(world->allocations_fail_once_in, world->fails_at, world->write_takes,
	    world->empty_read_once_in);
	LOG(world->drop_once_in, world->removed_at, world->never, world->has_silent_lids);
	LOG(world->in_blocks, world->late, world->at_the_end, world->slowly);
	LOG(world->redirected, world->with_status, world->malformed, world->twice);
	LOG(world->busy, world->usual_delay, world->remote_requests, world->in_bursts);
	LOG(world->by_gid, world->stray_responses, world->long_once_in, world->cancels_dispatchers);
	LOG(world->has_deadlines, world->shares_queue, world->has_messages, world->has_loop);
	LOG(world->is_alone, world->shows_errors, world->tables, world->sends_to_sa);
	LOG(schedule->by_priority, schedule->switch_once_in, schedule->stop_once_in,
	    schedule->freeze_once_in);
	LOG(schedule->pause_max, schedule->step_cost, schedule->spurious_once_in,
	    world->has_senders);
}
