/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Internal interfaces, by source file. A function that returns int or ssize_t returns 0 (or the
 * value documented beside it) or a negative errno, and leaves errno unchanged: public functions set
 * errno through umad_state_finish(). A source file uses those listed above it here (sys.h
 * first), never those below.
 */
#ifndef LIBIBUMAD_INTERNAL_H
#define LIBIBUMAD_INTERNAL_H

#include <dirent.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libibumad/public.h"

#define UMAD_PATH_SIZE	     384 /* holds every path made here, with its NUL */
#define UMAD_NODE_DIR	     "/dev/infiniband"
#define UMAD_NODE_PREFIX     "umad"
#define UMAD_PORT_NUMBER_MAX 255 /* port numbers have 8 bits */

/* Node types (volume 1, 14.2.5.3). Sysfs has more, for other kinds of devices. */
enum umad_node_type { UMAD_NODE_CA = 1, UMAD_NODE_SWITCH = 2, UMAD_NODE_ROUTER = 3 };

/* state.c: process-wide values, each read and set independently */
#define UMAD_HEADER_SIZE 64 /* on kernels with P_Key indices; 8 bytes less on others */
struct umad_state {
	atomic_int debug_level;
	atomic_uint header_size;
	atomic_uint abi_version; /* 0 until it is known */
	atomic_uint watchers;	 /* bits of enum umad_watcher */
};
#pragma GCC visibility push(hidden)
extern struct umad_state umad_state;
#pragma GCC visibility pop
static inline size_t umad_state_header_size(void)
{
	return atomic_load_explicit(&umad_state.header_size, memory_order_relaxed);
}
static inline bool umad_state_pkey_layout(void)
{
	return umad_state_header_size() == UMAD_HEADER_SIZE;
}
static inline int umad_state_debug_level(void)
{
	return atomic_load_explicit(&umad_state.debug_level, memory_order_relaxed);
}
void umad_state_set_pkey_layout(bool enabled);
void umad_state_print(int result, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));
int umad_state_finish(int result); /* returns result and, if it is negative, sets errno */
/* Returns -1 for each error, whose reason umad_debug() prints. */
#define umad_state_fail(result) umad_state_end_call(__func__, result)
int umad_state_end_call(const char *function, int result);

/* The observers of MADs sent and received; usually none. */
enum umad_watcher { UMAD_WATCHER_CAPTURE = 1 << 0, UMAD_WATCHER_DEBUG = 1 << 1 };
void umad_state_watch(enum umad_watcher watcher, bool on);
static inline bool umad_state_is_watched(void)
{
	return __builtin_expect(
		atomic_load_explicit(&umad_state.watchers, memory_order_relaxed) != 0, 0);
}

/* Prints a line if the debug level is at least `level`; evaluates the arguments only then. */
#define umad_state_trace(level, ...)                                          \
	do {                                                                  \
		if (__builtin_expect(umad_state_debug_level() >= (level), 0)) \
			umad_state_print(__VA_ARGS__);                        \
	} while (0)

/* sysfs.c: reads one attribute, or parses a file name that is a number */
bool umad_sysfs_is_missing(int error); /* the file does not exist */
int umad_sysfs_read_string(const char *dir, const char *attribute, char *buffer, size_t size);
int umad_sysfs_read_number(const char *dir, const char *attribute, unsigned int *value);
int umad_sysfs_read_rate(const char *dir, const char *attribute, unsigned int *value);
int umad_sysfs_read_guid(const char *dir, const char *attribute, __be64 *guid);
int umad_sysfs_read_gid(const char *dir, const char *attribute, union umad_gid *gid);
int umad_sysfs_parse_name(const char *name, unsigned int max, unsigned int *number);

/* sysfs.c: names of devices, and "umadN" */
bool umad_device_name_valid(const char *name);
int umad_node_parse_name(const char *name, unsigned int *number);

/* source.c: sysfs or netlink. A public call starts with UMAD_SOURCE_UNDECIDED, passes the source
 * down, and closes it. */
enum umad_source_kind { UMAD_SOURCE_UNDECIDED, UMAD_SOURCE_SYSFS, UMAD_SOURCE_NETLINK };
struct umad_source {
	enum umad_source_kind kind;
	int error;	   /* why the class directory cannot be read */
	bool is_requested; /* by netlink, whose reply follows */
	struct nl_sock *netlink;
	struct umad_nldev_record *device;
	struct umad_source_port *port; /* UMAD_CA_MAX_PORTS of each device */
	size_t count, last;
};
void umad_source_close(struct umad_source *source);
/* Decides on the source, and opens the class directory if that is sysfs; else *dir is NULL. */
int umad_source_open_class(struct umad_source *source, DIR **dir);
int umad_source_decide(struct umad_source *source);
/* A device, if the source is netlink and reports it; else NULL. */
const struct umad_nldev_record *umad_source_find(struct umad_source *source, const char *ca_name);
/* A device (NULL: any) or port as netlink reports it, also beside sysfs; else NULL. */
const struct umad_nldev_record *umad_source_request(struct umad_source *source,
						    const char *ca_name);
const struct umad_nldev_record *umad_source_request_port(struct umad_source *source,
							 const char *ca_name, int portnum);

/* device.c: which devices and ports exist */
struct umad_device_name {
	char name[UMAD_CA_NAME_LEN];
	size_t place; /* in directory order */
};
struct umad_device_names {
	struct umad_device_name *device;
	size_t count;
};
/* Reads the names of all devices, of any type, that fit a caller's buffer. The caller frees
 * names->device, also after a failure. */
int umad_device_read_names(struct umad_source *source, struct umad_device_names *names);
void umad_device_sort_names(struct umad_device_names *names);
void umad_device_format_path(char path[UMAD_PATH_SIZE], const char *ca_name);
unsigned int umad_device_read_type(struct umad_source *source, const char *ca_name);
__be64 umad_device_read_guid(struct umad_source *source, const char *ca_name);
int umad_device_check(struct umad_source *source, const char *ca_name);
struct umad_port_set {
	bool has[UMAD_PORT_NUMBER_MAX + 1]; /* by port number */
};
int umad_device_read_ports(struct umad_source *source, const char *ca_name,
			   struct umad_port_set *ports);

/* attributes.c: whole devices and ports, and the single attributes that port selection needs */
enum umad_port_attribute {
	UMAD_PORT_STATE = 1 << 0,
	UMAD_PORT_PHYS_STATE = 1 << 1,
	UMAD_PORT_CAPMASK = 1 << 2,
	UMAD_PORT_LID = 1 << 3,
	UMAD_PORT_LMC = 1 << 4,
	UMAD_PORT_SM_LID = 1 << 5,
	UMAD_PORT_SM_SL = 1 << 6,
	UMAD_PORT_RATE = 1 << 7,
	UMAD_PORT_LINK_LAYER = 1 << 8,
	UMAD_PORT_GUID = 1 << 9, /* and gid_prefix */
	UMAD_PORT_ALL = (1 << 10) - 1,
};
/* Fills in *port with the attributes wanted, others being 0; there is nothing to free. Returns the
 * bits of the attributes that could be read, or the reason if none could: -ENOENT if all are
 * missing. */
int umad_port_read_attributes(struct umad_source *source, const char *ca_name, int portnum,
			      unsigned int wanted, umad_port_t *port);
/* Adds attributes to a port that has a name, a number and others. */
int umad_port_add_attributes(struct umad_source *source, unsigned int wanted, umad_port_t *port);
unsigned int umad_port_read_lid(const char *ca_name, int portnum);
int umad_port_read_pkey(const char *ca_name, int portnum, unsigned int index, uint16_t *pkey);
int umad_port_read_gid(const char *ca_name, int portnum, unsigned int index, union umad_gid *gid);
bool umad_port_is_infiniband(const umad_port_t *port);
bool umad_port_is_ethernet(const umad_port_t *port);
int umad_port_read(struct umad_source *source, const char *ca_name, int portnum, umad_port_t *port);
void umad_port_clear(umad_port_t *port);
int umad_ca_read(struct umad_source *source, const char *ca_name, umad_ca_t *ca);
void umad_ca_clear(umad_ca_t *ca);

/* node.c: the umad device of a port */
struct umad_port_choice {
	char ca_name[UMAD_CA_NAME_LEN];
	int portnum;
	unsigned int node; /* N of umadN, after umad_node_open() */
};
int umad_node_find(struct umad_source *source, const char *ca_name, int portnum); /* N of umadN */
/* Opens the device node of a port, and sets port->node. Fails if the port has none; else *fd is a
 * descriptor, or why the node cannot be opened. */
int umad_node_open(struct umad_source *source, struct umad_port_choice *port, int *fd);
int umad_node_check_issm(int number);
int umad_node_check_abi(struct umad_source *source);
int umad_node_read(unsigned int number, const char *ca_name, struct umad_port_choice *owner);

/* selection.c: the port that a name (NULL: any device) and a number (0: any port) select. If both
 * are given, the port is the result, whether it exists or not. -ENODEV if nothing matches, -EINVAL
 * for an invalid number, and if no device has a port with that number. A resource error (sys.h),
 * which the call clears first, is one here, too: a port that could not be read might have been
 * preferred. */
int umad_selection_resolve(struct umad_source *source, const char *ca_name, int portnum,
			   struct umad_port_choice *choice);
enum umad_port_link { /* higher is better */
		      UMAD_PORT_LINK_DISABLED,
		      UMAD_PORT_LINK_ENABLED,
		      UMAD_PORT_LINK_UP,
		      UMAD_PORT_LINK_ACTIVE,
};
struct umad_candidate {
	umad_port_t values;	   /* name, number, and the attributes that were read */
	unsigned int asked, found; /* bits of these attributes */
	size_t place;		   /* of its device, in directory order */
	bool always_fits;
	bool was_tried;
};
struct umad_selection {
	/* the caller's */
	struct umad_source *source;
	const char *ca_name;
	int portnum;
	bool need_smi;
	/* the search */
	bool has_device;
	struct umad_device_names names;
	struct umad_candidate *port;
	size_t count, capacity; /* of ports */
	size_t searched;	/* devices */
	size_t at;		/* the next port */
	int round;
};
/* Begins a search; umad_selection_end() is called also after a failure. Ports come in the order of
 * preference, with the errors of umad_selection_resolve(). */
int umad_selection_begin(struct umad_selection *selection);
int umad_selection_next(struct umad_selection *selection, struct umad_port_choice *choice);
void umad_selection_end(struct umad_selection *selection);

/* owner.c: the port of each open portid, for messages and captures */
struct umad_owner {
	atomic_int complement;	      /* of the portid; 0: no entry */
	struct umad_port_choice port; /* when it was opened */
	_Atomic uint64_t addresses;   /* cache of packet.c, or 0 */
	atomic_uint rmpp_agents; /* bit N: the kernel numbers the segments that agent N sends */
};
void umad_owner_remember(int portid, const struct umad_port_choice *port);
void umad_owner_forget(int portid);
struct umad_owner *umad_owner_find(int portid); /* NULL if unknown */
void umad_owner_note_agent(int portid, uint32_t agent_id, bool has_rmpp);
bool umad_owner_has_rmpp(int portid, uint32_t agent_id);
/* node.c: the port under the name that its device has now */
void umad_node_read_owner(const struct umad_owner *owner, struct umad_port_choice *port);

/* debug.c: prints a line for each MAD */
void umad_debug_sending(int portid, const void *umad, size_t length);
void umad_debug_not_sent(int portid, const void *umad, size_t length, int error);
void umad_debug_received(int portid, const void *umad, size_t length);

/* The values in the DataDetails of notices, from the rows of common/mad_notices.h. */
enum umad_notice_form {
	UMAD_NOTICE_UINT,
	UMAD_NOTICE_HEX,
	UMAD_NOTICE_GID,
	UMAD_NOTICE_BYTES,
	UMAD_NOTICE_KEY, /* hidden in debugging lines and captures */
};
struct umad_notice_value {
	uint16_t layout; /* of the DataDetails */
	uint16_t first;	 /* bit; 0 is the uppermost of the notice's first byte */
	uint16_t bits;
	uint8_t form; /* enum umad_notice_form */
	char name[26];
};
/* The value of a layout after `after` (NULL: the first); NULL after the last. */
const struct umad_notice_value *umad_notice_next_value(const struct umad_notice_value *after,
						       unsigned int layout);

#endif /* LIBIBUMAD_INTERNAL_H */
