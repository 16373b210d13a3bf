/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The model of a fabric: nodes, identified by their node GUIDs, their ports, and the cables between
 * them. A sweep fills it in from the nodes' responses; the writers of text, JSON, DOT and CSV only
 * read it. Everything in it has been checked, except for names: those are 64 arbitrary bytes, for
 * escape.h to print.
 */
#ifndef FABRIC_SWEEP_FABRIC_H
#define FABRIC_SWEEP_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

/* Every node has at least one LID, so a subnet has no more nodes than there are unicast LIDs. */
#define FABRIC_NODES_MAX IB_MAX_UCAST_LID

#define FABRIC_WARNINGS_MAX 1000 /* texts that are kept; all warnings are counted */

#define PHYSICAL_LINK_UP 5 /* PortInfo's PortPhysicalState with a link */

struct sweep;

enum fabric_port_stage {
	FABRIC_PORT_NOT_ASKED,
	FABRIC_PORT_ASKED, /* for its PortInfo */
	FABRIC_PORT_KNOWN,
	FABRIC_PORT_SILENT, /* info_error is the reason why there is no PortInfo */
};

struct fabric_port {
	struct fabric_node *node;
	struct fabric_port *peer; /* other end of the cable; NULL: none, or no response */
	uint64_t guid;		  /* 0 if unknown */
	uint64_t request;	  /* the request for PortInfo, or for the peer's NodeInfo */
	const char *width;	  /* "4x"; NULL while the link is down */
	const char *speed;	  /* "EDR"; NULL while the link is down */
	int info_error;		  /* errno */
	int peer_error;		  /* errno: the link is up, but the request to the peer failed */
	uint16_t lid;
	uint8_t number;
	uint8_t lmc;
	uint8_t state;
	uint8_t physical_state;
	uint8_t stage;	 /* enum fabric_port_stage */
	bool peer_asked; /* and no response yet */
};

struct fabric_node {
	struct fabric *fabric;
	struct fabric_node *next_in_bucket;
	struct fabric_port *ports; /* number_of_ports + 1 of them, by number */
	ib_dr_path_t path;	   /* by which it was found first */
	uint64_t guid;
	uint64_t system_guid;
	uint32_t vendor_id;
	uint32_t revision;
	uint16_t device_id;
	uint8_t type; /* IB_NODE_CA and so on, or another value from the node */
	uint8_t number_of_ports;
	char name[IB_SMP_DATA_SIZE + 1]; /* NodeDescription */
	int name_error;			 /* errno: why there is none */
	int level;			 /* 0: not a switch; switches: hops to the nearest host */
	unsigned timed_out;		 /* requests in a row */
};

struct fabric {
	struct fabric_node **nodes; /* in the order in which they were found, until sorted */
	size_t number_of_nodes;
	size_t capacity;
	size_t number_of_links;
	struct fabric_node **buckets; /* by GUID */
	struct fabric_port *own;      /* where the sweep began */
	struct sweep *sweep;	      /* that fills it in, while it does */
	char **warnings;
	size_t number_of_warnings;
	bool complete; /* no: stopped, or failed */
};

/* fabric.c */
int fabric_init(struct fabric *fabric);
void fabric_destroy(struct fabric *fabric);
struct fabric_node *fabric_find(const struct fabric *fabric, uint64_t guid);
int fabric_add(struct fabric *fabric, uint64_t guid, uint8_t number_of_ports,
	       struct fabric_node **added);
bool fabric_link(struct fabric_port *a, struct fabric_port *b);
bool fabric_link_is_first(const struct fabric_port *port);
void fabric_sort(struct fabric *fabric);

/* warnings.c */
void fabric_warn(struct fabric *fabric, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fabric_warn_silent(struct fabric *fabric);
const char *fabric_error_text(int error);
size_t fabric_warnings_kept(const struct fabric *fabric);

/* levels.c */
int fabric_find_levels(struct fabric *fabric);

/* attributes.c: decodes responses into the model, and names values */
struct node_info {
	uint64_t guid;
	uint64_t system_guid;
	uint64_t port_guid;
	uint32_t vendor_id;
	uint32_t revision;
	uint16_t device_id;
	uint8_t type;
	uint8_t number_of_ports;
	uint8_t local_port;
};

bool attribute_node_info(const uint8_t *data, size_t length, struct node_info *info);
bool attribute_port_info(const uint8_t *data, size_t length, struct fabric_port *port);
bool attribute_name(const uint8_t *data, size_t length, struct fabric_node *node);
const char *node_type_name(uint8_t type);
const char *port_state_name(uint8_t state);
const char *physical_state_name(uint8_t state);

#endif
