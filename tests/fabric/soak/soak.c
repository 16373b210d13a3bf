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
#include "fabric.h"
#include "../../lib/memory-in-use.h"

#include <dirent.h>
#include <errno.h>
#include "../../lib/async-request.h"
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

static struct fabric fabric;
static struct ibmad_port *shared_port;
static int64_t round_end;
static atomic_ulong responded, failed, wrong, strayed, cancelled;

static int64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
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

	if (!port) {
		perror("soak: no port");
		exit(1);
	}
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

/*
 * While the subnet manager changes forwarding tables, a packet may go round in a loop. The
 * simulator ends it by responding in the name of the switch where it is. (The kernel would drop
 * that response, since it comes from another LID.) So what was asked by LID may, occasionally, get
 * a response by a switch about itself.
 */
static bool strays(const struct node *node, const uint8_t *response, bool by_lid)
{
	for (unsigned i = 0; by_lid && i < fabric.count; i++) {
		const struct node *other = &fabric.nodes[i];

		if (other != node && other->is_switch &&
		    (!memcmp(response, other->info, sizeof(other->info)) ||
		     !memcmp(response, other->description, sizeof(other->description)))) {
			atomic_fetch_add(&strayed, 1);
			return true;
		}
	}
	return false;
}

/* Each check takes a response and what it must be. */

static void check_info(const struct node *node, const uint8_t *response, bool by_lid)
{
	uint8_t info[IB_SMP_DATA_SIZE];

	memcpy(info, response, sizeof(info));
	fabric_mask_info(info);
	if (memcmp(info, node->info, sizeof(info)) && !strays(node, info, by_lid))
		report_wrong("NodeInfo of %016" PRIx64 " is of %016" PRIx64, node->node_guid,
			     mad_get_field64(info, 0, IB_NODE_GUID_F));
}

static void check_description(const struct node *node, const uint8_t *response, bool by_lid)
{
	if (memcmp(response, node->description, sizeof(node->description)) &&
	    !strays(node, response, by_lid))
		report_wrong("description of %016" PRIx64 ": %.64s", node->node_guid, response);
}

/* The counters of each port are COUNTERS_APART from each other, so that a stray's are known, too.
 */
static void check_counters(const struct node *node, const uint8_t *response)
{
	uint8_t counters[256];
	uint32_t errors, dropped;

	memcpy(counters, response, sizeof(counters));
	errors = mad_get_field(counters, 0, IB_PC_ERR_SYM_F);
	dropped = mad_get_field(counters, 0, IB_PC_VL15_DROPPED_F);
	if (mad_get_field(counters, 0, IB_PC_PORT_SELECT_F) != node->port)
		report_wrong("counters of port %u, not %u, of %016" PRIx64,
			     mad_get_field(counters, 0, IB_PC_PORT_SELECT_F), node->port,
			     node->node_guid);
	else if (errors == node->errors && dropped == node->dropped)
		return;
	else if (dropped == errors + COUNTERS_APART)
		atomic_fetch_add(&strayed, 1);
	else
		report_wrong("counters of %016" PRIx64 " port %u: %u symbol errors, %u dropped",
			     node->node_guid, node->port, errors, dropped);
}

static void check_records(const struct mad_sa_table *table)
{
	struct mad_sa_node record;

	for (unsigned i = 0; i < mad_sa_table_count(table); i++) {
		const struct node *node;

		if (mad_sa_get_node(table, i, &record, sizeof(record))) {
			report_wrong("node record %u can't be read", i);
			continue;
		}
		node = fabric_find_guid(&fabric, record.port_guid);
		if (!node || node->by_lid.lid != record.lid || node->node_guid != record.node_guid)
			report_wrong("node record of lid %u, port GUID %016" PRIx64, record.lid,
				     record.port_guid);
	}
}

static void check_path(const struct node *node, const uint8_t *record)
{
	ibmad_gid_t gid;

	fabric_gid(&fabric, node, gid);
	if (memcmp(record + 8, gid, sizeof(gid)) ||
	    memcmp(record + 24, fabric.own_gid, sizeof(gid)) ||
	    (record[40] << 8 | record[41]) != node->by_lid.lid)
		report_wrong("path to %016" PRIx64 " goes to lid %u", node->port_guid,
			     (unsigned)(record[40] << 8 | record[41]));
}

/* Blocking calls */

static bool ask_table(struct ibmad_port *port)
{
	ib_portid_t sm = fabric.sm;
	struct mad_sa_table *table;

	table = mad_sa_query_all(port, &sm, IB_SA_ATTR_NODERECORD, 0);
	if (!table)
		return false;
	check_records(table);
	mad_sa_table_free(table);
	return true;
}

/* Sends one query about a node, chosen by the number. Returns whether there was a response. */
static bool ask(struct ibmad_port *port, const struct node *node, unsigned number)
{
	ib_portid_t by_lid = node->by_lid, by_route = node->by_route, sm = fabric.sm;
	uint8_t response[1024] = { 0 };
	ibmad_gid_t gid, own;
	void *came = NULL;

	switch (number % 128 == 127 ? 7 : number % 7) {
	case 0:
	case 1:
		came = smp_query_via(response, number % 7 ? &by_lid : &by_route, IB_ATTR_NODE_INFO,
				     0, 0, port);
		if (came)
			check_info(node, response, number % 7);
		return came;
	case 2:
	case 3:
		came = smp_query_via(response, number % 7 == 2 ? &by_lid : &by_route,
				     IB_ATTR_NODE_DESC, 0, 0, port);
		if (came)
			check_description(node, response, number % 7 == 2);
		return came;
	case 4:
	case 5:
		by_lid.qp = 1;
		came = pma_query_via(response, &by_lid, (int)node->port, 0, IB_GSI_PORT_COUNTERS,
				     port);
		if (came)
			check_counters(node, response);
		return came;
	case 6:
		fabric_gid(&fabric, node, gid);
		memcpy(own, fabric.own_gid, sizeof(own));
		if (ib_path_query_via(port, own, gid, &sm, response) < 0)
			return false;
		check_path(node, response);
		return true;
	default:
		return ask_table(port);
	}
}

static void count_one(bool came)
{
	atomic_fetch_add(came ? &responded : &failed, 1);
}

static void *block(void *seed)
{
	unsigned state = *(unsigned *)seed;

	while (now_ms() < round_end) {
		const struct node *node = &fabric.nodes[(unsigned)rand_r(&state) % fabric.count];

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
	struct node *self = &fabric.nodes[0];
	uint8_t response[IB_SMP_DATA_SIZE];

	while (now_ms() < round_end) {
		struct ibmad_port *port = open_port();
		bool came = true;

		mad_rpc_set_timeout(port, PATIENT_MS);
		mad_rpc_set_retries(port, 1);
		for (int i = 0; i < 20 && came; i++) {
			came = smp_query_via(response, &self->by_route, IB_ATTR_NODE_INFO, 0, 0,
					     port);
			if (came)
				check_info(self, response, false);
			count_one(came);
		}
		close_port(port);
		usleep(PAUSE_US);
	}
}

/* Asynchronous requests: a sweep over all nodes, again and again, some of it cancelled. */

/* Counts a result; returns whether it has a response to check. */
static bool take(const struct mad_async_result *result)
{
	if (result->error == ECANCELED) {
		atomic_fetch_add(&cancelled, 1);
		return false;
	}
	count_one(!result->error);
	return !result->error;
}

static void take_info(struct mad_async *async, const struct mad_async_result *result, void *node)
{
	(void)async;
	if (take(result))
		check_info(node, result->data, false);
}

static void take_description(struct mad_async *async, const struct mad_async_result *result,
			     void *node)
{
	(void)async;
	if (take(result))
		check_description(node, result->data, true);
}

static void take_counters(struct mad_async *async, const struct mad_async_result *result,
			  void *node)
{
	(void)async;
	if (take(result))
		check_counters(node, result->data);
}

static void submit_all(struct mad_async *async, unsigned *state)
{
	for (unsigned i = 0; i < fabric.count; i++) {
		struct node *node = &fabric.nodes[i];
		ib_portid_t by_lid = node->by_lid;
		int64_t id;

		by_lid.qp = 1;
		id = mad_async_smp(async, ASYNC_TO(&node->by_route, take_info, node),
				   IB_ATTR_NODE_INFO, 0, NULL);
		if (rand_r(state) % 64 == 0)
			mad_async_cancel(async, id);
		mad_async_smp(async, ASYNC_TO(&node->by_lid, take_description, node),
			      IB_ATTR_NODE_DESC, 0, NULL);
		mad_async_perf_get(async, ASYNC_TO(&by_lid, take_counters, node),
				   IB_GSI_PORT_COUNTERS, (int)node->port);
	}
}

static void *sweep(void *seed)
{
	struct mad_async *async = mad_async_create(shared_port, NULL, 0);
	unsigned state = *(unsigned *)seed;

	if (!async) {
		perror("soak: no asynchronous requests");
		exit(1);
	}
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

/* What must not grow */

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

static long resident_kb(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (file) {
		if (fscanf(file, "%*d %ld", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void run_load(unsigned number)
{
	pthread_t threads[BLOCKING_THREADS + 1];
	unsigned seeds[BLOCKING_THREADS + 1];

	for (unsigned i = 0; i <= BLOCKING_THREADS; i++) {
		seeds[i] = 100 * number + i;
		if (pthread_create(&threads[i], NULL, i < BLOCKING_THREADS ? block : sweep,
				   &seeds[i])) {
			perror("soak: no thread");
			exit(1);
		}
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
		       "use, %ld kB resident, %u descriptors\n",
		       (double)(now_ms() - begin) / 1000, responded, failed, cancelled, wrong,
		       strayed, memory, resident_kb(), fds);
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
	if (!fabric_learn(&fabric, shared_port))
		return 1;
	printf("ready: %u nodes, subnet manager at lid %d\n", fabric.count, fabric.sm.lid);
	fflush(stdout);
	if (argc == 3) { /* of two ports of a process the simulator's preload serves one */
		close_port(shared_port);
		return run(now_ms() + 1000 * strtoll(argv[1], NULL, 10), true);
	}
	status = run(now_ms() + 1000 * strtoll(argv[1], NULL, 10), false);
	close_port(shared_port);
	return status;
}
