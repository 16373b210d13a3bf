/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A whole fabric in one call: its nodes, ports and links by directed routes
 * (mad_fabric_discover(3)), the counters of all ports and what has changed
 * (mad_fabric_counters_read(3)). Only Get requests are sent.
 *
 * A result is plain data that does not change any more: every pointer in it is valid until the
 * result is freed, and any number of threads may read it at the same time. Everything received is
 * validated; only descriptions are arbitrary bytes, NUL-terminated. Structures of a result grow at
 * their ends: programs reach them by pointers and do not copy them. Look-ups that find nothing and
 * the end of an iteration are NULL with errno ENOENT; a NULL object is EINVAL. Numbers are in host
 * byte order.
 */
#ifndef INFINIBAND_MAD_FABRIC_H
#define INFINIBAND_MAD_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hops that a directed route can have. */
#define MAD_FABRIC_MAX_HOPS 63

/* PortPhysicalState of a port with a link (PortInfo, 14.2.5.6). */
#define MAD_FABRIC_LINK_UP 5

/* In the attribute modifier of PortInfo: the requester knows extended speeds (14.2.5.6). */
#define MAD_FABRIC_EXTENDED_SPEEDS 0x80000000U

/* A discovered fabric. */
struct mad_fabric;

/* The counters of its ports. */
struct mad_fabric_counters;

/* What differs between two fabrics. */
struct mad_fabric_changes;

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
	int info_error; /* errno: why there is no PortInfo; 0: there is, or it was not requested */
	int peer_error; /* errno: the link is up, but the node at its other end was not found:
			 * ENODATA the SA does not know it, ETIMEDOUT no response, EIO refused,
			 * EKEYREJECTED the same where the port has a key ring, EPROTO a malformed
			 * response, ELOOP beyond the hop limit, EEXIST too many nodes with its GUID
			 */
	uint16_t lid;	/* 0: none. Ports of a switch have the LID of its port 0. */
	uint8_t port_number;	/* 1 to node->port_count; 0: a switch's management port */
	uint8_t lmc;		/* the port has 1 << lmc LIDs */
	uint8_t state;		/* PortState: 1 down, 2 initialize, 3 armed, 4 active */
	uint8_t physical_state; /* PortPhysicalState: MAD_FABRIC_LINK_UP, or why there is no link */
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
	ib_dr_path_t route; /* directed route on which it was found, from the local port */
	uint32_t vendor_id;
	uint32_t revision;
	uint16_t device_id;
	uint8_t type;	    /* enum MAD_NODE_TYPE, or an unknown value as received */
	uint8_t port_count; /* physical ports, without port 0 */
	uint8_t base_version;
	uint8_t class_version;
	bool enhanced_port0;  /* a switch whose port 0 has counters and links like others */
	char description[65]; /* NodeDescription, NUL-terminated; empty where it is not known */
	unsigned duplicate; /* 0; further nodes with the same GUID: 1, 2... by what they are linked
			     * to */
	int description_error; /* errno: why there is none */
	int switch_info_error; /* errno: why enhanced_port0 is not known */
	uint32_t reserved;     /* 0 */
};

/* What a discovery found in all. */
struct mad_fabric_info {
	size_t nodes;
	size_t switches;
	size_t cas;
	size_t routers;
	size_t ports;	     /* of which PortInfo was received */
	size_t links;	     /* each counted once */
	size_t problems;     /* that mad_fabric_next_problem() returns */
	size_t unread_nodes; /* of which something could not be read: they did not respond,
			      * refused... */
	size_t unknown_ends; /* ports whose link is up, and behind which the node is not known */
	int error;	     /* 0: everything reachable within the options; else why the discovery
			      * ended early: ECANCELED, ENOMEM, ENOSPC (more nodes than LIDs), ENODEV... */
	int64_t time;	     /* when it began, seconds since 1970 */
	int64_t duration_ns;
	uint64_t requests;		     /* submitted */
	uint64_t timeouts;		     /* of which no response came */
	const struct mad_fabric_port *start; /* where it began: the local port; NULL: unknown */
	bool from_sa;			     /* nodes and links are what the SA knows */
	int sa_error; /* errno: why they are not, although the options want it: EIO refused,
		       * ETIMEDOUT, ENXIO no SM, EPROTO tables that contradict each other, EBADMSG
		       * tables that were cut in transit... */
};

/* How far mad_fabric_discover() or mad_fabric_counters_read() is. */
struct mad_fabric_progress {
	size_t nodes;	  /* found so far */
	size_t links;	  /* found so far */
	size_t ports;	  /* whose counters have been read; 0 during discovery */
	size_t all_ports; /* whose counters are to be read; 0 during discovery */
	size_t pending;	  /* requests that are waiting to be sent or for a response */
};

/*
 * Called about every 50 ms, between callbacks and with no lock held, in the thread that discovers.
 * Returns true to go on; false cancels: what was found so far is returned, with error ECANCELED.
 */
typedef bool (*mad_fabric_progress_callback)(const struct mad_fabric_progress *progress,
					     void *context);

/* Says whether the counters of a port are to be read. */
typedef bool (*mad_fabric_port_filter)(const struct mad_fabric_port *port, void *context);

/* What a discovery or reading does besides, or leaves out; other bits are EINVAL. */
#define MAD_FABRIC_SWITCHES_ONLY                                                                   \
	(1U << 0) /* record only switches, routers and the local node: other CAs are not asked for \
		   * more than NodeInfo, and are no nodes of the result; counters: only of switch  \
		   * ports */
#define MAD_FABRIC_READ_FEC                                                                        \
	(1U << 1) /* discovery: ask ports at FDR and above for PortInfoExtended, too, where they   \
		   * have it. Counters: such a port's PortExtendedSpeedsCounters have the shape of \
		   * its FEC mode; without it, that of RS-FEC where the agent can */
#define MAD_FABRIC_FROM_SA                                                                        \
	(1U << 2) /* discovery: ask Subnet Administration for all nodes, ports and links, a       \
		   * request each, and only where it refuses or contradicts itself the nodes. It  \
		   * shows what this port's partitions may see, and knows no duplicate GUIDs. Not \
		   * with max_hops or subtree; the port needs class IB_SA_CLASS, too */

#define MAD_FABRIC_TOPOLOGY_ONLY                                                              \
	(1U << 3) /* discovery: nothing but NodeInfo and PortInfo. Nodes have no description, \
		   * enhanced_port0 is not known, and FDR10 shows as QDR */

/* How to discover or to read counters; 0 in any member is its default. */
struct mad_fabric_options {
	uint32_t flags;	    /* MAD_FABRIC_SWITCHES_ONLY and so on */
	uint32_t window;    /* requests in flight, 1 to 4096; default: 16, and up to 64 as long as
			     * nothing is lost */
	int32_t timeout_ms; /* milliseconds per attempt; default: the port's */
	int32_t attempts;   /* default: the port's */
	uint32_t max_hops;  /* from where the discovery starts; default and most: 63 */
	uint32_t reserved;  /* 0 */
	const ib_dr_path_t *subtree; /* start at the end of this route, and do not go back by the
				      * port through which it arrives; NULL: at the local port */
	const struct mad_fabric *expected; /* discovery: the fabric as it was; NodeInfo of the node
					    * that was at the end of a link takes the M_Key of its
					    * GUID, for nodes that respond to no other key; NULL:
					    * nothing is known */
	mad_fabric_progress_callback progress; /* or NULL */
	mad_fabric_port_filter filter; /* counters: which ports; NULL: all ports of switches, port
					* 0 where it is enhanced, and those ports of other nodes
					* whose PortInfo was received */
	void *context;		       /* for both callbacks */
};

/*
 * Discovers the fabric from an open port that has class IB_SMI_DIRECT_CLASS, and returns it: whole,
 * or as far as it was found when something ended the discovery (mad_fabric_info.error). Of a pair,
 * give pair->smi.port. Each plane of a multi-plane CA is discovered through a port of that plane.
 * Other threads can use the port meanwhile. options may be NULL, for the defaults; size is
 * sizeof(*options). Thread cancellation is deferred until the call returns.
 * On a port with a key ring (mad_keys.h), NodeInfo takes the default M_Key, as it is what makes a
 * port's GUID known, unless options->expected says whose it is; whatever else is asked of a node
 * takes the key of that GUID.
 * Returns the fabric, to be freed with mad_fabric_free(); NULL with errno: EINVAL (arguments, or
 * the class is not registered), ENOMEM, or what the local node's NodeInfo failed with.
 */
struct mad_fabric *mad_fabric_discover(struct ibmad_port *port,
				       const struct mad_fabric_options *options, size_t size);

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
	int64_t time;			     /* seconds since 1970; 0: unknown */
	int32_t error; /* errno: why the fabric is not whole, for mad_fabric_info.error; 0: it is */
	uint32_t reserved; /* 0 */
};

/*
 * Builds a fabric from what is known otherwise: from a file, from SA records, or in a test. All of
 * description is copied. Of each node, ports that are not given are empty. Returns the fabric, to
 * be freed with mad_fabric_free(); NULL with errno: ENOMEM, or EINVAL for a port whose node is not
 * in the array or does not have its number, which is given twice, whose peer does not point back,
 * or for a GUID given twice; E2BIG for members that this library does not know. size is
 * sizeof(*description).
 */
struct mad_fabric *mad_fabric_build(const struct mad_fabric_description *description, size_t size);

/* Frees a fabric and everything in it. NULL is ignored. */
void mad_fabric_free(struct mad_fabric *fabric);

/* What was found in all. */
const struct mad_fabric_info *mad_fabric_get_info(const struct mad_fabric *fabric);

/* The node after node, NULL: the first; NULL after the last. Switches come first, then by GUID. */
const struct mad_fabric_node *mad_fabric_next_node(const struct mad_fabric *fabric,
						   const struct mad_fabric_node *node);

/* Port number of a node of a fabric, 0 to node->port_count; NULL for any other number. */
const struct mad_fabric_port *mad_fabric_get_port(const struct mad_fabric_node *node,
						  unsigned port_number);

/*
 * The link after link, NULL: the first; NULL after the last. A link is represented by the port at
 * one of its ends, whose peer is the other one; each link comes once.
 */
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

/* What a discovery can find wrong. */
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
};

/* Something wrong. */
struct mad_fabric_problem {
	uint32_t kind;			    /* enum mad_fabric_problem_kind */
	int error;			    /* errno, where the kind has one */
	const struct mad_fabric_node *node; /* that of port, where there is a port */
	const struct mad_fabric_port *port; /* or NULL */
};

/* The problem after problem, NULL: the first; NULL after the last. */
const struct mad_fabric_problem *mad_fabric_next_problem(const struct mad_fabric *fabric,
							 const struct mad_fabric_problem *problem);

/*
 * Writes a problem in words to text, at most size bytes with the NUL: the node's name and GUID, the
 * port, what is wrong and why, in printable ASCII. Returns the length that the whole text has, as
 * snprintf(3) does; -1 with EINVAL for NULL.
 */
int mad_fabric_problem_text(const struct mad_fabric_problem *problem, char *text, size_t size);

/* What can differ between two fabrics. */
enum mad_fabric_change_kind {
	MAD_FABRIC_CHANGE_NODE_APPEARED = 1, /* new_node */
	MAD_FABRIC_CHANGE_NODE_DISAPPEARED,  /* old_node */
	MAD_FABRIC_CHANGE_NODE_RENAMED,	     /* another description */
	MAD_FABRIC_CHANGE_LINK_APPEARED, /* new_port, between nodes of both fabrics or new ones */
	MAD_FABRIC_CHANGE_LINK_DISAPPEARED, /* old_port */
	MAD_FABRIC_CHANGE_LINK_MOVED, /* one end of the link stayed, the other is at another port:
				       * old_port and new_port are the end that stayed */
	MAD_FABRIC_CHANGE_LINK_SPEED, /* another width or speed */
	MAD_FABRIC_CHANGE_LINK_STATE, /* PortState of old_port differs from that of new_port */
	MAD_FABRIC_CHANGE_LID,	      /* of old_port and new_port */
	MAD_FABRIC_CHANGE_NODE_UNREACHABLE, /* old_node, which the newer discovery could not look
					     * for: it is behind what did not respond, or the
					     * discovery ended early */
	MAD_FABRIC_CHANGE_NODE_REACHABLE, /* new_node, which the older discovery could not look for
					   */
};

/* A difference. Pointers are into the two fabrics; what the kind does not have is NULL. */
struct mad_fabric_change {
	uint32_t kind; /* enum mad_fabric_change_kind */
	const struct mad_fabric_node *old_node;
	const struct mad_fabric_node *new_node;
	const struct mad_fabric_port *old_port;
	const struct mad_fabric_port *new_port;
};

/*
 * What differs between an older and a newer fabric, which must both outlive the result. Nodes are
 * the same if they have the same GUID. Links of nodes that only one discovery could reach are no
 * changes. Returns the changes, to be freed with mad_fabric_changes_free(); NULL with ENOMEM.
 */
struct mad_fabric_changes *mad_fabric_compare(const struct mad_fabric *older,
					      const struct mad_fabric *newer);

/* The change after change, NULL: the first; NULL after the last. Nodes come before links. */
const struct mad_fabric_change *mad_fabric_next_change(const struct mad_fabric_changes *changes,
						       const struct mad_fabric_change *change);

/* Frees changes. NULL is ignored. */
void mad_fabric_changes_free(struct mad_fabric_changes *changes);

/* Counters of a port, by their number: a later release may have more of them. */
enum mad_fabric_counter {
	MAD_FABRIC_COUNTER_SYMBOL_ERRORS,
	MAD_FABRIC_COUNTER_LINK_RECOVERS,
	MAD_FABRIC_COUNTER_LINK_DOWNED,
	MAD_FABRIC_COUNTER_RCV_ERRORS,
	MAD_FABRIC_COUNTER_RCV_REMOTE_PHYSICAL_ERRORS,
	MAD_FABRIC_COUNTER_RCV_SWITCH_RELAY_ERRORS,
	MAD_FABRIC_COUNTER_XMIT_DISCARDS,
	MAD_FABRIC_COUNTER_XMIT_CONSTRAINT_ERRORS,
	MAD_FABRIC_COUNTER_RCV_CONSTRAINT_ERRORS,
	MAD_FABRIC_COUNTER_LOCAL_LINK_INTEGRITY_ERRORS,
	MAD_FABRIC_COUNTER_EXCESSIVE_BUFFER_OVERRUNS,
	MAD_FABRIC_COUNTER_VL15_DROPPED,
	MAD_FABRIC_COUNTER_QP1_DROPPED,
	MAD_FABRIC_COUNTER_XMIT_WAIT, /* ticks with data to send and no credits */
	MAD_FABRIC_COUNTER_XMIT_DATA, /* 4 bytes each */
	MAD_FABRIC_COUNTER_RCV_DATA,  /* 4 bytes each */
	MAD_FABRIC_COUNTER_XMIT_PACKETS,
	MAD_FABRIC_COUNTER_RCV_PACKETS,
	MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS,
	MAD_FABRIC_COUNTER_UNICAST_RCV_PACKETS,
	MAD_FABRIC_COUNTER_MULTICAST_XMIT_PACKETS,
	MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS,
	MAD_FABRIC_COUNTER_SYNC_HEADER_ERRORS, /* this and the following: PortExtendedSpeedsCounters
						*/
	MAD_FABRIC_COUNTER_UNKNOWN_BLOCKS,
	MAD_FABRIC_COUNTER_FEC_CORRECTABLE_BLOCKS,
	MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS,
	MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS,
};

/* What a counter is. */
struct mad_fabric_counter_kind {
	const char *name; /* "SymbolErrorCounter": as mad_field_name(), without the Ext prefix */
	uint32_t unit; /* what the value is to be multiplied by, to get bytes, packets...: 4 or 1 */
	uint8_t bits;  /* width in PortCounters or PortExtendedSpeedsCounters; 0: not there */
	bool is_error; /* counts something wrong; not: traffic, waits, corrected blocks */
};

/* How many counters this library knows: their numbers are below that. */
unsigned mad_fabric_counter_count(void);

/* What a counter (enum mad_fabric_counter) is; NULL with EINVAL for a number that no counter has.
 */
const struct mad_fabric_counter_kind *mad_fabric_counter_get_kind(unsigned counter);

/* What a port has counted, or by how much its counters rose between two readings. */
struct mad_fabric_counter_row;

/*
 * Reads the counters of all ports of a fabric, or of those that options select, by LID, from an
 * open port that has class IB_PERFORMANCE_CLASS; of a pair, give pair->gsi.port. Of each node, the
 * port reads what its ClassPortInfo says that it supports: PortCounters, PortCountersExtended,
 * PortExtendedSpeedsCounters. The fabric must outlive the result. options may be NULL, for the
 * defaults; size is sizeof(*options). Thread cancellation is deferred until the call returns.
 * Returns the counters, to be freed with mad_fabric_counters_free(); what could not be read says
 * why in its own row. NULL with errno: EINVAL (arguments, or the class is not registered), E2BIG
 * (members of options that this library does not know) or ENOMEM.
 */
struct mad_fabric_counters *mad_fabric_counters_read(struct ibmad_port *port,
						     const struct mad_fabric *fabric,
						     const struct mad_fabric_options *options,
						     size_t size);

/*
 * By how much counters rose between an older and a newer reading, which may be of two discoveries;
 * only newer and its fabric must outlive the result. Ports that only one of them has are left out.
 *
 * Counters of fewer than 64 bits stop at their greatest value, and are marked as saturated there:
 * one that fell was reset, and has risen by its newer value at least. One of 64 bits that fell has
 * wrapped if the way over its greatest value is the shorter half of its range, and if no other
 * counter of the port was reset.
 * Returns the differences, to be freed with mad_fabric_counters_free(); NULL with EINVAL or ENOMEM.
 */
struct mad_fabric_counters *mad_fabric_counters_subtract(const struct mad_fabric_counters *older,
							 const struct mad_fabric_counters *newer);

/* Frees counters. NULL is ignored. */
void mad_fabric_counters_free(struct mad_fabric_counters *counters);

/* The row after a row, NULL: the first; NULL after the last. In the order of nodes and ports. */
const struct mad_fabric_counter_row *mad_fabric_counters_next(
	const struct mad_fabric_counters *counters, const struct mad_fabric_counter_row *after);

/* The row of a port of the node with this GUID; NULL: not read. */
const struct mad_fabric_counter_row *mad_fabric_counters_find(
	const struct mad_fabric_counters *counters, uint64_t guid, unsigned port_number);

/* The port of a row; NULL with EINVAL for NULL. */
const struct mad_fabric_port *mad_fabric_row_port(const struct mad_fabric_counter_row *row);

/* Why not all counters are there: 0, or an errno; EADDRNOTAVAIL: no LID; ECANCELED: not asked,
 * since the caller cancelled; EINVAL for NULL. */
int mad_fabric_row_error(const struct mad_fabric_counter_row *row);

/* Why PortExtendedSpeedsCounters, which is optional, was not read of a port with an extended speed:
 * 0, or an errno; ECANCELED: not asked, since devices of its kind do not respond to it. */
int mad_fabric_row_speeds_error(const struct mad_fabric_counter_row *row);

/* CLOCK_MONOTONIC in nanoseconds when the first response came; of a difference, the nanoseconds in
 * between; 0: unknown. */
int64_t mad_fabric_row_time_ns(const struct mad_fabric_counter_row *row);

#define MAD_FABRIC_VALUE_SATURATED (1 << 0) /* at its greatest value: at least so many */
#define MAD_FABRIC_VALUE_WRAPPED   (1 << 1) /* a difference: it has passed its greatest value */
#define MAD_FABRIC_VALUE_RESET	   (1 << 2) /* a difference: it was set to 0: at least so many */

/*
 * Writes the value of a counter to *value (or NULL). Returns its flags, MAD_FABRIC_VALUE_...; -1
 * with ENODATA where it was not read or the port does not have it, or EINVAL (NULL, or a number
 * that no counter has).
 */
int mad_fabric_row_value(const struct mad_fabric_counter_row *row, unsigned counter,
			 uint64_t *value);

/* The width in bits of the counter that was read: 8 to 64; 0: it was not read. */
unsigned mad_fabric_row_bits(const struct mad_fabric_counter_row *row, unsigned counter);

/*
 * Of a difference: writes how often a second (bytes, packets, events) to *per_second. Returns as
 * mad_fabric_row_value(); ENODATA also where the time is not known.
 */
int mad_fabric_row_rate(const struct mad_fabric_counter_row *row, unsigned counter,
			double *per_second);

/* The sum of the error counters of a row; 0 for NULL. */
uint64_t mad_fabric_row_errors(const struct mad_fabric_counter_row *row);

#ifdef __cplusplus
}
#endif

#endif
