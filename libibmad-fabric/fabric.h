/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The model behind <infiniband/mad_fabric.h>. Every public structure is the first member of a
 * private one, which holds what the discovery needs in addition. Nodes are never removed, so
 * pointers to nodes and ports are valid until mad_fabric_free().
 */
#ifndef LIBIBMAD_FABRIC_H
#define LIBIBMAD_FABRIC_H

#include <errno.h>
#include <stdbool.h>
#include <time.h>

#include "common/bytes.h"
#include "common/refusals.h"
#include "libibmad-fabric/public.h"

/* Every node has a LID of its own, so a subnet has at most as many nodes as unicast LIDs. */
#define FABRIC_NODES_MAX IB_MAX_UCAST_LID

/* Nodes with one GUID: real duplicates come in pairs, so more are not kept. */
#define FABRIC_SAME_GUID_MAX 8

/* CapabilityMask of PortInfo: IsExtendedSpeedsSupported, IsCapabilityMask2Supported. */
#define FABRIC_CAN_EXTENDED_SPEEDS (1U << 14)
#define FABRIC_HAS_CAPABILITIES_2  (1U << 15)

/* CapabilityMask2 of PortInfo: IsPortInfoExtendedSupported. */
#define FABRIC_CAN_PORT_INFO_EXTENDED (1U << 1)

/* CapabilityMask of PortInfoExtended: IsFECModeSupported. */
#define FABRIC_REPORTS_FEC 1U

/* A request that waits or was submitted: a member of the port or node that it concerns. */
struct fabric_task {
	struct fabric_task *next;
	int64_t request; /* ID of the submitted request; 0: none */
	uint16_t queued; /* attribute to be asked for; 0: none */
	uint16_t asked;	 /* attribute that was asked for last */
};

struct fabric_node;

struct fabric_port {
	struct mad_fabric_port public;
	struct fabric_task task;
	uint64_t far_guid; /* node at the other end, by a response through this port */
	uint8_t far_port;  /* port of that node */
	bool far_known;
	bool asks_again;   /* for the other end, although there may be a peer */
	bool not_expected; /* the expected node at the other end did not respond */
	bool extended;	   /* PortInfo was asked for with MAD_FABRIC_EXTENDED_SPEEDS */
	bool blocked; /* not to be followed: the subtree was entered here, or the node there is not
			 wanted */
	bool wrong_port; /* the node at the other end gave an impossible port number */
};

struct fabric_node {
	struct mad_fabric_node public;
	struct mad_fabric *fabric;
	struct fabric_node *next_in_bucket;
	size_t place;		       /* in fabric->nodes */
	size_t first_port;	       /* ports of all nodes before it */
	struct fabric_node *next_same; /* with the same GUID, found later */
	struct fabric_task description;
	struct fabric_task switch_info;
	uint64_t entry_guid; /* of the port at which its route arrives, and which responds */
	struct fabric_node *found_by; /* NULL: the first node */
	uint32_t nodes_behind;	      /* nodes that were found through this one */
	uint32_t ports_behind;	      /* ports of these, port 0 included */
	unsigned timeouts_in_a_row;
	bool doubtful;		    /* has links at ports that report none */
	bool no_vendor_info;	    /* gave no ExtendedPortInfo of one port */
	bool extended;		    /* knows extended speeds, as far as we know */
	bool too_many;		    /* nodes were found through it: no more links are followed */
	bool ports_asked;	    /* all ports of a switch, once port 0 has responded */
	struct fabric_port ports[]; /* port_count + 1 */
};

/*
 * An entry of a sorted array: comparing keys touches nothing else, and a fabric of thousands of
 * nodes does not fit into the processor's cache.
 */
struct fabric_key {
	uint64_t key;
	uint64_t order; /* of those with one key: fabric_order_of() */
	void *item;
};

struct mad_fabric {
	struct mad_fabric_info info;
	struct fabric_node **nodes;   /* with space for 1 << bucket_bits */
	struct fabric_node **buckets; /* the first node of each GUID, by a hash of the GUID */
	unsigned bucket_bits;	      /* 1 << bucket_bits of them, where there are any */
	size_t number_of_ports;	      /* port 0 of each node included */
	size_t number_of_addresses;   /* port 0 of switches, all of others */
	struct discovery *discovery;  /* while one is under way */
	/* Made by fabric_finish(): for look-ups and iteration. */
	struct fabric_key *ports_by_lid;
	size_t number_of_lids;
	struct fabric_key *ports_by_guid;
	size_t number_of_guids;
	struct fabric_key *nodes_by_name; /* by a hash of the description */
	struct mad_fabric_problem *problems;
	bool limited; /* by max_hops of the options: what is beyond is no problem */
};

/* The result of a look-up that finds nothing, or of one in NULL. */
static inline void *fabric_none(const void *object)
{
	errno = object ? ENOENT : EINVAL;
	return NULL;
}

/* fabric.c: the public call fails with -errno: sets errno and, if ibdebug enables that, prints why.
 * Returns -1, or NULL. */
#define fabric_fail(error)	fabric_end_call(__func__, error)
#define fabric_fail_null(error) (fabric_end_call(__func__, error), NULL)
int fabric_end_call(const char *function, int error) __attribute__((cold));

#define FABRIC_NS_PER_MS INT64_C(1000000)

/* Nanoseconds of a clock: CLOCK_MONOTONIC for durations, CLOCK_REALTIME for dates. */
static inline int64_t fabric_clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Names the port at the end of a route or LID, whose key a request takes: see mad_keys.h. */
static inline void fabric_address_guid(ib_portid_t *to, uint64_t guid)
{
	mad_put_be64(to->gid + 8, guid);
}

/* The port that responds for this one. */
static inline const struct mad_fabric_port *fabric_agent_port(const struct mad_fabric_port *port)
{
	return port->node->type == IB_NODE_SWITCH ? mad_fabric_get_port(port->node, 0) : port;
}

static inline uint64_t fabric_agent_guid(const struct mad_fabric_port *port)
{
	return fabric_agent_port(port)->guid;
}

static inline struct fabric_port *fabric_port_of(const struct mad_fabric_port *port)
{
	return (struct fabric_port *)(uintptr_t)port;
}

static inline struct fabric_node *fabric_node_of(const struct mad_fabric_node *node)
{
	return (struct fabric_node *)(uintptr_t)node;
}

/* The number of a port among those of all nodes, once the nodes are in their final places. */
static inline size_t fabric_order_of(const struct mad_fabric_port *port)
{
	return fabric_node_of(port->node)->first_port + port->port_number;
}

/* The options excluded what is at the other end of this port. */
static inline bool fabric_is_beyond_limit(const struct mad_fabric *fabric,
					  const struct mad_fabric_port *port)
{
	return port->peer_error == ELOOP && fabric->limited;
}

/* True for one of the two ports of a link. */
bool fabric_link_is_first(const struct mad_fabric_port *port);

/* fabric.c: an empty fabric, or NULL. */
struct mad_fabric *fabric_create(void);
/* Adds a node with its ports; 0, -ENOMEM, or -ENOSPC beyond the limits above. */
int fabric_add_node(struct mad_fabric *fabric, const struct mad_fabric_node *values,
		    struct fabric_node **added);
struct fabric_node *fabric_find(const struct mad_fabric *fabric, uint64_t guid);
/* The node or port of another fabric that is the same; NULL: none. */
const struct mad_fabric_node *fabric_same_node(const struct mad_fabric *other,
					       const struct mad_fabric_node *node);
const struct mad_fabric_port *fabric_same_port(const struct mad_fabric *other,
					       const struct mad_fabric_port *port);
/* The port after a port, port 0 of each node included; NULL: the first, and after the last. */
struct fabric_port *fabric_next_port(const struct mad_fabric *fabric,
				     const struct fabric_port *port);
void fabric_connect(struct mad_fabric *fabric, struct fabric_port *a, struct fabric_port *b);

/* index.c: sorts nodes, fills in the info and the problems, prepares look-ups. 0 or -ENOMEM. */
int fabric_finish(struct mad_fabric *fabric);
/* problems.c: counts problems; stores them, too, where there is memory at fabric->problems. */
void fabric_find_problems(struct mad_fabric *fabric);

/*
 * out_of_reach.c: which nodes of a fabric, by place, the other one may have without having found
 * them. The caller frees the array; NULL: out of memory.
 */
bool *fabric_find_out_of_reach(const struct mad_fabric *fabric, const struct mad_fabric *other);
/* Whether a link of a fabric may be there in the other one, which could not look. */
bool fabric_link_is_out_of_reach(const bool *nodes, const struct mad_fabric *other,
				 const struct mad_fabric_port *link);

/* attributes.c: the attribute of a response, or NULL with an errno. */
void *fabric_attribute(const struct mad_async_result *result, size_t size, int *error);
/* Attributes of SMPs into the model. */
void fabric_take_node_info(void *data, struct mad_fabric_node *node, uint64_t *port_guid,
			   uint8_t *local_port);
void fabric_take_port_info(void *data, struct mad_fabric_port *port);
void fabric_take_vendor_info(void *data, struct mad_fabric_port *port);
void fabric_take_fec(void *data, struct mad_fabric_port *port);
/* Whether a port that reports QDR may run at FDR10, which only the vendor's attribute shows. */
bool fabric_may_be_fdr10(const struct mad_fabric_port *port);
bool fabric_has_extended_speed(const struct mad_fabric_port *port);
/* By the CapabilityMask of a port whose PortInfo was received. */
bool fabric_has_capability(const struct mad_fabric_port *port, uint32_t capability);
/* Whether a port at an extended speed has PortInfoExtended, by its or its switch's PortInfo. */
bool fabric_may_have_fec(const struct mad_fabric_port *port);

/* discover.c and counters.c: options with their size checked, or defaults. 0 or -EINVAL. */
int fabric_take_options(struct mad_fabric_options *taken, const struct mad_fabric_options *given,
			size_t size);

/* run.c: a queue of tasks in front of asynchronous requests. */
struct fabric_run {
	struct mad_async *async;
	const struct mad_fabric_options *options;
	struct mad_fabric_progress progress;
	size_t queued; /* tasks that wait to be submitted */
	int64_t next_report_ns;
	unsigned window; /* requests in flight, where the options leave that open */
	unsigned good;	 /* responses since the window was last changed */
	bool has_lost;	 /* a request or a response */
	int error;	 /* 0, or -errno: nothing more is submitted */
	uint64_t requests;
	uint64_t timeouts;
	int cancel_state; /* of the thread */
};

/* Fills the queue of requests; called before each wait. */
typedef void fabric_submit_more(struct fabric_run *run, void *context);

/* Whether another task is to be submitted; else it waits. Silent nodes take no space. */
bool fabric_run_has_space(const struct fabric_run *run);
int fabric_run_begin(struct fabric_run *run, struct ibmad_port *port,
		     const struct mad_fabric_options *options);
void fabric_run_fail(struct fabric_run *run, int error);
/* Counts a request, by what the submitting function returned; an error ends the run. */
void fabric_run_note_submitted(struct fabric_run *run, int64_t id);
/* Dispatches until nothing is pending, or until something ends the run. */
void fabric_run_until_done(struct fabric_run *run, fabric_submit_more *submit_more, void *context);
/*
 * Counts timeouts, and adapts the window; ends the run for errors of this host, which are no fault
 * of a node.
 */
void fabric_run_note(struct fabric_run *run, const struct mad_async_result *result);
void fabric_run_end(struct fabric_run *run);
/* Tells the caller how far it is, if it is time for that; the caller may end the run. */
void fabric_run_report(struct fabric_run *run);

/* from_sa.c: tables of the SA, as they came. */
enum fabric_sa_table {
	FABRIC_SA_NODES,
	FABRIC_SA_PORT_INFOS,
	FABRIC_SA_LINKS,
	FABRIC_SA_SWITCHES,
	FABRIC_SA_TABLES
};

/*
 * Fills an empty fabric, which fabric_finish() completes. port_guid: of the local port. Returns 0;
 * -ENOMEM, -ENOSPC, -EBADMSG for tables or records that are cut, or -EPROTO for tables that
 * contradict each other, or do not have the local port.
 */
int fabric_fill_from_sa(struct mad_fabric *fabric,
			struct mad_sa_table *const tables[FABRIC_SA_TABLES], uint64_t port_guid,
			bool switches_only);

#endif
