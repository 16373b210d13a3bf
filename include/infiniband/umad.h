/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Send and receive InfiniBand management datagrams (MADs) from user space: ibumad(7). Each function
 * has a manual page of its name.
 *
 * The library finds devices and ports through sysfs, and exchanges MADs through the kernel's umad
 * devices. A program opens a port (umad_open_port()), registers agents on it (umad_register() and
 * related functions), and sends and receives buffers of umad_size() bytes followed by the MAD.
 *
 * The structures below have the layout of <rdma/ib_user_mad.h>, which declares some of the same
 * names: include one or the other. "Network order" is big endian, "host order" is the CPU's. */
#ifndef INFINIBAND_UMAD_H
#define INFINIBAND_UMAD_H

/* Programs depend on each of these: none may be removed. */
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

/* Values in network order, as on the wire. */
typedef __be16 be16_t; /* 16 bits */
typedef __be32 be32_t; /* 32 bits */
typedef __be64 be64_t; /* 64 bits */

/* Limits and special values. */
#define UMAD_MAX_DEVICES   128 /* names to allocate; a host may have more devices */
#define UMAD_MAX_PORTS	   192 /* umad devices; a host may have more, numbered 192 and above */
#define UMAD_CA_NAME_LEN   20  /* bytes in a device name, including its NUL */
#define UMAD_CA_MAX_PORTS  10  /* entries of umad_ca.ports: port 0 to port 9 */
#define UMAD_CA_MAX_AGENTS 32  /* agents on one open port */
#define UMAD_ANY_PORT	   0   /* as a port number: let the library choose */

/* The version of the kernel interface for which this header was made, and the file with the version
 * that the kernel supports. */
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

/* Requests of the umad devices. Programs use umad_register() and related functions instead; one
 * that makes the requests itself declares struct ib_user_mad_reg_req (28 bytes) and struct
 * ib_user_mad_reg_req2 (40 bytes) as the kernel defines them. */
#define IB_IOCTL_MAGIC		     0x1b
#define IB_USER_MAD_REGISTER_AGENT   _IOWR(IB_IOCTL_MAGIC, 1, struct ib_user_mad_reg_req)
#define IB_USER_MAD_UNREGISTER_AGENT _IOW(IB_IOCTL_MAGIC, 2, uint32_t)
#define IB_USER_MAD_ENABLE_PKEY	     _IO(IB_IOCTL_MAGIC, 3)
#define IB_USER_MAD_REGISTER_AGENT2  _IOWR(IB_IOCTL_MAGIC, 4, struct ib_user_mad_reg_req2)

/* A global identifier (GID), 16 bytes in network order. Its alignment is only 4, because it has
 * that alignment in MADs and in the kernel's structures. */
union umad_gid {
	uint8_t raw[16];
	__be16 raw_be16[8];
	struct {
		__be64 subnet_prefix;
		__be64 interface_id;
	} __attribute__((__packed__, __aligned__(4))) global;
} __attribute__((__packed__, __aligned__(4)));

/* The source or destination of a MAD. */
typedef struct ib_mad_addr {
	__be32 qpn;	       /* queue pair of the other side */
	__be32 qkey;	       /* Q_Key to send with; not set on receive */
	__be16 lid;	       /* LID of the other side */
	uint8_t sl;	       /* service level */
	uint8_t path_bits;     /* low bits of the local LID, if the port has several (LMC) */
	uint8_t grh_present;   /* 1 if the fields from here to flow_label are valid */
	uint8_t gid_index;     /* index of the local port's GID */
	uint8_t hop_limit;     /* hop limit of the GRH */
	uint8_t traffic_class; /* traffic class of the GRH */
	__extension__ union {
		uint8_t gid[16];       /* GID of the other side */
		union umad_gid ib_gid; /* gid, as a union umad_gid */
	};
	__be32 flow_label;   /* flow label of the GRH */
	uint16_t pkey_index; /* index into the port's P_Key table, host order */
	uint8_t reserved[6]; /* zero */
} ib_mad_addr_t;

/* The umad header at the start of each buffer. Everything except the address is in host order. The
 * MAD follows at umad_get_mad(), which is data in all but the oldest kernels. */
typedef struct ib_user_mad {
	uint32_t agent_id;   /* agent that sends or received the MAD */
	uint32_t status;     /* 0, or an errno value: ETIMEDOUT for a request without a response */
	uint32_t timeout_ms; /* how long the kernel waits for a response, in milliseconds */
	uint32_t retries;    /* how often the kernel repeats the request before it gives up */
	uint32_t length;     /* bytes of this header and the MAD, as the kernel reports them */
	ib_mad_addr_t addr;
	__extension__ uint8_t data[0]; /* the MAD */
} ib_user_mad_t;

/* A port, as umad_get_port() and umad_get_ca() fill it in. Attributes that the kernel does not
 * report are 0. */
typedef struct umad_port {
	char ca_name[UMAD_CA_NAME_LEN]; /* the device of the port */
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
	uint16_t *pkeys; /* P_Key table in host order; owned by the library, freed on release */
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
	umad_port_t *ports[UMAD_CA_MAX_PORTS]; /* by port number; NULL if there is no such port */
} umad_ca_t;

/* For hosts where one physical port appears as several devices: which one carries subnet management
 * (SMI, QP0) and which all other classes (GSI, QP1). The ports are in host order. */
struct umad_ca_pair {
	char smi_name[UMAD_CA_NAME_LEN]; /* "" if there is none */
	uint32_t smi_preferred_port;	 /* port to open on smi_name */
	char gsi_name[UMAD_CA_NAME_LEN]; /* never "" */
	uint32_t gsi_preferred_port;	 /* port to open on gsi_name */
};

/* An entry of the list that umad_get_ca_device_list() returns. */
struct umad_device_node {
	struct umad_device_node *next; /* NULL in the last one */
	const char *ca_name;
};

/* Flags of struct umad_reg_attr. */
enum {
	UMAD_USER_RMPP = 1 << 0 /* the kernel does not handle RMPP: each segment is a MAD */
};

/* The agent for umad_register2() to register. All in host order. */
struct umad_reg_attr {
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint32_t flags;		 /* UMAD_USER_RMPP or 0; after a failure see umad_register2() */
	uint64_t method_mask[2]; /* bit m of the 128: receive unsolicited MADs of method m */
	uint32_t oui;		 /* 24 bits, for classes 0x30 to 0x4f only */
	uint8_t rmpp_version;	 /* 1 if the kernel is to handle RMPP, else 0 */
};

/* Module */

/* Initialises the library. Kept for older programs: every function works without it. Returns 0. */
int umad_init(void);

/* Counterpart of umad_init(); open ports stay open. Returns 0. */
int umad_done(void);

/* Devices and ports. ca_name NULL means any device, portnum 0 (UMAD_ANY_PORT) any port, chosen as
 * umad_open_port(3) says; one of them alone restricts the choice of the other. A file that cannot
 * be read counts as missing: its attribute is 0 or empty. EMFILE, ENFILE and ENOMEM are errors of
 * all calls that read files. */

/* Fills cas with the names of up to max devices, in alphabetical order; names that do not fit
 * UMAD_CA_NAME_LEN are omitted. Returns the number filled in (0 without any device); if that is
 * max, there may be more. */
int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max);

/* Fills portguids[i] with the GUID (network order) of port i of a device, 0 if it has no such port;
 * max is the number of entries in portguids. portguids may be NULL, which returns 0. Returns the
 * number of entries filled in (numports of umad_get_ca() plus one), -ENOMEM if max is too small,
 * -ENODEV without such a device, or another negative errno. */
int umad_get_ca_portguids(const char *ca_name, __be64 *portguids, int max);

/* Fills in *ca with a device and all of its ports; the caller frees it with umad_release_ca().
 * Returns 0, or -ENODEV without such a device, or another negative errno; on failure there is
 * nothing to free. */
int umad_get_ca(const char *ca_name, umad_ca_t *ca);

/* Frees what umad_get_ca() stored in *ca, but not ca itself, which may be used again. Releasing
 * twice has no effect. Returns 0, or -ENODEV if ca is NULL. */
int umad_release_ca(umad_ca_t *ca);

/* Fills in *port with one port; the caller frees it with umad_release_port(). Returns 0, or -ENODEV
 * without such a device, -EINVAL if the device has no such port, or another negative errno; on
 * failure there is nothing to free. */
int umad_get_port(const char *ca_name, int portnum, umad_port_t *port);

/* Frees what umad_get_port() stored in *port, but not port itself. Returns 0, or a negative errno
 * if port is NULL. */
int umad_release_port(umad_port_t *port);

/* Writes the path of a port's issm device to path, at most max bytes including the NUL, and opens
 * no device. Returns 0, -ENOENT if the port has no issm device (no subnet management, since Linux
 * 6.11), or another negative errno. umad_open_port(3). */
int umad_get_issm_path(const char *ca_name, int portnum, char *path, int max);

/* Returns a list of all devices, in no particular order; names that do not fit UMAD_CA_NAME_LEN are
 * omitted. The caller frees it with umad_free_ca_device_list(). NULL with errno 0 means that there
 * are none, NULL with another errno that the call failed. */
struct umad_device_node *umad_get_ca_device_list(void);

/* Sorts a list of devices by name, in place; afterwards *head is the first one. size is the number
 * of entries; with 0 the library counts them. Returns 0, or EINVAL if size is wrong. */
int umad_sort_ca_device_list(struct umad_device_node **head, size_t size);

/* Frees a list returned by umad_get_ca_device_list(). NULL is allowed. */
void umad_free_ca_device_list(struct umad_device_node *head);

/* Fills cas with the SMI/GSI pairs of this host, at most max, without preferred ports. Ethernet
 * devices belong to no pair. Returns the number filled in, or a negative errno. */
int umad_get_smi_gsi_pairs(struct umad_ca_pair cas[], size_t max);

/* Finds the pair of ports with one port GUID that includes port portnum (0: any) of devname (NULL:
 * any), and fills in *ca with their devices and numbers. enforce_smi not 0: only a pair with an SMI
 * port. Of several pairs, umad_get_ca(3) says which. Returns 0, -ENODEV if no pair matches, or
 * another negative errno, with *ca unchanged. */
int umad_get_smi_gsi_pair_by_ca_name(const char *devname, uint8_t portnum, struct umad_ca_pair *ca,
				     unsigned int enforce_smi);

/* Open ports. A portid is the file descriptor itself, so that programs can poll() it. */

/* Opens a port. Returns its portid, or -EOPNOTSUPP without the module ib_umad (or below version 5
 * of its interface), -EACCES if umad devices may not be listed, -ENODEV without such a device,
 * -EINVAL without such a port or its umad device, -EIO if that cannot be opened: errno has the
 * reason (ENOENT, EACCES, EPERM, ENXIO). */
int umad_open_port(const char *ca_name, int portnum);

/* As umad_open_port(), but chooses only among ports that carry subnet management: without
 * IsSMDisabled, or port 0 of a switch. */
int umad_open_smi_port(const char *ca_name, int portnum);

/* Closes a port and unregisters its agents. Returns 0, or -EINVAL if portid is not an open port. */
int umad_close_port(int portid);

/* Returns the file descriptor to poll() for a portid (the same number), or -EINVAL. */
int umad_get_fd(int portid);

/* Agents. An agent receives the responses to its requests and, if registered for them, unsolicited
 * MADs. */

/* Registers an agent for a class (0x30 to 0x4f: with OUI 0x001405). rmpp_version: 1 if the kernel
 * is to handle RMPP, else 0; method_mask: 128 bits of the methods whose requests the agent
 * receives, NULL: a client. Returns the agent's ID, -EINVAL (port, class), or -EPERM if the kernel
 * refuses, with its reason in errno: EPROTONOSUPPORT (SMPs on a port that is not InfiniBand),
 * EINVAL, ENOMEM... */
int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)]);

/* As umad_register() for classes 0x30 to 0x4f, class version 1, with the vendor's OUI: 3 bytes,
 * most significant first. */
int umad_register_oui(int portid, int mgmt_class, uint8_t rmpp_version, uint8_t oui[3],
		      long method_mask[16 / sizeof(long)]);

/* Registers the agent that *attr describes; its ID goes to *agent_id. Returns 0 or a positive
 * errno, *agent_id unchanged: EINVAL (values, or flags that the kernel does not support:
 * attr->flags are then those that it supports), EPROTONOSUPPORT (SMPs on a port without queue pair
 * 0), ENOTTY (attr->flags 0: a kernel without flags). */
int umad_register2(int port_fd, struct umad_reg_attr *attr, uint32_t *agent_id);

/* Unregisters an agent. Returns 0, -EINVAL for an invalid port or agent, or the kernel's negative
 * errno. */
int umad_unregister(int portid, int agentid);

/* Input and output */

/* Sends the MAD in umad, length bytes without the umad header (above 256 with RMPP), through an
 * agent. timeout_ms: milliseconds to wait after each of 1 + retries attempts, until umad_recv()
 * returns the request with a status; 0: no response is expected; negative: without limit. Agent ID,
 * timeout and retries are written to umad. Returns 0, -EINVAL, or -EIO with errno set. */
int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries);

/* Waits timeout_ms milliseconds (0: not, negative: without limit) for a MAD. *length: the bytes of
 * umad after its header, then those of the MAD. umad_status() tells a MAD from a returned request.
 * Returns the agent's ID; else, also in errno, -EINVAL, -EIO (errno EINTR: a signal), -ETIMEDOUT,
 * -EWOULDBLOCK (timeout_ms 0), or -ENOSPC: the MAD stays queued, and needs *length. */
int umad_recv(int portid, void *umad, int *length, int timeout_ms);

/* Waits up to timeout_ms milliseconds (negative: without limit) until there is a MAD to receive. If
 * several threads use the port, another one may receive it first. Returns 0, -ETIMEDOUT, -EIO or
 * -EINVAL; -EIO with EINTR in errno if a signal ends the wait. */
int umad_poll(int portid, int timeout_ms);

/* Buffers. umad is a buffer of umad_size() bytes followed by a MAD. */

/* Returns the size of the umad header, in front of the MAD: 64, or 56 once a port was opened on a
 * kernel that is too old for P_Key indices. */
size_t umad_size(void);

/* Returns the address of the MAD in a buffer; the caller frees nothing. */
void *umad_get_mad(void *umad);

/* Returns the status of a received buffer: 0 for a MAD from the fabric, else an errno value, such
 * as ETIMEDOUT for a request of this process without a response. */
int umad_status(void *umad);

/* Returns a pointer to the ib_mad_addr_t in a buffer; the caller frees nothing. */
ib_mad_addr_t *umad_get_mad_addr(void *umad);

/* Sets the destination from values in host order: LID (16 bits), queue pair (24 bits), service
 * level (4 bits) and Q_Key. Returns 0. */
int umad_set_addr(void *umad, int dlid, int dqp, int sl, int qkey);

/* As umad_set_addr(), from values in network order (sl is a number of one byte). Returns 0. */
int umad_set_addr_net(void *umad, __be16 dlid, __be32 dqp, int sl, __be32 qkey);

/* Sets the GRH from an ib_mad_addr_t whose flow_label is in HOST order: copies its gid, flow_label,
 * hop_limit and traffic_class. mad_addr NULL means no GRH. Returns 0. */
int umad_set_grh(void *umad, void *mad_addr);

/* As umad_set_grh(), with flow_label in network order, as umad_get_mad_addr() returns it. Returns
 * 0. */
int umad_set_grh_net(void *umad, void *mad_addr);

/* Sets the index of the P_Key to send with (host order, 16 bits). Has no effect if umad_size() is
 * 56. Returns 0. */
int umad_set_pkey(void *umad, int pkey_index);

/* Returns the P_Key index of a received MAD (host order), or 0 if umad_size() is 56. */
int umad_get_pkey(void *umad);

/* Returns an array of num zeroed buffers of size bytes each (umad_size() plus that of the MAD),
 * which the caller frees with umad_free(); NULL if num is negative or memory is insufficient.
 * Inline: no symbol of the library. */
static inline void *umad_alloc(int num, size_t size)
{
	return num < 0 ? NULL : calloc((size_t)num, size);
}

/* Frees buffers returned by umad_alloc(). NULL is allowed. */
static inline void umad_free(void *umad)
{
	free(umad);
}

/* Debugging */

/* Sets how much the library reports on stderr: 0 nothing; 1 a line for each open, registration,
 * close and MAD, and each failure; 2 and above with more of each, and each umad_poll():
 * umad_debug(3). A negative level changes nothing. Returns the level in effect. */
int umad_debug(int level);

/* Prints an address to stderr. */
void umad_addr_dump(ib_mad_addr_t *addr);

/* Prints the umad header of a buffer, including the address, to stderr. */
void umad_dump(void *umad);

/* Byte order of 64 bits. A program that defines macros of these names before it includes this
 * header keeps its own; one that defines them afterwards can detect these by #ifndef. */

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
