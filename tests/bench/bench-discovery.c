/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-discovery LIBIBUMAD LIBIBMAD CALL [CA PORT]: makes one call of libibumad between two marks
 * (marks.h), on the host that a preloaded library shows. Ends with an error when the call fails,
 * with PAIR_HAS_NONE when there is none. umad_monitor_read scans SCANS times.
 */
#include "marks.h"
#include "pair.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { SCANS = 32, SCAN_MS = 10 };

static const char *ca_name; /* NULL: any */
static int portnum;

static int open_port(const struct pair *pair)
{
	return pair->umad_open_port(ca_name, portnum) < 0;
}

static int issm_path(const struct pair *pair)
{
	char path[256];

	return pair->umad_get_issm_path(ca_name, portnum, path, sizeof(path));
}

static int get_port(const struct pair *pair)
{
	static umad_port_t port;

	return pair->umad_get_port(ca_name, portnum, &port);
}

static int get_ca(const struct pair *pair)
{
	static umad_ca_t ca;

	return pair->umad_get_ca(ca_name, &ca);
}

static int get_pairs(const struct pair *pair)
{
	static struct umad_ca_pair pairs[UMAD_MAX_PORTS];

	if (!pair->umad_get_smi_gsi_pairs)
		exit(PAIR_HAS_NONE);
	return pair->umad_get_smi_gsi_pairs(pairs, UMAD_MAX_PORTS) <= 0;
}

static int get_names(const struct pair *pair)
{
	static char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];

	return pair->umad_get_cas_names(names, UMAD_MAX_DEVICES) <= 0;
}

static int get_list(const struct pair *pair)
{
	struct umad_device_node *list = pair->umad_get_ca_device_list();
	int failed = !list;

	pair->umad_free_ca_device_list(list);
	return failed;
}

static struct umad_monitor *monitor;

static int open_monitor(const struct pair *pair)
{
	if (!pair->umad_monitor_open)
		exit(PAIR_HAS_NONE);
	monitor = pair->umad_monitor_open(0);
	return !monitor || pair->umad_monitor_set_interval(monitor, SCAN_MS);
}

/* A program with a poll loop, on a host where nothing happens. */
static int scan(const struct pair *pair)
{
	struct umad_event event;
	struct pollfd fd = { .fd = pair->umad_monitor_get_fd(monitor), .events = POLLIN };

	for (int i = 0; i < SCANS; i++)
		if (poll(&fd, 1, -1) != 1 ||
		    pair->umad_monitor_read_sized(monitor, &event, sizeof(event), 0) != 0)
			return 1;
	return 0;
}

static const struct {
	const char *name;
	int (*make)(const struct pair *pair);
} calls[] = {
	{ "umad_open_port", open_port },	 { "umad_get_issm_path", issm_path },
	{ "umad_get_port", get_port },		 { "umad_get_ca", get_ca },
	{ "umad_get_smi_gsi_pairs", get_pairs }, { "umad_get_cas_names", get_names },
	{ "umad_get_ca_device_list", get_list }, { "umad_monitor_read", scan },
};

int main(int argc, char **argv)
{
	struct pair pair;
	int failed;

	if (argc != 4 && argc != 6) {
		fprintf(stderr, "usage: %s LIBIBUMAD LIBIBMAD CALL [CA PORT]\n", argv[0]);
		return 2;
	}
	pair_load(&pair, argv[1], argv[2], false);
	if (argc == 6) {
		ca_name = argv[4];
		portnum = atoi(argv[5]);
	}
	pair.umad_init();
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strcmp(calls[i].name, argv[3]) != 0)
			continue;
		failed = calls[i].make == scan && open_monitor(&pair);
		mark_begin(argv[3], 1);
		failed = failed || calls[i].make(&pair);
		mark_end();
		if (failed)
			fprintf(stderr, "%s failed\n", argv[3]);
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	fprintf(stderr, "no call named %s\n", argv[3]);
	return 2;
}
