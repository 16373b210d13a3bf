/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/engine/transaction.c and engine.c: attempts, deadlines, and which MAD is the response. */
#include "fakeumad.h"
#include "../lib/assert-between.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define TIMEOUT_MS 20
#define SLOW_MS	   5000 /* what no machine takes for a case */

static uint8_t data[256];
static int64_t took_ms; /* by the last call() */

static void *call_with_timeout(struct ibmad_port *port, int timeout_ms)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = { .lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	int64_t began = fakeumad_now_ms();
	void *result;

	rpc.attr.id = 0x12;
	rpc.dataoffs = IB_PC_DATA_OFFS;
	rpc.datasz = IB_PC_DATA_SZ;
	rpc.timeout = timeout_ms;
	errno = 0;
	result = mad_rpc(port, &rpc, &to, NULL, data);
	took_ms = fakeumad_now_ms() - began;
	return result;
}

static void *call(struct ibmad_port *port)
{
	return call_with_timeout(port, TIMEOUT_MS);
}

/* The next write of the script, and what comes of it. */
static void expect(const struct fakeumad_reply *reply)
{
	fakeumad_expect_write(NULL, 0, reply, reply ? 1 : 0);
}

static const struct fakeumad_reply answer = { 0 }, timed_out = FAKEUMAD_TIMED_OUT;

static uint64_t unmatched(const struct ibmad_port *port)
{
	struct mad_rpc_statistics statistics;

	mad_rpc_get_statistics(port, &statistics, sizeof(statistics));
	return statistics.unmatched;
}

static struct mad_rpc_statistics statistics_of(const struct ibmad_port *port)
{
	struct mad_rpc_statistics statistics;

	mad_rpc_get_statistics(port, &statistics, sizeof(statistics));
	return statistics;
}

/* Attempts */

static void no_answer_at_all(void **state)
{
	mad_rpc_set_retries(*state, 3);
	for (int i = 0; i < 3; i++)
		expect(NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, 3 * TIMEOUT_MS - 3, SLOW_MS);
}

static void kernel_gives_every_try_back(void **state)
{
	mad_rpc_set_retries(*state, 3);
	for (int i = 0; i < 3; i++)
		expect(&timed_out);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
}

static void only_the_header_comes_back(void **state)
{
	struct fakeumad_reply header = FAKEUMAD_TIMED_OUT;

	header.length = 24;
	mad_rpc_set_retries(*state, 2);
	expect(&header);
	expect(&answer);
	assert_non_null(call(*state));
}

static void one_try_is_one_write(void **state)
{
	mad_rpc_set_retries(*state, 1);
	expect(NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
}

static void default_is_3_tries(void **state)
{
	for (int i = 0; i < 3; i++)
		expect(NULL);
	assert_null(call(*state));
}

static void answer_at_the_last_try(void **state)
{
	mad_rpc_set_retries(*state, 3);
	expect(NULL);
	expect(&timed_out);
	expect(&answer);
	assert_non_null(call(*state));
	assert_int_equal(fakeumad_writes(), 3);
}

static void tries_have_the_same_tid(void **state)
{
	mad_rpc_set_retries(*state, 2);
	expect(NULL);
	expect(&answer);
	assert_non_null(call(*state));
	assert_memory_equal(fakeumad_written(1), fakeumad_written(2), FAKEUMAD_PACKET);
}

static void tries_are_counted(void **state)
{
	struct mad_rpc_statistics statistics;

	mad_rpc_set_retries(*state, 3);
	expect(NULL);
	expect(NULL);
	expect(&answer);
	assert_non_null(call(*state));
	statistics = statistics_of(*state);
	assert_int_equal(statistics.sent, 3);
	assert_int_equal(statistics.retries, 2);
	assert_int_equal(statistics.timeouts, 2);
	assert_int_equal(statistics.received, 1);
	assert_int_equal(statistics.errors, 0);
}

static void timeout_goes_to_the_kernel(void **state)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = 3,
							  .timeout_ms = 1234,
							  .lid = 4,
							  .qpn = 1,
							  .qkey = IB_DEFAULT_QP1_QKEY,
							  .mgmt_class = IB_PERFORMANCE_CLASS,
							  .method = IB_MAD_METHOD_GET,
							  .attr_id = 0x12 });
	fakeumad_expect_write(packet, sizeof(packet), &answer, 1);
	assert_non_null(call_with_timeout(*state, 1234));
}

static void timeout_of_the_port(void **state)
{
	uint32_t written_ms;

	mad_rpc_set_timeout(*state, 15);
	mad_rpc_set_retries(*state, 1);
	expect(NULL);
	assert_null(call_with_timeout(*state, 0));
	assert_between(took_ms, 14, SLOW_MS);
	memcpy(&written_ms, fakeumad_written(1) + 8, sizeof(written_ms));
	assert_int_equal(written_ms, 15);
}

/* Deadlines */

/* Responds to the first write with a stream of unsolicited responses, one every ms for a second. */
static int foreign_stream(const struct fakeumad_request *request, void *context)
{
	(void)context;
	for (int i = 0; i < 1000; i++) {
		struct fakeumad_reply foreign = { .tid_change = 1 + i, .delay_ms = i };

		if (request->number == 1)
			fakeumad_reply(request, &foreign);
	}
	return 0;
}

static void foreign_mads_do_not_extend_the_wait(void **state)
{
	mad_rpc_set_retries(*state, 1);
	fakeumad_answer_with(foreign_stream, NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, TIMEOUT_MS - 1, 900);
	assert_true(unmatched(*state) > 0);
}

static void foreign_mad_then_the_answer(void **state)
{
	struct fakeumad_reply replies[] = { { .tid_change = 1 }, { .delay_ms = 5 } };

	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(*state, 1000));
	assert_int_equal(unmatched(*state), 1);
}

static void try_lasts_its_timeout(void **state)
{
	mad_rpc_set_retries(*state, 1);
	expect(NULL);
	assert_null(call_with_timeout(*state, 50));
	assert_between(took_ms, 49, SLOW_MS);
}

static void kernel_that_gives_up_early_ends_the_try(void **state)
{
	mad_rpc_set_retries(*state, 1);
	expect(&timed_out);
	assert_null(call_with_timeout(*state, 60000));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, 0, SLOW_MS);
}

static void waiting_is_not_polling(void **state)
{
	mad_rpc_set_retries(*state, 1);
	expect(NULL);
	assert_null(call_with_timeout(*state, 100));
	assert_between(fakeumad_polls(), 1, 4);
	assert_between(fakeumad_reads(), 0, 4);
}

/* Late and doubled responses */

/* Late enough that a busy machine has begun the second attempt by then. */
#define LATE_MS (TIMEOUT_MS + 500)

/* Only the first attempt gets a response, and late. */
static int answer_the_first_late(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply late = { .delay_ms = LATE_MS };

	(void)context;
	if (request->number == 1)
		fakeumad_reply(request, &late);
	return 0;
}

static void late_answer_to_an_earlier_try(void **state)
{
	mad_rpc_set_retries(*state, 1000);
	fakeumad_answer_with(answer_the_first_late, NULL);
	assert_non_null(call(*state));
	assert_between(took_ms, LATE_MS - 2, SLOW_MS);
	assert_true(fakeumad_writes() > 1);
}

static void doubled_answer_is_dropped(void **state)
{
	struct fakeumad_reply twice = { .copies = 2 };

	expect(&twice);
	expect(&answer);
	assert_non_null(call(*state));
	assert_non_null(call(*state));
	assert_int_equal(unmatched(*state), 1);
}

/* A call that gets no response in time, and its late response before that of the next call. */
static void finish_and_answer(struct ibmad_port *port, const struct fakeumad_reply *late)
{
	struct fakeumad_request request = { .size = FAKEUMAD_PACKET };
	struct fakeumad_reply slow = { .delay_ms = 10 };

	mad_rpc_set_retries(port, 1);
	expect(NULL);
	expect(&slow);
	assert_null(call(port));
	request.packet = fakeumad_written(1);
	fakeumad_reply(&request, late);
	assert_non_null(call_with_timeout(port, 2000));
}

static void answer_to_a_finished_call_is_dropped(void **state)
{
	finish_and_answer(*state, &answer);
	assert_int_equal(unmatched(*state), 1);
}

static void returned_request_of_a_finished_call_is_dropped(void **state)
{
	finish_and_answer(*state, &timed_out);
	assert_int_equal(unmatched(*state), 0);
}

/* MADs that are not the response */

static void assert_not_believed(struct ibmad_port *port, struct fakeumad_reply wrong)
{
	struct fakeumad_reply replies[] = { wrong, { .delay_ms = 3 } };

	mad_rpc_set_retries(port, 1);
	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(port, 2000));
	assert_between(took_ms, 2, SLOW_MS);
	fakeumad_expect_write(NULL, 0, &wrong, 1);
	assert_null(call(port));
	assert_int_equal(errno, ETIMEDOUT);
}

static void answer_of_another_class(void **state)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .mgmt_class = 5 });
}

static void answer_with_another_tid(void **state)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .tid_change = 1 });
}

static void answer_with_another_attribute(void **state)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .attr_id = 0x13 });
}

static void answer_of_another_base_version(void **state)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .base_version = 2 });
}

/* A caller's data may overlap the header; that makes no other MAD a response. */
static void answer_like_a_request_of_another_base_version(void **state)
{
	struct ibmad_port *port = *state;
	uint8_t header[24] = { 2, IB_SMI_CLASS, 1, IB_MAD_METHOD_GET, [15] = 9 }, answered[24];
	struct fakeumad_reply reply = { .delay_ms = 0 };
	ib_portid_t to = { .lid = 4 };
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_CLASS,
		.method = IB_MAD_METHOD_GET,
		.timeout = TIMEOUT_MS,
		.datasz = sizeof(header),
	};

	mad_rpc_set_retries(port, 1);
	expect(&reply);
	assert_null(mad_rpc(port, &rpc, &to, header, answered));
	assert_int_equal(errno, ETIMEDOUT);
	header[0] = 1;
	expect(&reply);
	assert_ptr_equal(mad_rpc(port, &rpc, &to, header, answered), answered);
}

static void request_in_place_of_an_answer(void **state)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .request = true });
}

static void trap_repress_in_place_of_an_answer(void **state)
{
	assert_not_believed(*state,
			    (struct fakeumad_reply){ .method = IB_MAD_METHOD_TRAP_REPRESS });
}

static void trap_repress_answers_a_trap(void **state)
{
	struct fakeumad_reply repress = { .method = IB_MAD_METHOD_TRAP_REPRESS };
	ib_bm_call_t trap = { .method = IB_MAD_METHOD_TRAP, .attrid = 2, .timeout = TIMEOUT_MS };
	ib_portid_t to = { .lid = 4 };

	expect(&repress);
	assert_non_null(bm_call_via(data, &to, &trap, *state));
}

static void answer_without_the_header(void **state)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .length = 8 });
}

/* Failing calls of the kernel */

static void interrupted_poll(void **state)
{
	struct fakeumad_reply slow = { .delay_ms = 10 };

	fakeumad_fail_polls(3, EINTR);
	expect(&slow);
	assert_non_null(call_with_timeout(*state, 2000));
}

static void poll_interrupted_all_the_time(void **state)
{
	mad_rpc_set_retries(*state, 1);
	fakeumad_fail_polls(1 << 30, EINTR);
	expect(NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, TIMEOUT_MS - 1, SLOW_MS);
	fakeumad_fail_polls(0, 0);
}

static void interrupted_read(void **state)
{
	struct fakeumad_reply replies[] = { { .error = EINTR }, { 0 } };

	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(*state, 2000));
}

static void interrupted_write(void **state)
{
	fakeumad_expect_write_error(NULL, 0, EINTR);
	expect(&answer);
	assert_non_null(call(*state));
}

static void poll_promised_too_much(void **state)
{
	struct fakeumad_reply replies[] = { { .error = EAGAIN }, { .delay_ms = 5 } };

	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(*state, 2000));
}

static void failing_write(void **state)
{
	static const int errors[] = { EINVAL, EACCES, ENOMEM, ENODEV };

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		fakeumad_expect_write_error(NULL, 0, errors[i]);
		assert_null(call(*state));
		assert_int_equal(errno, errors[i]);
	}
}

/* An attempt that the kernel refuses, since it still holds the previous one, begins when it is
 * sent. */
static void refused_try_has_its_whole_timeout(void **state)
{
	const struct fakeumad_reply another_and_late[] = { { .tid_change = 1, .delay_ms = 5 },
							   { .delay_ms = 375 } };

	mad_rpc_set_retries(*state, 2);
	expect(NULL);
	fakeumad_expect_write_error(NULL, 0, EINVAL);
	fakeumad_expect_write(NULL, 0, another_and_late, 2); /* 50 ms after that */
	assert_non_null(call_with_timeout(*state, 400));
	assert_int_equal(statistics_of(*state).timeouts, 1);
	assert_int_equal(statistics_of(*state).errors, 0);
}

static void failing_read(void **state)
{
	struct fakeumad_reply failure = { .error = EIO };

	expect(&failure);
	assert_null(call(*state));
	assert_int_equal(errno, EIO);
	expect(&answer);
	assert_non_null(call(*state));
}

static int remove_device(const struct fakeumad_request *request, void *context)
{
	(void)request;
	(void)context;
	fakeumad_remove_device(ENODEV);
	return 0;
}

static void device_goes_away(void **state)
{
	fakeumad_answer_with(remove_device, NULL);
	assert_null(call_with_timeout(*state, 60000));
	assert_true(errno == ENODEV || errno == EIO);
	assert_between(took_ms, 0, SLOW_MS);
	assert_null(call_with_timeout(*state, 60000));
	assert_int_equal(errno, ENODEV);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fakeumad_setup, fakeumad_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(no_answer_at_all),
		CASE(kernel_gives_every_try_back),
		CASE(only_the_header_comes_back),
		CASE(one_try_is_one_write),
		CASE(default_is_3_tries),
		CASE(answer_at_the_last_try),
		CASE(tries_have_the_same_tid),
		CASE(tries_are_counted),
		CASE(timeout_goes_to_the_kernel),
		CASE(timeout_of_the_port),
		CASE(foreign_mads_do_not_extend_the_wait),
		CASE(foreign_mad_then_the_answer),
		CASE(try_lasts_its_timeout),
		CASE(kernel_that_gives_up_early_ends_the_try),
		CASE(waiting_is_not_polling),
		CASE(late_answer_to_an_earlier_try),
		CASE(doubled_answer_is_dropped),
		CASE(answer_to_a_finished_call_is_dropped),
		CASE(returned_request_of_a_finished_call_is_dropped),
		CASE(answer_of_another_class),
		CASE(answer_with_another_tid),
		CASE(answer_with_another_attribute),
		CASE(answer_of_another_base_version),
		CASE(answer_like_a_request_of_another_base_version),
		CASE(request_in_place_of_an_answer),
		CASE(trap_repress_in_place_of_an_answer),
		CASE(trap_repress_answers_a_trap),
		CASE(answer_without_the_header),
		CASE(interrupted_poll),
		CASE(poll_interrupted_all_the_time),
		CASE(interrupted_read),
		CASE(interrupted_write),
		CASE(poll_promised_too_much),
		CASE(failing_write),
		CASE(refused_try_has_its_whole_timeout),
		CASE(failing_read),
		CASE(device_goes_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
