/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A whole fabric in one call: nodes, ports, links and what is wrong with them:
 * mad_fabric_discover(3). The counters of all ports are in <infiniband/mad_fabric_counters.h>,
 * changes in <infiniband/mad_fabric_changes.h>. Only Get requests are sent.
 *
 * A result is plain data that does not change any more: every pointer in it is valid until the
 * result is freed, and any number of threads may read it at the same time. Structures of a result
 * grow at their ends: programs reach them by pointers and do not copy them. Everything received is
 * validated; only descriptions are arbitrary bytes, NUL-terminated. Numbers are in host byte order.
 * Look-ups that find nothing and the end of an iteration are NULL with ENOENT; a NULL object is
 * EINVAL. */
#ifndef INFINIBAND_MAD_FABRIC_H
#define INFINIBAND_MAD_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>
#include <infiniband/umad_port_states.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of the specification. */
enum mad_fabric_limit {
	MAD_FABRIC_MAX_HOPS = 63, /* of a directed route */
};

/* In the attribute modifier of PortInfo: the requester knows extended speeds (14.2.5.6). */
#define MAD_FABRIC_EXTENDED_SPEEDS 0x80000000U

/* A discovered fabric. */
struct mad_fabric;

/* Speed of one lane of a link. */
enum mad_fabric_speed {
	MAD_FABRIC_SPEED_UNKNOWN, /* no link, or a value that the specification does not have */
	MAD_FABRIC_SPEED_SDR,
	MAD_FABRIC_SPEED_DDR,
	MAD_FABRIC_SPEED_QDR,
	MAD_FABRIC_SPEED_FDR10, /* of Mellanox, 10.3125 Gb/s; PortInfo reports it as QDR */
	MAD_FABRIC_SPEED_FDR,
	MAD_FABRIC_SPEED_EDR20, /* of Mellanox, 25.78125 Gb/s; PortInfo reports it as QDR */
	MAD_FABRIC_SPEED_EDR,
	MAD_FABRIC_SPEED_HDR,
	MAD_FABRIC_SPEED_NDR,
	MAD_FABRIC_SPEED_XDR,
};

/* A port of a node. Switches have a port 0, through which they are managed. */
struct mad_fabric_port {
	const struct mad_fabric_node *node;
	const struct mad_fabric_port *peer; /* at the other end of the link; NULL: none known */
	uint64_t guid; /* port GUID: of ports of CAs and routers, and of port 0 of switches; 0: not
			* known. Ports of one multi-plane port share a GUID. */
	uint8_t port_info[IB_SMP_DATA_SIZE]; /* PortInfo as received; all zero without has_info */
	int info_error; /* errno: why there is no PortInfo, or an older one; 0: there is, or it was
			 * not requested */
	int peer_error; /* errno: the link is up, but the node at its other end was not found:
			 * ENODATA unknown to the SA, ETIMEDOUT no response, EIO refused (with a key
			 * ring: EKEYREJECTED), EPROTO a malformed response, ELOOP beyond the hop
			 * limit, EEXIST too many nodes with its GUID, ENOSPC too many nodes */
	uint16_t lid;	/* 0: none. Ports of a switch have the LID of its port 0. */
	uint8_t port_number;	/* 1 to node->port_count; 0: a switch's management port */
	uint8_t lmc;		/* the port has 1 << lmc LIDs */
	uint8_t state;		/* enum umad_port_state */
	uint8_t physical_state; /* enum umad_phys_state: UMAD_PHYS_LINK_UP, or why there is no link
				 */
	uint8_t width;		/* active link width: 1, 2, 4, 8 or 12; 0: no link or unknown */
	uint8_t speed;		/* active speed, enum mad_fabric_speed */
	uint8_t best_width;	/* greatest enabled width; 0: unknown */
	uint8_t best_speed;	/* highest enabled speed; 0: unknown */
	bool has_info;		/* PortInfo was received */
	bool half_link;		/* only one end of the link says that it is up */
	bool has_fec;		/* PortInfoExtended was received, and the port reports its mode */
	uint8_t fec_mode;	/* FECModeActive, for mad_fec_name() and mad_fec_is_rs() */
	uint8_t reserved[2];	/* 0 */
};

/* A node: a CA, a switch or a router. */
struct mad_fabric_node {
	uint64_t guid;				 /* node GUID */
	uint64_t system_guid;			 /* SystemImageGUID */
	const struct mad_fabric_node *same_guid; /* another node that has this GUID as well, found
						  * earlier; NULL: none */
	ib_dr_path_t route; /* directed route on which it was found, from the local port; cnt -1:
			     * the SA knows none */
	uint32_t vendor_id;
	uint32_t revision;
	uint16_t device_id;
	uint8_t type;	    /* enum MAD_NODE_TYPE, or an unknown value as received */
	uint8_t port_count; /* physical ports, without port 0 */
	uint8_t base_version;
	uint8_t class_version;
	bool enhanced_port0;   /* a switch whose port 0 has counters and links like others */
	char description[65];  /* NodeDescription, NUL-terminated; empty where it is not known */
	unsigned duplicate;    /* 0; further nodes with this GUID: 1, 2... by their links */
	int description_error; /* errno: why there is none, or an older one */
	int switch_info_error; /* errno: why enhanced_port0 is not known, or an older one */
	bool out_of_reach;   /* of mad_fabric_merge(): the newest discovery could not look for it */
	uint8_t reserved[3]; /* 0 */
	int64_t seen_ns;     /* when the discovery that found it began, as
			      * mad_fabric_info.time_ns */
};

/* Totals of a discovery. */
struct mad_fabric_info {
	size_t nodes;
	size_t out_of_reach; /* nodes that the newest discovery could not look for */
	size_t switches;
	size_t cas;
	size_t routers;
	size_t ports;	     /* with a PortInfo that was received */
	size_t links;	     /* each counted once */
	size_t problems;     /* for mad_fabric_next_problem() */
	size_t unread_nodes; /* of which something could not be read: they did not respond,
			      * refused... */
	size_t unknown_ends; /* ports whose link is up, and behind which the node is not known */
	int error;	     /* 0: everything reachable within the options; else why the discovery
			      * ended early: ENETDOWN (the local port has no link), ECANCELED, ENOMEM, ENOSPC
			      * (more nodes than LIDs), ENODEV... */
	int64_t time_ns;     /* beginning, nanoseconds since 1970 (CLOCK_REALTIME) */
	int64_t duration_ns; /* by CLOCK_MONOTONIC */
	uint64_t requests;   /* submitted */
	uint64_t timeouts;   /* requests without a response */
	const struct mad_fabric_port *start; /* the local port; NULL: unknown */
	bool from_sa;			     /* nodes and links came from the SA */
	int sa_error; /* errno: why they did not, although the options ask for it: EIO refused,
		       * ETIMEDOUT, ENXIO no SM, EPROTO contradictory tables, EBADMSG truncated
		       * tables... */
};

/* How far mad_fabric_discover() or mad_fabric_counters_read() is. */
struct mad_fabric_progress {
	size_t nodes;	  /* found so far */
	size_t links;	  /* found so far */
	size_t ports;	  /* with counters that have been read; 0 during discovery */
	size_t all_ports; /* with counters to be read; 0 during discovery */
	size_t pending;	  /* requests that are waiting to be sent or for a response */
};

/* Called about every 50 ms, between callbacks and with no lock held, in the thread that discovers.
 * Returns true to go on; false cancels: the result is incomplete, with error ECANCELED. */
typedef bool (*mad_fabric_progress_callback)(const struct mad_fabric_progress *progress,
					     void *context);

/* Returns whether the counters of a port are to be read. */
typedef bool (*mad_fabric_port_filter)(const struct mad_fabric_port *port, void *context);

/* Options of a discovery or reading; other bits are EINVAL. */
enum mad_fabric_flag {
	/* Record only switches, routers and the local node: other CAs are asked for NodeInfo only,
	 * and are no nodes of the result. Counters: switch ports only. */
	MAD_FABRIC_SWITCHES_ONLY = 1 << 0,
	/* Discovery: ask ports at FDR and above for PortInfoExtended, too, where they have it.
	 * Counters: PortExtendedSpeedsCounters of such a port are read as its FEC mode says;
	 * without this flag, as RS-FEC where the agent can. */
	MAD_FABRIC_READ_FEC = 1 << 1,
	/* Discovery: ask the SA for all nodes, ports and links, a request each, and the nodes only
	 * if the SA refuses or contradicts itself. The SA shows what the partitions of this port
	 * may see, and knows no duplicate GUIDs. Not with max_hops or subtree; the port needs class
	 * IB_SA_CLASS, too. */
	MAD_FABRIC_FROM_SA = 1 << 2,
	/* Discovery: ask for NodeInfo and PortInfo only. Nodes have no description, enhanced_port0
	 * is not known, and FDR10 shows as QDR. */
	MAD_FABRIC_TOPOLOGY_ONLY = 1 << 3,
	/* Counters: after reading those of a node, ask by LID whose it is (NodeInfo), for a fabric
	 * discovered some time ago: a response does not say which port sent it. Where another port
	 * has the LID by now, rows have ESTALE and no values. The port needs IB_SMI_CLASS, too. */
	MAD_FABRIC_CHECK_OWNERS = 1 << 4,
};

/* Options of a discovery or a reading of counters; 0 in any member is its default. */
struct mad_fabric_options {
	uint32_t flags;	    /* MAD_FABRIC_SWITCHES_ONLY and so on */
	uint32_t window;    /* requests in flight, 1 to 4096; default: 16, and up to 64 as long as
			     * nothing is lost */
	int32_t timeout_ms; /* milliseconds per attempt; default: the port's */
	int32_t attempts;   /* default: the port's */
	uint32_t max_hops;  /* hops from the start of the discovery; default and most: 63 */
	uint32_t max_nodes; /* discovery: nodes found through one node; more are a problem of that
			     * node (MAD_FABRIC_PROBLEM_TOO_MANY_NODES); default: 49,151, or nodes
			     * with 1,048,576 ports in all: more than any subnet has */
	const ib_dr_path_t *subtree; /* start at the end of this route, and do not go back by the
				      * port through which it arrives; NULL: at the local port */
	const struct mad_fabric *expected; /* discovery: an earlier state; NodeInfo of the node that
					    * was at the end of a link takes the M_Key of its GUID,
					    * for nodes that respond to no other key; or NULL */
	mad_fabric_progress_callback progress; /* or NULL */
	mad_fabric_port_filter filter; /* counters: ports to read; NULL: all ports of switches (port
					* 0 if enhanced), and ports of other nodes with a PortInfo
					*/
	void *context;		       /* for both callbacks */
	const uint64_t *thresholds;    /* counters: only values above these are wanted, by enum
					* mad_fabric_counter (UINT64_MAX: none); rows below may have no
					* values: mad_fabric_counters_read(3). NULL: all values */
	size_t threshold_count;	       /* of thresholds; no value of a further counter is wanted */
};

/* mad_fabric_discover() for callers without a C compiler, with the size of the structure. */
struct mad_fabric *mad_fabric_discover_sized(struct ibmad_port *port,
					     const struct mad_fabric_options *options, size_t size);

/* Discovers the fabric from an open port with class IB_SMI_DIRECT_CLASS (of a pair:
 * pair->smi.port), whole or until something ends the discovery (mad_fabric_info.error). options may
 * be NULL. Returns the fabric, to be freed with mad_fabric_free(); NULL with EINVAL (arguments, or
 * the class is not registered), E2BIG, ENOMEM, or the error of the local node's NodeInfo. */
static inline struct mad_fabric *mad_fabric_discover(struct ibmad_port *port,
						     const struct mad_fabric_options *options)
{
	return mad_fabric_discover_sized(port, options, sizeof(*options));
}

/* A fabric as its nodes and ports, for mad_fabric_build(). */
struct mad_fabric_description {
	const struct mad_fabric_node *nodes;
	size_t node_count;
	size_t node_size; /* sizeof(struct mad_fabric_node) */
	const struct mad_fabric_port
		*ports; /* node points into nodes, peer into ports or is NULL */
	size_t port_count;
	size_t port_size;		     /* sizeof(struct mad_fabric_port) */
	const struct mad_fabric_port *start; /* in ports, or NULL */
	int64_t time_ns; /* nanoseconds since 1970 (CLOCK_REALTIME); 0: unknown */
	int32_t error; /* errno: why the fabric is not whole, for mad_fabric_info.error; 0: it is */
	uint32_t reserved; /* 0 */
};

/* mad_fabric_build() for callers without a C compiler, with the size of the structure. */
struct mad_fabric *mad_fabric_build_sized(const struct mad_fabric_description *description,
					  size_t size);

/* Builds a fabric from a description, which is copied; ports that are not given are empty. Returns
 * the fabric, to be freed with mad_fabric_free(); NULL with ENOMEM, E2BIG, or EINVAL for a GUID or
 * port given twice, a ninth node with one GUID (the others have same_guid), and a port whose node
 * is not in the array or does not have its number, or whose peer does not point back. */
static inline struct mad_fabric *mad_fabric_build(const struct mad_fabric_description *description)
{
	return mad_fabric_build_sized(description, sizeof(*description));
}

/* Flags of mad_fabric_merge(). */
enum mad_fabric_merge_flag {
	/* Nodes and links that are gone stay, too, as if they were out of reach, as long as their
	 * ports have no other link: for mad_fabric_options.expected, since a node that restarts
	 * comes back with its M_Key. */
	MAD_FABRIC_KEEP_GONE = 1 << 0,
};

/* Merges a discovery into the last known state: everything that it could not look for or read stays
 * as it was, its nodes marked out_of_reach; whatever else it did not find is gone, unless flags has
 * MAD_FABRIC_KEEP_GONE. Both fabrics stay as they are. Returns a fabric, to be freed with
 * mad_fabric_free(); NULL with EINVAL (NULL, flags) or ENOMEM. */
struct mad_fabric *mad_fabric_merge(const struct mad_fabric *known,
				    const struct mad_fabric *discovered, uint32_t flags);

/* Frees a fabric and everything in it. NULL is ignored. */
void mad_fabric_free(struct mad_fabric *fabric);

/* Totals of a fabric. */
const struct mad_fabric_info *mad_fabric_get_info(const struct mad_fabric *fabric);

/* The node after node, NULL: the first; NULL after the last. Switches come first, then by GUID. */
const struct mad_fabric_node *mad_fabric_next_node(const struct mad_fabric *fabric,
						   const struct mad_fabric_node *node);

/* Port number of a node of a fabric, 0 to node->port_count; NULL for any other number. */
const struct mad_fabric_port *mad_fabric_get_port(const struct mad_fabric_node *node,
						  unsigned port_number);

/* The link after link, NULL: the first; NULL after the last. A link is represented by the port at
 * one of its ends, whose peer is the other one; each link comes once. */
const struct mad_fabric_port *mad_fabric_next_link(const struct mad_fabric *fabric,
						   const struct mad_fabric_port *link);

/* The node with this GUID, the one found first if several have it; NULL: none. */
const struct mad_fabric_node *mad_fabric_find_node(const struct mad_fabric *fabric, uint64_t guid);

/* A port with this port GUID; after: the one after that port, for GUIDs that several ports share,
 * or NULL. NULL: none, or no more. */
const struct mad_fabric_port *mad_fabric_find_port(const struct mad_fabric *fabric, uint64_t guid,
						   const struct mad_fabric_port *after);

/* The port that has this LID, by its LMC: a CA's or router's port, or port 0 of a switch. NULL:
 * none. */
const struct mad_fabric_port *mad_fabric_find_lid(const struct mad_fabric *fabric, unsigned lid);

/* A node with exactly this description; after: the one after that node, or NULL. NULL: none. */
const struct mad_fabric_node *mad_fabric_find_name(const struct mad_fabric *fabric,
						   const char *description,
						   const struct mad_fabric_node *after);

/* "EDR" and so on; "?" for a speed that is not known. */
const char *mad_fabric_speed_name(unsigned speed);

/* Kinds of problems that a discovery can find. */
enum mad_fabric_problem_kind {
	MAD_FABRIC_PROBLEM_NO_RESPONSE = 1, /* the link of port is up; error: why the node at its
					     * other end is not known */
	MAD_FABRIC_PROBLEM_NO_PORT_INFO,    /* of port; error: why */
	MAD_FABRIC_PROBLEM_NO_DESCRIPTION,  /* of node; error: why */
	MAD_FABRIC_PROBLEM_NO_SWITCH_INFO,  /* of node; error: why */
	MAD_FABRIC_PROBLEM_DUPLICATE_GUID,  /* node and node->same_guid; or a cable was moved
					       meanwhile */
	MAD_FABRIC_PROBLEM_WRONG_PORT, /* the node at the other end of port says that the link is at
					* a port which it does not have, or at port 0 */
	MAD_FABRIC_PROBLEM_HALF_LINK,  /* of port and port->peer, only one says that the link is up
					*/
	MAD_FABRIC_PROBLEM_SAME_LID,   /* port has a LID that another port has, too */
	MAD_FABRIC_PROBLEM_NO_ROUTE,   /* the SA knows no route to node, which was asked nothing */
	MAD_FABRIC_PROBLEM_TOO_MANY_NODES, /* were found through node, which may invent them: see
					    * mad_fabric_options.max_nodes */
};

/* A problem. */
struct mad_fabric_problem {
	uint32_t kind;			    /* enum mad_fabric_problem_kind */
	int error;			    /* errno, where the kind has one */
	const struct mad_fabric_node *node; /* the node of port, where there is a port */
	const struct mad_fabric_port *port; /* or NULL */
};

/* The problem after problem, NULL: the first; NULL after the last. */
const struct mad_fabric_problem *mad_fabric_next_problem(const struct mad_fabric *fabric,
							 const struct mad_fabric_problem *problem);

/* Writes a problem in words to text, at most size bytes with the NUL, in printable ASCII. Returns
 * the length that the whole text has, as snprintf(3) does; -1 with EINVAL for NULL. */
int mad_fabric_problem_text(const struct mad_fabric_problem *problem, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
