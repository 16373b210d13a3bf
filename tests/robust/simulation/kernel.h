/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The umad devices: what a write, a read and a poll do, what is held and what is returned. */
#ifndef TESTS_SIMULATION_KERNEL_H
#define TESTS_SIMULATION_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../../common/bytes.h"
#include "umad-rules.h"

enum {
	SIM_MAD = 256,
	SIM_MAD_HEADER = 24,
	/* offsets in a MAD */
	MAD_CLASS_AT = 1,
	MAD_METHOD_AT = 3,
	MAD_STATUS_AT = 4,
	MAD_TID_AT = 8,
	MAD_TID_LOW_AT = 12,
	MAD_ATTRIBUTE_AT = 16,
	MAD_MODIFIER_AT = 20,
};

struct ib_user_mad_hdr;
struct sim_file;
struct sim_request;

/* A request that was written; or what waits to be read, or is on its way to that. */
struct sim_packet {
	struct sim_packet *next; /* to be read */
	struct sim_file *file;
	struct sim_request *request; /* the request that it is, or is a response to; or NULL */
	unsigned attempt;	     /* of the request */
	int agent;
	uint16_t lid;

	/* A response, or a request of another host */
	bool must_be_taken; /* by the request */
	bool redirects;
	bool by_gid;
	bool is_busy;	     /* the SA is */
	bool is_stray;	     /* a response to nothing that was sent */
	bool was_read;	     /* by the library */
	bool loses;	     /* the kernel drops it unless the request is still held */
	int64_t readable_at; /* 0: not yet */
	unsigned received;   /* by servers, of a request of another host */
	unsigned responses;  /* to that */

	/* A request of ours, whose response the kernel waits for until it is over */
	struct sim_packet *next_held;
	const struct ib_user_mad_hdr *header; /* as it was written */
	uint32_t timeout_ms, retries;	      /* as that says */
	bool answered;
	bool over;     /* the TID is free */
	bool is_back;  /* the kernel holds it back: not sent yet */
	bool returned; /* by the kernel */

	size_t length; /* of the MAD */
	uint8_t mad[];
};

/* An open descriptor of a umad device. */
struct sim_file {
	bool open;
	bool gone;
	uint32_t agents;		 /* a bit for each ID */
	int agent_count;		 /* IDs that have been in use */
	uint8_t first_class;		 /* of the first agent */
	struct sim_packet *first, *last; /* readable */
	struct sim_packet *held;
	uint32_t has_sent_only; /* a bit for each agent with requests that nobody waits for */
	uint32_t miscounted;	/* agents with requests held longer than the library knows */
	uint64_t writes;	/* accepted by the kernel */
	uint64_t reads;		/* of MADs that the kernel has not returned */
	uint64_t responses_read;
	uint64_t strays_read; /* of these */
};

void sim_kernel_clear(void);
int sim_kernel_open_files(void);
struct sim_file *sim_kernel_file(int fd); /* NULL: not open */

/* All return -errno if they fail. */
int sim_kernel_open(const char *number);
int sim_kernel_close(int fd);
ssize_t sim_kernel_read(int fd, void *buffer, size_t size);
ssize_t sim_kernel_write(int fd, const void *buffer, size_t size);
int sim_kernel_ioctl(int fd, unsigned long request, void *argument);
short sim_kernel_events(int fd);

/* Removes the devices so many ns from now. */
void sim_kernel_plan_removal(int64_t when);
extern bool sim_kernel_is_removed;

/* A packet for the file, with space for length bytes of MAD; and its arrival after a delay. */
struct sim_packet *sim_packet_new(struct sim_file *file, size_t length);
void sim_packet_send(struct sim_packet *packet, int64_t delay);
/* The attribute modifier. */
uint32_t sim_token_of(const uint8_t *mad);

/* How many requests of the agent for this class are out at a time; 0: any number. */
unsigned sim_kernel_limit(uint8_t mgmt_class);

/* files.c: descriptors of the simulated process: sysfs files, umad devices, eventfds. Before a run
 * nothing is open; after it, what is open is reported. */
void sim_files_clear(void);
void sim_files_check(void);

/* In the child of a fork: its descriptors are those of the parent, too. */
void sim_files_share(void);

/* Waits until one of some descriptors can be read, or for timeout_ms: bits for those that can. */
unsigned sim_wait_for(const int *descriptors, unsigned count, int timeout_ms);

#endif
