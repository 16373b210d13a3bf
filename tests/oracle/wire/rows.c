/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The rows of the table of requests (tests/lib/requests) as cases: the row's call is made, each
 * write gets the row's response, and what the caller sees is printed. What the row expects is not
 * looked at here.
 */
#include "wire.h"

#include "script.h"

/* The row that runs. */
static struct request_call call;
static struct request_script script = { .call = &call };
static int writes;

/* A response that is shorter than a packet: the distribution's library hands out its stack with it.
 */
static bool has_short_response(const struct request_row *row)
{
	for (int i = 0; i < row->step_count; i++) {
		const char *length = strstr(row->steps[i].response, "length=");

		if (length && atoi(length + strlen("length=")) < KERNEL_MAD)
			return true;
	}
	return false;
}

/* Rows of which the distribution's pair makes nothing that repeats: it ends at a NULL and at data
 * outside a MAD, has an SM_Key only from one version on, and has no mad_sa_query(). */
static bool is_left_out(const struct request_row *row)
{
	static const char *const words[] = {
		" no=data", " no=to",	 " no=call",   " no=port", " no=from",
		" no=into", " no=found", " no=target", " size=-",  " size=2147483647",
		" sakey=",  " ring=",	 " classes=",  " shows=",  " debug="
	};
	static const char *const kinds[] = { "query", "mc_", "check_key", "subscribe",
					     "unsubscribe" };

	const char *kind = row->call + strspn(row->call, " ");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(kind, kinds[i], strlen(kinds[i])))
			return true;
	/* Of a path behind a LID that is none, that pair takes what its stack has. */
	if (!row->step_count && !strncmp(kind, "resolve_text 3", strlen("resolve_text 3")))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(row->call, words[i]))
			return true;
	return has_short_response(row);
}

static int respond(int device, const uint8_t *packet, size_t size)
{
	static struct request_outcome outcome;

	if (writes >= script.row->step_count)
		return 0;
	request_response(&script, writes++, packet, &outcome);
	if (!outcome.write_error && !outcome.nothing) {
		kernel_lock();
		fakeumad_reply_to(device, packet, size, &outcome.reply);
		kernel_unlock();
	}
	return outcome.write_error;
}

/* The first 32 bytes that are no longer as given, and a sum of the others. */
static void show_data(void)
{
	uint8_t data[REQUEST_DATA];
	uint32_t sum = 0;
	size_t first = 0, i;

	memset(data, FAKEKERNEL_UNTOUCHED, sizeof(data));
	while (first < REQUEST_DATA && call.data[first] == call.given[first])
		first++;
	first -= first % 32;
	for (i = first; i < first + 32 && i < REQUEST_DATA; i++)
		data[i] = call.data[i];
	fakekernel_print(stdout, "data ", data, sizeof(data));
	for (; i < REQUEST_DATA; i++)
		sum = sum * 31 + (uint8_t)(call.data[i] - call.given[i]);
	printf("  sum of the others %08x\n", sum);
}

static bool is_resolve(const struct request_call *request)
{
	return !strncmp(request->kind->name, "resolve", strlen("resolve"));
}

static void show_call(void)
{
	show_success(call.kind->name, !call.failed);
	show_data();
	printf("  rstatus %#x dlid %d recsz %u\n", (unsigned)call.rstatus, call.dlid, call.recsz);
	if (!call.kind->offset)
		show_rpc(&call.rpc.plain);
	show_rmpp(&call.rmpp);
	show_portid("to", &call.to);
	if (is_resolve(&call) && !call.failed) {
		show_portid("found", &call.found);
		printf("  number %d\n", call.portnum);
		fakekernel_print(stdout, "gid ", call.target, sizeof(call.target));
	}
}

static void run(const struct request_row *row)
{
	struct ibmad_port *port = wire_port();

	script.row = row;
	mad_rpc_set_retries(port, 1);
	mad_rpc_set_timeout(port, REQUEST_TIMEOUT_MS);
	request_call_read(&call, row->call, port);
	if (!row->step_count) /* ours writes nothing, so the other pair gets no response */
		call.rpc.plain.timeout = (int)(call.timeout_ms = 20);
	if (is_resolve(&call))
		fakekernel_hide_smp_data();
	fakekernel_respond_with(respond);
	request_call_make(&call, port);
	errno = call.error;
	show_call();
}

/* Of a row for many values the first few are enough here. */
void rows_list(void)
{
	const char *last = "";
	int values = 0;

	for (const struct request_row *row = request_table_read(REQUESTS_TABLE); row;
	     row = row->next) {
		size_t length = strcspn(row->name, "=");

		values = strncmp(last, row->name, length + 1) ? 0 : values + 1;
		last = row->name;
		if (values < 2 && !is_left_out(row))
			printf("row.%s\n", row->name);
	}
}

bool rows_run(const char *name)
{
	if (strncmp(name, "row.", strlen("row.")))
		return false;
	for (const struct request_row *row = request_table_read(REQUESTS_TABLE); row;
	     row = row->next) {
		if (strcmp(row->name, name + strlen("row.")))
			continue;
		run(row);
		return true;
	}
	return false;
}
