/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asks the SA of the simulated fabric for one table by the typed queries of mad_sa.h and prints
 * all of its records, one field a line, as sa-tables.sh makes them from saquery's output. What the
 * typed structures leave out is taken from the record itself, so that every bit is compared.
 *
 *	sa-tables prepare	registers services, joins multicast groups
 *	sa-tables TABLE		nodes, port-infos, links, paths, sm-infos, mc-members or
 *				services
 */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MS 20000
#define SELECTOR   0xc0 /* in bytes that hold a rate, MTU or life time, too */

static void fail(const char *what)
{
	fprintf(stderr, "sa-tables: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(int result, const char *what)
{
	if (result < 0)
		fail(what);
}

static void print_gid(const char *name, const uint8_t *gid)
{
	char text[INET6_ADDRSTRLEN];

	printf("%s=%s\n", name, inet_ntop(AF_INET6, gid, text, sizeof(text)));
}

/* Bytes as big-endian numbers of `size` bytes each, numbered as saquery numbers them. */
static const uint8_t *print_numbers(const uint8_t *bytes, int count, int size)
{
	for (int i = 1; i <= count; i++) {
		printf("ServiceData%d.%d=0x", size * 8, i);
		if (size == 1)
			printf("%x", *bytes++);
		else
			for (int j = 0; j < size; j++)
				printf("%02x", *bytes++);
		putchar('\n');
	}
	return bytes;
}

static void print_node(const struct mad_sa_table *table, unsigned index)
{
	static const char *const types[] = { "?", "Channel Adapter", "Switch", "Router" };
	const uint8_t *record = mad_sa_table_record(table, index, NULL);
	struct mad_sa_node node;

	check(mad_sa_get_node(table, index, &node, sizeof(node)), "mad_sa_get_node");
	printf("NodeRecord\nlid=%u\nreserved=0x%x\n", node.lid, record[2] << 8 | record[3]);
	printf("base_version=0x%x\nclass_version=0x%x\n", node.base_version, node.class_version);
	printf("node_type=%s\nnum_ports=%u\n", types[node.node_type & 3], node.port_count);
	printf("sys_guid=0x%016" PRIx64 "\n", node.system_guid);
	printf("node_guid=0x%016" PRIx64 "\n", node.node_guid);
	printf("port_guid=0x%016" PRIx64 "\n", node.port_guid);
	printf("partition_cap=0x%x\ndevice_id=0x%x\n", node.partition_cap, node.device_id);
	printf("revision=0x%x\nport_num=%u\n", node.revision, node.local_port);
	printf("vendor_id=0x%x\nNodeDescription=%s\n", node.vendor_id, node.description);
}

static void print_port_info(const struct mad_sa_table *table, unsigned index)
{
	struct mad_sa_port_info record;
	char text[8192];

	check(mad_sa_get_port_info(table, index, &record, sizeof(record)), "mad_sa_get_port_info");
	printf("PortInfoRecord\nEndPortLid=%u\nPortNum=%u\n", record.lid, record.port_number);
	printf("Options=0x%x\n", record.options);
	mad_dump_portinfo(text, sizeof(text), (void *)record.port_info, IB_SMP_DATA_SIZE);
	fputs(text, stdout); /* in the form "name:....value", as saquery does */
	for (int field = IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F; field < IB_PORT_LINK_SPEED_EXT_2_LAST_F;
	     field++) /* newer ones print these, too */
		mad_print_field(field, NULL, (void *)record.port_info);
}

static void print_link(const struct mad_sa_table *table, unsigned index)
{
	struct mad_sa_link record;

	check(mad_sa_get_link(table, index, &record, sizeof(record)), "mad_sa_get_link");
	printf("LinkRecord\nFromLID=%u\nFromPort=%u\n", record.from_lid, record.from_port);
	printf("ToPort=%u\nToLID=%u\n", record.to_port, record.to_lid);
}

static void print_path(const struct mad_sa_table *table, unsigned index)
{
	const uint8_t *record = mad_sa_table_record(table, index, NULL);
	struct mad_sa_path path;

	check(mad_sa_get_path(table, index, &path, sizeof(path)), "mad_sa_get_path");
	printf("PathRecord\nservice_id=0x%016" PRIx64 "\n", path.service_id);
	print_gid("dgid", path.dgid);
	print_gid("sgid", path.sgid);
	printf("dlid=%u\nslid=%u\n", path.dlid, path.slid);
	printf("hop_flow_raw=0x%x\n", path.flow_label << 8 | path.hop_limit);
	printf("tclass=0x%x\n", path.traffic_class);
	printf("num_path_revers=0x%x\n", path.reversible << 7 | path.num_path);
	printf("pkey=0x%x\n", path.pkey);
	printf("qos_class=0x%x\nsl=0x%x\n", (record[52] << 8 | record[53]) >> 4, path.sl);
	printf("mtu=0x%x\n", (record[54] & SELECTOR) | path.mtu);
	printf("rate=0x%x\n", (record[55] & SELECTOR) | path.rate);
	printf("pkt_life=0x%x\n", (record[56] & SELECTOR) | path.life_time);
	printf("preference=0x%x\nresv2=0x", path.preference);
	for (int i = 58; i < 64; i++)
		printf("%02x", record[i]);
	putchar('\n');
}

static void print_sm_info(const struct mad_sa_table *table, unsigned index)
{
	struct mad_sa_sm_info record;

	check(mad_sa_get_sm_info(table, index, &record, sizeof(record)), "mad_sa_get_sm_info");
	printf("SMInfoRecord\nLID=%u\nGUID=0x%016" PRIx64 "\n", record.lid, record.guid);
	printf("SM_Key=0x%016" PRIx64 "\nActCount=%u\n", record.sm_key, record.act_count);
	printf("Priority=%u\nSMState=%u\n", record.priority, record.state);
}

static void print_mc_member(const struct mad_sa_table *table, unsigned index)
{
	const uint8_t *record = mad_sa_table_record(table, index, NULL);
	struct mad_sa_mc_member member;

	check(mad_sa_get_mc_member(table, index, &member, sizeof(member)), "mad_sa_get_mc_member");
	puts("MCMember Record");
	print_gid("MGID", member.mgid);
	print_gid("PortGid", member.port_gid);
	printf("qkey=0x%x\nmlid=0x%x\n", member.qkey, member.mlid);
	printf("mtu=0x%x\n", (record[38] & SELECTOR) | member.mtu);
	printf("TClass=0x%x\npkey=0x%x\n", member.traffic_class, member.pkey);
	printf("rate=0x%x\n", (record[42] & SELECTOR) | member.rate);
	printf("pkt_life=0x%x\n", (record[43] & SELECTOR) | member.life_time);
	printf("SL=0x%x\nFlowLabel=0x%x\n", member.sl, member.flow_label);
	printf("HopLimit=0x%x\nScope=0x%x\n", member.hop_limit, member.scope);
	printf("JoinState=0x%x\nProxyJoin=0x%x\n", member.join_state, member.proxy_join);
}

static void print_service(const struct mad_sa_table *table, unsigned index)
{
	struct mad_sa_service service;
	const uint8_t *data = service.data;

	check(mad_sa_get_service(table, index, &service, sizeof(service)), "mad_sa_get_service");
	printf("ServiceRecord\nServiceID=0x%016" PRIx64 "\n", service.id);
	print_gid("ServiceGID", service.gid);
	printf("ServiceP_Key=0x%x\nServiceLease=0x%x\n", service.pkey, service.lease);
	printf("ServiceName=%s\n", service.name);
	data = print_numbers(data, 16, 1);
	data = print_numbers(data, 8, 2);
	data = print_numbers(data, 4, 4);
	print_numbers(data, 2, 8);
}

/* Sends a record to the SA, with method Set. */
static void set_record(struct ibmad_port *port, unsigned attr_id, uint64_t mask, void *record)
{
	ib_sa_call_t call = { .attrid = attr_id, .method = IB_MAD_METHOD_SET, .mask = mask };
	ib_portid_t sm = { 0 };

	check(ib_resolve_smlid_via(&sm, TIMEOUT_MS, port), "ib_resolve_smlid_via");
	if (!sa_rpc_call(port, record, &sm, &call, TIMEOUT_MS))
		fail("Set of a record");
}

static void join_group(struct ibmad_port *port, const uint8_t *port_gid, uint8_t number)
{
	uint64_t data[IB_SA_DATA_SIZE / sizeof(uint64_t)] = { 0 };
	struct umad_sa_mcmember_record *record = (void *)data;
	uint64_t mask = UMAD_SA_MCM_COMP_MASK_MGID | UMAD_SA_MCM_COMP_MASK_PORT_GID |
			UMAD_SA_MCM_COMP_MASK_QKEY | UMAD_SA_MCM_COMP_MASK_PKEY |
			UMAD_SA_MCM_COMP_MASK_SL | UMAD_SA_MCM_COMP_MASK_FLOW_LABEL |
			UMAD_SA_MCM_COMP_MASK_TCLASS | UMAD_SA_MCM_COMP_MASK_JOIN_STATE;

	inet_pton(AF_INET6, "ff12:e01b::abcd:0", record->mgid);
	record->mgid[15] = number;
	memcpy(record->portgid, port_gid, sizeof(record->portgid));
	record->qkey = htonl(0x80010000U + number);
	record->pkey = htons(0xffff);
	record->tclass = number;
	record->sl_flow_hop = umad_sa_mcm_set_sl_flow_hop(0, 0x12300U + number, 0);
	record->scope_state = umad_sa_mcm_set_scope_state(UMAD_SA_MCM_ADDR_SCOPE_LINK_LOCAL,
							  UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER);
	set_record(port, IB_SA_ATTR_MCRECORD, mask, data);
}

/* A ServiceRecord: id 8 bytes, GID 16, P_Key 2, 2 reserved, lease 4, key 16, name 64, data 64. */
static void register_service(struct ibmad_port *port, const uint8_t *port_gid, uint8_t number)
{
	uint8_t record[IB_SA_DATA_SIZE] = { 0 };

	record[0] = 0x10;
	record[7] = number;
	memcpy(record + 8, port_gid, 16);
	record[24] = record[25] = 0xff;
	memset(record + 28, 0xff, 4); /* a lease without a limit */
	snprintf((char *)record + 48, 64, "service number %u of the engine's test", number);
	for (int i = 0; i < 56; i++) /* umad2sim loses the last 8 bytes, and fills them up */
		record[112 + i] = (uint8_t)(number + i);
	set_record(port, IB_SA_ATTR_SERVICERECORD, 0xffffffff, record);
}

/* What a fabric without users has none of. */
static void prepare(struct ibmad_port *port)
{
	ib_portid_t self;
	ibmad_gid_t gid;

	check(ib_resolve_self_via(&self, NULL, &gid, port), "ib_resolve_self_via");
	for (uint8_t number = 1; number <= 5; number++) {
		join_group(port, gid, number);
		register_service(port, gid, number);
	}
	print_gid("gid", gid);
}

static struct mad_sa_table *query_paths(struct ibmad_port *port)
{
	ib_portid_t self;
	ibmad_gid_t gid;

	check(ib_resolve_self_via(&self, NULL, &gid, port), "ib_resolve_self_via");
	return mad_sa_query_paths(port, NULL, gid, NULL, TIMEOUT_MS);
}

static const struct {
	const char *name;
	unsigned attr_id;
	void (*print)(const struct mad_sa_table *table, unsigned index);
} tables[] = {
	{ "nodes", IB_SA_ATTR_NODERECORD, print_node },
	{ "port-infos", IB_SA_ATTR_PORTINFORECORD, print_port_info },
	{ "links", IB_SA_ATTR_LINKRECORD, print_link },
	{ "paths", IB_SA_ATTR_PATHRECORD, print_path },
	{ "sm-infos", IB_SA_ATTR_SMINFORECORD, print_sm_info },
	{ "mc-members", IB_SA_ATTR_MCRECORD, print_mc_member },
	{ "services", IB_SA_ATTR_SERVICERECORD, print_service },
};

static void print_table(struct ibmad_port *port, const char *name)
{
	size_t i = 0, count = sizeof(tables) / sizeof(tables[0]);
	struct mad_sa_table *table;

	while (i < count && strcmp(tables[i].name, name))
		i++;
	if (i == count) {
		fprintf(stderr, "sa-tables: no table named %s\n", name);
		exit(2);
	}
	table = tables[i].attr_id == IB_SA_ATTR_PATHRECORD
			? query_paths(port)
			: mad_sa_query_all(port, NULL, tables[i].attr_id, TIMEOUT_MS);
	check(table ? 0 : -1, name);
	if (mad_sa_table_truncated(table)) {
		fprintf(stderr, "sa-tables: the table was cut on its way\n");
		exit(1);
	}
	for (unsigned index = 0; index < mad_sa_table_count(table); index++)
		tables[i].print(table, index);
	mad_sa_table_free(table);
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 2);

	if (!port)
		fail("no port");
	if (argc != 2) {
		fprintf(stderr, "usage: sa-tables prepare|TABLE\n");
		return 2;
	}
	if (!strcmp(argv[1], "prepare"))
		prepare(port);
	else
		print_table(port, argv[1]);
	mad_rpc_close_port(port);
	return 0;
}
