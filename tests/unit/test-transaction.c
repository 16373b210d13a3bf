/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/rpc/rpc.c and engine/engine.c: attempts, deadlines, and which MAD is the response.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

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

static const struct fakeumad_reply response = { 0 }, timed_out = FAKEUMAD_TIMED_OUT;

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

FAKEUMAD_TEST(no_response_at_all)
{
	mad_rpc_set_retries(*state, 3);
	for (int i = 0; i < 3; i++)
		expect(NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, 3 * TIMEOUT_MS - 3, SLOW_MS);
}

FAKEUMAD_TEST(kernel_gives_every_try_back)
{
	mad_rpc_set_retries(*state, 3);
	for (int i = 0; i < 3; i++)
		expect(&timed_out);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
}

FAKEUMAD_TEST(only_the_header_comes_back)
{
	struct fakeumad_reply header = FAKEUMAD_TIMED_OUT;

	header.length = 24;
	mad_rpc_set_retries(*state, 2);
	expect(&header);
	expect(&response);
	assert_non_null(call(*state));
}

FAKEUMAD_TEST(one_try_is_one_write)
{
	mad_rpc_set_retries(*state, 1);
	expect(NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
}

FAKEUMAD_TEST(default_is_3_tries)
{
	for (int i = 0; i < 3; i++)
		expect(NULL);
	assert_null(call(*state));
}

FAKEUMAD_TEST(response_at_the_last_try)
{
	mad_rpc_set_retries(*state, 3);
	expect(NULL);
	expect(&timed_out);
	expect(&response);
	assert_non_null(call(*state));
	assert_int_equal(fakeumad_writes(), 3);
}

FAKEUMAD_TEST(tries_have_the_same_tid)
{
	mad_rpc_set_retries(*state, 2);
	expect(NULL);
	expect(&response);
	assert_non_null(call(*state));
	assert_memory_equal(fakeumad_written(1), fakeumad_written(2), FAKEUMAD_PACKET);
}

FAKEUMAD_TEST(tries_are_counted)
{
	struct mad_rpc_statistics statistics;

	mad_rpc_set_retries(*state, 3);
	expect(NULL);
	expect(NULL);
	expect(&response);
	assert_non_null(call(*state));
	statistics = statistics_of(*state);
	assert_int_equal(statistics.sent, 3);
	assert_int_equal(statistics.retries, 2);
	assert_int_equal(statistics.timeouts, 2);
	assert_int_equal(statistics.received, 1);
	assert_int_equal(statistics.errors, 0);
}

FAKEUMAD_TEST(timeout_goes_to_the_kernel)
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
	fakeumad_expect_write(packet, sizeof(packet), &response, 1);
	assert_non_null(call_with_timeout(*state, 1234));
}

FAKEUMAD_TEST(timeout_of_the_port)
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

FAKEUMAD_TEST(foreign_mads_do_not_extend_the_wait)
{
	mad_rpc_set_retries(*state, 1);
	fakeumad_respond_with(foreign_stream, NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, TIMEOUT_MS - 1, 900);
	assert_true(unmatched(*state) > 0);
}

FAKEUMAD_TEST(foreign_mad_then_the_response)
{
	struct fakeumad_reply replies[] = { { .tid_change = 1 }, { .delay_ms = 5 } };

	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(*state, 1000));
	assert_int_equal(unmatched(*state), 1);
}

FAKEUMAD_TEST(try_lasts_its_timeout)
{
	mad_rpc_set_retries(*state, 1);
	expect(NULL);
	assert_null(call_with_timeout(*state, 50));
	assert_between(took_ms, 49, SLOW_MS);
}

FAKEUMAD_TEST(kernel_that_gives_up_early_ends_the_try)
{
	mad_rpc_set_retries(*state, 1);
	expect(&timed_out);
	assert_null(call_with_timeout(*state, 60000));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, 0, SLOW_MS);
}

FAKEUMAD_TEST(waiting_is_not_polling)
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
static int respond_the_first_late(const struct fakeumad_request *request, void *context)
{
	struct fakeumad_reply late = { .delay_ms = LATE_MS };

	(void)context;
	if (request->number == 1)
		fakeumad_reply(request, &late);
	return 0;
}

FAKEUMAD_TEST(late_response_to_an_earlier_try)
{
	mad_rpc_set_retries(*state, 1000);
	fakeumad_respond_with(respond_the_first_late, NULL);
	assert_non_null(call(*state));
	assert_between(took_ms, LATE_MS - 2, SLOW_MS);
	assert_true(fakeumad_writes() > 1);
}

/* Vendor range 2 has RMPP headers, and its data may be absent. */
FAKEUMAD_TEST(response_without_payload)
{
	const struct fakeumad_reply reply = { .length = IB_VENDOR_RANGE2_DATA_OFFS };
	ib_rpc_t rpc = { .mgtclass = 0x32, .method = IB_MAD_METHOD_GET, .timeout = SLOW_MS };
	ib_portid_t to = { .lid = 4 };

	rpc.oui = IB_OPENIB_OUI;
	rpc.dataoffs = IB_VENDOR_RANGE2_DATA_OFFS;
	rpc.datasz = IB_VENDOR_RANGE2_DATA_SIZE;
	memset(data, 0xee, sizeof(data));
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(mad_rpc_rmpp(*state, &rpc, &to, NULL, data), data);
	assert_int_equal(rpc.rstatus, 0);
	for (size_t i = 0; i < IB_VENDOR_RANGE2_DATA_SIZE; i++)
		assert_int_equal(data[i], 0);
}

/* Of a MAD that may be another's: the kernel keeps it, and the next read finds it. */
FAKEUMAD_TEST(no_memory_while_a_mad_is_read)
{
	const struct fakeumad_reply replies[] = { { .error = ENOMEM }, { 0 } };

	mad_rpc_set_retries(*state, 1);
	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(*state, SLOW_MS));
}

FAKEUMAD_TEST(doubled_response_is_dropped)
{
	struct fakeumad_reply twice = { .copies = 2 };

	expect(&twice);
	expect(&response);
	assert_non_null(call(*state));
	assert_non_null(call(*state));
	assert_int_equal(unmatched(*state), 1);
}

/* A call that gets no response in time, and its late response before that of the next call. */
static void finish_and_respond(struct ibmad_port *port, const struct fakeumad_reply *late)
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

FAKEUMAD_TEST(response_to_a_finished_call_is_dropped)
{
	finish_and_respond(*state, &response);
	assert_int_equal(unmatched(*state), 1);
}

FAKEUMAD_TEST(returned_request_of_a_finished_call_is_dropped)
{
	finish_and_respond(*state, &timed_out);
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

FAKEUMAD_TEST(response_of_another_class)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .mgmt_class = 5 });
}

FAKEUMAD_TEST(response_with_another_tid)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .tid_change = 1 });
}

FAKEUMAD_TEST(response_with_another_attribute)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .attr_id = 0x13 });
}

FAKEUMAD_TEST(response_of_another_base_version)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .base_version = 2 });
}

/* A caller's data may overlap the header; that makes no other MAD a response. */
FAKEUMAD_TEST(response_like_a_request_of_another_base_version)
{
	struct ibmad_port *port = *state;
	uint8_t header[24] = { 2, IB_SMI_CLASS, 1, IB_MAD_METHOD_GET, [15] = 9 }, responded[24];
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
	assert_null(mad_rpc(port, &rpc, &to, header, responded));
	assert_int_equal(errno, ETIMEDOUT);
	header[0] = 1;
	expect(&reply);
	assert_ptr_equal(mad_rpc(port, &rpc, &to, header, responded), responded);
}

FAKEUMAD_TEST(request_in_place_of_a_response)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .request = true });
}

FAKEUMAD_TEST(trap_repress_in_place_of_a_response)
{
	assert_not_believed(*state,
			    (struct fakeumad_reply){ .method = IB_MAD_METHOD_TRAP_REPRESS });
}

FAKEUMAD_TEST(trap_repress_responds_to_a_trap)
{
	struct fakeumad_reply repress = { .method = IB_MAD_METHOD_TRAP_REPRESS };
	ib_bm_call_t trap = { .method = IB_MAD_METHOD_TRAP, .attrid = 2, .timeout = TIMEOUT_MS };
	ib_portid_t to = { .lid = 4 };

	expect(&repress);
	assert_non_null(bm_call_via(data, &to, &trap, *state));
}

FAKEUMAD_TEST(response_without_the_header)
{
	assert_not_believed(*state, (struct fakeumad_reply){ .length = 8 });
}

/* Failing calls of the kernel */

FAKEUMAD_TEST(interrupted_poll)
{
	struct fakeumad_reply slow = { .delay_ms = 10 };

	fakeumad_fail_polls(3, EINTR);
	expect(&slow);
	assert_non_null(call_with_timeout(*state, 2000));
}

FAKEUMAD_TEST(poll_interrupted_all_the_time)
{
	mad_rpc_set_retries(*state, 1);
	fakeumad_fail_polls(1 << 30, EINTR);
	expect(NULL);
	assert_null(call(*state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_between(took_ms, TIMEOUT_MS - 1, SLOW_MS);
	fakeumad_fail_polls(0, 0);
}

FAKEUMAD_TEST(interrupted_read)
{
	struct fakeumad_reply replies[] = { { .error = EINTR }, { 0 } };

	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(*state, 2000));
}

FAKEUMAD_TEST(interrupted_write)
{
	fakeumad_expect_write_error(NULL, 0, EINTR);
	expect(&response);
	assert_non_null(call(*state));
}

FAKEUMAD_TEST(poll_promised_too_much)
{
	struct fakeumad_reply replies[] = { { .error = EAGAIN }, { .delay_ms = 5 } };

	fakeumad_expect_write(NULL, 0, replies, 2);
	assert_non_null(call_with_timeout(*state, 2000));
}

FAKEUMAD_TEST(failing_write)
{
	static const int errors[] = { EINVAL, EACCES, ENOMEM, ENODEV };

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		fakeumad_expect_write_error(NULL, 0, errors[i]);
		assert_null(call(*state));
		assert_int_equal(errno, errors[i]);
		assert_int_equal(statistics_of(*state).errors, i + 1);
	}
}

/* An attempt that the kernel refuses, since it still holds the previous one, begins when it is
 * sent. */
FAKEUMAD_TEST(refused_try_has_its_whole_timeout)
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

FAKEUMAD_TEST(failing_read)
{
	struct fakeumad_reply failure = { .error = EIO };

	expect(&failure);
	assert_null(call(*state));
	assert_int_equal(errno, EIO);
	expect(&response);
	assert_non_null(call(*state));
}

static int remove_device(const struct fakeumad_request *request, void *context)
{
	(void)request;
	(void)context;
	fakeumad_remove_device(ENODEV);
	return 0;
}

FAKEUMAD_TEST(device_goes_away)
{
	fakeumad_respond_with(remove_device, NULL);
	assert_null(call_with_timeout(*state, 60000));
	assert_true(errno == ENODEV || errno == EIO);
	assert_between(took_ms, 0, SLOW_MS);
	assert_null(call_with_timeout(*state, 60000));
	assert_int_equal(errno, ENODEV);
}
