/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * sender COUNT: a program that knows nothing of captures. It sends and receives COUNT MADs, over a
 * socket pair in place of a umad device. Exits 0 if all of them arrived. Linked statically to the
 * libraries, so that it can be made setuid, too.
 */
#include <stdio.h>
#include <stdlib.h>

#include "wire.h"

int main(int argc, char **argv)
{
	struct wire_packet packet;
	struct wire wire;
	int i;

	if (argc != 2)
		return fprintf(stderr, "usage: sender COUNT\n"), 2;
	if (umad_init() < 0 || wire_open(&wire) < 0)
		return perror("sender"), 1;
	for (i = 0; i < atoi(argv[1]); i++)
		if (wire_send(&wire, (uint32_t)i) < 0 || wire_receive(&wire, &packet) < 0)
			return perror("sender"), 1;
	wire_close(&wire);
	return 0;
}
