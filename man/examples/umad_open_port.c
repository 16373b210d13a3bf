/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* open-port [DEVICE [PORT]]: whether the port can be opened, and if not, why. */
#include <errno.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *device = argc > 1 ? argv[1] : NULL;
	int portnum = argc > 2 ? atoi(argv[2]) : UMAD_ANY_PORT;
	int portid = umad_open_port(device, portnum);

	if (portid == -EIO) { /* the port exists, but its device node */
		fprintf(stderr, "can't open the umad device: %s\n", strerror(errno));
		return 1;
	}
	if (portid < 0) {
		fprintf(stderr, "no such port: %s\n", strerror(-portid));
		return 1;
	}
	printf("opened, portid and descriptor are %s\n",
	       umad_get_fd(portid) == portid ? "the same" : "different");
	umad_close_port(portid);
	return 0;
}
