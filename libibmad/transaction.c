/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One request and its answer: sent up to `tries` times, each try with a deadline of its own, and
 * answered by the MAD that has its transaction id and class, whichever thread reads it.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "bytes.h"
#include "engine.h"
#include "internal.h"
#include "layout.h"

/*
 * How long the kernel may take after our deadline to give a request back: its timers run late, by
 * up to an eighth of their time.
 */
int mad_return_grace_ms(int timeout_ms)
{
	return 100 + (timeout_ms > 0 ? timeout_ms / 8 : 0);
}

static const uint8_t *request_of(const struct mad_transaction *transaction)
{
	return (const uint8_t *)transaction->request + transaction->header_size;
}

static struct mad_transaction **bucket_of(struct mad_engine *engine, uint32_t tid)
{
	return &engine->buckets[tid % MAD_ENGINE_BUCKETS];
}

static struct mad_transaction *find(struct mad_engine *engine, uint32_t tid, uint8_t mgmt_class)
{
	struct mad_transaction *transaction = *bucket_of(engine, tid);

	while (transaction && (transaction->tid != tid || transaction->mgmt_class != mgmt_class))
		transaction = transaction->next_in_bucket;
	return transaction;
}

static bool has_finished(const struct mad_engine *engine, uint32_t tid, uint8_t mgmt_class)
{
	for (int i = 0; i < MAD_ENGINE_FINISHED; i++) {
		const struct mad_transaction_key *key = &engine->finished[i];

		if (key->used && key->tid == tid && key->mgmt_class == mgmt_class)
			return true;
	}
	return false;
}

/* What tells its answers from others, and that there is none yet. */
static void reset(struct mad_transaction *transaction)
{
	const uint8_t *mad = request_of(transaction);

	transaction->tid = mad_get_be32(mad + MAD_TID_LOW);
	transaction->mgmt_class = mad[MAD_CLASS];
	transaction->state = MAD_TRANSACTION_WAITING;
	transaction->send_failed = false;
	transaction->error = 0;
	transaction->returns_owed = 0;
	transaction->answer_length = 0;
	transaction->whole = NULL;
}

/* At the end of its bucket: of two with the same TID, the older is answered first. */
static void enqueue(struct mad_engine *engine, struct mad_transaction *transaction)
{
	struct mad_transaction **place = bucket_of(engine, transaction->tid);

	transaction->next_in_bucket = NULL;
	while (*place)
		place = &(*place)->next_in_bucket;
	*place = transaction;
}

void mad_transaction_begin(struct mad_engine *engine, struct mad_transaction *transaction)
{
	reset(transaction);
	enqueue(engine, transaction);
}

/* Late answers to the transaction are known as such from now on. */
static inline void finish(struct mad_engine *engine, uint32_t tid, uint8_t mgmt_class)
{
	engine->finished[engine->next_finished++ % MAD_ENGINE_FINISHED] =
		(struct mad_transaction_key){ tid, mgmt_class, true };
}

/* Nothing more is claimed for the transaction. */
void mad_transaction_end(struct mad_engine *engine, struct mad_transaction *transaction)
{
	struct mad_transaction **place = bucket_of(engine, transaction->tid);

	while (*place != transaction)
		place = &(*place)->next_in_bucket;
	*place = transaction->next_in_bucket;
	finish(engine, transaction->tid, transaction->mgmt_class);
}

/* Tells whoever is responsible that the state has changed. */
static void wake(struct mad_transaction *transaction)
{
	if (transaction->settled)
		transaction->settled(transaction);
	else
		mad_engine_wake(transaction->waiter);
}

static inline bool is_answer_method(uint8_t asked, uint8_t method)
{
	return method & UMAD_METHOD_RESP_MASK ||
	       (asked == UMAD_METHOD_TRAP && method == UMAD_METHOD_TRAP_REPRESS);
}

/*
 * Whether a MAD with the right transaction id and class is what was asked for. A redirect carries
 * ClassPortInfo in place of the attribute; an answer without an error must hold some of its data.
 */
static inline bool is_believable(const struct mad_transaction *transaction, const uint8_t *mad,
				 size_t length)
{
	const uint8_t *asked = request_of(transaction);
	uint16_t status = mad_get_be16(mad + MAD_STATUS) & ~SMP_DIRECTION;
	uint16_t attr_id = mad_get_be16(mad + MAD_ATTR_ID);

	if (mad[MAD_BASE_VERSION] != UMAD_BASE_VERSION)
		return false;
	if (!is_answer_method(asked[MAD_METHOD], mad[MAD_METHOD]))
		return false;
	if (attr_id != mad_get_be16(asked + MAD_ATTR_ID) &&
	    !(status == UMAD_STATUS_REDIRECT && attr_id == UMAD_ATTR_CLASS_PORT_INFO))
		return false;
	return status || length >= transaction->least_length;
}

/*
 * The kernel gave the request back, unanswered. It does that once for each time it was sent, so
 * what comes early in a later try may belong to one that is over already.
 */
static void take_return(struct mad_transaction *transaction, unsigned status)
{
	int64_t half = (int64_t)transaction->timeout_ms * 1000000 / 2;

	if (transaction->returns_owed && mad_engine_now() - transaction->try_started < half) {
		transaction->returns_owed--;
		return;
	}
	if (transaction->state != MAD_TRANSACTION_WAITING)
		return;
	transaction->state = MAD_TRANSACTION_UNANSWERED;
	transaction->error = -(int)status;
	wake(transaction);
}

/* What was just read is the answer. */
static inline void take_answer(struct mad_engine *engine, struct mad_transaction *transaction)
{
	size_t length = engine->incoming->length;
	size_t fits = length < transaction->answer_size ? length : transaction->answer_size;

	memcpy(transaction->answer, engine->incoming->umad + transaction->header_size, fits);
	if (fits < transaction->answer_size)
		memset(transaction->answer + fits, 0, transaction->answer_size - fits);
	transaction->answer_length = length;
	transaction->error = 0;
	if (length > fits && transaction->wants_whole) {
		transaction->whole = mad_engine_take_incoming(engine);
		if (!transaction->whole)
			transaction->error = -ENOMEM;
	}
	transaction->state = MAD_TRANSACTION_ANSWERED;
}

/*
 * With the engine's lock held: gives the MAD that was just read to its transaction. Returns false
 * where it belongs to none.
 */
bool mad_transaction_claim(struct mad_engine *engine)
{
	const struct mad_buffer *buffer = engine->incoming;
	const uint8_t *mad = umad_get_mad((void *)buffer->umad);
	uint32_t tid = mad_get_be32(mad + MAD_TID_LOW);
	uint8_t mgmt_class = mad[MAD_CLASS];
	unsigned returned = mad_buffer_status(buffer);
	struct mad_transaction *transaction;

	if (!returned && !(mad[MAD_METHOD] & UMAD_METHOD_RESP_MASK) &&
	    mad[MAD_METHOD] != UMAD_METHOD_TRAP_REPRESS)
		return false;
	transaction = find(engine, tid, mgmt_class);
	if (!transaction) {
		if (!has_finished(engine, tid, mgmt_class))
			return false;
		if (!returned)
			engine->statistics.unmatched++;
		return true;
	}
	if (returned)
		take_return(transaction, returned);
	else if (transaction->state == MAD_TRANSACTION_ANSWERED)
		engine->statistics.unmatched++;
	else if (!is_believable(transaction, mad, buffer->length))
		engine->statistics.errors++;
	else {
		take_answer(engine, transaction);
		wake(transaction);
	}
	return true;
}

static bool is_settled(const void *context)
{
	const struct mad_transaction *transaction = context;

	return transaction->state != MAD_TRANSACTION_WAITING;
}

/*
 * All that follows runs with the engine's lock held, but where it sends, waits or prints.
 */

/*
 * Waits up to timeout_ms after start for the answer to the current try, or for the kernel to give
 * it up; that is remaining_ms from now.
 */
static int wait_for_answer(struct mad_engine *engine, struct mad_transaction *transaction,
			   int64_t start, int timeout_ms, int remaining_ms)
{
	int error = mad_engine_wait(engine, transaction->waiter, is_settled, transaction,
				    remaining_ms, mad_engine_deadline_from(start, timeout_ms));

	if (error)
		return error;
	return transaction->state == MAD_TRANSACTION_ANSWERED ? transaction->error : -ETIMEDOUT;
}

static int send_request(struct mad_engine *engine, struct mad_transaction *transaction)
{
	int error = mad_engine_send_locked(engine, transaction->agent, transaction->request,
					   transaction->request_length, transaction->timeout_ms);

	transaction->send_failed = error;
	return error;
}

/* Whether an earlier transaction had the same transaction id: the kernel may still hold it. */
bool mad_transaction_was_used(const struct mad_engine *engine,
			      const struct mad_transaction *transaction)
{
	return has_finished(engine, transaction->tid, transaction->mgmt_class);
}

/*
 * The kernel refuses (EINVAL) a request with the transaction id of one that it still holds, as it
 * may do for a moment after our deadline: waits until it gives that back, and sends once more.
 */
static __attribute__((noinline)) int send_after_return(struct mad_engine *engine,
						       struct mad_transaction *transaction)
{
	int grace_ms = mad_return_grace_ms(transaction->timeout_ms), error;

	engine->statistics.errors--; /* counted by the refused send, which was none */
	transaction->returns_owed = 0;
	error = wait_for_answer(engine, transaction, mad_engine_now(), grace_ms, grace_ms);
	if (transaction->state == MAD_TRANSACTION_UNANSWERED)
		transaction->state = MAD_TRANSACTION_WAITING;
	if (error == -ETIMEDOUT)
		error = send_request(engine, transaction);
	transaction->try_started = mad_engine_now();
	return error;
}

/* What is left to do once a try is over without an answer. */
static void note_timeout(struct mad_engine *engine, struct mad_transaction *transaction)
{
	engine->statistics.timeouts++;
	if (transaction->state == MAD_TRANSACTION_WAITING)
		transaction->returns_owed++;
}

/* What follows a sending, which went well or failed with error. -ETIMEDOUT: no answer came. */
static int wait_after_send(struct mad_engine *engine, struct mad_transaction *transaction, int try,
			   int error)
{
	if (error == -EINVAL && (try || mad_transaction_was_used(engine, transaction)))
		error = send_after_return(engine, transaction);
	if (!error)
		error = wait_for_answer(engine, transaction, transaction->try_started,
					transaction->timeout_ms, transaction->timeout_ms);
	if (error == -ETIMEDOUT)
		note_timeout(engine, transaction);
	return error;
}

/* Sends the request once and waits for its answer. */
static int run_try(struct mad_engine *engine, struct mad_transaction *transaction, int try)
{
	transaction->try_started = mad_engine_now();
	return wait_after_send(engine, transaction, try, send_request(engine, transaction));
}

/* Before another try. Returns false where an answer came after all since the last one. */
static bool prepare_retry(struct mad_engine *engine, struct mad_transaction *transaction, int try)
{
	if (transaction->state == MAD_TRANSACTION_ANSWERED)
		return false;
	transaction->state = MAD_TRANSACTION_WAITING;
	engine->statistics.retries++;
	if (mad_state_shows_errors()) {
		pthread_mutex_unlock(&engine->lock);
		mad_warn("_do_madrpc", "retry %d (timeout %d ms)", try, transaction->timeout_ms);
		pthread_mutex_lock(&engine->lock);
	}
	return true;
}

/* Tries number `try` and the following; error is what became of those before. */
static int run_tries(struct mad_engine *engine, struct mad_transaction *transaction, int try,
		     int error)
{
	for (; try < transaction->tries && error == -ETIMEDOUT; try++) {
		if (try && !prepare_retry(engine, transaction, try))
			return transaction->error;
		error = run_try(engine, transaction, try);
	}
	return error;
}

/* With a place where every thread that reads finds the request. */
static __attribute__((noinline)) int run_among_others(struct mad_engine *engine,
						      struct mad_transaction *transaction)
{
	struct mad_waiter waiter = { .waits = false };
	int error;

	transaction->waiter = &waiter;
	mad_transaction_begin(engine, transaction);
	error = run_tries(engine, transaction, 0, -ETIMEDOUT);
	mad_transaction_end(engine, transaction);
	return error;
}

/*
 * The first try ran alone, and what it read, or failed with, is no plain answer: from here on the
 * request is one of many.
 */
static __attribute__((noinline)) int join_others(struct mad_engine *engine,
						 struct mad_transaction *transaction,
						 const struct mad_engine_read *read, bool sent)
{
	int64_t start = transaction->try_started;
	int timeout_ms = transaction->timeout_ms, error;
	struct mad_waiter waiter = { .waits = false };

	transaction->waiter = &waiter;
	mad_transaction_begin(engine, transaction);
	transaction->send_failed = !sent;
	mad_engine_count_sent(engine, !sent);
	if (!sent) {
		error = wait_after_send(engine, transaction, 0, read->result);
	} else {
		error = mad_engine_take_read(engine, read, timeout_ms);
		if (!error)
			error = wait_for_answer(engine, transaction, start, timeout_ms,
						mad_engine_remaining_ms(mad_engine_deadline_from(
							start, timeout_ms)));
		if (error == -ETIMEDOUT)
			note_timeout(engine, transaction);
	}
	error = run_tries(engine, transaction, 1, error);
	mad_transaction_end(engine, transaction);
	mad_engine_hand_over(engine);
	return error;
}

/* Whether a MAD is the answer and as long as nearly all are. mad_transaction_claim() does the rest.
 */
static inline bool is_plain_answer(const struct mad_transaction *transaction,
				   const struct mad_buffer *buffer)
{
	const uint8_t *asked = request_of(transaction);
	const uint8_t *mad = buffer->umad + transaction->header_size;

	return buffer->length == transaction->answer_size && !mad_buffer_status(buffer) &&
	       !memcmp(mad + MAD_TID_LOW, asked + MAD_TID_LOW, sizeof(uint32_t)) &&
	       mad[MAD_CLASS] == asked[MAD_CLASS] &&
	       is_believable(transaction, mad, buffer->length);
}

/*
 * A request that finds nobody reading takes the reader's part before it is sent: as a rule, what
 * comes first is its answer, and it needs neither a bucket nor a waiter.
 */
static inline int run_alone(struct mad_engine *engine, struct mad_transaction *transaction)
{
	const struct mad_buffer *buffer = engine->incoming;
	struct mad_engine_read read = { .length = 0 };
	const uint8_t *mad;
	bool sent;

	mad_engine_begin_read(engine);
	transaction->try_started = mad_engine_now();
	read.result = mad_engine_write(engine, transaction->agent, transaction->request,
				       transaction->request_length, transaction->timeout_ms);
	sent = !read.result;
	if (sent)
		mad_engine_read(engine, transaction->timeout_ms, &read);
	mad_engine_end_read(engine);
	if (!mad_engine_has_read(engine, &read) || !is_plain_answer(transaction, buffer))
		return join_others(engine, transaction, &read, sent);
	mad = buffer->umad + transaction->header_size;
	memcpy(transaction->answer, mad, buffer->length);
	transaction->answer_length = buffer->length;
	transaction->state = MAD_TRANSACTION_ANSWERED;
	engine->statistics.sent++;
	engine->statistics.received++;
	finish(engine, mad_get_be32(mad + MAD_TID_LOW), mad[MAD_CLASS]);
	mad_engine_hand_over(engine);
	return 0;
}

/* Whether nobody reads, and nobody has a transaction that answers could be taken for. */
static inline bool is_alone(const struct mad_engine *engine,
			    const struct mad_transaction *transaction)
{
	uint32_t tid = mad_get_be32(request_of(transaction) + MAD_TID_LOW);

	return !engine->reading && !engine->buckets[tid % MAD_ENGINE_BUCKETS] &&
	       transaction->timeout_ms && transaction->tries > 0;
}

/* Prints the lines that users know failed requests by; returns why it failed. */
static __attribute__((noinline, cold)) int fail(const struct mad_transaction *transaction,
						int error)
{
	if (error == -ETIMEDOUT && transaction->state == MAD_TRANSACTION_UNANSWERED)
		error = transaction->error;
	if (transaction->state == MAD_TRANSACTION_UNANSWERED && !transaction->send_failed)
		mad_show_error("_do_madrpc", "timeout after %d retries, %d ms", transaction->tries,
			       transaction->timeout_ms * transaction->tries);
	else if (transaction->send_failed)
		mad_warn("_do_madrpc", "send failed; %s", strerror(-error));
	else
		mad_warn("_do_madrpc", "recv failed: %s", strerror(-error));
	return error;
}

/*
 * Takes the lock itself. Sends the request and waits for its answer, up to timeout_ms a try and
 * `tries` times. Returns 0 with the answer, -ETIMEDOUT or what else the kernel gave the last try
 * back with, -ENOMEM, or what umad_send() or umad_recv() failed with.
 */
int mad_transaction_run(struct mad_engine *engine, struct mad_transaction *transaction)
{
	int error;

	pthread_mutex_lock(&engine->lock);
	error = is_alone(engine, transaction) ? run_alone(engine, transaction)
					      : run_among_others(engine, transaction);
	pthread_mutex_unlock(&engine->lock);
	return __builtin_expect(error, 0) ? fail(transaction, error) : 0;
}
