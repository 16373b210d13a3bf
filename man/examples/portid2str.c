/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Routes and addresses as strings. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	ib_portid_t address = { 0 };
	char text[64], route[] = "0,1,6", wrong[] = "0,1,x";

	printf("%d hops\n", str2drpath(&address.drpath, route, 0, 0));
	puts(drpath2str(&address.drpath, text, sizeof(text)));
	printf("leaves the last switch but one through port %d\n", portid2portnum(&address));
	if (str2drpath(&address.drpath, wrong, 0, 0) < 0)
		perror(wrong);

	address.drpath.cnt = 0;
	ib_portid_set(&address, 5, 1, (int)IB_DEFAULT_QP1_QKEY);
	puts(portid2str(&address));
	return 0;
}
