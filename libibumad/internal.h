/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Internal interfaces, by source file. A function that returns int or ssize_t returns 0 (or the
 * value documented beside it) or a negative errno, and leaves errno unchanged: public functions set
 * errno through umad_state_finish(). A source file uses those listed above it here (sys.h and
 * uapi.h among the first), never those below.
 */
#ifndef LIBIBUMAD_INTERNAL_H
#define LIBIBUMAD_INTERNAL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libibumad/public.h"

#define UMAD_PATH_SIZE	     384 /* holds every path made here, with its NUL */
#define UMAD_NODE_PREFIX     "umad"
#define UMAD_PORT_NUMBER_MAX 255 /* port numbers have 8 bits */

/* Node types (volume 1, 14.2.5.3). Sysfs has more, for other kinds of devices. */
enum umad_node_type { UMAD_NODE_CA = 1, UMAD_NODE_SWITCH = 2, UMAD_NODE_ROUTER = 3 };

/* The values of PortState and PortPhysicalState (volume 1, 14.2.5.6) that the library interprets.
 */
enum umad_port_state { UMAD_PORT_DOWN = 1, UMAD_PORT_ACTIVE = 4 };
enum umad_phys_state { UMAD_PHYS_POLLING = 2, UMAD_PHYS_DISABLED = 3, UMAD_PHYS_LINK_UP = 5 };

/* state.c: process-wide values, each read and set independently */
#define UMAD_HEADER_SIZE 64 /* on kernels with P_Key indices; 8 bytes less on others */
struct umad_state {
	atomic_int debug_level;
	atomic_uint header_size;
	atomic_uint abi_version;
	atomic_uint watchers; /* bits of enum umad_watcher */
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
unsigned int umad_state_abi_version(void); /* 0 until it is known */
void umad_state_set_abi_version(unsigned int version);
void umad_state_print(int result, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));
int umad_state_finish(int result); /* returns result and, if it is negative, sets errno */

/* The observers of MADs sent and received; usually none. */
enum umad_watcher { UMAD_WATCHER_CAPTURE = 1 << 0, UMAD_WATCHER_DEBUG = 1 << 1 };
void umad_state_watch(enum umad_watcher watcher, bool on);
bool umad_state_has_watcher(enum umad_watcher watcher);
static inline bool umad_state_is_watched(void)
{
	return __builtin_expect(
		atomic_load_explicit(&umad_state.watchers, memory_order_relaxed) != 0, 0);
}

/* Prints a line like umad_state_print() if the debug level is at least `level`. The arguments are
 * evaluated only then. */
#define umad_state_trace(level, ...)                                          \
	do {                                                                  \
		if (__builtin_expect(umad_state_debug_level() >= (level), 0)) \
			umad_state_print(__VA_ARGS__);                        \
	} while (0)

/* lock.c: locks, in the order in which they are taken */
enum umad_lock {
	UMAD_LOCK_LIBRARY, /* netlink.c: loads libnl-3 */
	UMAD_LOCK_CAPTURE, /* capture.c */
	UMAD_LOCKS,
};
struct umad_lock_hold { /* state of the thread before it took the lock */
	sigset_t signals;
	int cancel_state;
};
void umad_lock_take(enum umad_lock lock, struct umad_lock_hold *hold);
void umad_lock_release(enum umad_lock lock, const struct umad_lock_hold *hold);

/* sysfs.c: reads one attribute, or parses a file name that is a number */
int umad_sysfs_read_string(const char *dir, const char *attribute, char *buffer, size_t size);
int umad_sysfs_read_number(const char *dir, const char *attribute, unsigned int *value);
int umad_sysfs_read_rate(const char *dir, const char *attribute, unsigned int *value);
int umad_sysfs_read_guid(const char *dir, const char *attribute, __be64 *guid);
int umad_sysfs_read_gid(const char *dir, const char *attribute, union umad_gid *gid);
int umad_sysfs_parse_name(const char *name, unsigned int max, unsigned int *number);

/* array.c: grows, if necessary, for one more entry the array that *array points to, which has count
 * entries of size bytes each and memory for *capacity */
int umad_array_reserve(void *array, size_t count, size_t *capacity, size_t size);

/* device_name.c: names of devices, and "umadN" */
bool umad_device_name_valid(const char *name);
int umad_node_parse_name(const char *name, unsigned int *number);

/* fallback.c: RDMA netlink discovery for hosts without sysfs, called when a file is missing;
 * -ENODEV where sysfs takes precedence, or where there is no such object */
struct umad_device_names;
bool umad_fallback_applies(void);
int umad_fallback_read_names(struct umad_device_names *names);
int umad_fallback_read_ca(const char *ca_name, umad_ca_t *ca, unsigned int *port_mask);
int umad_fallback_read_port(const char *ca_name, int portnum, umad_port_t *port);
int umad_fallback_find_node(const char *ca_name, int portnum); /* the N of umadN */

/* device.c: which devices and ports exist */
struct umad_device_names {
	char (*name)[UMAD_CA_NAME_LEN];
	size_t count;
};
int umad_device_read_names(struct umad_device_names *names); /* in directory order */
void umad_device_sort_names(struct umad_device_names *names);
void umad_device_free_names(struct umad_device_names *names);
void umad_device_format_path(char path[UMAD_PATH_SIZE], const char *ca_name);
unsigned int umad_device_read_type(const char *ca_name); /* 0: not an InfiniBand device */
int umad_device_read_ports(const char *ca_name, unsigned int *mask); /* bit n: port n, 0 to 9 */

/* attributes.c: whole devices and ports, and the single attributes that port selection needs */
unsigned int umad_port_read_state(const char *ca_name, int portnum);
int umad_port_read_guid(const char *ca_name, int portnum, __be64 *guid);
bool umad_port_smi_disabled(const char *ca_name, int portnum);
unsigned int umad_port_read_lid(const char *ca_name, int portnum);
int umad_port_read_pkey(const char *ca_name, int portnum, unsigned int index, uint16_t *pkey);
int umad_port_read_gid(const char *ca_name, int portnum, unsigned int index, union umad_gid *gid);
bool umad_port_is_infiniband(const char *ca_name, int portnum);
bool umad_port_is_ethernet(const char *ca_name, int portnum);
enum umad_port_link {
	UMAD_PORT_LINK_DISABLED,
	UMAD_PORT_LINK_ENABLED,
	UMAD_PORT_LINK_UP
}; /* higher is better */
enum umad_port_link umad_port_read_link(const char *ca_name, int portnum);
int umad_port_read(const char *ca_name, int portnum, umad_port_t *port);
int umad_port_read_attributes(const char *ca_name, int portnum, umad_port_t *port);
void umad_port_clear(umad_port_t *port);
int umad_ca_read(const char *ca_name, umad_ca_t *ca);
void umad_ca_clear(umad_ca_t *ca);

/* selection.c: the port that a name (or NULL) and a number (or 0) select */
struct umad_port_choice {
	char ca_name[UMAD_CA_NAME_LEN];
	int portnum;
};
int umad_selection_resolve(const char *ca_name, int portnum, bool need_smi,
			   struct umad_port_choice *choice);

/* node.c: the umad device of a port */
int umad_node_find(const char *ca_name, int portnum); /* the N of umadN */
int umad_node_read(unsigned int number, struct umad_port_choice *owner);

/* owner.c: the port of each open portid, for messages and captures */
struct umad_owner {
	atomic_int portid; /* the portid plus 1; 0: no entry */
	struct umad_port_choice port;
	_Atomic uint64_t addresses; /* cache of address.c, or 0 */
};
void umad_owner_remember(int portid, const struct umad_port_choice *port);
void umad_owner_forget(int portid);
struct umad_owner *umad_owner_find(int portid); /* NULL if unknown */

/* debug.c: prints a line for each MAD */
void umad_debug_sending(int portid, const void *umad, size_t length);
void umad_debug_not_sent(int portid, const void *umad, size_t length, int error);
void umad_debug_received(int portid, const void *umad, size_t length);

/* traffic.c: shows what is sent and received to those who watch */
ssize_t umad_traffic_write(int portid, const void *umad, size_t size);
void umad_traffic_received(int portid, const void *umad, size_t size);

#endif /* LIBIBUMAD_INTERNAL_H */
