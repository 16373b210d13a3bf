/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-default.c - the interface without a port argument, and what holds for the process.
 */
#include "cases.h"
#include "fabric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/mad_osd.h>
#include <infiniband/mad_sa.h>

#include "libibmad/internal.h"

#define DATA   ((void *)run->output)
#define PORTID ((ib_portid_t *)(void *)run->output)

#define TO ib_portid_t to = { .lid = 7 }
#define RPC                                                      \
	TO;                                                      \
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,       \
			 .method = IB_MAD_METHOD_GET,            \
			 .attr = { .id = IB_GSI_PORT_COUNTERS }, \
			 .dataoffs = IB_PC_DATA_OFFS,            \
			 .datasz = IB_PC_DATA_SZ }
#define SA  \
	TO; \
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET }
#define VENDOR \
	TO;    \
	ib_vendor_call_t vendor = { .method = IB_MAD_METHOD_GET, .mgmt_class = FABRIC_VENDOR1 }
#define GIDS \
	TO;  \
	ibmad_gid_t source = { 0xfe, 0x80 }, destination = { 0xfe, 0x80 }

/*
 * madrpc_init() ends the process when it fails: it is called in a child, which prints the reason
 * last.
 */

/* What runs after the library has called exit() is not counted as its calls. */
static void end_of_faults(void)
{
	fault_disarm();
}

static void init_in_child(int words)
{
	bool reached;

	dup2(words, 2);
	atexit(end_of_faults);
	madrpc_init(NULL, 0, fabric_classes, FABRIC_CLASSES);
	reached = fault_disarm();
	mad_rpc_close_port(mad_state_set_default_port(NULL));
	_exit(reached ? 1 : 0);
}

/* Whether what was printed ends in the text of one of the errors. */
static bool ends_with(FILE *words, int error)
{
	char text[2048] = "";
	size_t length, wanted = strlen(strerror(error));

	rewind(words);
	length = fread(text, 1, sizeof(text) - 1, words);
	while (length && text[length - 1] == '\n')
		text[--length] = '\0';
	return length >= wanted && !strcmp(text + length - wanted, strerror(error));
}

static void call_madrpc_init(struct fault_run *run)
{
	FILE *words = tmpfile();
	int status = 0;
	pid_t child;

	fflush(NULL);
	fault_begin(run);
	child = fork();
	if (!child)
		init_in_child(fileno(words));
	fault_end(run);
	FAULT_EXPECT(run, child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	run->reached = WEXITSTATUS(status) != 0;
	run->saved_errno = EINVAL;
	for (int error = 1; WEXITSTATUS(status) == 255 && error < 134; error++)
		if (ends_with(words, error))
			run->saved_errno = error;
	fault_pointer(run, WEXITSTATUS(status) == 255 ? NULL : words);
	FAULT_EXPECT(run, WEXITSTATUS(status) <= 1 || WEXITSTATUS(status) == 255);
	fclose(words);
}

/*
 * The functions without a port argument
 */

FAULT_CALL_POINTER(call_madrpc, RPC, madrpc(&rpc, &to, NULL, DATA))
FAULT_CALL_POINTER(call_madrpc_rmpp, RPC, madrpc_rmpp(&rpc, &to, NULL, DATA))
FAULT_CALL_POINTER(call_smp_query, TO, smp_query(DATA, &to, IB_ATTR_NODE_INFO, 0, 0))
FAULT_CALL_POINTER(call_smp_set, TO, smp_set(DATA, &to, IB_ATTR_NODE_INFO, 0, 0))
FAULT_CALL_POINTER(call_safe_smp_query, TO, safe_smp_query(DATA, &to, IB_ATTR_NODE_INFO, 0, 0))
FAULT_CALL_POINTER(call_safe_smp_set, TO, safe_smp_set(DATA, &to, IB_ATTR_NODE_INFO, 0, 0))
FAULT_CALL_POINTER(call_sa_call, SA, sa_call(DATA, &to, &sa, 0))
FAULT_CALL_POINTER(call_safe_sa_call, SA, safe_sa_call(DATA, &to, &sa, 0))
FAULT_CALL_POINTER(call_ib_vendor_call, VENDOR, ib_vendor_call(DATA, &to, &vendor))
FAULT_CALL_POINTER(call_port_performance_query, TO, port_performance_query(DATA, &to, 1, 0))
FAULT_CALL_POINTER(call_port_performance_reset, TO, port_performance_reset(DATA, &to, 1, 0, 0))
FAULT_CALL_MINUS_ONE(call_ib_path_query, GIDS, ib_path_query(source, destination, &to, DATA))
FAULT_CALL_MINUS_ONE(call_ib_resolve_smlid, (void)run, ib_resolve_smlid(PORTID, 0))
FAULT_CALL_MINUS_ONE(call_ib_resolve_guid, uint64_t guid = 1,
		     ib_resolve_guid(PORTID, &guid, NULL, 0))
FAULT_CALL_MINUS_ONE(call_ib_resolve_self, (void)run, ib_resolve_self(PORTID, NULL, NULL))
FAULT_CALL_MINUS_ONE(call_ib_resolve_portid_str, char text[] = "fe80::1",
		     ib_resolve_portid_str(PORTID, text, IB_DEST_GID, NULL))

static void call_mad_register_client(struct fault_run *run)
{
	int before = mad_class_agent(IB_PERFORMANCE_CLASS), agent;

	fault_begin(run);
	agent = fault_minus_one(run, mad_register_client(IB_PERFORMANCE_CLASS, 0));
	FAULT_EXPECT(run, mad_class_agent(IB_PERFORMANCE_CLASS) == (run->failed ? before : agent));
}

static void call_mad_register_server(struct fault_run *run)
{
	static const int classes[] = { 0x30, 0x31, 0x33 };
	int i = 0, agent;

	while (mad_class_agent(classes[i]) >= 0)
		i++;
	fault_begin(run);
	agent = fault_minus_one(run, mad_register_server(classes[i], 0, NULL, FABRIC_OUI));
	FAULT_EXPECT(run, mad_class_agent(classes[i]) == (run->failed ? -1 : agent));
}

static void call_mad_send(struct fault_run *run)
{
	RPC;

	rpc.datasz = 0;
	fault_begin(run);
	fault_minus_one(run, mad_send(&rpc, &to, NULL, NULL));
	fabric_drop_all(run->state);
}

static void call_mad_receive(struct fault_run *run)
{
	void *umad;

	fabric_ask_us();
	fault_begin(run);
	umad = fault_pointer(run, mad_receive(NULL, 2000));
	mad_free(umad);
	fabric_drop_all(run->state);
}

static void call_mad_respond(struct fault_run *run)
{
	void *umad;

	fabric_ask_us();
	umad = mad_receive(NULL, 2000);
	fault_begin(run);
	fault_minus_one(run, mad_respond(umad, NULL, 0));
	mad_free(umad);
	fabric_drop_all(run->state);
}

#define ROW(function, flags) FAULT_CASE(function, NULL, fabric_default, call_##function, flags)

/* As mad_rpc_open_port(), but for the default port: others may be chosen. */
static const struct fault_rule init_rules[] = {
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV, EIO } },
	{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV } },
	{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL } },
	{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL } },
};

static bool same(const struct fault_run *run, const uint8_t *whole)
{
	return !memcmp(run->output, whole, FAULT_OUTPUT_SIZE);
}

static const struct fault_case cases[] = {
	FAULT_CASE(madrpc_init, NULL, fabric_bare, call_madrpc_init, 0, FAULT_RULES(init_rules),
		   .less = same),
	ROW(madrpc, FAULT_UNTOUCHED),
	ROW(madrpc_rmpp, FAULT_UNTOUCHED),
	ROW(smp_query, FAULT_UNTOUCHED),
	ROW(smp_set, FAULT_UNTOUCHED),
	ROW(safe_smp_query, FAULT_UNTOUCHED),
	ROW(safe_smp_set, FAULT_UNTOUCHED),
	ROW(sa_call, FAULT_UNTOUCHED),
	ROW(safe_sa_call, FAULT_UNTOUCHED),
	ROW(ib_vendor_call, FAULT_UNTOUCHED),
	ROW(port_performance_query, 0),
	ROW(port_performance_reset, 0),
	ROW(ib_path_query, 0),
	ROW(ib_resolve_smlid, FAULT_UNTOUCHED),
	ROW(ib_resolve_guid, FAULT_UNTOUCHED),
	ROW(ib_resolve_self, FAULT_UNTOUCHED),
	ROW(ib_resolve_portid_str, FAULT_UNTOUCHED),
	ROW(mad_register_client, 0),
	ROW(mad_register_server, 0),
	ROW(mad_send, 0),
	ROW(mad_receive, 0),
	ROW(mad_respond, 0),
};

const struct fault_group cases_default = FAULT_GROUP(cases);
