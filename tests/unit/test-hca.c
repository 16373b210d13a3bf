/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The nodes and cables that the module of tests/kernel/hca shares with programs: what they respond
 * to whom. */
#include "fabric.h"

#include "test.h"

#include <string.h>

enum { LFT_BLOCK = 64, NODE_INFO = 0x11, PORT_INFO = 0x15, SWITCH_INFO = 0x12 };

/* host-1 [1] - [1] switch [2] - [1] host-2, and the outside at the switch's port 3 */
static struct fabric fabric;
static struct fnode host1, sw, host2;
static struct fport host1_ports[2], sw_ports[4], host2_ports[2];
static uint8_t lft[FNODE_LFT];

static void make_node(struct fnode *node, struct fport *ports, int type, int number_of_ports,
		      const char *name)
{
	memset(node, 0, sizeof(*node));
	memset(ports, 0, ((size_t)number_of_ports + 1) * sizeof(*ports));
	node->ports = ports;
	node->lft = lft;
	fnode_init(node, &fabric, type, number_of_ports, 0x100, name);
}

static void set_up(void)
{
	fabric.changed = NULL;
	make_node(&host1, host1_ports, FNODE_CA, 1, "host-1");
	make_node(&sw, sw_ports, FNODE_SWITCH, 3, "switch");
	make_node(&host2, host2_ports, FNODE_CA, 1, "host-2");
	host1.has_software = true;
	fabric_plug(&host1, 1, &sw, 1);
	fabric_plug(&sw, 2, &host2, 1);
	fabric_plug(&sw, 3, NULL, 0);
}

/* As a subnet manager does: LIDs 1, 2, 3, all ports Active. */
static void make_active(void)
{
	struct fport *ports[] = { &host1_ports[1], &sw_ports[1], &sw_ports[2], &sw_ports[3],
				  &host2_ports[1] };

	be_put(host1_ports[1].info + PI_LID, 2, 1);
	be_put(sw_ports[0].info + PI_LID, 2, 2);
	be_put(host2_ports[1].info + PI_LID, 2, 3);
	lft[1] = 1;
	lft[2] = 0;
	lft[3] = 2;
	lft[4] = 3;
	for (size_t i = 0; i < COUNT(ports); i++)
		ports[i]->info[PI_STATE] = FPORT_ACTIVE;
}

static struct vhca_frame make_request(unsigned mgmt_class, unsigned method, unsigned attribute)
{
	struct vhca_frame frame = { .vl = 15 };

	frame.mad[0] = frame.mad[2] = 1;
	frame.mad[1] = (uint8_t)mgmt_class;
	frame.mad[3] = (uint8_t)method;
	frame.mad[17] = (uint8_t)attribute;
	return frame;
}

/* As it leaves the kernel: the hop pointer is 1. */
static struct vhca_frame make_directed(unsigned method, unsigned attribute, unsigned hops,
				       const uint8_t *path)
{
	struct vhca_frame frame = make_request(MAD_CLASS_DIRECTED, method, attribute);

	frame.slid = frame.dlid = FNODE_PERMISSIVE;
	frame.mad[6] = 1;
	frame.mad[7] = (uint8_t)hops;
	memset(frame.mad + 32, 0xff, 4);
	memcpy(frame.mad + 129, path, hops);
	return frame;
}

static struct vhca_frame make_gmp(uint16_t slid, uint16_t dlid)
{
	struct vhca_frame frame = make_request(MAD_CLASS_PERF, MAD_GET, 0x12);

	frame.vl = 0;
	frame.slid = slid;
	frame.dlid = dlid;
	frame.sqpn = frame.dqpn = 1;
	frame.pkey = 0xffff;
	frame.qkey = 0x80010000;
	frame.mad[65] = 1; /* PortSelect */
	return frame;
}

static enum fabric_end send_from(struct fnode *node, struct vhca_frame *frame)
{
	struct fabric_place place = { node, 1 };

	return fabric_send(&place, frame);
}

static unsigned status_of(const struct vhca_frame *frame)
{
	return (unsigned)be_get(frame->mad + 4, 2);
}

TEST(directed_route_over_a_switch_comes_back)
{
	struct vhca_frame frame = make_directed(MAD_GET, NODE_INFO, 2, (uint8_t[]){ 1, 2 });

	set_up();
	assert_int_equal(send_from(&host1, &frame), FABRIC_TO_SOFTWARE);
	assert_int_equal(frame.mad[3], 0x81);
	assert_int_equal(status_of(&frame), 0x8000);
	assert_int_equal(frame.mad[6], 1); /* the last step is the kernel's */
	assert_int_equal(frame.mad[64 + 2], FNODE_CA);
	assert_int_equal(frame.mad[193], 1); /* the return path: where it came into each node */
	assert_int_equal(frame.mad[194], 1);
}

TEST(directed_route_ends_at_the_switch_or_nowhere)
{
	struct vhca_frame frame = make_directed(MAD_GET, NODE_INFO, 1, (uint8_t[]){ 1 });
	static const uint8_t wrong[][3] = { { 1, 0 }, { 1, 4 }, { 1, 2, 1 } };

	set_up();
	assert_int_equal(send_from(&host1, &frame), FABRIC_TO_SOFTWARE);
	assert_int_equal(frame.mad[64 + 2], FNODE_SWITCH);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		frame = make_directed(MAD_GET, NODE_INFO, i == 2 ? 3 : 2, wrong[i]);
		assert_int_equal(send_from(&host1, &frame), FABRIC_DROPPED);
	}
	frame = make_directed(MAD_GET, NODE_INFO, 2, (uint8_t[]){ 1, 3 });
	assert_int_equal(send_from(&host1, &frame), FABRIC_OUTSIDE);
}

TEST(combined_route_goes_by_lid_first)
{
	struct vhca_frame frame = make_directed(MAD_GET, NODE_INFO, 1, (uint8_t[]){ 2 });

	set_up();
	make_active();
	frame.mad[6] = 0;
	frame.slid = 1;
	frame.dlid = 2;
	be_put(frame.mad + 32, 2, 1); /* DrSLID: where the response goes by LID */
	assert_int_equal(send_from(&host1, &frame), FABRIC_TO_SOFTWARE);
	assert_int_equal(frame.dlid, 1);
	assert_int_equal(frame.mad[64 + 2], FNODE_CA);
}

TEST(gmps_need_active_ports)
{
	struct vhca_frame frame = make_gmp(1, 3);

	set_up();
	make_active();
	assert_int_equal(send_from(&host1, &frame), FABRIC_TO_SOFTWARE);
	assert_int_equal(frame.mad[3], 0x81);
	frame = make_gmp(1, 4);
	assert_int_equal(send_from(&host1, &frame), FABRIC_OUTSIDE);
	frame = make_gmp(1, FNODE_PERMISSIVE);
	assert_int_equal(send_from(&host1, &frame), FABRIC_DROPPED);
	sw_ports[2].info[PI_STATE] = FPORT_ARMED;
	frame = make_gmp(1, 3);
	assert_int_equal(send_from(&host1, &frame), FABRIC_DROPPED);
	assert_int_equal(sw_ports[2].xmit_discards, 1);
}

TEST(lmc_gives_a_port_more_lids)
{
	struct vhca_frame frame = make_gmp(1, 3);

	set_up();
	make_active();
	be_put(host2_ports[1].info + PI_LID, 2, 4);
	host2_ports[1].info[PI_LMC] = 2;
	for (uint16_t lid = 3; lid <= 8; lid++) {
		lft[lid] = 2;
		frame = make_gmp(1, lid);
		assert_int_equal(send_from(&host1, &frame),
				 lid >= 4 && lid <= 7 ? FABRIC_TO_SOFTWARE : FABRIC_DROPPED);
	}
}

TEST(wrong_keys_are_counted)
{
	struct vhca_frame frame = make_gmp(1, 3);
	const uint8_t *info = host2_ports[1].info;

	set_up();
	make_active();
	frame.pkey = 0x1234;
	assert_int_equal(send_from(&host1, &frame), FABRIC_DROPPED);
	frame = make_gmp(1, 3);
	frame.qkey = 1;
	assert_int_equal(send_from(&host1, &frame), FABRIC_DROPPED);
	assert_int_equal(be_get(info + PI_PKEY_VIOLATIONS, 2), 1);
	assert_int_equal(be_get(info + PI_QKEY_VIOLATIONS, 2), 1);
	frame = make_gmp(1, 3);
	frame.pkey = 0x7fff; /* a limited member to a full one */
	assert_int_equal(send_from(&host1, &frame), FABRIC_TO_SOFTWARE);
}

TEST(mkey_protects_by_its_level)
{
	struct fport *port = &host2_ports[1];
	uint8_t request[FNODE_MAD] = { 1, MAD_CLASS_SMP, 1, MAD_GET }, out[FNODE_MAD];

	set_up();
	request[17] = PORT_INFO;
	be_put(port->info + PI_MKEY, 8, 0x1234);
	assert_int_equal(fnode_smp(&host2, 1, request, out), FNODE_RESPONDED);
	assert_int_equal(be_get(out + 64, 8), 0x1234); /* level 0 */
	port->info[PI_LMC] = 1 << 6;
	assert_int_equal(fnode_smp(&host2, 1, request, out), FNODE_RESPONDED);
	assert_int_equal(be_get(out + 64, 8), 0);
	request[3] = MAD_SET;
	assert_int_equal(fnode_smp(&host2, 1, request, out), FNODE_CONSUMED);
	request[3] = MAD_GET;
	port->info[PI_LMC] = 2 << 6;
	assert_int_equal(fnode_smp(&host2, 1, request, out), FNODE_CONSUMED);
	assert_int_equal(be_get(port->info + PI_MKEY_VIOLATIONS, 2), 2);
	be_put(request + 24, 8, 0x1234);
	assert_int_equal(fnode_smp(&host2, 1, request, out), FNODE_RESPONDED);
	assert_int_equal(be_get(out + 64, 8), 0x1234);
}

/* A Set of PortInfo, with all but the given fields as they are. */
static unsigned set_state(struct fnode *node, int port, uint8_t state, uint8_t phys)
{
	uint8_t request[FNODE_MAD] = { 1, MAD_CLASS_SMP, 1, MAD_SET }, out[FNODE_MAD];

	request[17] = PORT_INFO;
	request[23] = (uint8_t)port;
	memcpy(request + 64, node->ports[port].info, 64);
	request[64 + PI_STATE] = state;
	request[64 + PI_PHYS] = (uint8_t)(phys << 4);
	assert_int_equal(fnode_smp(node, 1, request, out), FNODE_RESPONDED);
	return (unsigned)be_get(out + 4, 2);
}

TEST(port_states_change_in_their_order)
{
	set_up();
	assert_int_equal(fport_state(&host2_ports[1]), FPORT_INIT);
	assert_int_equal(set_state(&host2, 1, FPORT_ACTIVE, 0), 0x1c);
	assert_int_equal(set_state(&host2, 1, FPORT_ARMED, 0), 0);
	assert_int_equal(set_state(&host2, 1, FPORT_ACTIVE, 0), 0);
	assert_int_equal(fport_state(&host2_ports[1]), FPORT_ACTIVE);
	assert_int_equal(set_state(&sw, 2, 0, FPORT_DISABLED), 0);
	assert_int_equal(fport_state(&host2_ports[1]), FPORT_DOWN);
	assert_int_equal(fport_phys(&sw_ports[2]), FPORT_DISABLED);
	assert_int_equal(set_state(&host2, 1, 0, FPORT_POLLING), 0);
	assert_int_equal(fport_phys(&host2_ports[1]), FPORT_POLLING);
	assert_int_equal(set_state(&sw, 2, 0, FPORT_POLLING), 0);
	assert_int_equal(fport_state(&host2_ports[1]), FPORT_INIT);
}

TEST(link_change_is_a_trap_to_the_sm)
{
	struct fabric_place place;
	struct vhca_frame frame;
	int traps = 0;

	set_up();
	make_active();
	be_put(sw_ports[0].info + PI_SM_LID, 2, 1);
	sw.switch_info[11] = 0;
	fabric_unplug(&sw, 2);
	assert_int_equal(sw.switch_info[11], 4); /* PortStateChange */
	while ((place.node = fabric_next_changed(&fabric)))
		while (fabric_next_trap(&place, &frame)) {
			traps++;
			assert_int_equal(fabric_send(&place, &frame), FABRIC_TO_SOFTWARE);
			assert_ptr_equal(place.node, &host1);
			assert_int_equal(frame.mad[3], MAD_TRAP);
			assert_int_equal(be_get(frame.mad + 64 + 4, 2), 128);
		}
	assert_int_equal(traps, 1);
}

TEST(counters_are_read_and_cleared)
{
	uint8_t request[FNODE_MAD] = { 1, MAD_CLASS_PERF, 1, MAD_GET }, out[FNODE_MAD];

	set_up();
	request[17] = 0x12;
	request[65] = 1;
	host2_ports[1].symbol_errors = 0x12345;
	host2_ports[1].rcv_packets = UINT64_C(0x123456789);
	assert_int_equal(fnode_pma(&host2, request, out), FNODE_RESPONDED);
	assert_int_equal(be_get(out + 64 + 4, 2), 0xffff); /* they stop at their maximum */
	assert_int_equal(be_get(out + 64 + 36, 4), UINT32_MAX);
	request[17] = 0x1d;
	assert_int_equal(fnode_pma(&host2, request, out), FNODE_RESPONDED);
	assert_int_equal(be_get(out + 64 + 32, 8), UINT64_C(0x123456789));
	request[3] = MAD_SET;
	request[17] = 0x12;
	be_put(request + 66, 2, 0x0fff);
	assert_int_equal(fnode_pma(&host2, request, out), FNODE_RESPONDED);
	assert_int_equal(host2_ports[1].symbol_errors, 0);
	assert_int_equal(host2_ports[1].rcv_packets, UINT64_C(0x123456789));
	request[65] = 9;
	assert_int_equal(fnode_pma(&host2, request, out), FNODE_RESPONDED);
	assert_int_equal(be_get(out + 4, 2), 0x1c);
}
