/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Preloaded in front of libumad2sim.so, adds to a program's host, and to its fabric, what the
 * simulator does not have:
 * - the sysfs file link_layer of a port, and the directory of SCSI hosts, in which there are none;
 *   srp_daemon reads both itself;
 * - RDMA netlink, without messages, whatever the machine's kernel has; ibacm can't do without;
 * - with SIM_DEVICE_LID in the environment, the device of in-band-device.h at that LID; the subnet
 *   manager sees in PortInfo of that port that device management is supported;
 * - with SIM_REQUEST_LOG, a line in that file for each request that the program sends, without its
 *   transaction ID, so that two runs can be compared by their requests.
 * The device is simulated in the program that sends it requests. Several threads may use this.
 */
#include "in-band-device.h"

#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../lib/preload.h"

#define DEVICES	   "/sys/class/infiniband/"
#define LINK_LAYER "/link_layer"
#define LAYER	   "InfiniBand\n"
#define SCSI_HOSTS "/sys/class/scsi_host"

/* What the simulator delivers of a MAD. */
#define MAD_DELIVERED 224

enum { GET_RESPONSE = 0x81, CLASS_SMP = 0x01, CLASS_SMP_ROUTED = 0x81 };

/* PortInfo, in the MAD's data: where the LID is, and the CapabilityMask. */
enum { PORT_INFO = 0x15, PORT_INFO_LID = 40 + 16, PORT_INFO_MASK = 40 + 20 };
#define IS_DEVICE_MGMT (1U << 19)

/* A write to a umad device, and a read from it. */
struct packet {
	struct ib_user_mad_hdr header;
	struct mad mad;
};

/* A response of the device that waits to be read. */
struct response {
	struct response *next;
	int fd;
	struct packet packet;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct response *responses; /* oldest first */
static FILE *log_file;
static unsigned device_lid; /* 0: none */
static atomic_int rdma_netlink = -1;

static pthread_once_t begun = PTHREAD_ONCE_INIT;

static void begin(void)
{
	const char *lid = getenv("SIM_DEVICE_LID"), *path = getenv("SIM_REQUEST_LOG");

	if (lid)
		device_lid = (unsigned)strtoul(lid, NULL, 0);
	if (path && !(log_file = fopen(path, "ae"))) {
		perror(path);
		abort();
	}
}

static bool is_link_layer(const char *path)
{
	size_t length = strlen(path), tail = strlen(LINK_LAYER);

	return length > tail && !strncmp(path, DEVICES, strlen(DEVICES)) &&
	       !strcmp(path + length - tail, LINK_LAYER);
}

static int open_text(const char *text)
{
	int fd = memfd_create("sysfs", MFD_CLOEXEC);

	if (fd < 0 || NEXT(write)(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) < 0) {
		perror("sim-host");
		abort();
	}
	return fd;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	int mode = 0;

	pthread_once(&begun, begin);
	if (is_link_layer(path))
		return open_text(LAYER);
	if (flags & O_CREAT) {
		va_start(arguments, flags);
		mode = va_arg(arguments, int);
		va_end(arguments);
	}
	return NEXT(open)(path, flags, mode);
}

/* A directory that is gone while it is open has no entries. */
static DIR *open_empty(void)
{
	char path[] = "/tmp/sim-host.XXXXXX";
	DIR *directory = NULL;

	if (mkdtemp(path)) {
		directory = NEXT(opendir)(path);
		rmdir(path);
	}
	return directory;
}

DIR *opendir(const char *path)
{
	pthread_once(&begun, begin);
	if (!strncmp(path, SCSI_HOSTS, strlen(SCSI_HOSTS)))
		return open_empty();
	return NEXT(opendir)(path);
}

/* The same on every machine, whether its kernel has RDMA netlink or not. */
int socket(int domain, int type, int protocol)
{
	int fd;

	pthread_once(&begun, begin);
	if (domain != AF_NETLINK || protocol != NETLINK_RDMA)
		return NEXT(socket)(domain, type, protocol);
	fd = NEXT(socket)(domain, type, NETLINK_USERSOCK);
	atomic_store(&rdma_netlink, fd);
	return fd;
}

/* That socket is in no multicast group: joining needs permission, and no program sends to one. */
int bind(int fd, const struct sockaddr *address, socklen_t length)
{
	struct sockaddr_nl netlink;

	pthread_once(&begun, begin);
	if (fd < 0 || fd != atomic_load(&rdma_netlink) || length != sizeof(netlink))
		return NEXT(bind)(fd, address, length);
	memcpy(&netlink, address, sizeof(netlink));
	netlink.nl_groups = 0;
	return NEXT(bind)(fd, (struct sockaddr *)&netlink, length);
}

/* With the lock held: one line, what the receiver would see of the request. */
static void log_request(const struct packet *packet, size_t size)
{
	const struct mad *mad = &packet->mad;
	size_t length = size - sizeof(packet->header);

	if (!log_file || (mad->method & 0x80))
		return;
	fprintf(log_file, "lid %u class %#x version %u method %#x attribute %#x modifier %#x data ",
		be16toh(packet->header.lid), mad->mgmt_class, mad->class_version, mad->method,
		be16toh(mad->attr_id), be32toh(mad->attr_mod));
	for (size_t i = sizeof(*mad) - sizeof(mad->data); i < length && i < MAD_DELIVERED; i++)
		fprintf(log_file, "%02x", ((const uint8_t *)mad)[i]);
	fprintf(log_file, "\n");
	fflush(log_file);
}

/* With the lock held: queues the device's response, if the request is for it and it responds. */
static bool ask_device(int fd, const struct packet *packet)
{
	struct response *response, **place = &responses;

	if (!device_lid || be16toh(packet->header.lid) != device_lid ||
	    (packet->mad.mgmt_class != DEVICE_MGMT_CLASS &&
	     packet->mad.mgmt_class != REGISTER_CLASS))
		return false;
	response = calloc(1, sizeof(*response));
	if (!response) {
		perror("sim-host");
		abort();
	}
	response->fd = fd;
	response->packet = *packet;
	response->packet.header.status = 0;
	response->packet.header.length = sizeof(response->packet);
	if (!device_respond(&response->packet.mad)) {
		free(response);
		return false;
	}
	while (*place)
		place = &(*place)->next;
	*place = response;
	return true;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	bool responded = false;

	pthread_once(&begun, begin);
	if (is_simulated(fd) && size >= sizeof(struct ib_user_mad_hdr)) {
		pthread_mutex_lock(&lock);
		log_request(buffer, size);
		if (size == sizeof(struct packet))
			responded = ask_device(fd, buffer);
		pthread_mutex_unlock(&lock);
	}
	return responded ? (ssize_t)size : NEXT(write)(fd, buffer, size);
}

/* With the lock held: the place in the list of the oldest response to be read from fd, or NULL. */
static struct response **find_response(int fd)
{
	struct response **place = &responses;

	while (*place && (*place)->fd != fd)
		place = &(*place)->next;
	return *place ? place : NULL;
}

static bool take_response(int fd, void *buffer)
{
	struct response **place, *response;

	pthread_mutex_lock(&lock);
	place = find_response(fd);
	if (place) {
		response = *place;
		*place = response->next;
		memcpy(buffer, &response->packet, sizeof(response->packet));
		free(response);
	}
	pthread_mutex_unlock(&lock);
	return place;
}

/* PortInfo of the device's port says that there is a device. */
static void announce_device(struct mad *mad)
{
	uint16_t lid;
	uint32_t mask;

	memcpy(&lid, mad->data + PORT_INFO_LID, sizeof(lid));
	if ((mad->mgmt_class != CLASS_SMP && mad->mgmt_class != CLASS_SMP_ROUTED) ||
	    mad->method != GET_RESPONSE || be16toh(mad->attr_id) != PORT_INFO ||
	    be16toh(lid) != device_lid)
		return;
	memcpy(&mask, mad->data + PORT_INFO_MASK, sizeof(mask));
	mask |= htobe32(IS_DEVICE_MGMT);
	memcpy(mad->data + PORT_INFO_MASK, &mask, sizeof(mask));
}

ssize_t read(int fd, void *buffer, size_t size)
{
	struct packet *packet = buffer;
	ssize_t length;

	pthread_once(&begun, begin);
	if (!is_simulated(fd) || !device_lid)
		return NEXT(read)(fd, buffer, size);
	if (size >= sizeof(*packet) && take_response(fd, buffer))
		return sizeof(*packet);
	length = NEXT(read)(fd, buffer, size);
	if (length >= (ssize_t)sizeof(*packet))
		announce_device(&packet->mad);
	return length;
}

/* The device responds immediately, so its responses arrive before the requester begins to wait. */
int poll(struct pollfd *polled, nfds_t count, int timeout)
{
	bool ready = false;

	pthread_once(&begun, begin);
	pthread_mutex_lock(&lock);
	if (count == 1 && is_simulated(polled->fd) && (polled->events & POLLIN))
		ready = find_response(polled->fd);
	pthread_mutex_unlock(&lock);
	if (!ready)
		return NEXT(poll)(polled, count, timeout);
	polled->revents = POLLIN;
	return 1;
}
