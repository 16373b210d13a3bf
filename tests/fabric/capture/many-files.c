/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * many-files FILE: on the simulated fabric, captures requests into FILE by a descriptor that has
 * the number of the port's: a simulator's descriptors are no real ones, so a program with many
 * files gets the same numbers for them. Checks that neither is taken for the other. Exits 77 if it
 * may not have so many files.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <infiniband/umad_capture.h>

enum { MANAGEMENT_CLASSES = 1, REQUESTS = 3 };

/* Opens files until the next one will have the number next. Returns the last, or -1. */
static int open_many(int next)
{
	struct rlimit limit = { (rlim_t)next + 100, (rlim_t)next + 100 };
	int fd = -1;

	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return -1;
	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd != next - 1);
	return fd;
}

/* Asks this port for its NodeInfo. */
static int query(const struct ibmad_port *port)
{
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 };

	return smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port) ? 0 : -1;
}

static int capture_requests(const char *path, const struct ibmad_port *port, int last_file)
{
	int i;

	if (umad_capture_start(path, 0) < 0)
		return perror(path), 1;
	if (fcntl(last_file + 1, F_GETFD) < 0)
		return perror("the capture has another descriptor"), 1;
	close(last_file); /* for files of sysfs, which the simulator could not open elsewhere */
	for (i = 0; i < REQUESTS; i++)
		if (query(port) < 0)
			return perror("NodeInfo"), 1;
	if (umad_capture_stop() < 0)
		return perror("umad_capture_stop"), 1;
	if (fcntl(last_file + 1, F_GETFD) >= 0)
		return fprintf(stderr, "the descriptor of the capture is left\n"), 1;
	if (query(port) < 0)
		return perror("NodeInfo after the capture"), 1;
	return 0;
}

int main(int argc, char **argv)
{
	int classes[MANAGEMENT_CLASSES] = { IB_SMI_DIRECT_CLASS }, last, status;
	struct ibmad_port *port;

	if (argc != 2)
		return fprintf(stderr, "usage: many-files FILE\n"), 2;
	port = mad_rpc_open_port(NULL, 0, classes, MANAGEMENT_CLASSES);
	if (!port)
		return perror("mad_rpc_open_port"), 1;
	printf("the port is %d\n", mad_rpc_portid(port));
	last = open_many(mad_rpc_portid(port));
	if (last < 0)
		return perror("so many files"), 77;
	status = capture_requests(argv[1], port, last);
	mad_rpc_close_port(port);
	return status;
}
