/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Marks a port as one with a subnet manager. */
#include <fcntl.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char path[256];
	int ret = umad_get_issm_path(NULL, UMAD_ANY_PORT, path, sizeof(path)), fd;

	if (ret < 0) {
		fprintf(stderr, "no port: %s\n", strerror(-ret));
		return 1;
	}
	puts(path);
	fd = open(path, O_NONBLOCK | O_RDWR);
	if (fd < 0) {
		perror(path); /* EAGAIN: another program has it open */
		return 1;
	}
	puts("the port has IsSM now"); /* until the descriptor is closed */
	close(fd);
	return 0;
}
