/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Attempts and timeouts of libibmad on the real kernel, which holds a request until its timeout and
 * refuses (EINVAL) another with the same transaction ID meanwhile: as many requests reach the
 * responder as there are attempts, each attempt lasts its timeout, and nothing is counted twice.
 */
#include <errno.h>
#include <string.h>

#include "caller.h"
#include "loop.h"
#include "responder.h"
#include "sys.h"
#include "tap.h"

/* What the kernel's timer wheel and a held request add to an attempt. */
static int64_t at_most(int timeout_ms, int tries)
{
	return (int64_t)tries * (timeout_ms + timeout_ms / 8 + 20);
}

static void check_counts(struct caller *caller, unsigned tries, unsigned responses)
{
	struct mad_rpc_statistics statistics;

	if (!caller_statistics(caller, &statistics))
		return;
	check_equal(statistics.sent, tries);
	check_equal(statistics.retries, tries - 1);
	check_equal(statistics.timeouts, responses ? tries - 1 : tries);
	check_equal(statistics.received, responses);
	check_equal(statistics.errors, 0);
	check_equal(statistics.unmatched, 0);
}

/* Nothing responds: `tries` requests of `timeout_ms` each, and then ETIMEDOUT. */
static void check_without_response(int timeout_ms, int tries)
{
	struct responder responder = { .drop = RESPONDER_DROPS_ALL };
	struct caller caller;
	int64_t start, took;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	mad_rpc_set_retries(caller.port, tries);
	start = sys_now_ms();
	check_equal(caller_call(&caller, timeout_ms, 1), ETIMEDOUT);
	took = sys_now_ms() - start;
	tap_note("%d tries of %d ms: %d ms", tries, timeout_ms, (int)took);
	check(took >= tries * timeout_ms);
	check(took <= at_most(timeout_ms, tries));
	sys_sleep_ms(100);
	check_equal(atomic_load(&responder.requests), tries);
	check_counts(&caller, tries, 0);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(one_try)
{
	check_without_response(100, 1);
}

TEST(three_tries)
{
	check_without_response(100, 3);
}

TEST(many_short_tries)
{
	check_without_response(20, 10);
}

TEST(two_long_tries)
{
	check_without_response(1000, 2);
}

/* The kernel's timers are the coarser the longer they run: up to an eighth of their time late. */
TEST(tries_of_many_seconds)
{
	check_without_response(2500, 3);
	check_without_response(5000, 3);
	check_without_response(20000, 2);
}

TEST(timeout_and_retries_of_the_port_hold)
{
	struct responder responder = { .drop = RESPONDER_DROPS_ALL };
	struct caller caller;
	int64_t start, took;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	mad_rpc_set_retries(caller.port, 2);
	mad_rpc_set_timeout(caller.port, 150);
	start = sys_now_ms();
	check_equal(caller_call(&caller, 0, 1), ETIMEDOUT);
	took = sys_now_ms() - start;
	check(took >= 300 && took <= at_most(150, 2));
	check_equal(atomic_load(&responder.requests), 2);
	caller_close(&caller);
	responder_stop(&responder);
}

TEST(the_response_to_a_later_try)
{
	struct responder responder = { .drop = 2 };
	struct caller caller;
	int64_t start, took;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	mad_rpc_set_retries(caller.port, 5);
	start = sys_now_ms();
	check_equal(caller_call(&caller, 100, 1), 0);
	took = sys_now_ms() - start;
	check(took >= 200 && took <= at_most(100, 2) + 20);
	check_equal(atomic_load(&responder.requests), 3);
	check_counts(&caller, 3, 1);
	caller_close(&caller);
	responder_stop(&responder);
}

/* The response to the first attempt arrives while the second one is in flight, and is accepted. */
TEST(a_late_response_ends_the_next_try)
{
	struct responder responder = { .delay_ms = 150 };
	struct mad_rpc_statistics statistics;
	struct caller caller;
	int64_t start, took;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	start = sys_now_ms();
	check_equal(caller_call(&caller, 100, 1), 0);
	took = sys_now_ms() - start;
	tap_note("responded after %d ms", (int)took);
	check(took >= 150 && took < 190);
	sys_sleep_ms(200);
	check_equal(atomic_load(&responder.requests), 2);
	check_equal(caller_call(&caller, 400, 2), 0);
	if (caller_statistics(&caller, &statistics)) {
		check_equal(statistics.sent, 3);
		check_equal(statistics.retries, 1);
		check_equal(statistics.errors, 0);
	}
	caller_close(&caller);
	responder_stop(&responder);
}

/* The same transaction ID for one request after the other: the kernel no longer holds the first. */
TEST(a_transaction_id_is_used_again)
{
	struct responder responder = { .drop = 2 };
	uint8_t data[CALLER_DATA_SIZE] = { 0 };
	struct mad_rpc_statistics statistics;
	struct caller caller;
	ib_rpc_t rpc;

	require(responder_start(&responder) && caller_open(&caller, LOOP_DEVICE));
	mad_rpc_set_retries(caller.port, 1);
	for (int i = 0; i < 4; i++) {
		rpc = caller_rpc(50);
		rpc.trid = 0x4711;
		errno = 0;
		mad_rpc(caller.port, &rpc, &caller.portid, data, data);
		check_equal(errno, i < 2 ? ETIMEDOUT : 0);
	}
	check_equal(atomic_load(&responder.requests), 4);
	if (caller_statistics(&caller, &statistics)) {
		check_equal(statistics.sent, 4);
		check_equal(statistics.timeouts, 2);
		check_equal(statistics.received, 2);
		check_equal(statistics.errors, 0);
	}
	caller_close(&caller);
	responder_stop(&responder);
}
