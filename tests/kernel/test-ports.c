/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Ports of soft RoCE devices: requests and messages, which a port that sends them to
 * its local GID gets back through QP 1 and the kernel's choice of an agent; and a device that is
 * removed (rdma link delete) while everything waits for it, which ends with a clear errno, and
 * leaves nothing behind.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/mad_address.h>
#include <infiniband/mad_message.h>
#include <infiniband/umad.h>

#include "../lib/memory-in-use.h"
#include "tap.h"

#define DEVICE "rxe1"
#define SYSFS  "/sys/class/infiniband/" DEVICE

/* A leak checker is for the tests. The commands wait until sysfs agrees. */
#define DELETE                                                               \
	"unset LD_PRELOAD; rdma link delete " DEVICE " && while [ -e " SYSFS \
	" ]; do usleep 5000; done"
#define ADD                                                             \
	"unset LD_PRELOAD; rdma link add " DEVICE " type rxe netdev v1" \
	" && until grep -q ACTIVE " SYSFS "/ports/1/state; do usleep 5000; done"

enum {
	CLASS = 0x32, /* vendor range 2, with RMPP */
	OUI = 0x001405,
	DATA_OFFSET = 40,
	DATA_SIZE = 216,
	SHORT_MS = 1000,
	LONG_MS = 60000, /* of requests that only the removal can end */
	THREADS = 8,
	ROUNDS = 20,
	LARGEST = 100001, /* message */
};

/* How many descriptors this process has open. */
static unsigned count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	while (dir && readdir(dir))
		count++;
	closedir(dir);
	return count - 3; /* ".", ".." and the directory itself */
}

/* The kernel refuses an agent of QP 0 on a port that has none; and no such port is an SMI's. */
TEST(has_no_port_of_subnet_management)
{
	int classes[] = { IB_SMI_CLASS, IB_PERFORMANCE_CLASS };
	unsigned fds = count_fds();

	errno = 0;
	check(!mad_rpc_open_port((char *)"rxe0", 1, classes, 2));
	check_equal(errno, EPROTONOSUPPORT);
	for (unsigned enforce_smi = 0; enforce_smi < 2; enforce_smi++) {
		errno = 0;
		check(!mad_rpc_open_port2((char *)"rxe0", 1, classes, 2, enforce_smi));
		check_equal(errno, enforce_smi ? ENODEV : EPROTONOSUPPORT);
	}
	check_equal(count_fds(), fds);
}

/*
 * Requests to the port itself
 */

static struct ibmad_port *open_port(bool client)
{
	int classes[] = { CLASS };
	struct ibmad_port *port = mad_rpc_open_port((char *)DEVICE, 1, classes, client);

	check(port != NULL);
	return port;
}

/* QP 1 behind the local GID; RoCE does not look at the LID. */
static ib_portid_t self(void)
{
	ib_portid_t self = { .lid = 1, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY, .grh_present = 1 };
	umad_port_t port;

	if (check_equal(umad_get_port(DEVICE, 1, &port), 0)) {
		memcpy(self.gid, &port.gid_prefix, 8);
		memcpy(self.gid + 8, &port.port_guid, 8);
		umad_release_port(&port);
	}
	return self;
}

/* Requests are counted, and the first one gets its data back. The removal ends its wait. */
struct server {
	struct ibmad_port *port;
	ib_portid_t self;
	pthread_t thread;
	atomic_uint requests;
	int error;
};

static void *serve(void *argument)
{
	struct server *server = argument;
	void *umad;

	while ((umad = mad_receive_via(NULL, -1, server->port))) {
		if (atomic_fetch_add(&server->requests, 1) == 0)
			check_equal(mad_respond_via(umad, &server->self, 0, server->port), 0);
		mad_free(umad);
	}
	server->error = errno;
	return NULL;
}

static bool begin_server(struct server *server)
{
	server->port = open_port(false);
	server->self = self();
	return server->port &&
	       check(mad_register_server_via(CLASS, 0, NULL, OUI, server->port) >= 0) &&
	       check_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

static bool is_clear(int error)
{
	return error == ENODEV || error == EIO;
}

static void end_server(struct server *server)
{
	pthread_join(server->thread, NULL);
	check(is_clear(server->error));
	mad_rpc_close_port(server->port);
}

static ib_rpc_t rpc_of(int timeout_ms)
{
	return (ib_rpc_t){ .mgtclass = CLASS,
			   .method = IB_MAD_METHOD_GET,
			   .attr.id = 0x10,
			   .timeout = timeout_ms,
			   .dataoffs = DATA_OFFSET,
			   .datasz = DATA_SIZE,
			   .oui = OUI };
}

/* A Get of a server's, of which the data must come back: 0, or an errno. */
static int call(struct ibmad_port *port, const ib_portid_t *to, int timeout_ms)
{
	static _Thread_local unsigned seed;
	uint8_t sent[DATA_SIZE], got[DATA_SIZE] = { 0 };
	ib_rpc_t rpc = rpc_of(timeout_ms);
	ib_portid_t portid = *to;

	seed++;
	for (unsigned i = 0; i < DATA_SIZE; i++)
		sent[i] = (uint8_t)(i * 11 + seed);
	errno = 0;
	if (!mad_rpc(port, &rpc, &portid, sent, got))
		return errno ? errno : EPROTO;
	return memcmp(sent, got, sizeof(got)) ? EBADMSG : 0;
}

/* Sends so many bytes in two parts and receives them in three. */
static void pass_message(struct ibmad_port *client, struct ibmad_port *server, uint8_t *sent,
			 uint8_t *received, size_t length)
{
	ib_rpc_t rpc = { .mgtclass = CLASS,
			 .method = IB_MAD_METHOD_SEND,
			 .attr = { .id = 0x55, .mod = (unsigned)length },
			 .oui = OUI };
	struct iovec out[] = { { sent, length / 3 }, { sent + length / 3, length - length / 3 } };
	struct iovec in[] = { { received, length / 2 },
			      { NULL, 0 },
			      { received + length / 2, length - length / 2 } };
	struct mad_message message;
	ib_portid_t to = self();

	memset(received, 0, LARGEST);
	require(!mad_message_send(client, &to, &rpc, out, 2));
	require(!mad_message_receive(server, &message, in, 3, LONG_MS));
	check_equal(message.data_size, length);
	check_equal(message.attr_mod, length);
	check_equal(message.error, 0);
	check(!memcmp(received, sent, length));
}

/* Through the kernel's RMPP. */
TEST(messages_of_all_lengths)
{
	static const size_t lengths[] = { 1,   64,  65,	  215,	216,   217,
					  256, 257, 4096, 4097, 65536, LARGEST };
	struct ibmad_port *client = open_port(true), *server = open_port(false);
	static uint8_t sent[LARGEST], received[LARGEST];

	for (int i = 0; i < LARGEST; i++)
		sent[i] = (uint8_t)(i * 7 + i / 256);
	require(client && server);
	require(mad_register_client_via(CLASS, 1, client) >= 0);
	require(mad_register_server_via(CLASS, 1, NULL, OUI, server) >= 0);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		pass_message(client, server, sent, received, lengths[i]);
	mad_rpc_close_port(server);
	mad_rpc_close_port(client);
}

/*
 * Removal
 */

/* A thread in a blocking call or a receive that only the removal ends. */
struct waiter {
	pthread_t thread;
	struct ibmad_port *port;
	ib_portid_t to;
	int fd, error;
};

static void *wait_for_response(void *argument)
{
	struct waiter *waiter = argument;

	waiter->error = call(waiter->port, &waiter->to, LONG_MS);
	return NULL;
}

static void *wait_for_packet(void *argument)
{
	struct waiter *waiter = argument;
	int length = IB_MAD_SIZE;
	void *umad = mad_alloc();

	errno = 0;
	waiter->error = umad_recv(waiter->fd, umad, &length, -1) < 0 ? errno : 0;
	mad_free(umad);
	return NULL;
}

/* A request that is responded to; then everything waits at once, and the device goes. */
static void use_and_remove(void)
{
	struct server server = { 0 };
	struct waiter callers[THREADS], receiver = { .fd = umad_open_port(DEVICE, 1) };
	struct ibmad_port *port = open_port(true);
	ib_portid_t to = self();

	require(port && receiver.fd >= 0);
	require(begin_server(&server));
	check_equal(call(port, &to, SHORT_MS), 0);
	check(umad_register(receiver.fd, CLASS, 1, 0, NULL) >= 0);
	check_equal(pthread_create(&receiver.thread, NULL, wait_for_packet, &receiver), 0);
	for (int i = 0; i < THREADS; i++) {
		callers[i] = (struct waiter){ .port = port, .to = to };
		check_equal(
			pthread_create(&callers[i].thread, NULL, wait_for_response, &callers[i]),
			0);
	}
	while (atomic_load(&server.requests) < THREADS + 1)
		usleep(1000);
	require(system(DELETE) == 0);
	end_server(&server);
	pthread_join(receiver.thread, NULL);
	check(is_clear(receiver.error));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(callers[i].thread, NULL);
		check(is_clear(callers[i].error));
	}
	check(is_clear(call(port, &to, SHORT_MS)));
	mad_rpc_close_port(port);
	check_equal(umad_close_port(receiver.fd), 0);
	check(system(ADD) == 0);
}

TEST(a_removal_ends_everything_and_leaves_nothing_behind)
{
	size_t before = 0, after;
	unsigned fds = 0;

	for (int i = 0; i <= ROUNDS; i++) {
		use_and_remove();
		if (!i) {
			fds = count_fds();
			before = memory_in_use();
		}
	}
	after = memory_in_use();
	check_equal(count_fds(), fds);
	tap_note("%zu bytes in use after the first round, %zu after %d more", before, after,
		 ROUNDS);
	check(after < before + 8192); /* less than a port a round */
}
