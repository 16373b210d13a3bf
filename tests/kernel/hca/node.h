/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An InfiniBand node in plain bytes: the state of its ports, its SMA and its PMA. The caller of
 * node.c and fabric.c holds vhca_lock (module.h).
 */
#ifndef TESTS_KERNEL_HCA_NODE_H
#define TESTS_KERNEL_HCA_NODE_H

#include <linux/string.h>
#include <linux/types.h>

enum {
	FNODE_MAD = 256,
	FNODE_PKEYS = 32,
	FNODE_GUIDS = 8,
	FNODE_LFT = 0xc000, /* entries of a linear forwarding table */
	FNODE_MAX_PORTS = 64,
	FNODE_PERMISSIVE = 0xffff,
	FNODE_QKEY = (int)0x80010000, /* of every QP1 */
};

enum { FNODE_CA = 1, FNODE_SWITCH = 2 };			   /* NodeInfo.NodeType */
enum { FPORT_DOWN = 1, FPORT_INIT, FPORT_ARMED, FPORT_ACTIVE };	   /* PortInfo.PortState */
enum { FPORT_POLLING = 2, FPORT_DISABLED = 3, FPORT_LINK_UP = 5 }; /* PortPhysicalState */
enum { MAD_GET = 1, MAD_SET = 2, MAD_TRAP = 5, MAD_TRAP_REPRESS = 7, MAD_RESPONSE = 0x80 };
enum { MAD_CLASS_SMP = 1, MAD_CLASS_PERF = 4, MAD_CLASS_DIRECTED = 0x81 };

/* Offsets in PortInfo. */
enum {
	PI_MKEY = 0,
	PI_PREFIX = 8,
	PI_LID = 16,
	PI_SM_LID = 18,
	PI_CAPABILITIES = 20,
	PI_LEASE = 26,
	PI_LOCAL_PORT = 28,
	PI_WIDTH_ENABLED = 29,
	PI_WIDTH_SUPPORTED = 30,
	PI_WIDTH_ACTIVE = 31,
	PI_STATE = 32,	/* LinkSpeedSupported, PortState */
	PI_PHYS = 33,	/* PortPhysicalState, LinkDownDefaultState */
	PI_LMC = 34,	/* M_KeyProtectBits, LMC */
	PI_SPEED = 35,	/* LinkSpeedActive, LinkSpeedEnabled */
	PI_MTU_SL = 36, /* NeighborMTU, MasterSMSL */
	PI_VL_CAP = 37,
	PI_VL_HIGH = 38,
	PI_VLARB_HIGH = 39,
	PI_VLARB_LOW = 40,
	PI_MTU_CAP = 41, /* InitTypeReply, MTUCap */
	PI_STALL = 42,
	PI_VLS = 43, /* OperationalVLs, enforcement */
	PI_MKEY_VIOLATIONS = 44,
	PI_PKEY_VIOLATIONS = 46,
	PI_QKEY_VIOLATIONS = 48,
	PI_GUID_CAP = 50,
	PI_TIMEOUT = 51, /* ClientReregister, SubnetTimeOut */
	PI_RESPONSE_TIME = 52,
	PI_ERRORS = 53,
	PI_SPEED_EXT = 62, /* LinkSpeedExtActive, LinkSpeedExtSupported */
	PI_SPEED_EXT_ENABLED = 63,
};

/* Changes of a port, which are events of its device. */
enum {
	FPORT_LID_CHANGED = 1,
	FPORT_SM_CHANGED = 2,
	FPORT_REREGISTER = 4,
	FPORT_PKEYS_CHANGED = 8,
	FPORT_GIDS_CHANGED = 16,
	FPORT_STATE_CHANGED = 32,
};

struct fnode;

struct fport {
	uint8_t info[64]; /* PortInfo */
	uint16_t pkeys[FNODE_PKEYS];
	uint64_t guids[FNODE_GUIDS];
	uint8_t sl_to_vl[8];
	uint8_t vl_arbitration[4][64];
	uint64_t xmit_data, rcv_data, xmit_packets, rcv_packets; /* data in units of 4 bytes */
	uint32_t symbol_errors, vl15_dropped, xmit_discards;
	struct fnode *peer; /* at the other end of the cable, or NULL */
	uint8_t peer_port;
	bool outside;	      /* the cable ends at another program: /dev/vhca */
	uint8_t changes;      /* FPORT_...; see fabric_next_changed() */
	uint16_t trap;	      /* the trap that is due: 128, 144 or 0 */
	uint8_t trap_changes; /* of trap 144: the change flags */
};

struct fabric {
	struct fnode *changed;
};

struct fnode {
	struct fabric *fabric;
	struct fnode *next_changed;
	bool is_changed;
	uint32_t trap_tid; /* of the last trap */
	bool has_software; /* the kernel gets the MADs that arrive, instead of the SMA and PMA here
			    */
	uint8_t type, number_of_ports;
	int number; /* for the owner */
	uint64_t guid;
	uint8_t description[64];
	uint8_t switch_info[20];
	uint8_t *lft;	     /* switches: FNODE_LFT bytes */
	struct fport *ports; /* number_of_ports + 1 */
};

static inline uint64_t be_get(const uint8_t *from, int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | *from++;
	return value;
}

static inline void be_put(uint8_t *to, int bytes, uint64_t value)
{
	while (bytes--) {
		to[bytes] = (uint8_t)value;
		value >>= 8;
	}
}

static inline int fport_state(const struct fport *port)
{
	return port->info[PI_STATE] & 15;
}

static inline int fport_phys(const struct fport *port)
{
	return port->info[PI_PHYS] >> 4;
}

static inline uint16_t fport_lid(const struct fport *port)
{
	return (uint16_t)be_get(port->info + PI_LID, 2);
}

static inline int fport_lmc(const struct fport *port)
{
	return port->info[PI_LMC] & 7;
}

/* Whether a LID is one of the port's, of which there are 1 << LMC. */
static inline bool fport_has_lid(const struct fport *port, uint16_t lid)
{
	return fport_lid(port) && lid >= fport_lid(port) &&
	       lid < fport_lid(port) + (1 << fport_lmc(port));
}

/* The port that has the LID of what arrives at port: port 0 of a switch. */
static inline struct fport *fnode_end_port(struct fnode *node, int port)
{
	return &node->ports[node->type == FNODE_SWITCH ? 0 : port];
}

/* Fills in a node; the caller has allocated ports (zeroed) and lft, and frees them. */
void fnode_init(struct fnode *node, struct fabric *fabric, int type, int number_of_ports,
		uint64_t guid, const char *description);

/* Notes what has changed at a port (FPORT_...), for fabric_next_change(). */
void fnode_change(struct fnode *node, int port, uint8_t changes);

/* A trap of a port (0 of a switch) is due: 128, or 144 with its change flags; see
 * fabric_next_trap(). */
void fnode_raise_trap(struct fnode *node, int port, uint16_t number, uint8_t changes);

/* The physical link of a port comes up (PortState Initialize) or goes down. */
void fnode_set_link(struct fnode *node, int port, bool up);

/* The result of a request to the SMA or PMA. */
enum fnode_result { FNODE_PASSED, FNODE_RESPONDED, FNODE_CONSUMED };

/*
 * The SMA: takes the SMP in that arrived at a port, and makes its response in out. FNODE_PASSED: it
 * is for no SMA (SMInfo, traps, responses); FNODE_CONSUMED: there is no response (a wrong M_Key).
 */
enum fnode_result fnode_smp(struct fnode *node, int port, const uint8_t *in, uint8_t *out);

/* The PMA: the same for a MAD of performance management. */
enum fnode_result fnode_pma(struct fnode *node, const uint8_t *in, uint8_t *out);

#endif
