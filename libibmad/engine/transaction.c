/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * transaction.c - see transaction.h.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/engine/transaction.h"

/* All static functions are called with the engine's lock held, but for fail(). */

static void warn_retry(struct mad_engine *engine, const struct mad_transaction *transaction)
{
	const struct mad_try *try = &transaction->try;

	if (!try->sent || !mad_state_shows_errors())
		return;
	pthread_mutex_unlock(&engine->lock);
	mad_warn("_do_madrpc", "retry %u (timeout %d ms)", try->sent, try->timeout_ms);
	pthread_mutex_lock(&engine->lock);
}

static void send_request(struct mad_engine *engine, struct mad_transaction *transaction)
{
	warn_retry(engine, transaction);
	if (transaction->try.action == MAD_TRY_SEND)
		mad_inflight_send(engine, transaction);
}

/* Waits for the next event of the machine; if the port cannot be read, the request ends. */
static void wait_for_event(struct mad_engine *engine, struct mad_transaction *transaction)
{
	int64_t until = transaction->try.until;
	int error = mad_engine_wait(engine, transaction->waiter, until);

	if (error == -ETIMEDOUT)
		mad_inflight_step(engine, transaction, MAD_TRY_TIMER, 0, until);
	else if (error)
		mad_inflight_step(engine, transaction, MAD_TRY_CANCEL, error, 0);
}

/* The request is not in flight meanwhile: resolving an address may take further requests, in which
 * the thread may be cancelled. */
static void readdress_unlocked(struct mad_engine *engine, struct mad_transaction *transaction,
			       mad_readdress *readdress, void *context)
{
	int saved_errno = transaction->waiter->saved_errno, error;

	mad_inflight_step(engine, transaction, MAD_TRY_BEGIN, 0, 0);
	mad_inflight_drop_whole(engine, transaction);
	mad_inflight_remove(engine, transaction);
	mad_engine_leave(engine, transaction->waiter);
	error = readdress(transaction, context);
	mad_engine_enter(engine, transaction->waiter);
	transaction->waiter->saved_errno = saved_errno;
	mad_inflight_add(engine, transaction);
	mad_inflight_step(engine, transaction, MAD_TRY_READDRESSED, error, 0);
}

static int carry_out(struct mad_engine *engine, struct mad_transaction *transaction,
		     mad_readdress *readdress, void *context)
{
	const struct mad_try *try = &transaction->try;

	while (try->action != MAD_TRY_FINISH) {
		if (try->action == MAD_TRY_SEND)
			send_request(engine, transaction);
		if (try->action == MAD_TRY_WAIT)
			wait_for_event(engine, transaction);
		if (try->action == MAD_TRY_READDRESS)
			readdress_unlocked(engine, transaction, readdress, context);
	}
	return try->error;
}

/* The thread is being cancelled. */
static void abandon(struct mad_waiter *waiter)
{
	struct mad_transaction *transaction = waiter->context;

	mad_inflight_remove(waiter->engine, transaction);
	mad_inflight_drop_whole(waiter->engine, transaction);
}

/* Prints the lines by which users know failed requests. */
static __attribute__((noinline, cold)) void warn_failed(const struct mad_try *try)
{
	const char *why = strerror(-try->error);

	if (try->send_failed)
		mad_warn("_do_madrpc", "send failed; %s", why);
	else if (try->returned)
		mad_show_error("_do_madrpc", "timeout after %u retries, %lld ms", try->attempts,
			       (long long)try->timeout_ms * try->attempts);
	else
		mad_warn("_do_madrpc", "recv failed: %s", why);
}

int mad_transaction_run(struct mad_engine *engine, struct mad_transaction *transaction,
			mad_readdress *readdress, void *context)
{
	struct mad_waiter waiter;
	int error;

	waiter.group = NULL;
	waiter.wakeup = NULL;
	waiter.abandon = abandon;
	waiter.context = transaction;
	transaction->changed = NULL;
	transaction->waiter = &waiter;
	mad_engine_enter(engine, &waiter);
	mad_inflight_add(engine, transaction);
	error = carry_out(engine, transaction, readdress, context);
	mad_inflight_remove(engine, transaction);
	mad_engine_leave(engine, &waiter);
	if (error && !transaction->try.redirect_failed)
		warn_failed(&transaction->try);
	return error;
}
