/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Preloaded into a program of the simulated fabric, replaces libibverbs: one device, the
 * simulator's, with no data path. Every object can be made, nothing posted is ever completed, and
 * no event comes. It is there for programs that do nothing before they have opened a device with
 * libibverbs, too: srp_daemon and ibacm. What it says of the port is what libibumad, whichever the
 * program has loaded, says of it.
 *
 * Programs call functions through a table in the device's context (ibv_post_recv() and others that
 * are inline in the header); all entries of ours do nothing, with success. Objects other than
 * contexts are to the program what they point to first: their context.
 */
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <infiniband/umad.h>

/* More than any object of the interface takes, in pointers. */
#define OBJECT_WORDS 256

/* Where a context has its two descriptors, behind the device and the table of 32 functions. */
#define DESCRIPTORS_WORD 33

/* What ibv_query_port() fills, as far as its manual page lists it. */
struct port_attr {
	int32_t state;
	int32_t max_mtu;
	int32_t active_mtu;
	int32_t gid_tbl_len;
	uint32_t port_cap_flags;
	uint32_t max_msg_sz;
	uint32_t bad_pkey_cntr;
	uint32_t qkey_viol_cntr;
	uint16_t pkey_tbl_len;
	uint16_t lid;
	uint16_t sm_lid;
	uint8_t lmc;
	uint8_t max_vl_num;
	uint8_t sm_sl;
	uint8_t subnet_timeout;
	uint8_t init_type_reply;
	uint8_t active_width;
	uint8_t active_speed;
	uint8_t phys_state;
	uint8_t link_layer;
};

/* What ibv_query_device() fills, by its manual page; the limits are not distinguished here. */
struct device_attr {
	char fw_ver[64];
	uint64_t node_guid;
	uint64_t sys_image_guid;
	uint64_t max_mr_size;
	uint64_t page_size_cap;
	uint32_t vendor_id;
	uint32_t vendor_part_id;
	uint32_t hw_ver;
	int32_t limits[29];
	uint16_t max_pkeys;
	uint8_t local_ca_ack_delay;
	uint8_t phys_port_cnt;
};

/* What programs read of a device themselves, behind two pointers that are not theirs. */
struct device {
	void *functions[2];
	int32_t node_type;
	int32_t transport;
	char name[64];
};

enum { NODE_CA = 1, TRANSPORT_INFINIBAND = 0 };
enum { MTU_2048 = 4, WIDTH_4X = 2, SPEED_EDR = 32, LAYER_INFINIBAND = 1, TIMEOUT = 18 };

typedef uintptr_t object[OBJECT_WORDS];

/* As programs know them; there is no header of libibverbs here. */
object **ibv_get_device_list(int *count);
void ibv_free_device_list(object **list);
const char *ibv_get_device_name(object *which);
uint64_t ibv_get_device_guid(object *which);
object *ibv_open_device(object *which);
int ibv_query_device(object *of, struct device_attr *attr);
int ibv_query_port(object *of, uint8_t number, struct port_attr *attr);
int ibv_query_gid(object *of, uint8_t number, int index, uint8_t gid[16]);
int ibv_query_pkey(object *of, uint8_t number, int index, uint16_t *pkey);
int ibv_get_pkey_index(object *of, uint8_t number, uint16_t pkey);
int ibv_get_async_event(object *of, void *event);
int ibv_get_cq_event(object *of, void *cq, void *cq_context);
const char *ibv_event_type_str(int event);

static object context, part;
static union {
	struct device device;
	object all;
} device = { .device = { { NULL, NULL }, NODE_CA, TRANSPORT_INFINIBAND, "ibsim0" } };
static object *devices[2];

static int do_nothing(void)
{
	return 0;
}

static void __attribute__((constructor)) begin(void)
{
	uint32_t descriptors[2];

	context[0] = (uintptr_t)&device;
	for (size_t i = 1; i < OBJECT_WORDS; i++)
		context[i] = (uintptr_t)do_nothing;
	/* No event will ever be read from them. */
	descriptors[0] = descriptors[1] = (uint32_t)eventfd(0, EFD_CLOEXEC);
	memcpy(&context[DESCRIPTORS_WORD], descriptors, sizeof(descriptors));
	part[0] = (uintptr_t)context;
}

/* A function of the libibumad that the program has loaded: the programs that start it have none. */
static void *find(const char *name)
{
	void *function = dlsym(RTLD_DEFAULT, name);

	if (!function) {
		fprintf(stderr, "sim-verbs: no %s\n", name);
		abort();
	}
	return function;
}

static void get_port(umad_port_t *port)
{
	__typeof__(&umad_get_port) get = (__typeof__(get))find("umad_get_port");

	if (get(device.device.name, 1, port)) {
		perror("sim-verbs: umad_get_port");
		abort();
	}
}

static void release_port(umad_port_t *port)
{
	__typeof__(&umad_release_port) release = (__typeof__(release))find("umad_release_port");

	release(port);
}

object **ibv_get_device_list(int *count)
{
	devices[0] = &device.all;
	if (count)
		*count = 1;
	return devices;
}

void ibv_free_device_list(object **list)
{
	(void)list;
}

const char *ibv_get_device_name(object *which)
{
	(void)which;
	return device.device.name;
}

uint64_t ibv_get_device_guid(object *which)
{
	__typeof__(&umad_get_ca) get = (__typeof__(get))find("umad_get_ca");
	__typeof__(&umad_release_ca) release = (__typeof__(release))find("umad_release_ca");
	umad_ca_t ca;
	uint64_t guid;

	(void)which;
	if (get(device.device.name, &ca)) {
		perror("sim-verbs: umad_get_ca");
		abort();
	}
	guid = ca.node_guid;
	release(&ca);
	return guid;
}

object *ibv_open_device(object *which)
{
	(void)which;
	return &context;
}

int ibv_query_device(object *of, struct device_attr *attr)
{
	(void)of;
	memset(attr, 0, sizeof(*attr));
	attr->node_guid = ibv_get_device_guid(&device.all);
	attr->phys_port_cnt = 1;
	return 0;
}

int ibv_query_port(object *of, uint8_t number, struct port_attr *attr)
{
	umad_port_t port;

	(void)of;
	(void)number;
	get_port(&port);
	*attr = (struct port_attr){
		.state = (int32_t)port.state,
		.max_mtu = MTU_2048,
		.active_mtu = MTU_2048,
		.gid_tbl_len = 1,
		.port_cap_flags = be32toh(port.capmask),
		.max_msg_sz = 1U << 30,
		.pkey_tbl_len = 1,
		.lid = (uint16_t)port.base_lid,
		.sm_lid = (uint16_t)port.sm_lid,
		.lmc = (uint8_t)port.lmc,
		.max_vl_num = 1,
		.sm_sl = (uint8_t)port.sm_sl,
		.subnet_timeout = TIMEOUT,
		.active_width = WIDTH_4X,
		.active_speed = SPEED_EDR,
		.phys_state = (uint8_t)port.phys_state,
		.link_layer = LAYER_INFINIBAND,
	};
	release_port(&port);
	return 0;
}

int ibv_query_gid(object *of, uint8_t number, int index, uint8_t gid[16])
{
	umad_port_t port;

	(void)of;
	(void)number;
	if (index)
		return -1;
	get_port(&port);
	memcpy(gid, &port.gid_prefix, 8);
	memcpy(gid + 8, &port.port_guid, 8);
	release_port(&port);
	return 0;
}

int ibv_query_pkey(object *of, uint8_t number, int index, uint16_t *pkey)
{
	(void)of;
	(void)number;
	if (index)
		return -1;
	*pkey = htobe16(0xffff);
	return 0;
}

int ibv_get_pkey_index(object *of, uint8_t number, uint16_t pkey)
{
	(void)of;
	(void)number;
	return pkey == htobe16(0xffff) ? 0 : -1;
}

/* No event ever comes. */
static void __attribute__((noreturn)) wait_for_ever(void)
{
	for (;;)
		pause();
}

int ibv_get_async_event(object *of, void *event)
{
	(void)of;
	(void)event;
	wait_for_ever();
}

int ibv_get_cq_event(object *of, void *cq, void *cq_context)
{
	(void)of;
	(void)cq;
	(void)cq_context;
	wait_for_ever();
}

/* What makes an object of a context, and what needs to do nothing but to succeed: the arguments do
 * not matter to either. */
#define MAKES_OBJECT(function)  \
	object *function(void); \
	object *function(void)  \
	{                       \
		return &part;   \
	}
#define SUCCEEDS(function)  \
	int function(void); \
	int function(void)  \
	{                   \
		return 0;   \
	}

MAKES_OBJECT(ibv_alloc_pd)
MAKES_OBJECT(ibv_reg_mr)
MAKES_OBJECT(ibv_create_comp_channel)
MAKES_OBJECT(ibv_create_cq)
MAKES_OBJECT(ibv_create_qp)
MAKES_OBJECT(ibv_create_ah)
SUCCEEDS(ibv_close_device)
SUCCEEDS(ibv_dealloc_pd)
SUCCEEDS(ibv_dereg_mr)
SUCCEEDS(ibv_destroy_comp_channel)
SUCCEEDS(ibv_destroy_cq)
SUCCEEDS(ibv_destroy_qp)
SUCCEEDS(ibv_destroy_ah)
SUCCEEDS(ibv_modify_qp)
SUCCEEDS(ibv_attach_mcast)
SUCCEEDS(ibv_detach_mcast)
SUCCEEDS(ibv_ack_async_event)
SUCCEEDS(ibv_ack_cq_events)

const char *ibv_event_type_str(int event)
{
	(void)event;
	return "event";
}
