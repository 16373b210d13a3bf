/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Calls on a thread with as small a stack as POSIX lets a program ask for: those that fail, and
 * write why to standard error, need no more of it than others.
 */
#include "fixture.h"
#include "listen.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { SILENT_LID = 9, LEAST = 16384 }; /* in Linux; musl lets a program ask for less */

static struct ibmad_port *port;
static int error;

static void *query_silent(void *unused)
{
	error = query_node(port, SILENT_LID, 20) ? 0 : errno;
	return unused;
}

static void *send_is_refused(void *unused)
{
	error = query_node(port, 7, 1000) ? 0 : errno;
	return unused;
}

static void *use_unknown_class(void *unused)
{
	ib_rpc_t rpc = { .mgtclass = IB_DEVICE_MGMT_CLASS, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = 2, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };

	error = mad_rpc(port, &rpc, &to, NULL, NULL) ? 0 : errno;
	return unused;
}

static void *fail_asynchronously(void *unused)
{
	struct mad_async *async = create_async(port, 4, 20, 1);
	struct outcome outcome = { .calls = 0 };

	submit_get(async, SILENT_LID, 1, &outcome);
	while (!atomic_load(&outcome.calls))
		assert_true(mad_async_dispatch(async, 0, 100) >= 0);
	error = outcome.error;
	mad_async_free(async);
	return unused;
}

static void respond(const struct responder_request *request, struct responder_response *response,
		    void *context)
{
	(void)context;
	response->silent = request->lid == SILENT_LID;
	response->write_error = request->lid == 7 ? EIO : 0;
}

static void run(void *(*call)(void *))
{
	long least = sysconf(_SC_THREAD_STACK_MIN);
	pthread_attr_t attributes;
	pthread_t thread;

	error = -1;
	pthread_attr_init(&attributes);
	assert_int_equal(
		pthread_attr_setstacksize(&attributes, least > LEAST ? (size_t)least : LEAST), 0);
	listen_begin();
	assert_int_equal(pthread_create(&thread, &attributes, call, NULL), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	listen_end();
	pthread_attr_destroy(&attributes);
}

static void check_calls(void)
{
	void *state;

	setup_threads(&state);
	port = state;
	responder_plan(respond, NULL);
	mad_rpc_set_retries(port, 2);
	madrpc_show_errors(1);
	run(query_silent);
	assert_int_equal(error, ETIMEDOUT);
	assert_non_null(strstr(said, "_do_madrpc failed; dport (Lid 9)"));
	run(send_is_refused);
	assert_int_equal(error, EIO);
	assert_non_null(strstr(said, "send failed; "));
	run(use_unknown_class);
	assert_int_equal(error, EINVAL);
	assert_non_null(strstr(said, "class 0x6 is not registered"));
	run(fail_asynchronously);
	assert_int_equal(error, ETIMEDOUT);
	teardown_port(&state);
}

TEST(failing_calls)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	print_message("skipped: a sanitizer's frames do not fit\n");
	skip();
#endif
	run_in_child(check_calls);
}
