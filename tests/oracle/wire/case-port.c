/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: opening and closing ports, pairs of ports, the default port, wrong use. */
#include "wire.h"

#include <dlfcn.h>

static void open_port(const char *title, char *name, int number, int *classes, int count)
{
	struct ibmad_port *port = mad_rpc_open_port(name, number, classes, count);

	show_success(title, port != NULL);
	if (!port)
		return;
	for (int i = 0; i < count && classes; i++)
		printf("  class %#x agent %d\n", (unsigned)classes[i],
		       mad_rpc_class_agent(port, classes[i]));
	printf("  portid %s\n", mad_rpc_portid(port) >= 0 ? "set" : "negative");
	mad_rpc_close_port(port);
}

TEST(port_class_lists)
{
	int sa[] = { 3 }, twice[] = { 4, 4 };
	int all[] = { 1, 0x81, 3, 4, 5, 6, 9, 0x0f, 0x21, 0x30, 0x4f };

	open_port("SA", NULL, 0, sa, 1);
	open_port("all", NULL, 0, all, 11);
	open_port("NULL list", NULL, 0, NULL, 0);
	open_port("empty list", NULL, 0, sa, 0);
	open_port("class twice", NULL, 0, twice, 2);
}

TEST(port_unknown_classes)
{
	int classes[] = { 0, 2, 7, 8, 0x10, 0x20, 0x22, 0x2f, 0x50, 0x80, 0xff, 0x101, -1 };
	int third[] = { 4, 7, 3 };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		open_port("unknown class", NULL, 0, &classes[i], 1);
	open_port("unknown class in a list", NULL, 0, third, 3);
}

TEST(port_names)
{
	char ca[] = "mlx5_0";
	int sa[] = { 3 };

	open_port("mlx5_0 0", ca, 0, sa, 1);
	open_port("mlx5_0 1", ca, 1, sa, 1);
	open_port("NULL 1", NULL, 1, sa, 1);
}

TEST(port_wrong_names)
{
	char ca[] = "mlx5_0", other[] = "nosuch0", empty[] = "";
	int sa[] = { 3 };

	open_port("mlx5_0 2", ca, 2, sa, 1);
	open_port("mlx5_0 -1", ca, -1, sa, 1);
	open_port("NULL 2", NULL, 2, sa, 1);
	open_port("nosuch0", other, 1, sa, 1);
	open_port("nothing", empty, 1, sa, 1);
}

TEST(port_refused)
{
	int classes[] = { 3, 4 };

	fakekernel_refuse(EACCES, EACCES);
	open_port("refused", NULL, 0, classes, 2);
}

TEST(port_too_many_classes)
{
	int classes[300];

	for (int i = 0; i < 300; i++)
		classes[i] = 3;
	open_port("256 classes", NULL, 0, classes, 256);
	open_port("257 classes", NULL, 0, classes, 257);
}

TEST(port_init_unknown_class)
{
	int classes[] = { 7 };

	madrpc_init(NULL, 0, classes, 1);
	printf("back\n");
}

TEST(port_init_no_device)
{
	char name[] = "nosuch0";
	int classes[] = { 3 };

	madrpc_init(name, 1, classes, 1);
	printf("back\n");
}

TEST(port_init_twice)
{
	int classes[] = { 3 }, others[] = { 4 };

	madrpc_init(NULL, 0, classes, 1);
	printf("portid %d\n", madrpc_portid() >= 0);
	madrpc_init(NULL, 0, others, 1);
	printf("agents %d %d\n", mad_class_agent(3), mad_class_agent(4));
}

TEST(port_before_init)
{
	show_int("madrpc_portid", madrpc_portid());
	show_int("madrpc_set_timeout", madrpc_set_timeout(5));
	show_int("madrpc_set_retries", madrpc_set_retries(5));
	madrpc_show_errors(0);
	madrpc_save_mad(NULL, 0);
}

TEST_CALL(port_class_agent_before_init, show_int("mad_class_agent", mad_class_agent(4)))

TEST(port_madrpc_before_init)
{
	ib_rpc_t rpc = { .mgtclass = 4, .method = 1 };
	ib_portid_t portid = wire_lid(4);
	uint8_t data[256];

	show_success("madrpc", madrpc(&rpc, &portid, NULL, data) != NULL);
}

TEST(port_query_before_init)
{
	ib_portid_t portid = wire_lid(4);
	uint8_t data[256];

	show_success("smp_query", smp_query(data, &portid, 0x11, 0, 0) != NULL);
}

TEST(port_mad_rpc_null_port)
{
	ib_rpc_t rpc = { .mgtclass = 4, .method = 1 };
	ib_portid_t portid = wire_lid(4);
	uint8_t data[256];

	show_success("mad_rpc", mad_rpc(NULL, &rpc, &portid, NULL, data) != NULL);
}

TEST(port_register_before_init)
{
	show_int("mad_register_client", mad_register_client(4, 0));
}

TEST(port_close_null)
{
	mad_rpc_close_port(NULL);
	printf("back\n");
}

TEST(port_class_agents)
{
	struct ibmad_port *port = wire_port();
	static const int classes[] = { 0, 1, 2, 3, 4, 6, 0x81, 0x32, 255 };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		printf("class %#x agent %d\n", (unsigned)classes[i],
		       mad_rpc_class_agent(port, classes[i]));
	printf("class -1 agent %d\n", mad_rpc_class_agent(port, -1));
	printf("class 256 agent %d\n", mad_rpc_class_agent(port, 256));
}

TEST(port_two_ports)
{
	int one[] = { 4 }, two[] = { 4, 5 };
	struct ibmad_port *a = mad_rpc_open_port(NULL, 0, one, 1);
	struct ibmad_port *b = mad_rpc_open_port(NULL, 0, two, 2);

	printf("agents %d %d %d\n", mad_rpc_class_agent(a, 4), mad_rpc_class_agent(b, 4),
	       mad_rpc_class_agent(b, 5));
	mad_rpc_set_timeout(a, 5);
	printf("timeouts %d %d\n", mad_get_timeout(a, 0), mad_get_timeout(b, 0));
	mad_rpc_close_port(a);
	mad_rpc_close_port(b);
}
