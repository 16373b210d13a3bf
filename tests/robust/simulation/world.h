/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The world of a seed: everything outside the process, and the kind of its program. */
#ifndef TESTS_SIMULATION_WORLD_H
#define TESTS_SIMULATION_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "scheduler.h"

/* Kernels, and what stands in for one. */
enum sim_kernel_kind {
	SIM_KERNEL_REAL,     /* holds TIDs, returns requests, drops responses to what it returned */
	SIM_KERNEL_FORWARDS, /* like the real one, but every response reaches the process */
	SIM_KERNEL_SIMULATOR, /* like ibsim: nothing is held or returned, everything is delivered */
};

struct sim_world {
	struct sim_random chances; /* of kernel and fabric */
	struct sim_random plans;   /* of programs */
	struct sim_random sends; /* of the kernel, apart: recorded seeds keep their other chances */

	enum sim_kernel_kind kernel;
	bool short_header;	/* umad headers without a P_Key index */
	bool has_no_stdin;	/* a descriptor of ours may be 0 */
	bool tid_wraps;		/* the first transaction ID is one of the last of 32 bits */
	unsigned receive_queue; /* of a kernel from Linux 6.17 on, which holds back the requests
				 * of an agent beyond its limit; 0: it does not */
	bool returns_whole;	/* of a returned request up to 256 bytes, from the sender's LID, as
				 * ibsim's preload; not 24 as from Linux */
	uint32_t write_fails_once_in;
	uint32_t send_fails_once_in; /* after the write, as Linux 6.1 says to nobody */
	uint32_t allocations_fail_once_in;
	uint32_t fails_at;	     /* only this allocation fails; 0: none */
	int64_t write_takes;	     /* ns at most, in which a write does not return */
	uint32_t empty_read_once_in; /* somebody else was quicker */
	uint32_t drop_once_in;	     /* responses, for want of buffers */
	int64_t removed_at;	     /* the device is removed; SIM_NEVER */

	/* Of a hundred requests so many get a response ... */
	uint32_t never;
	bool has_silent_lids; /* most requests go to destinations that never respond */
	bool in_blocks;	      /* and the first ones to these alone, one after the other */
	uint32_t late;	      /* after their attempt */
	uint32_t at_the_end;  /* about 2 ms before or after the end of their attempt */
	uint32_t slowly;      /* at any moment of their attempt */
	uint32_t redirected;
	uint32_t with_status; /* an error */
	uint32_t malformed;
	uint32_t twice;
	uint32_t busy;	     /* of those to the SA */
	int64_t usual_delay; /* ns at most, otherwise */

	uint32_t remote_requests; /* to our server */
	bool in_bursts;		  /* remote requests come many at a time */
	uint32_t by_gid;	  /* of a hundred redirects so many name a GID and no LID */
	uint32_t stray_responses; /* to nothing that we have sent */
	int64_t stray_spread;	  /* ns in which all of them come */
	uint32_t long_once_in;	  /* remote requests of several packets */

	/* Of programs: in some worlds alone, so that all others stay what their seeds have found */
	bool cancels_dispatchers; /* threads in mad_async_dispatch() are cancelled */
	bool has_deadlines;
	bool shares_queue; /* several threads dispatch, some for a few callbacks */
	bool has_messages; /* mad_message_receive() and mad_message_send() are used */
	bool has_loop;	   /* a thread with a poll loop over two asynchronous objects */
	bool is_alone;	   /* the loop has the only thread */
	bool shows_errors; /* madrpc_show_errors(1) */
	uint32_t tables;   /* of a hundred asynchronous requests so many are for tables of the SA */
	bool sends_to_sa;  /* MADs sent without waiting are for the SA, which has few places */
	bool has_senders;  /* several threads send without waiting */

	bool has_cases; /* the fabric is that of fabric-cases.c, and no signal comes */
};

extern struct sim_world sim_world;

/* Numbers for what happens by chance in kernel and fabric: see scheduler.h. */
static inline uint32_t sim_chance(uint32_t limit)
{
	return sim_random_below(&sim_world.chances, limit);
}

static inline bool sim_percent(uint32_t share)
{
	return sim_chance(100) < share;
}

static inline int64_t sim_chance_between(int64_t low, int64_t high)
{
	return sim_random_between(&sim_world.chances, low, high);
}

static inline bool sim_chance_once_in(uint32_t in)
{
	return sim_random_once_in(&sim_world.chances, in);
}

/* Chooses everything above from the seed. */
void sim_world_choose(uint64_t seed);
/* A world in which nothing happens by chance, for the cases of umad. */
void sim_world_choose_cases(void);
/* Logs a line that describes the world. */
void sim_world_log(void);

#endif
