/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * umad.h - send and receive InfiniBand management datagrams (MADs) from user space.
 *
 * Devices and ports are found through sysfs, MADs pass through the kernel's umad devices. A port is
 * opened (umad_open_port), agents are registered on it (umad_register and its relatives), and
 * buffers of umad_size() bytes followed by the MAD are sent and received.
 *
 * The structures below have the layout of <rdma/ib_user_mad.h>, which declares some of the same
 * names: include one or the other. "Network order" is big endian, "host order" is the CPU's.
 */
#ifndef INFINIBAND_UMAD_H
#define INFINIBAND_UMAD_H

/* Programs rely on each of these: none may go. */
#include <arpa/inet.h>
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values in network order, as they lie on the wire. */
typedef __be16 be16_t; /* 16 bits */
typedef __be32 be32_t; /* 32 bits */
typedef __be64 be64_t; /* 64 bits */

/* Limits and special values. */
#define UMAD_MAX_DEVICES   128 /* names to make room for; a host may have more devices */
#define UMAD_MAX_PORTS	   192 /* umad devices; a host may have more, and umad192 and above */
#define UMAD_CA_NAME_LEN   20  /* bytes in a device name, its NUL included */
#define UMAD_CA_MAX_PORTS  10  /* entries of umad_ca.ports: port 0 to port 9 */
#define UMAD_CA_MAX_AGENTS 32  /* agents on one open port */
#define UMAD_ANY_PORT	   0   /* as a port number: let the library choose */

/* The version of the kernel interface that this header was made for, and where the kernel says
 * which it speaks. */
#define IB_UMAD_ABI_VERSION 5
#define IB_UMAD_ABI_DIR	    "/sys/class/infiniband_mad"
#define IB_UMAD_ABI_FILE    "abi_version"

/* Class directories in sysfs. */
#define SYS_INFINIBAND	   "/sys/class/infiniband"
#define SYS_INFINIBAND_MAD "/sys/class/infiniband_mad"

/* Files of a umad device (in SYS_INFINIBAND_MAD/umadN). */
#define SYS_IB_MAD_PORT "port"
#define SYS_IB_MAD_DEV	"ibdev"

/* Files of a device (in SYS_INFINIBAND/name). */
#define SYS_NODE_TYPE	 "node_type"
#define SYS_CA_PORTS_DIR "ports"
#define SYS_CA_NODE_GUID "node_guid"
#define SYS_CA_SYS_GUID	 "sys_image_guid"
#define SYS_CA_FW_VERS	 "fw_ver"
#define SYS_CA_HW_VERS	 "hw_rev"
#define SYS_CA_TYPE	 "hca_type"

/* Files of a port (in SYS_INFINIBAND/name/ports/number). */
#define SYS_PORT_LID	    "lid"
#define SYS_PORT_LMC	    "lid_mask_count"
#define SYS_PORT_SMLID	    "sm_lid"
#define SYS_PORT_SMSL	    "sm_sl"
#define SYS_PORT_STATE	    "state"
#define SYS_PORT_PHY_STATE  "phys_state"
#define SYS_PORT_RATE	    "rate"
#define SYS_PORT_CAPMASK    "cap_mask"
#define SYS_PORT_GID	    "gids/0"
#define SYS_PORT_GUID	    "port_guid"
#define SYS_PORT_LINK_LAYER "link_layer"

/* Requests of the umad devices. Programs use umad_register() and its relatives instead; one that
 * makes the requests itself declares struct ib_user_mad_reg_req (28 bytes) and struct
 * ib_user_mad_reg_req2 (40 bytes) as the kernel has them. */
#define IB_IOCTL_MAGIC		     0x1b
#define IB_USER_MAD_REGISTER_AGENT   _IOWR(IB_IOCTL_MAGIC, 1, struct ib_user_mad_reg_req)
#define IB_USER_MAD_UNREGISTER_AGENT _IOW(IB_IOCTL_MAGIC, 2, uint32_t)
#define IB_USER_MAD_ENABLE_PKEY	     _IO(IB_IOCTL_MAGIC, 3)
#define IB_USER_MAD_REGISTER_AGENT2  _IOWR(IB_IOCTL_MAGIC, 4, struct ib_user_mad_reg_req2)

/* A global identifier (GID), 16 bytes in network order. It needs an alignment of 4 only, so that it
 * can lie where the MADs and the kernel put it. */
union umad_gid {
	uint8_t raw[16];
	__be16 raw_be16[8];
	struct {
		__be64 subnet_prefix;
		__be64 interface_id;
	} __attribute__((__packed__, __aligned__(4))) global;
} __attribute__((__packed__, __aligned__(4)));

/* Where a MAD goes to or came from. */
typedef struct ib_mad_addr {
	__be32 qpn;	       /* queue pair of the other side */
	__be32 qkey;	       /* Q_Key to send with; not set on receive */
	__be16 lid;	       /* LID of the other side */
	uint8_t sl;	       /* service level */
	uint8_t path_bits;     /* low bits of the own LID, where the port has several (LMC) */
	uint8_t grh_present;   /* 1 if the fields from here to flow_label count */
	uint8_t gid_index;     /* which of the port's own GIDs */
	uint8_t hop_limit;     /* hop limit of the GRH */
	uint8_t traffic_class; /* traffic class of the GRH */
	__extension__ union {
		uint8_t gid[16];       /* GID of the other side */
		union umad_gid ib_gid; /* the same bytes */
	};
	__be32 flow_label;   /* flow label of the GRH */
	uint16_t pkey_index; /* index into the port's P_Key table, host order */
	uint8_t reserved[6]; /* zero */
} ib_mad_addr_t;

/* The head of each umad buffer. All but the address is in host order. The MAD follows at
 * umad_get_mad(), which is data in all but the oldest kernels. */
typedef struct ib_user_mad {
	uint32_t agent_id;   /* agent that sends or received the MAD */
	uint32_t status;     /* 0, or an errno value: ETIMEDOUT for a request without an answer */
	uint32_t timeout_ms; /* how long the kernel waits for an answer, in milliseconds */
	uint32_t retries;    /* how often the kernel sends again before it gives up */
	uint32_t length;     /* bytes of this head and the MAD, as the kernel reports them */
	ib_mad_addr_t addr;
	__extension__ uint8_t data[0]; /* the MAD */
} ib_user_mad_t;

/* A port, as umad_get_port() and umad_get_ca() fill it in. Attributes that the kernel does not
 * tell are 0. */
typedef struct umad_port {
	char ca_name[UMAD_CA_NAME_LEN]; /* device that the port belongs to */
	int portnum;			/* 1 and up; 0 on a switch */
	unsigned int base_lid;		/* lowest LID of the port, host order */
	unsigned int lmc;		/* the port has 2^lmc LIDs */
	unsigned int sm_lid;		/* LID of the subnet manager, host order */
	unsigned int sm_sl;		/* service level of the subnet manager */
	unsigned int state;		/* logical state: 1 Down, 2 Init, 3 Armed, 4 Active */
	unsigned int phys_state;	/* physical state: 2 Polling, 3 Disabled, 5 LinkUp, ... */
	unsigned int rate;		/* Gbit/s, without the fraction */
	__be32 capmask;			/* PortInfo:CapabilityMask, network order */
	__be64 gid_prefix;		/* subnet prefix, network order */
	__be64 port_guid;		/* network order */
	unsigned int pkeys_size;	/* entries of pkeys */
	uint16_t *pkeys; /* P_Key table in host order; the library's, freed on release */
	char link_layer[UMAD_CA_NAME_LEN]; /* "InfiniBand", "IB" or "Ethernet" */
} umad_port_t;

/* A device (channel adapter, switch or router), as umad_get_ca() fills it in. */
typedef struct umad_ca {
	char ca_name[UMAD_CA_NAME_LEN];
	unsigned int node_type;		       /* 1 channel adapter, 2 switch, 3 router */
	int numports;			       /* highest port number found */
	char fw_ver[20];		       /* firmware version, or "" */
	char ca_type[40];		       /* model, or "" */
	char hw_ver[20];		       /* hardware revision, or "" */
	__be64 node_guid;		       /* network order */
	__be64 system_guid;		       /* network order */
	umad_port_t *ports[UMAD_CA_MAX_PORTS]; /* by port number; NULL where there is none */
} umad_ca_t;

/* On hosts where one physical port appears as several devices: which of them carries subnet
 * management (SMI, QP0) and which all other classes (GSI, QP1). The ports are in host order. */
struct umad_ca_pair {
	char smi_name[UMAD_CA_NAME_LEN]; /* "" if there is none */
	uint32_t smi_preferred_port;	 /* port to open on smi_name */
	char gsi_name[UMAD_CA_NAME_LEN]; /* never "" */
	uint32_t gsi_preferred_port;	 /* port to open on gsi_name */
};

/* One entry of the list that umad_get_ca_device_list() returns. */
struct umad_device_node {
	struct umad_device_node *next; /* NULL in the last one */
	const char *ca_name;
};

/* Flags of struct umad_reg_attr. */
enum {
	UMAD_USER_RMPP = 1 << 0 /* the kernel leaves RMPP alone; each segment comes as a MAD */
};

/* What umad_register2() registers. All in host order. */
struct umad_reg_attr {
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint32_t flags;		 /* UMAD_USER_RMPP or 0; after a failure see umad_register2() */
	uint64_t method_mask[2]; /* bit m of the 128: receive unsolicited MADs of method m */
	uint32_t oui;		 /* 24 bits, for classes 0x30 to 0x4f only */
	uint8_t rmpp_version;	 /* 1 if the kernel is to do RMPP, else 0 */
};

/*
 * Module
 */

/* Prepares the library. Kept for older programs: every call works without it. Returns 0. */
int umad_init(void);

/* Counterpart of umad_init(); open ports stay open. Returns 0. */
int umad_done(void);

/*
 * Devices and ports
 *
 * ca_name NULL means any device, portnum 0 (UMAD_ANY_PORT) any port; one that is given is a filter
 * for the other. With both given the port is taken as it is. Otherwise the library prefers an
 * Active InfiniBand port, then one whose link is up, then one that is not disabled; if there is
 * none, and no number was given, it looks at other ports in the same way.
 *
 * A file of a device or port that can't be read, whatever the reason, counts as missing: its
 * attribute is 0 or empty, and a port without a readable file is left out. If the class directory
 * can't be read the call fails (EACCES, for instance). A call that could not look because the
 * process has no descriptors or no memory left fails with EMFILE, ENFILE or ENOMEM; so do the calls
 * below that open ports.
 */

/* Fills cas with the names of up to max devices, in alphabetical order; names that do not fit
 * UMAD_CA_NAME_LEN are left out. Returns the number filled in (0 without any device). If that is
 * max there may be more devices, even with UMAD_MAX_DEVICES: umad_get_ca_device_list() has all. */
int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max);

/* Fills portguids[i] with the GUID (network order) of port i of a device, 0 where it has no such
 * port; max is the number of entries in portguids. portguids may be NULL, which returns 0. Returns
 * the number of entries filled in (highest port number plus one), -ENOMEM if max is too small,
 * -ENODEV without such a device. */
int umad_get_ca_portguids(const char *ca_name, __be64 *portguids, int max);

/* Fills in *ca with a device and all of its ports; to be given back with umad_release_ca(). Returns
 * 0, or -ENODEV without such a device, or another negative errno; *ca holds nothing to be freed
 * then. */
int umad_get_ca(const char *ca_name, umad_ca_t *ca);

/* Frees what umad_get_ca() put into *ca, but not ca itself, which may be used again. Releasing
 * twice does no harm. Returns 0, or -ENODEV if ca is NULL. */
int umad_release_ca(umad_ca_t *ca);

/* Fills in *port with one port; to be given back with umad_release_port(). Returns 0, or -ENODEV
 * without such a port, or another negative errno; *port holds nothing to be freed then. */
int umad_get_port(const char *ca_name, int portnum, umad_port_t *port);

/* Frees what umad_get_port() put into *port, but not port itself. Returns 0, or a negative errno if
 * port is NULL. */
int umad_release_port(umad_port_t *port);

/* Writes the path of the issm device of a port into path, at most max bytes with the NUL. While a
 * program keeps that device open, the port is marked as one with a subnet manager. Returns 0 or a
 * negative errno. */
int umad_get_issm_path(const char *ca_name, int portnum, char *path, int max);

/* Returns a list of all devices, in no particular order, to be freed with
 * umad_free_ca_device_list(). NULL with errno 0 means there is none, NULL with another errno that
 * the list could not be made. */
struct umad_device_node *umad_get_ca_device_list(void);

/* Sorts a list of devices by name, in place; *head is the first one afterwards. size is the number
 * of entries, or 0 to have them counted. Returns 0, EINVAL if size is wrong, ENOMEM. */
int umad_sort_ca_device_list(struct umad_device_node **head, size_t size);

/* Frees a list of umad_get_ca_device_list(). NULL is allowed. */
void umad_free_ca_device_list(struct umad_device_node *head);

/* Fills cas with the SMI/GSI pairs of this host, at most max, without preferred ports. Ethernet
 * devices are in none. Returns the number filled in, or a negative errno. */
int umad_get_smi_gsi_pairs(struct umad_ca_pair cas[], size_t max);

/* Finds the ports with the same port GUID that devname (NULL: any device) and portnum (0: any port)
 * belong to, and fills in *ca with their devices and numbers. A port that is not Down is preferred,
 * unless device and port are both given. With enforce_smi non-zero only a pair that has an SMI port
 * will do. An Ethernet port, which has none, is found by its device's name, or where the host has
 * no InfiniBand port. Returns 0, -ENODEV if none fits, or another negative errno; then *ca is
 * untouched. */
int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum, struct umad_ca_pair *ca,
				     unsigned int enforce_smi);

/*
 * Open ports. A portid is the file descriptor itself, so that programs can poll() it.
 */

/* Opens a port. Returns its portid, or -EOPNOTSUPP if the kernel has no umad interface of version 5
 * or later, -ENODEV without such a device, -EINVAL if the port has no umad device, -EIO if that can
 * not be opened (errno tells why: EACCES, ENOENT, ...). */
int umad_open_port(const char *ca_name, int portnum);

/* The same, but chooses only among ports that carry subnet management (IsSMDisabled is not set). */
int umad_open_smi_port(const char *ca_name, int portnum);

/* Closes a port and unregisters its agents. Returns 0, or -EINVAL for what is no open port. */
int umad_close_port(int portid);

/* Returns the file descriptor to poll() for a portid (the same number), or -EINVAL. */
int umad_get_fd(int portid);

/*
 * Agents. An agent receives the answers to what it sent and, if asked for, requests of others.
 */

/* Registers an agent for a class of MADs. rmpp_version is 1 if the kernel is to split and join long
 * MADs (RMPP), else 0. method_mask is a bit field of 128 methods whose requests the agent answers,
 * or NULL for a client; vendor classes 0x30 to 0x4f are registered with OUI 0x001405. Returns the
 * agent's id, -EINVAL for a port or class that can not be, -EPERM if the kernel refuses; errno then
 * has the kernel's reason: EPROTONOSUPPORT for SMPs (0x01 and 0x81) on a port that is not
 * InfiniBand, EINVAL, ENOMEM, ... */
int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)]);

/* The same for vendor classes 0x30 to 0x4f, class version 1, with the vendor's OUI (3 bytes, most
 * significant first). Returns the agent's id, -EINVAL for a port or class that can not be, -EPERM
 * if the kernel refuses. */
int umad_register_oui(int portid, int mgmt_class, uint8_t rmpp_version, uint8_t oui[3],
		      long method_mask[16 / sizeof(long)]);

/* Registers an agent as *attr says and stores its id in *agent_id. Kernels before Linux 3.18, which
 * know no flags, get the older request where no flags are wanted. Returns 0 or a positive errno,
 * with *agent_id untouched: EINVAL for impossible values, what the kernel rejects, or flags that it
 * does not know; then attr->flags holds those that it knows, and if they are the ones that were
 * given, something else was rejected. EPROTONOSUPPORT for classes 0x01 and 0x81 on a port without
 * queue pair 0 (Ethernet), ENOTTY with attr->flags 0 from a kernel without flags. */
int umad_register2(int port_fd, struct umad_reg_attr *attr, uint32_t *agent_id);

/* Ends an agent. Returns 0, -EINVAL for a port or agent that can not be, or the negative errno of
 * the kernel. */
int umad_unregister(int portid, int agentid);

/*
 * Input and output
 */

/* Sends the MAD in umad through an agent. length is that of the MAD (after the head) in bytes, and
 * may be more than 256 for RMPP. timeout_ms 0: no answer is expected; above 0: without an answer
 * the buffer comes back to umad_recv() with a status after that many milliseconds and so many
 * retries; negative: wait for ever. The id, timeout and retries are written into umad, which stays
 * the caller's. Returns 0, -EINVAL, or -EIO with errno set. */
int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries);

/* Waits for a MAD and stores it in umad. *length is the room for the MAD after the head, in bytes,
 * and becomes the length of what came. timeout_ms is in milliseconds, 0 does not wait, negative
 * waits for ever. umad_status() then tells an answer from a request that had none.
 * Returns the agent's id. Otherwise, and also in errno: -EINVAL, -EIO, -ETIMEDOUT, -EWOULDBLOCK
 * (nothing there and timeout_ms 0), or -ENOSPC if the MAD does not fit: it stays where it is and
 * *length tells the room it needs. On other errors *length is left alone. */
int umad_recv(int portid, void *umad, int *length, int timeout_ms);

/* Waits up to timeout_ms milliseconds (negative: for ever) until there is something to receive.
 * With several threads on the port another one may be quicker to fetch it. Returns 0, -ETIMEDOUT,
 * -EIO or -EINVAL. */
int umad_poll(int portid, int timeout_ms);

/*
 * Buffers. umad is a buffer of umad_size() bytes with a MAD behind them.
 */

/* Returns the bytes that a buffer has in front of its MAD: 64, or 56 once a port was opened on a
 * kernel that is too old for P_Key indices. */
size_t umad_size(void);

/* Returns the address of the MAD in a buffer; nothing to be freed. */
void *umad_get_mad(void *umad);

/* Returns the status of a received buffer: 0 for a MAD of another node, else an errno value, such
 * as ETIMEDOUT for the caller's own request that was not answered. */
int umad_status(void *umad);

/* Returns the address of the address in a buffer; nothing to be freed. */
ib_mad_addr_t *umad_get_mad_addr(void *umad);

/* Sets the destination from values in host order: LID (16 bits), queue pair (24 bits), service
 * level (4 bits) and Q_Key. Returns 0. */
int umad_set_addr(void *umad, int dlid, int dqp, int sl, int qkey);

/* The same from values in network order (sl is a number of one byte). Returns 0. */
int umad_set_addr_net(void *umad, __be16 dlid, __be32 dqp, int sl, __be32 qkey);

/* Sets the global route from an ib_mad_addr_t whose flow_label is in HOST order: its gid,
 * flow_label, hop_limit and traffic_class are taken. mad_addr NULL says that there is none. Returns
 * 0. */
int umad_set_grh(void *umad, void *mad_addr);

/* The same with flow_label in network order, the form in which umad_get_mad_addr() shows it.
 * Returns 0. */
int umad_set_grh_net(void *umad, void *mad_addr);

/* Sets the index of the P_Key to send with (host order, 16 bits). Does nothing where
 * umad_size() is 56. Returns 0. */
int umad_set_pkey(void *umad, int pkey_index);

/* Returns the index of the P_Key that a MAD came with (host order), 0 where umad_size() is 56. */
int umad_get_pkey(void *umad);

/* Returns an array of num zeroed buffers of size bytes each (umad_size() plus the room for the
 * MAD), to be freed with umad_free(); NULL if num is negative or there is no such memory. */
static inline void *umad_alloc(int num, size_t size)
{
	return num < 0 ? NULL : calloc((size_t)num, size);
}

/* Frees buffers of umad_alloc(). NULL is allowed. */
static inline void umad_free(void *umad)
{
	free(umad);
}

/*
 * Debugging
 */

/* Sets how much the library reports on stderr: 0 nothing; 1 a line for each open, registration and
 * close, each MAD that is sent or received (port, class, method, attribute, transaction ID, other
 * side, status, time since the request), each request that the kernel returns, and each receive that
 * fails; 2 and above the same with agent, lengths and addresses, and each umad_poll(). A negative
 * level only asks. Returns the level from now on. */
int umad_debug(int level);

/* Prints an address to stderr. */
void umad_addr_dump(ib_mad_addr_t *addr);

/* Prints the head of a buffer, its address included, to stderr. */
void umad_dump(void *umad);

/*
 * Byte order of 64 bits. A program that defines macros of these names before this header keeps
 * them; one that defines its own after it finds these by #ifndef.
 */

#ifndef ntohll
/* Returns x, which is in network order, in host order. */
static inline uint64_t ntohll(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap64(x);
#else
	return x;
#endif
}
#define ntohll ntohll
#endif

#ifndef htonll
/* Returns x, which is in host order, in network order. */
static inline uint64_t htonll(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_bswap64(x);
#else
	return x;
#endif
}
#define htonll htonll
#endif

#ifdef __cplusplus
}
#endif

#endif /* INFINIBAND_UMAD_H */
