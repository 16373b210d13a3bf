/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An artificial fabric that responds to the asynchronous calls, which are replaced by those of
 * fake-async.c: for the sweep's behaviour with responses that no simulator gives.
 */
#ifndef SWEEP_FAKE_H
#define SWEEP_FAKE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad_async.h>

#define FAKE_NODES_MAX 80
#define FAKE_PORTS_MAX 40

/* What comes back: an errno, or so many bytes of data. */
struct fake_answer {
	int error;
	size_t length;
	uint8_t data[IB_PC_DATA_SZ];
};

struct fake_request {
	ib_portid_t to;
	int mgmt_class;
	unsigned attribute;
	unsigned modifier; /* the port, with PerfMgt */
};

struct fake_end {
	int node; /* index */
	uint8_t port;
};

struct fake_node {
	uint64_t guid;
	uint8_t type;
	uint8_t number_of_ports;
	const char *name; /* 64 bytes are sent */
	struct fake_end peers[FAKE_PORTS_MAX + 1];
};

/* One fabric at a time; fake_reset() begins it. Node 0 is where the sweep runs, on its port 1. */
struct fake_fabric {
	struct fake_node nodes[FAKE_NODES_MAX];
	int number_of_nodes;
	/* Called with each response before it is delivered, to modify it; or NULL. */
	void (*twist)(const struct fake_request *request, int node, struct fake_answer *answer);
	unsigned answered;     /* requests */
	unsigned asked[0x100]; /* SMPs, by attribute */
	unsigned asked_perf[0x100];
	unsigned refuse_after; /* submitting fails with ENOMEM after so many; 0: never */
	unsigned stop_after;   /* stop is set after so many responses; 0: never */
	unsigned shuffle; /* 0: responses in order, else in an order that this number selects */
	volatile sig_atomic_t stop;
};

extern struct fake_fabric fake;

/* fake-fabric.c */
void fake_reset(void);
int fake_add_node(uint8_t type, uint8_t number_of_ports, const char *name);
void fake_cable(int node, uint8_t port, int peer, uint8_t peer_port);
void fake_answer_request(const struct fake_request *request, struct fake_answer *answer);

#endif
