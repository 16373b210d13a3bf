/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA table queries: one call sends a query to Subnet Administration (SA) and returns all records of
 * the response, however many MADs it took (RMPP), as one array. The records stay in network byte
 * order; mad_sa_get_node() and related functions convert one to host byte order.
 *
 * Record layouts are those of the InfiniBand Architecture Specification, volume 1, 15.2.5.
 */
#ifndef INFINIBAND_MAD_SA_H
#define INFINIBAND_MAD_SA_H

#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A query; unused members are 0. */
struct mad_sa_query {
	unsigned method;     /* IB_MAD_METHOD_GET_TABLE, _GET, _GET_TRACE_TABLE or _GETMULTI; 0:
				GetTable */
	unsigned attr_id;    /* enum SA_ATTR_ID */
	unsigned attr_mod;   /* attribute modifier */
	unsigned timeout_ms; /* milliseconds per attempt, in which the whole table has to arrive; 0:
				the port's, and up to 1,296,000 as long as the SA responds */
	uint64_t sm_key;     /* SM_Key of a trusted query, host byte order; 0: sa_key_set()'s */
	uint64_t mask;	     /* component mask: which components of data must match */
	const void *data;    /* record to match, network byte order; NULL: all zero */
	size_t data_size;    /* bytes at data: at most 200, with GetMulti any number */
};

/* All records of one response. */
struct mad_sa_table {
	unsigned count;		/* records */
	unsigned record_size;	/* bytes from one record to the next, padding included */
	const uint8_t *records; /* count * record_size bytes, network byte order */
	unsigned status;	/* MAD status of the response; 0 without one */
	unsigned truncated;	/* not 0: the response was cut in transit, as simulators without
				 * RMPP do, and records may be missing */
	void *memory;		/* private to the library */
};

/* NodeRecord: a node, and the port by which the SA found it. */
struct mad_sa_node {
	uint16_t lid;
	uint8_t base_version;
	uint8_t class_version;
	uint8_t node_type; /* enum MAD_NODE_TYPE */
	uint8_t num_ports;
	uint64_t system_guid;
	uint64_t node_guid;
	uint64_t port_guid;
	uint16_t partition_cap;
	uint16_t device_id;
	uint32_t revision;
	uint8_t local_port;
	uint32_t vendor_id;
	char description[65]; /* NUL-terminated */
};

/* PortInfoRecord: a port and its PortInfo. */
struct mad_sa_port_info {
	uint16_t lid;
	uint8_t port;
	uint8_t options;
	const uint8_t *port_info; /* 64 bytes in the table, for mad_get_field() and IB_PORT_... */
};

/* LinkRecord: a cable, seen from one end. */
struct mad_sa_link {
	uint16_t from_lid;
	uint8_t from_port;
	uint8_t to_port;
	uint16_t to_lid;
};

/* PathRecord: a path from one port to another. */
struct mad_sa_path {
	uint64_t service_id;
	ibmad_gid_t dgid; /* network byte order */
	ibmad_gid_t sgid; /* network byte order */
	uint16_t dlid;
	uint16_t slid;
	uint32_t flow_label;
	uint8_t hop_limit;
	uint8_t traffic_class;
	uint8_t reversible;
	uint8_t num_path;
	uint16_t pkey;
	uint8_t sl;
	uint8_t mtu;	   /* code, as in IB_PORT_MTU_CAP_F */
	uint8_t rate;	   /* code */
	uint8_t life_time; /* 4.096 us * 2^life_time */
	uint8_t preference;
};

/* SMInfoRecord: a subnet manager. */
struct mad_sa_sm_info {
	uint16_t lid;
	uint64_t guid;
	uint64_t sm_key;
	uint32_t act_count;
	uint8_t priority;
	uint8_t state; /* 0 not active, 1 discovering, 2 standby, 3 master */
};

/* MCMemberRecord: a port in a multicast group. */
struct mad_sa_mc_member {
	ibmad_gid_t mgid;     /* network byte order */
	ibmad_gid_t port_gid; /* network byte order */
	uint32_t qkey;
	uint16_t mlid;
	uint8_t mtu; /* code */
	uint8_t traffic_class;
	uint16_t pkey;
	uint8_t rate;	   /* code */
	uint8_t life_time; /* 4.096 us * 2^life_time */
	uint8_t sl;
	uint32_t flow_label;
	uint8_t hop_limit;
	uint8_t scope;
	uint8_t join_state;
	uint8_t proxy_join;
};

/* ServiceRecord: a service that a port offers. */
struct mad_sa_service {
	uint64_t id;
	ibmad_gid_t gid; /* network byte order */
	uint16_t pkey;
	uint32_t lease; /* seconds */
	uint8_t key[16];
	char name[65];	  /* NUL-terminated */
	uint8_t data[64]; /* as the service registered it */
};

/*
 * Queries the SA at sm (NULL: the local port's SM, found by an SMP, for which srcport needs class
 * IB_SMI_DIRECT_CLASS, too) and stores all records of the response in *table, which the caller
 * frees with mad_sa_table_free(). If the SA has no such record, the table has 0 records. Fills in
 * sm's qp and qkey, and replaces *sm if the SA redirects. Any thread may call it. Returns 0; -1
 * with *table empty and errno: EIO for an error status (in table->status), EBADMSG for a response
 * with an invalid length or record size, ECONNABORTED for an aborted transfer, or as mad_rpc().
 */
int mad_sa_query(const struct ibmad_port *srcport, ib_portid_t *sm,
		 const struct mad_sa_query *query, struct mad_sa_table *table);

/* Frees the records and leaves the table empty. NULL and an empty table are ignored. */
void mad_sa_table_free(struct mad_sa_table *table);

/* Record number index, from 0, of record_size bytes; NULL if there is none. */
static inline const uint8_t *mad_sa_record(const struct mad_sa_table *table, unsigned index)
{
	return index < table->count ? table->records + (size_t)index * table->record_size : NULL;
}

/* All NodeRecords: mad_sa_query() with timeout_ms per attempt (0: see there). 0, or -1. */
int mad_sa_query_nodes(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
		       struct mad_sa_table *table);

/* All PortInfoRecords, as mad_sa_query_nodes(). */
int mad_sa_query_port_infos(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			    struct mad_sa_table *table);

/* All LinkRecords, as mad_sa_query_nodes(). */
int mad_sa_query_links(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
		       struct mad_sa_table *table);

/*
 * The PathRecords from the port with GID sgid to that with dgid (NULL: to all), both in network
 * byte order. Otherwise as mad_sa_query_nodes().
 */
int mad_sa_query_paths(const struct ibmad_port *srcport, ib_portid_t *sm, const uint8_t *sgid,
		       const uint8_t *dgid, unsigned timeout_ms, struct mad_sa_table *table);

/* All SMInfoRecords, as mad_sa_query_nodes(). */
int mad_sa_query_sm_infos(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			  struct mad_sa_table *table);

/* All MCMemberRecords that the SA shows this host, as mad_sa_query_nodes(). */
int mad_sa_query_mc_members(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			    struct mad_sa_table *table);

/* All ServiceRecords, as mad_sa_query_nodes(). */
int mad_sa_query_services(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			  struct mad_sa_table *table);

/*
 * Reads record number index of a table of NodeRecords into *node. Returns 0; -1 with ERANGE if
 * there is no such record, EBADMSG if the records are too short for NodeRecords.
 */
int mad_sa_get_node(const struct mad_sa_table *table, unsigned index, struct mad_sa_node *node);

/* Reads a PortInfoRecord, as mad_sa_get_node(). */
int mad_sa_get_port_info(const struct mad_sa_table *table, unsigned index,
			 struct mad_sa_port_info *port_info);

/* Reads a LinkRecord, as mad_sa_get_node(). */
int mad_sa_get_link(const struct mad_sa_table *table, unsigned index, struct mad_sa_link *link);

/* Reads a PathRecord, as mad_sa_get_node(). */
int mad_sa_get_path(const struct mad_sa_table *table, unsigned index, struct mad_sa_path *path);

/* Reads an SMInfoRecord, as mad_sa_get_node(). */
int mad_sa_get_sm_info(const struct mad_sa_table *table, unsigned index,
		       struct mad_sa_sm_info *sm_info);

/* Reads an MCMemberRecord, as mad_sa_get_node(). */
int mad_sa_get_mc_member(const struct mad_sa_table *table, unsigned index,
			 struct mad_sa_mc_member *mc_member);

/* Reads a ServiceRecord, as mad_sa_get_node(). */
int mad_sa_get_service(const struct mad_sa_table *table, unsigned index,
		       struct mad_sa_service *service);

/*
 * A member of a multicast group that is to be: what it asks of the group. Components that the mask
 * leaves out are the SA's to choose, or those of the group.
 */
struct mad_sa_mc_request {
	struct mad_sa_mc_member member; /* port_gid 0: the local port's, whose port needs class
					 * 0x81; join_state 0: full member; mgid 0 in a join: the
					 * SA makes a group and chooses its GID */
	uint64_t mask; /* UMAD_SA_MCM_COMP_MASK_... of umad_sa_mcm.h. Those of the port GID and
			* the join state, and of the MGID where it is not 0, need not be set */
	uint8_t mtu_selector;	    /* 0: greater than member.mtu, 1: less than, 2: exactly, 3: the
				     * largest there is */
	uint8_t rate_selector;	    /* the same for member.rate */
	uint8_t life_time_selector; /* the same for member.life_time; 3: the smallest there is */
	unsigned timeout_ms;	    /* per attempt; 0: that of the port */
};

/*
 * Joins a multicast group, or creates it: MCMemberRecord Set (15.2.5.17). sm is as in
 * mad_sa_query(); the SM_Key is that of the port or of its key ring. A group is created where the
 * mask has Q_Key, traffic class, P_Key, SL and flow label and the group is not there yet. *joined
 * (or NULL) is the membership as the SA responded, with the MLID to attach to. *status (or NULL) is
 * the status of the response, 0 without one. Returns 0; -1 with EINVAL (NULL, a selector above 3),
 * EIO for an error status (umad_sa_mad_status_str()), EBADMSG for a response that is too short for
 * a record, or as mad_sa_query(); *joined is then as it was.
 */
int mad_sa_join_mc_group(const struct ibmad_port *srcport, ib_portid_t *sm,
			 const struct mad_sa_mc_request *request, struct mad_sa_mc_member *joined,
			 unsigned *status);

/*
 * Leaves a multicast group: MCMemberRecord Delete. Of the request, MGID, port GID, join state (the
 * bits that are given up) and mask count. Otherwise as mad_sa_join_mc_group(); *left is the
 * membership that is over.
 */
int mad_sa_leave_mc_group(const struct ibmad_port *srcport, ib_portid_t *sm,
			  const struct mad_sa_mc_request *request, struct mad_sa_mc_member *left,
			  unsigned *status);

/*
 * Writes the MCMemberRecord of a request, IB_SA_DATA_SIZE bytes in network byte order, for
 * mad_async_sa_call() and sa_rpc_call(): the member as it is (a port GID or join state of 0 stays).
 */
void mad_sa_put_mc_member(const struct mad_sa_mc_request *request, void *record);

/* A notice of the SA: 64 bytes as in traps, and the GID of the port that sent the trap. */
#define MAD_SA_NOTICE_SIZE 80

/*
 * Subscribes the local port to a generic trap: 64 and 65 (a port came or went), 66 and 67
 * (multicast groups), 128 (a link of a switch changed its state), 144 (capabilities or
 * description)... or 0xffff for all. The SA at sm (NULL: the local port's, for which srcport needs
 * class IB_SMI_DIRECT_CLASS) forwards it from now on, until mad_sa_unsubscribe(), or until it
 * restarts or finds that the port is gone: repeat the call from time to time. The first call
 * registers class IB_SA_CLASS of srcport anew, for requests and reports; per port of the host, one
 * program can receive reports. timeout_ms is per attempt; 0: the port's. Returns 0; -1 with EINVAL
 * (NULL, a trap above 0xffff), EIO for an error status, the kernel's error if another program
 * receives reports, or as mad_rpc().
 */
int mad_sa_subscribe(struct ibmad_port *srcport, ib_portid_t *sm, unsigned trap,
		     unsigned timeout_ms);

/* Ends a subscription that mad_sa_subscribe() with the same trap has made. Otherwise as that. */
int mad_sa_unsubscribe(struct ibmad_port *srcport, ib_portid_t *sm, unsigned trap,
		       unsigned timeout_ms);

/*
 * Waits timeout_ms milliseconds (below 0: without limit; 0: not at all) for a notice that the SA
 * forwards, stores its MAD_SA_NOTICE_SIZE bytes in network byte order, and responds to it, so that
 * it is not repeated. mad_notice_kind(), mad_notice_value() and mad_dump_attribute() with class
 * IB_SA_CLASS read it. Whatever else comes that no request waits for is dropped. Anyone on the
 * fabric can send one: it tells where to look, not what is there. Returns 0; -1 with EINVAL
 * (NULL), ETIMEDOUT (EAGAIN if timeout_ms is 0), or as mad_receive_via().
 */
int mad_sa_receive_notice(struct ibmad_port *srcport, void *notice, int timeout_ms);

/*
 * Server side: responds to the request in umad (from mad_receive_via()) with status rstatus and a
 * table of count records of record_size bytes each, in as many MADs as necessary; SA records are
 * padded to a multiple of 8 bytes. The class must be registered with RMPP version 1. The response
 * goes to portid, or to the requester if portid is NULL. Returns 0; -1 with EINVAL, ENOMEM, or the
 * error of the send.
 */
int mad_respond_table_via(void *umad, ib_portid_t *portid, uint32_t rstatus, const void *records,
			  unsigned record_size, unsigned count, struct ibmad_port *srcport);

#ifdef __cplusplus
}
#endif

#endif
