/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_message_send LID: a message of two parts, and whatever comes within a tenth of a second. */
#include <infiniband/mad_message.h>
#include <stdio.h>
#include <stdlib.h>

#define VENDOR_CLASS 0x32
#define OUI	     0x001405

int main(int argc, char **argv)
{
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);
	ib_portid_t to = { .lid = argc > 1 ? atoi(argv[1]) : 1, .qp = 1 };
	ib_rpc_t rpc = { .mgtclass = VENDOR_CLASS, .method = IB_MAD_METHOD_SEND, .oui = OUI };
	static uint8_t table[1000], buffer[4096];
	char head[16] = "two parts";
	struct iovec parts[] = { { head, sizeof(head) }, { table, sizeof(table) } };
	struct iovec space = { buffer, sizeof(buffer) };
	struct mad_message message;

	if (!port || mad_register_server_via(VENDOR_CLASS, 1, NULL, OUI, port) < 0)
		return 1;
	if (mad_message_send(port, &to, &rpc, parts, 2) < 0)
		perror("send");
	else
		puts("sent");
	if (mad_message_receive(port, &message, &space, 1, 100) == 0)
		printf("%zu bytes from LID %d\n", message.data_size, message.from.lid);
	else
		perror("receive");
	mad_rpc_close_port(port);
	return 0;
}
