/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * soak SECONDS: mixed load on a fabric that is not left in peace. Learns the fabric while it is
 * whole and says "ready"; then blocking threads and asynchronous sweeps go on in rounds, on one
 * port. Requests may fail, since links are down and the subnet manager is away at times; a response
 * that is not what the fabric is must not come. After each round, when nothing is under way, the
 * memory in use and the open descriptors are those of the rounds before. Writes a line a round;
 * exits 1 after a wrong response, growth, or a load that hardly got responses.
 */
#include "../../lib/async-request.h"
#include "../../lib/memory-in-use.h"

#include <dirent.h>
#include <errno.h>
#include <infiniband/mad_fabric.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCKING_THREADS 4
#define ROUND_SECONDS	 15
#define TIMEOUT_MS	 500
#define PAUSE_US	 500 /* after each request of a thread: the machine has other things to do */
#define MEMORY_SLACK	 16384 /* bytes in use that a round may end with beyond the second round */
#define WRONG_SHOWN	 20
#define NODES_MAX	 256

/* What requests are for; the first two are of a node. */
enum subject { INFO, DESCRIPTION, PATH, TABLE };

struct asked {
	struct node *node;
	enum subject subject;
};

/* What neither a link that goes down nor a new subnet manager changes. */
struct node {
	ib_portid_t by_route;
	unsigned lid;
	uint64_t port_guid;
	uint8_t info[IB_SMP_DATA_SIZE];
	uint8_t description[IB_SMP_DATA_SIZE];
	struct asked asked[DESCRIPTION + 1]; /* of asynchronous requests */
};

static struct node nodes[NODES_MAX];
static unsigned node_count;
static ib_portid_t sm;
static ibmad_gid_t own_gid;
static struct ibmad_port *shared_port;
static int64_t round_end;
static atomic_ulong responded, failed, wrong, cancelled;

static int64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static __attribute__((noreturn)) void give_up(const char *what)
{
	fprintf(stderr, "soak: %s: %s\n", what, strerror(errno));
	exit(1);
}

__attribute__((format(printf, 1, 2))) static void report_wrong(const char *format, ...)
{
	va_list arguments;

	if (atomic_fetch_add(&wrong, 1) >= WRONG_SHOWN)
		return;
	va_start(arguments, format);
	fprintf(stderr, "wrong response: ");
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

static bool query(const struct node *node, enum subject subject, uint8_t *response)
{
	ib_portid_t to = node->by_route;

	return smp_query_via(response, &to, subject == INFO ? IB_ATTR_NODE_INFO : IB_ATTR_NODE_DESC,
			     0, 0, shared_port);
}

static void learn_node(const struct mad_fabric_node *found)
{
	struct node *node = &nodes[node_count++];
	unsigned port;

	if (node_count == NODES_MAX)
		give_up("too many nodes");
	node->by_route.drpath = found->route;
	if (!query(node, INFO, node->info) || !query(node, DESCRIPTION, node->description))
		give_up(found->description);
	node->port_guid = mad_get_field64(node->info, 0, IB_NODE_PORT_GUID_F);
	port = found->type == IB_NODE_SWITCH ? 0
					     : mad_get_field(node->info, 0, IB_NODE_LOCAL_PORT_F);
	node->lid = mad_fabric_get_port(found, port)->lid;
	for (enum subject subject = INFO; subject <= DESCRIPTION; subject++)
		node->asked[subject] = (struct asked){ node, subject };
}

static void learn(void)
{
	struct mad_fabric *fabric = mad_fabric_discover(shared_port, NULL, 0);
	const struct mad_fabric_node *node = NULL;
	ib_portid_t own = { 0 };

	if (!fabric || ib_resolve_self_via(&own, NULL, &own_gid, shared_port) < 0 ||
	    ib_resolve_smlid_via(&sm, 0, shared_port) < 0)
		give_up("no fabric");
	while ((node = mad_fabric_next_node(fabric, node)))
		learn_node(node);
	mad_fabric_free(fabric);
}

/*
 * Responses
 */

static void check(const struct node *node, enum subject subject, const uint8_t *response)
{
	if (memcmp(response, subject == INFO ? node->info : node->description, IB_SMP_DATA_SIZE))
		report_wrong("SMP %d of port %016" PRIx64 " is another's", subject,
			     node->port_guid);
}

static void check_records(const struct mad_sa_table *table)
{
	struct mad_sa_node record;

	for (unsigned i = 0; i < mad_sa_table_count(table); i++) {
		unsigned k = 0;

		if (mad_sa_get_node(table, i, &record, sizeof(record)))
			record.port_guid = 0;
		while (k < node_count && nodes[k].port_guid != record.port_guid)
			k++;
		if (k == node_count || nodes[k].lid != record.lid)
			report_wrong("node record of lid %u, port GUID %016" PRIx64, record.lid,
				     record.port_guid);
	}
}

/*
 * Blocking calls
 */

static bool ask_table(void)
{
	ib_portid_t to = sm;
	struct mad_sa_table *table = mad_sa_query_all(shared_port, &to, IB_SA_ATTR_NODERECORD, 0);

	if (table)
		check_records(table);
	mad_sa_table_free(table);
	return table;
}

static bool ask_path(const struct node *node)
{
	ibmad_gid_t gid, own;
	uint8_t record[1024];
	ib_portid_t to = sm;

	memcpy(own, own_gid, sizeof(own));
	memcpy(gid, own_gid, 8);
	mad_set_field64(gid, 0, IB_GID_GUID_F, node->port_guid);
	if (ib_path_query_via(shared_port, own, gid, &to, record) < 0)
		return false;
	if (memcmp(record + 8, gid, sizeof(gid)) || memcmp(record + 24, own, sizeof(own)) ||
	    (unsigned)(record[40] << 8 | record[41]) != node->lid)
		report_wrong("path to %016" PRIx64 " goes to lid %u", node->port_guid,
			     (unsigned)(record[40] << 8 | record[41]));
	return true;
}

/* Sends one query about a node, chosen by the number. Returns whether there was a response. */
static bool ask(const struct node *node, unsigned number)
{
	enum subject subject = number % 128 == 127 ? TABLE : (enum subject)(number % TABLE);
	uint8_t response[IB_SMP_DATA_SIZE];

	if (subject == TABLE)
		return ask_table();
	if (subject == PATH)
		return ask_path(node);
	if (!query(node, subject, response))
		return false;
	check(node, subject, response);
	return true;
}

static void count_one(bool came)
{
	atomic_fetch_add(came ? &responded : &failed, 1);
}

static void *block(void *seed)
{
	unsigned state = *(unsigned *)seed;

	while (now_ms() < round_end) {
		const struct node *node = &nodes[(unsigned)rand_r(&state) % node_count];

		count_one(ask(node, (unsigned)rand_r(&state)));
		usleep(PAUSE_US);
	}
	return NULL;
}

/*
 * Asynchronous requests: a sweep over all nodes, again and again, some of it cancelled.
 */

static void take(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	const struct asked *asked = context;

	(void)async;
	if (result->error == ECANCELED) {
		atomic_fetch_add(&cancelled, 1);
		return;
	}
	count_one(!result->error);
	if (!result->error)
		check(asked->node, asked->subject, result->data);
}

static void submit_all(struct mad_async *async, unsigned *state)
{
	for (unsigned i = 0; i < node_count; i++) {
		struct node *node = &nodes[i];
		int64_t id =
			mad_async_smp(async, ASYNC_TO(&node->by_route, take, &node->asked[INFO]),
				      IB_ATTR_NODE_INFO, 0, NULL);

		if (rand_r(state) % 64 == 0)
			mad_async_cancel(async, id);
		mad_async_smp(async, ASYNC_TO(&node->by_route, take, &node->asked[DESCRIPTION]),
			      IB_ATTR_NODE_DESC, 0, NULL);
	}
}

static void *sweep(void *seed)
{
	struct mad_async *async = mad_async_create(shared_port, NULL, 0);
	unsigned state = *(unsigned *)seed;

	if (!async)
		give_up("no asynchronous requests");
	while (now_ms() < round_end) {
		submit_all(async, &state);
		while (mad_async_dispatch(async, 0, 100) > 0 && now_ms() < round_end)
			;
		while (mad_async_pending(async) && now_ms() < round_end)
			mad_async_dispatch(async, 0, 100);
		usleep(100 * PAUSE_US);
	}
	mad_async_free(async); /* what is still out is cancelled */
	return NULL;
}

/*
 * What must not grow
 */

static unsigned descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static void run_load(unsigned number)
{
	pthread_t threads[BLOCKING_THREADS + 1];
	unsigned seeds[BLOCKING_THREADS + 1];

	for (unsigned i = 0; i <= BLOCKING_THREADS; i++) {
		seeds[i] = 100 * number + i;
		if (pthread_create(&threads[i], NULL, i < BLOCKING_THREADS ? block : sweep,
				   &seeds[i]))
			give_up("no thread");
	}
	for (unsigned i = 0; i <= BLOCKING_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Returns 0 when nothing was wrong in all the rounds. */
static int run(int64_t end)
{
	size_t first_memory = 0, memory = 0;
	unsigned first_fds = 0, fds = 0, number = 1;
	int64_t begin = now_ms();

	for (; now_ms() < end || number < 3; number++) {
		round_end = now_ms() + ROUND_SECONDS * 1000;
		run_load(number);
		memory = memory_in_use();
		fds = descriptors();
		if (number == 2) {
			first_memory = memory;
			first_fds = fds;
		}
		printf("%6.0f s: %lu responded, %lu failed, %lu cancelled, %lu wrong, "
		       "%zu bytes in use, %zu kB resident, %u descriptors\n",
		       (double)(now_ms() - begin) / 1000, responded, failed, cancelled, wrong,
		       memory, memory_resident() / 1024, fds);
		fflush(stdout);
	}
	if (memory > first_memory + MEMORY_SLACK || fds > first_fds) {
		printf("grown from %zu to %zu bytes, from %u to %u descriptors\n", first_memory,
		       memory, first_fds, fds);
		return 1;
	}
	return wrong || responded < 10 * failed;
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS }, status;

	if (argc != 2) {
		fprintf(stderr, "usage: soak SECONDS\n");
		return 2;
	}
	shared_port = mad_rpc_open_port(NULL, 0, classes, 3);
	if (!shared_port)
		give_up("no port");
	mad_rpc_set_timeout(shared_port, TIMEOUT_MS);
	mad_rpc_set_retries(shared_port, 2);
	learn();
	printf("ready: %u nodes, subnet manager at lid %d\n", node_count, sm.lid);
	fflush(stdout);
	status = run(now_ms() + 1000 * strtoll(argv[1], NULL, 10));
	mad_rpc_close_port(shared_port);
	return status;
}
