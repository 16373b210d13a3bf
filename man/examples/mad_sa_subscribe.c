/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_sa_subscribe: prints what the SA reports of links within a second. */
#include <errno.h>
#include <infiniband/mad_sa.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	uint8_t notice[MAD_SA_NOTICE_SIZE];
	char text[2048];

	if (!port || mad_sa_subscribe(port, NULL, 128, 0) < 0) {
		perror("subscribe");
		return 1;
	}
	while (!mad_sa_receive_notice(port, notice, 1000)) {
		mad_dump_attribute(text, sizeof(text), notice, sizeof(notice), IB_SA_CLASS,
				   IB_SA_ATTR_NOTICE);
		fputs(text, stdout);
	}
	printf("%s\n", errno == ETIMEDOUT ? "no notice" : "failed");
	mad_sa_unsubscribe(port, NULL, 128, 0);
	mad_rpc_close_port(port);
	return 0;
}
