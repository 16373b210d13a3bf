/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Tables of Subnet Administration (SA): mad_sa_query(3), multicast groups: mad_sa_mc_join(3), and
 * notices: mad_sa_subscribe(3). The SA is the one at sm, an address with a LID, or that of the
 * local port (sm NULL), which an SMP finds; for that the port needs class IB_SMI_DIRECT_CLASS, too.
 * A redirect is followed. Record layouts are those of the InfiniBand Architecture Specification,
 * volume 1, 15.2.5. */
#ifndef INFINIBAND_MAD_SA_H
#define INFINIBAND_MAD_SA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A request for records; unused members are 0. */
struct mad_sa_request {
	uint32_t method;    /* IB_MAD_METHOD_GET_TABLE, _GET, _GET_TRACE_TABLE or _GETMULTI; 0:
			     * GetTable */
	uint32_t attr_id;   /* enum SA_ATTR_ID, of 16 bits */
	uint32_t attr_mod;  /* attribute modifier */
	int32_t timeout_ms; /* milliseconds per attempt, in which the whole table has to arrive; 0:
			     * the port's, and then up to 120,000 if the SA responds */
	uint64_t sm_key;    /* SM_Key of a trusted query, host byte order; 0: sa_key_set()'s */
	uint64_t mask;	    /* component mask: which components of data must match */
	const void *data;   /* record to match, network byte order; NULL: all zero */
	size_t data_size;   /* bytes at data: at most 200, with GetMulti any number */
};

/* All records of one response, of one attribute. A table does not change, and any number of threads
 * may read it. */
struct mad_sa_table;

/* NodeRecord: a node, and the port by which the SA found it. */
struct mad_sa_node {
	uint16_t lid;
	uint8_t base_version;
	uint8_t class_version;
	uint8_t node_type; /* enum MAD_NODE_TYPE */
	uint8_t port_count;
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
	uint8_t port_number;
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

/* mad_sa_query() for callers without a C compiler, with the size of the structure. */
struct mad_sa_table *mad_sa_query_sized(struct ibmad_port *port, const ib_portid_t *sm,
					const struct mad_sa_request *request, size_t size,
					unsigned *status);

/* Sends a request, and returns all records of the response (0 if the SA has none), to be freed with
 * mad_sa_table_free(). *status (or NULL) is the status of the response, 0 without one. NULL with
 * EINVAL, E2BIG, EIO for an error status, EBADMSG for an invalid length or record size,
 * ECONNABORTED for an aborted transfer, or as mad_rpc(). */
static inline struct mad_sa_table *mad_sa_query(struct ibmad_port *port, const ib_portid_t *sm,
						const struct mad_sa_request *request,
						unsigned *status)
{
	return mad_sa_query_sized(port, sm, request, sizeof(*request), status);
}

/* All records of one attribute (enum SA_ATTR_ID), as mad_sa_query() with attr_id and timeout_ms. */
struct mad_sa_table *mad_sa_query_all(struct ibmad_port *port, const ib_portid_t *sm,
				      unsigned attr_id, int timeout_ms);

/* The PathRecords from the port with GID sgid to that with dgid (NULL: to all), both of 16 bytes in
 * network byte order. Otherwise as mad_sa_query_all(). */
struct mad_sa_table *mad_sa_query_paths(struct ibmad_port *port, const ib_portid_t *sm,
					const uint8_t *sgid, const uint8_t *dgid, int timeout_ms);

/* Declared in <infiniband/mad_async.h>. */
struct mad_async_result;

/* The records in the response to a request of mad_async_sa(), from within its callback, as a table
 * to be freed with mad_sa_table_free(). NULL with the error of the result; EINVAL (NULL, or a
 * response of another class); EBADMSG for an invalid length or record size; ENOMEM. */
struct mad_sa_table *mad_sa_table_from(const struct mad_async_result *result);

/* Frees a table. NULL is ignored. */
void mad_sa_table_free(struct mad_sa_table *table);

/* The number of records; 0 for NULL. */
unsigned mad_sa_table_count(const struct mad_sa_table *table);

/* The attribute of the records, enum SA_ATTR_ID; 0 for NULL. */
unsigned mad_sa_table_attr_id(const struct mad_sa_table *table);

/* Whether the response was cut in transit, as simulators without RMPP do, so that records may be
 * missing. */
bool mad_sa_table_truncated(const struct mad_sa_table *table);

/* Record number index, from 0, in network byte order, valid until the table is freed; *size (or
 * NULL) becomes its size in bytes, with padding. NULL with EINVAL for a NULL table, ENOENT if there
 * is no such record. */
const uint8_t *mad_sa_table_record(const struct mad_sa_table *table, unsigned index, size_t *size);

/* mad_sa_get_node() for callers without a C compiler, with the size of the structure. */
int mad_sa_get_node_sized(const struct mad_sa_table *table, unsigned index,
			  struct mad_sa_node *node, size_t size);

/* Reads record number index of a table of NodeRecords into *node. Returns 0; -1 with ENOENT if
 * there is no such record, EINVAL (NULL, a size below that of the first release, or a table of
 * another attribute), or EBADMSG if the records are too short. */
static inline int mad_sa_get_node(const struct mad_sa_table *table, unsigned index,
				  struct mad_sa_node *node)
{
	return mad_sa_get_node_sized(table, index, node, sizeof(*node));
}

/* mad_sa_get_port_info() for callers without a C compiler, with the size of the structure. */
int mad_sa_get_port_info_sized(const struct mad_sa_table *table, unsigned index,
			       struct mad_sa_port_info *port_info, size_t size);

/* Reads a PortInfoRecord, as mad_sa_get_node(). */
static inline int mad_sa_get_port_info(const struct mad_sa_table *table, unsigned index,
				       struct mad_sa_port_info *port_info)
{
	return mad_sa_get_port_info_sized(table, index, port_info, sizeof(*port_info));
}

/* mad_sa_get_link() for callers without a C compiler, with the size of the structure. */
int mad_sa_get_link_sized(const struct mad_sa_table *table, unsigned index,
			  struct mad_sa_link *link, size_t size);

/* Reads a LinkRecord, as mad_sa_get_node(). */
static inline int mad_sa_get_link(const struct mad_sa_table *table, unsigned index,
				  struct mad_sa_link *link)
{
	return mad_sa_get_link_sized(table, index, link, sizeof(*link));
}

/* mad_sa_get_path() for callers without a C compiler, with the size of the structure. */
int mad_sa_get_path_sized(const struct mad_sa_table *table, unsigned index,
			  struct mad_sa_path *path, size_t size);

/* Reads a PathRecord, as mad_sa_get_node(). */
static inline int mad_sa_get_path(const struct mad_sa_table *table, unsigned index,
				  struct mad_sa_path *path)
{
	return mad_sa_get_path_sized(table, index, path, sizeof(*path));
}

/* mad_sa_get_sm_info() for callers without a C compiler, with the size of the structure. */
int mad_sa_get_sm_info_sized(const struct mad_sa_table *table, unsigned index,
			     struct mad_sa_sm_info *sm_info, size_t size);

/* Reads an SMInfoRecord, as mad_sa_get_node(). */
static inline int mad_sa_get_sm_info(const struct mad_sa_table *table, unsigned index,
				     struct mad_sa_sm_info *sm_info)
{
	return mad_sa_get_sm_info_sized(table, index, sm_info, sizeof(*sm_info));
}

/* mad_sa_get_mc_member() for callers without a C compiler, with the size of the structure. */
int mad_sa_get_mc_member_sized(const struct mad_sa_table *table, unsigned index,
			       struct mad_sa_mc_member *mc_member, size_t size);

/* Reads an MCMemberRecord, as mad_sa_get_node(). */
static inline int mad_sa_get_mc_member(const struct mad_sa_table *table, unsigned index,
				       struct mad_sa_mc_member *mc_member)
{
	return mad_sa_get_mc_member_sized(table, index, mc_member, sizeof(*mc_member));
}

/* mad_sa_get_service() for callers without a C compiler, with the size of the structure. */
int mad_sa_get_service_sized(const struct mad_sa_table *table, unsigned index,
			     struct mad_sa_service *service, size_t size);

/* Reads a ServiceRecord, as mad_sa_get_node(). */
static inline int mad_sa_get_service(const struct mad_sa_table *table, unsigned index,
				     struct mad_sa_service *service)
{
	return mad_sa_get_service_sized(table, index, service, sizeof(*service));
}

/* A request to join or leave a multicast group. The group has the components that the mask leaves
 * out; where the group is created, the SA chooses them. */
struct mad_sa_mc_request {
	const struct mad_sa_mc_member *member; /* port_gid 0: the local port's, for which the port
						* needs class 0x81; join_state 0: full member; mgid
						* 0 in a join: the SA makes a group and chooses its
						* GID */
	uint64_t mask;	    /* UMAD_SA_MCM_COMP_MASK_... of umad_sa_mcm.h. Those of the port GID and
			     * the join state, and of the MGID where it is not 0, need not be set */
	int32_t timeout_ms; /* per attempt; 0: that of the port */
	uint8_t mtu_selector;	    /* 0: greater than member->mtu, 1: less than, 2: exactly, 3:
				     * largest */
	uint8_t rate_selector;	    /* as mtu_selector, for member->rate */
	uint8_t life_time_selector; /* as mtu_selector, for member->life_time; 3: smallest */
	uint8_t reserved;	    /* 0 */
};

/* mad_sa_mc_join() for callers without a C compiler, with the sizes of both structures. */
int mad_sa_mc_join_sized(struct ibmad_port *port, const ib_portid_t *sm,
			 const struct mad_sa_mc_request *request, size_t size,
			 struct mad_sa_mc_member *joined, size_t member_size, unsigned *status);

/* Joins a multicast group, or creates it where the mask has Q_Key, traffic class, P_Key, SL and
 * flow label: MCMemberRecord Set (IBTA 15.2.5.17). *joined (or NULL) becomes the membership, with
 * the MLID, *status (or NULL) the status of the response, 0 without one. Returns 0; -1, *joined
 * unchanged, with EINVAL (also a selector above 3, a component wider than its field), else as
 * mad_sa_query(). */
static inline int mad_sa_mc_join(struct ibmad_port *port, const ib_portid_t *sm,
				 const struct mad_sa_mc_request *request,
				 struct mad_sa_mc_member *joined, unsigned *status)
{
	return mad_sa_mc_join_sized(port, sm, request, sizeof(*request), joined, sizeof(*joined),
				    status);
}

/* mad_sa_mc_leave() for callers without a C compiler, with the sizes of both structures. */
int mad_sa_mc_leave_sized(struct ibmad_port *port, const ib_portid_t *sm,
			  const struct mad_sa_mc_request *request, size_t size, size_t member_size,
			  unsigned *status);

/* Leaves a multicast group: MCMemberRecord Delete by MGID, port GID, join state (the bits that are
 * given up) and mask. Otherwise as mad_sa_mc_join(). */
static inline int mad_sa_mc_leave(struct ibmad_port *port, const ib_portid_t *sm,
				  const struct mad_sa_mc_request *request, unsigned *status)
{
	return mad_sa_mc_leave_sized(port, sm, request, sizeof(*request), sizeof(*request->member),
				     status);
}

/* mad_sa_mc_encode() for callers without a C compiler, with the sizes of both structures. */
int mad_sa_mc_encode_sized(const struct mad_sa_mc_request *request, size_t size, size_t member_size,
			   uint8_t *record);

/* Writes the MCMemberRecord of a request, 200 bytes (IB_SA_DATA_SIZE) in network byte order, for
 * mad_async_sa() and sa_rpc_call(); a port GID or join state of 0 stays. Returns 0; -1 with EINVAL
 * or E2BIG. */
static inline int mad_sa_mc_encode(const struct mad_sa_mc_request *request, uint8_t *record)
{
	return mad_sa_mc_encode_sized(request, sizeof(*request), sizeof(*request->member), record);
}

/* A notice of the SA: 64 bytes as in traps, and the GID of the port that sent the trap. */
enum mad_sa_size {
	MAD_SA_NOTICE_SIZE = 80, /* bytes */
};

/* Subscribes the local port to a generic trap of the SA at sm (64, 65: ports; 66, 67: multicast
 * groups; 128: links; 144: capabilities...; 0xffff: all), until mad_sa_unsubscribe() or until the
 * SA restarts: repeat the call. timeout_ms: per attempt, 0: the port's. Returns 0; -1 with EINVAL
 * (NULL, a trap above 0xffff), EIO (an error status), the kernel's error if another program
 * receives reports, or as mad_rpc(). */
int mad_sa_subscribe(struct ibmad_port *port, const ib_portid_t *sm, unsigned trap, int timeout_ms);

/* Ends a subscription of mad_sa_subscribe() to the same trap; otherwise as that function. */
int mad_sa_unsubscribe(struct ibmad_port *port, const ib_portid_t *sm, unsigned trap,
		       int timeout_ms);

/* Waits timeout_ms milliseconds (below 0: without limit; 0: not at all) for a notice of the SA,
 * stores its MAD_SA_NOTICE_SIZE bytes in network byte order, and responds to it. Other MADs that no
 * request waits for are dropped. Returns 0; -1 with EINVAL (NULL), ETIMEDOUT (EAGAIN if timeout_ms
 * is 0), or as mad_receive_via(). */
int mad_sa_receive_notice(struct ibmad_port *port, void *notice, int timeout_ms);

/* Whether the SA takes the SM_Key of the port's requests: a ClassPortInfo query with it and,
 * without a response, one without. timeout_ms is per attempt, 0: that of the port. Returns 0 if it
 * does; -1 with EKEYREJECTED if the SA responds only without the key, ETIMEDOUT if it does not
 * respond at all, or as sa_rpc_call(). */
int mad_sa_check_key(struct ibmad_port *port, const ib_portid_t *sm, int timeout_ms);

#ifdef __cplusplus
}
#endif

#endif
