/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A fabric of nodes and cables behind the responder of tests/lib/kernel: responds to directed
 * routes and to SMPs and performance management by LID as real nodes do, or as a test's twist makes
 * it. LIDs are indices plus 1 at first. Node 0 is where the discovery runs, on its port 1.
 */
#ifndef TESTS_DISCOVER_MODEL_H
#define TESTS_DISCOVER_MODEL_H

#include "responder.h"

#include <infiniband/mad.h>
#include <infiniband/mad_fabric_changes.h>
#include <infiniband/mad_fabric_counters.h>

#define MODEL_GUID(index) (UINT64_C(0x0200000000000010) + (uint64_t)(index)*0x100)

struct model_end {
	int node; /* index; -1: no cable */
	uint8_t port;
};

struct model_node {
	uint64_t guid;
	uint8_t type;
	uint8_t port_count;
	uint16_t device_id;
	uint16_t lid;
	char name[32];
	struct model_end *peers; /* port_count + 1 */
};

/* A request as a twist sees it. */
struct model_request {
	unsigned mgmt_class;
	unsigned attribute;
	unsigned modifier; /* of SMPs */
	unsigned port;	   /* of performance management */
	uint64_t key;	   /* M_Key, or the key of performance management */
	int node;	   /* index of the node that responds; -1: none is there */
	uint8_t entered;   /* port at which it came in */
	const uint8_t *path;
	unsigned hops;
};

/* Responses to these requests differ from those of the model: in a field, or as a whole. */
struct model_rule {
	unsigned mgmt_class;					/* 0: SMPs */
	unsigned attribute;					/* 0: any */
	unsigned nodes;						/* a bit for each index; 0: any */
	unsigned port;						/* as asked for; 0: any */
	enum { MODEL_ANY, MODEL_EXTENDED, MODEL_PLAIN } speeds; /* asked with bit 31 or without */
	enum MAD_FIELDS field;
	uint64_t value;
	uint16_t status;
	bool silent;
	bool from_second; /* not for the first request for the attribute */
	bool is_short;	  /* a byte of the attribute is missing */
	unsigned delay_us;
	bool is_end;
};

/* Called with the response that is about to be sent; data are its 64 or 192 bytes. */
typedef void model_twist_fn(const struct model_request *request,
			    struct responder_response *response, uint8_t *data);

struct model {
	struct model_node *nodes;
	int node_count;
	int capacity;
	const struct model_rule *rules; /* in this order, before the twist */
	model_twist_fn *twist;
	bool extended_speeds;  /* CapabilityMask of PortInfo */
	uint64_t capabilities; /* of performance management */
	unsigned smps[0x100];  /* by attribute */
	unsigned perf[0x100];
	unsigned requests;
};

extern struct model model;

/* Begins a fabric and makes the responder respond for it; model_end() frees it. */
void model_begin(void);
void model_end(void);
int model_add_node(uint8_t type, uint8_t port_count, const char *name);
void model_cable(int node, uint8_t port, int peer, uint8_t peer_port);

/* Two hosts on two leaves, two spines; every leaf has two cables to each spine: nodes 0 to 5 are
 * host-1, leaf-1, leaf-2, host-2, spine, spine. */
void model_make_tree(void);

/* leaves * 20 hosts, leaves leaf switches with 16 uplinks, and as many switches above them. */
void model_make_large(int leaves);

#endif
