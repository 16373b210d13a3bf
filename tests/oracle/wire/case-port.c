/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: opening ports, and registering clients and servers. */
#include "wire.h"

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

TEST(server_registered)
{
	static const int classes[] = { 0x81, 0x01, 0x03, 0x04, 0x05, 0x06,
				       0x09, 0x0f, 0x21, 0x30, 0x32, 0x4f };
	long mask[16 / sizeof(long)] = { 0x26, 1 };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		struct ibmad_port *client = mad_rpc_open_port(NULL, 0, NULL, 0);
		struct ibmad_port *server = mad_rpc_open_port(NULL, 0, NULL, 0);

		printf("class %#x\n", (unsigned)classes[i]);
		printf("client %d\n", mad_register_client_via(classes[i], 1, client) >= 0);
		show_int("agent", mad_rpc_class_agent(client, classes[i]));
		show_int("server", mad_register_server_via(classes[i], 1, i % 2 ? mask : NULL,
							   0x00abcdef, server));
		mad_rpc_close_port(client);
		mad_rpc_close_port(server);
	}
}
