/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See fixture.h. */
#include "fixture.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int completed;
static bool is_virtual; /* the clock */

void reset_order(void)
{
	atomic_store(&completed, 0);
}

void note_outcome(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct outcome *outcome = context;
	size_t size = result->data_size;

	(void)async;
	outcome->order = atomic_fetch_add(&completed, 1) + 1;
	outcome->at_us = responder_now_us();
	outcome->id = result->id;
	outcome->error = result->error;
	outcome->status = result->status;
	outcome->tries = result->attempts;
	outcome->lid = result->from->lid;
	outcome->has_mad = result->mad;
	outcome->has_data = result->data;
	outcome->mad_length = result->mad_size;
	outcome->data_length = size;
	if (result->data)
		memcpy(outcome->data, result->data,
		       size < sizeof(outcome->data) ? size : sizeof(outcome->data));
	atomic_fetch_add(&outcome->calls, 1);
}

void ignore_outcome(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	(void)async;
	(void)result;
	(void)context;
}

struct ibmad_port *open_port(const char *ca_name)
{
	int classes[] = { 0x01, 0x81, 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };
	struct ibmad_port *port = mad_rpc_open_port((char *)ca_name, 1, classes, COUNT(classes));

	assert_non_null(port);
	return port;
}

void use_clock(bool of_kernel)
{
	is_virtual = of_kernel;
	if (is_virtual)
		responder_use_virtual_clock();
}

int setup_threads(void **state)
{
	responder_reset();
	reset_order();
	use_clock(false);
	*state = open_port("mlx5_0");
	return 0;
}

int setup_port(void **state)
{
	setup_threads(state);
	use_clock(true);
	return 0;
}

int teardown_port(void **state)
{
	mad_rpc_close_port(*state);
	responder_finish();
	return 0;
}

struct mad_async *create_async(struct ibmad_port *port, unsigned window, int timeout_ms,
			       int attempts)
{
	struct mad_async_options options = {
		.window = window,
		.timeout_ms = timeout_ms,
		.attempts = attempts,
	};
	struct mad_async *async = mad_async_create(port, &options);

	assert_non_null(async);
	return async;
}

uint64_t submit_with(struct mad_async *async, int lid, unsigned mod, mad_async_callback callback,
		     void *context)
{
	ib_portid_t to = { .lid = lid };
	int64_t id = 0;

	assert_true((id = mad_async_smp(async, ASYNC_TO(&to, callback, context), 0x11, mod, NULL)) >
		    0);
	assert_int_not_equal(id, 0);
	return id;
}

uint64_t submit_get(struct mad_async *async, int lid, unsigned mod, struct outcome *outcome)
{
	return submit_with(async, lid, mod, outcome ? note_outcome : ignore_outcome, outcome);
}

bool query_node(struct ibmad_port *port, int lid, int timeout_ms)
{
	ib_portid_t to = { .lid = lid };
	uint8_t data[64] = { 0 };

	return smp_query_via(data, &to, 0x11, 7, timeout_ms, port);
}

int64_t now_ms(void)
{
	return responder_now_us() / 1000;
}

void sleep_ms(int ms)
{
	struct timespec wait = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	if (is_virtual) {
		responder_pass(ms);
		return;
	}
	while (nanosleep(&wait, &wait) < 0 && errno == EINTR)
		;
}

/* The state of a thread: R, S, ... */
static char state_of(const char *thread)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%.20s/stat", thread);
	file = fopen(path, "re");
	if (!file)
		return 'S'; /* has ended */
	assert_int_equal(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
	fclose(file);
	return state;
}

void wait_until_others_sleep(void)
{
	char own[20];

	snprintf(own, sizeof(own), "%d", (int)gettid());
	for (int quiet = 0; quiet < 3; quiet++) {
		DIR *threads = opendir("/proc/self/task");
		const struct dirent *entry;

		assert_non_null(threads);
		sleep_ms(1);
		while ((entry = readdir(threads)))
			if (entry->d_name[0] != '.' && strcmp(entry->d_name, own) != 0 &&
			    state_of(entry->d_name) != 'S')
				quiet = -1;
		closedir(threads);
	}
}

void wait_for_reader(void)
{
	while (!responder_polls(0))
		sleep_ms(1);
	wait_until_others_sleep();
}

int dispatch_all(struct mad_async *async)
{
	int64_t end = now_ms() + PATIENCE_MS;
	int called = 0;

	while (mad_async_pending(async)) {
		int result = mad_async_dispatch(async, 0, 100);

		assert_true(result >= 0);
		called += result;
		if (now_ms() > end)
			fail_msg("%u requests are still pending", mad_async_pending(async));
	}
	return called;
}

void dispatch_at_least(struct mad_async *async, int callbacks)
{
	int64_t end = now_ms() + PATIENCE_MS;

	while (callbacks > 0) {
		int result = mad_async_dispatch(async, 0, 100);

		assert_true(result >= 0);
		callbacks -= result;
		if (now_ms() > end)
			fail_msg("%d callbacks did not come", callbacks);
	}
}

void dispatch_for(struct mad_async *async, int ms)
{
	int64_t end = now_ms() + ms;

	for (int64_t left = ms; left > 0; left = end - now_ms()) {
		assert_true(mad_async_dispatch(async, 0, (int)left) >= 0);
		if (!mad_async_pending(async) && end > now_ms())
			sleep_ms((int)(end - now_ms()));
	}
}

void never_respond(const struct responder_request *request, struct responder_response *response,
		   void *context)
{
	(void)request;
	(void)context;
	response->silent = true;
}

void silence_for_9(const struct responder_request *request, struct responder_response *response,
		   void *context)
{
	(void)context;
	response->silent = request->lid == 9;
	response->delay_us = 1000;
}

void redirect_to_9(struct responder_response *response, unsigned pkey)
{
	static uint8_t info[72];

	mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, 9);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, 1);
	mad_set_field(info, 0, IB_CPI_REDIRECT_PKEY_F, pkey);
	response->status = IB_MAD_STS_REDIRECT;
	response->attr_id = 1; /* ClassPortInfo */
	response->data = info;
	response->data_size = sizeof(info);
	response->data_offset = IB_PC_DATA_OFFS;
}

static void assert_ended_well(int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		fail_msg("the test hung");
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_SUCCESS);
}

/* Whether this is a new process, which a hanging test ends. */
static bool is_apart(pid_t *child)
{
	fflush(NULL);
	*child = fork();
	assert_true(*child >= 0);
	if (*child)
		return false;
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	alarm(PATIENCE_MS / 1000);
	return true;
}

void run_in_child(void (*test)(void))
{
	pid_t child;
	int status;

	if (is_apart(&child)) {
		test();
		_exit(EXIT_SUCCESS);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_ended_well(status);
}
