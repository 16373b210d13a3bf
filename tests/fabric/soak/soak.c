/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * soak SECONDS [ports]: mixed load on a fabric that is not left in peace. Learns the fabric while
 * it is whole and says "ready"; then blocking threads and asynchronous sweeps go on in rounds, on
 * one port, or (ports) ports are opened, used and closed again. Requests may fail, since links are
 * down and the subnet manager is away at times; a response that is not what the fabric is must not
 * come. After each round, when nothing is under way, the memory in use and the open descriptors are
 * those of the rounds before. Writes a line a round; exits 1 after a wrong response, growth, or a
 * load that hardly got responses.
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

#define BLOCKING_THREADS  4
#define ROUND_SECONDS	  15
#define TIMEOUT_MS	  500
#define PATIENT_MS	  60000
#define PAUSE_US	  500 /* after each request of a thread: the machine has other things to do */
#define MEMORY_SLACK	  16384 /* bytes in use that a round may end with beyond the second round */
#define COUNTERS_APART	  1000	/* scripts/soak has so many more drops than errors at each port */
#define RESPONSES_A_STRAY 20000 /* at most one of so many responses may be wrong */
#define WRONG_SHOWN	  20
#define NODES_MAX	  256

/* What requests are for; of a node, but for the last two. */
enum subject { INFO, DESCRIPTION, COUNTERS, PATH, TABLE };

struct asked {
	struct node *node;
	enum subject subject;
};

/* What neither a link that goes down nor a new subnet manager changes. */
struct node {
	ib_portid_t by_lid, by_route;
	uint64_t port_guid;
	unsigned port; /* one that counts: 1 for a host's */
	bool is_switch;
	uint8_t info[IB_SMP_DATA_SIZE]; /* without the port on which the request arrived */
	uint8_t description[IB_SMP_DATA_SIZE];
	uint32_t errors;		  /* symbol errors of `port`, set in the simulator */
	struct asked asked[COUNTERS + 1]; /* of asynchronous requests */
};

static struct node nodes[NODES_MAX];
static unsigned node_count;
static ib_portid_t sm;
static ibmad_gid_t own_gid;
static struct ibmad_port *shared_port;
static int64_t round_end;
static atomic_ulong responded, failed, wrong, strayed, cancelled;

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

static int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
#define CLASSES (sizeof(classes) / sizeof(classes[0]))

static struct ibmad_port *open_port(void)
{
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, CLASSES);

	if (!port)
		give_up("no port");
	mad_rpc_set_timeout(port, TIMEOUT_MS);
	mad_rpc_set_retries(port, 2);
	return port;
}

/* Closes a port after unregistering its agents, which the simulator's preload keeps otherwise. */
static void close_port(struct ibmad_port *port)
{
	for (size_t i = 0; i < CLASSES; i++)
		umad_unregister(mad_rpc_portid(port), mad_rpc_class_agent(port, classes[i]));
	mad_rpc_close_port(port);
}

/* Of a NodeInfo: all but the port on which the request arrived. */
static void mask_info(uint8_t *info)
{
	mad_set_field(info, 0, IB_NODE_LOCAL_PORT_F, 0);
}

/* A query of a node by SMP, or of its counters: false without a response. */
static bool query(struct ibmad_port *port, const struct node *node, enum subject subject,
		  bool by_lid, uint8_t *response)
{
	ib_portid_t to = by_lid ? node->by_lid : node->by_route;

	if (subject != COUNTERS)
		return smp_query_via(response, &to,
				     subject == INFO ? IB_ATTR_NODE_INFO : IB_ATTR_NODE_DESC, 0, 0,
				     port);
	to.qp = 1;
	return pma_query_via(response, &to, (int)node->port, 0, IB_GSI_PORT_COUNTERS, port);
}

static void learn_node(const struct mad_fabric_node *found)
{
	struct node *node = &nodes[node_count++];
	uint8_t counters[256];

	if (node_count == NODES_MAX)
		give_up("too many nodes");
	node->by_route.drpath = found->route;
	if (!query(shared_port, node, INFO, false, node->info) ||
	    !query(shared_port, node, DESCRIPTION, false, node->description))
		give_up(found->description);
	node->port_guid = mad_get_field64(node->info, 0, IB_NODE_PORT_GUID_F);
	node->is_switch = found->type == IB_NODE_SWITCH;
	node->port = mad_get_field(node->info, 0, IB_NODE_LOCAL_PORT_F);
	node->by_lid.lid = mad_fabric_get_port(found, node->is_switch ? 0 : node->port)->lid;
	mask_info(node->info);
	if (!query(shared_port, node, COUNTERS, true, counters))
		give_up(found->description);
	node->errors = mad_get_field(counters, 0, IB_PC_ERR_SYM_F);
	for (enum subject subject = INFO; subject <= COUNTERS; subject++)
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

/*
 * While the subnet manager changes forwarding tables, a packet may go round in a loop. The
 * simulator ends it by responding in the name of the switch where it is. (The kernel would drop
 * that response, since it comes from another LID.) So what was asked by LID may, occasionally, get
 * a response by a switch about itself.
 */
static bool strays(const struct node *node, const uint8_t *response, bool by_lid)
{
	for (unsigned i = 0; by_lid && i < node_count; i++) {
		const struct node *other = &nodes[i];

		if (other != node && other->is_switch &&
		    (!memcmp(response, other->info, sizeof(other->info)) ||
		     !memcmp(response, other->description, sizeof(other->description)))) {
			atomic_fetch_add(&strayed, 1);
			return true;
		}
	}
	return false;
}

/* The counters of each port are COUNTERS_APART from each other, so that a stray's are known, too.
 */
static void check_counters(const struct node *node, uint8_t *counters)
{
	uint32_t errors = mad_get_field(counters, 0, IB_PC_ERR_SYM_F);
	uint32_t dropped = mad_get_field(counters, 0, IB_PC_VL15_DROPPED_F);
	uint32_t port = mad_get_field(counters, 0, IB_PC_PORT_SELECT_F);

	if (port != node->port || dropped != errors + COUNTERS_APART)
		report_wrong("counters of lid %d port %u: port %u, %u symbol errors, %u dropped",
			     node->by_lid.lid, node->port, port, errors, dropped);
	else if (errors != node->errors)
		atomic_fetch_add(&strayed, 1);
}

static void check(const struct node *node, enum subject subject, bool by_lid, const void *response)
{
	const uint8_t *wanted = subject == INFO ? node->info : node->description;
	uint8_t copy[256];

	memcpy(copy, response, subject == COUNTERS ? sizeof(copy) : IB_SMP_DATA_SIZE);
	if (subject == COUNTERS) {
		check_counters(node, copy);
		return;
	}
	if (subject == INFO)
		mask_info(copy);
	if (memcmp(copy, wanted, IB_SMP_DATA_SIZE) && !strays(node, copy, by_lid))
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
		if (k == node_count || nodes[k].by_lid.lid != record.lid)
			report_wrong("node record of lid %u, port GUID %016" PRIx64, record.lid,
				     record.port_guid);
	}
}

/*
 * Blocking calls
 */

static bool ask_table(struct ibmad_port *port)
{
	ib_portid_t to = sm;
	struct mad_sa_table *table = mad_sa_query_all(port, &to, IB_SA_ATTR_NODERECORD, 0);

	if (table)
		check_records(table);
	mad_sa_table_free(table);
	return table;
}

static bool ask_path(struct ibmad_port *port, const struct node *node)
{
	ibmad_gid_t gid, own;
	uint8_t record[1024];
	ib_portid_t to = sm;

	memcpy(own, own_gid, sizeof(own));
	memcpy(gid, own_gid, 8);
	mad_set_field64(gid, 0, IB_GID_GUID_F, node->port_guid);
	if (ib_path_query_via(port, own, gid, &to, record) < 0)
		return false;
	if (memcmp(record + 8, gid, sizeof(gid)) || memcmp(record + 24, own, sizeof(own)) ||
	    (record[40] << 8 | record[41]) != node->by_lid.lid)
		report_wrong("path to %016" PRIx64 " goes to lid %u", node->port_guid,
			     (unsigned)(record[40] << 8 | record[41]));
	return true;
}

/* Sends one query about a node, chosen by the number. Returns whether there was a response. */
static bool ask(struct ibmad_port *port, const struct node *node, unsigned number)
{
	static const enum subject subjects[] = { INFO,	   INFO,     DESCRIPTION, DESCRIPTION,
						 COUNTERS, COUNTERS, PATH };
	enum subject subject = number % 128 == 127 ? TABLE : subjects[number % 7];
	bool by_lid = number % 2;
	uint8_t response[1024];

	if (subject == TABLE)
		return ask_table(port);
	if (subject == PATH)
		return ask_path(port, node);
	if (!query(port, node, subject, by_lid || subject == COUNTERS, response))
		return false;
	check(node, subject, by_lid, response);
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

		count_one(ask(shared_port, node, (unsigned)rand_r(&state)));
		usleep(PAUSE_US);
	}
	return NULL;
}

/*
 * Ports of their own, for a few requests each. Only our own node is asked, once and for as long as
 * it takes: the simulator's preload crashes when a response comes for a port that is closed by
 * then.
 */
static void open_and_close(void)
{
	uint8_t response[IB_SMP_DATA_SIZE];

	while (now_ms() < round_end) {
		struct ibmad_port *port = open_port();
		bool came = true;

		mad_rpc_set_timeout(port, PATIENT_MS);
		mad_rpc_set_retries(port, 1);
		for (int i = 0; i < 20 && came; i++) {
			came = query(port, &nodes[0], INFO, false, response);
			if (came)
				check(&nodes[0], INFO, false, response);
			count_one(came);
		}
		close_port(port);
		usleep(PAUSE_US);
	}
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
		check(asked->node, asked->subject, asked->subject != INFO, result->data);
}

static void submit_all(struct mad_async *async, unsigned *state)
{
	for (unsigned i = 0; i < node_count; i++) {
		struct node *node = &nodes[i];
		ib_portid_t by_lid = node->by_lid;
		int64_t id;

		by_lid.qp = 1;
		id = mad_async_smp(async, ASYNC_TO(&node->by_route, take, &node->asked[INFO]),
				   IB_ATTR_NODE_INFO, 0, NULL);
		if (rand_r(state) % 64 == 0)
			mad_async_cancel(async, id);
		mad_async_smp(async, ASYNC_TO(&node->by_lid, take, &node->asked[DESCRIPTION]),
			      IB_ATTR_NODE_DESC, 0, NULL);
		mad_async_perf_get(async, ASYNC_TO(&by_lid, take, &node->asked[COUNTERS]),
				   IB_GSI_PORT_COUNTERS, (int)node->port);
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
static int run(int64_t end, bool ports)
{
	size_t first_memory = 0, memory = 0;
	unsigned first_fds = 0, fds = 0, number = 1;
	int64_t begin = now_ms();

	for (; now_ms() < end || number < 3; number++) {
		round_end = now_ms() + ROUND_SECONDS * 1000;
		if (ports)
			open_and_close();
		else
			run_load(number);
		memory = memory_in_use();
		fds = descriptors();
		if (number == 2) {
			first_memory = memory;
			first_fds = fds;
		}
		printf("%6.0f s: %lu responded, %lu failed, %lu cancelled, %lu wrong, %lu strays, "
		       "%zu bytes in "
		       "use, %zu kB resident, %u descriptors\n",
		       (double)(now_ms() - begin) / 1000, responded, failed, cancelled, wrong,
		       strayed, memory, memory_resident() / 1024, fds);
		fflush(stdout);
	}
	if (memory > first_memory + MEMORY_SLACK || fds > first_fds) {
		printf("grown from %zu to %zu bytes, from %u to %u descriptors\n", first_memory,
		       memory, first_fds, fds);
		return 1;
	}
	return wrong || strayed > 1 + responded / RESPONSES_A_STRAY || responded < 10 * failed;
}

int main(int argc, char **argv)
{
	int status;

	if (argc != 2 && (argc != 3 || strcmp(argv[2], "ports"))) {
		fprintf(stderr, "usage: soak SECONDS [ports]\n");
		return 2;
	}
	shared_port = open_port();
	learn();
	printf("ready: %u nodes, subnet manager at lid %d\n", node_count, sm.lid);
	fflush(stdout);
	if (argc == 3) { /* of two ports of a process the simulator's preload serves one */
		close_port(shared_port);
		return run(now_ms() + 1000 * strtoll(argv[1], NULL, 10), true);
	}
	status = run(now_ms() + 1000 * strtoll(argv[1], NULL, 10), false);
	close_port(shared_port);
	return status;
}
