// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/*
 * fabric TOPOLOGY CONTROL HOST...: a fabric in user space behind /dev/vhca. The nodes of the
 * module, in their order, take the places of these hosts of the topology file; their cabled
 * ports have to be at the tap. CONTROL is a FIFO for commands, one a line, those of faults.h and:
 *
 *	unplug NAME PORT		pull the cable of a node's port
 *	errors NAME PORT N		the symbol errors that a port counts
 *
 * Prints "ready" when it has read the topology and opened both.
 */
#include "faults.h"
#include "topology.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DEVICES = 16 };

static struct topology topology;
static int wire;
static int number_of_devices;

/* The other ends of the cables of each device. */
static struct fabric_place ends[MOST_DEVICES][FNODE_MAX_PORTS + 1];

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* A frame has come to a port whose cable leads to a device. */
static void leave(struct fabric_place place, struct vhca_frame *frame)
{
	for (int dev = 0; dev < number_of_devices; dev++)
		for (int port = 1; port <= FNODE_MAX_PORTS; port++)
			if (ends[dev][port].node == place.node &&
			    ends[dev][port].port == place.port) {
				frame->dev = (uint16_t)dev;
				frame->port = (uint8_t)port;
				faults_pass(frame, true, now_ns());
				return;
			}
}

/* Sends the traps of switches at which something has changed. */
static void settle(void)
{
	struct fabric_place place;
	struct vhca_frame frame;
	struct fnode *node;

	while ((node = fabric_next_changed(&topology.fabric)))
		for (place.node = node; fabric_next_trap(&place, &frame); place.node = node)
			if (fabric_send(&place, &frame) == FABRIC_OUTSIDE)
				leave(place, &frame);
}

static void arrive(struct vhca_frame *frame)
{
	struct fabric_place place;

	if (frame->dev >= number_of_devices || frame->port > FNODE_MAX_PORTS)
		return;
	place = ends[frame->dev][frame->port];
	if (place.node && fabric_arrive(&place, frame) == FABRIC_OUTSIDE)
		leave(place, frame);
	settle();
}

static void pass_all(void)
{
	struct passing *entry;

	while ((entry = faults_next(now_ns()))) {
		if (!entry->to_device)
			arrive(&entry->frame);
		else if (write(wire, &entry->frame, sizeof(entry->frame)) < 0 && errno != ENOLINK &&
			 errno != ENODEV) /* as when a cable is pulled, or a device removed */
			perror("fabric: /dev/vhca");
		free(entry);
	}
}

static bool change(const char *line)
{
	char verb[16], name[64];
	struct fnode *node;
	struct fport *p;
	unsigned errors;
	int port, count = sscanf(line, "%15s %63s %d %u", verb, name, &port, &errors);

	node = count >= 3 ? topology_find(&topology, name) : NULL;
	if (!node || port < 1 || port > node->number_of_ports || node->ports[port].outside)
		return false;
	p = &node->ports[port];
	if (!strcmp(verb, "unplug") && count == 3)
		fabric_unplug(node, port);
	else if (!strcmp(verb, "errors") && count == 4)
		p->symbol_errors = errors;
	else
		return false;
	settle();
	return true;
}

static void read_commands(int control)
{
	static char text[4096];
	static size_t length;
	ssize_t more = read(control, text + length, sizeof(text) - 1 - length);
	char *line = text, *end;

	if (more > 0)
		length += (size_t)more;
	text[length] = '\0';
	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (!faults_command(line) && !change(line))
			fprintf(stderr, "fabric: not a command: %s\n", line);
	}
	length = line == text && length == sizeof(text) - 1 ? 0 : strlen(line);
	memmove(text, line, length);
}

/* The host in the file is replaced by a device: what it was cabled to is cabled to that. */
static bool replace_host(const char *name, int dev)
{
	struct fnode *host = topology_find(&topology, name);

	if (!host || host->type != FNODE_CA || host->number_of_ports > FNODE_MAX_PORTS) {
		fprintf(stderr, "fabric: there is no host %s that a device could replace\n", name);
		return false;
	}
	for (int port = 1; port <= host->number_of_ports; port++) {
		struct fport *p = &host->ports[port];

		if (!p->peer)
			continue;
		ends[dev][port] = (struct fabric_place){ p->peer, p->peer_port };
		fabric_plug(p->peer, p->peer_port, NULL, 0);
	}
	return true;
}

static int open_or_exit(const char *path)
{
	int file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (file < 0) {
		fprintf(stderr, "fabric: %s: %s\n", path, strerror(errno));
		exit(1);
	}
	return file;
}

int main(int argc, char **argv)
{
	struct vhca_frame frame;
	struct pollfd files[2];

	if (argc < 4 || argc - 3 > MOST_DEVICES) {
		fprintf(stderr, "usage: fabric TOPOLOGY CONTROL HOST...\n");
		return 2;
	}
	if (!topology_read(&topology, argv[1]))
		return 1;
	for (int i = 3; i < argc; i++)
		if (!replace_host(argv[i], number_of_devices++))
			return 1;
	settle();
	wire = open_or_exit("/dev/vhca");
	files[0] = (struct pollfd){ .fd = wire, .events = POLLIN };
	files[1] = (struct pollfd){ .fd = open_or_exit(argv[2]), .events = POLLIN };
	printf("ready\n");
	fflush(stdout);
	while (poll(files, 2, faults_wait_ms(now_ns())) >= 0 || errno == EINTR) {
		while (read(wire, &frame, sizeof(frame)) == sizeof(frame)) {
			faults_pass(&frame, false, now_ns());
			pass_all();
		}
		if (files[1].revents)
			read_commands(files[1].fd);
		pass_all();
	}
	perror("fabric: poll");
	return 1;
}
