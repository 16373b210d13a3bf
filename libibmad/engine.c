/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Who reads an open port, and what becomes of what is read. One thread at a time reads, for all;
 * transaction.c claims the answers, and what is left waits in the inbox for a receiver.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include <infiniband/umad.h>

#include "bytes.h"
#include "engine.h"
#include "internal.h"
#include "layout.h"
#include "port.h"

#define NS_PER_MS 1000000
#define NS_PER_S  1000000000

/* What has come before a deadline may still be read after it, but no stream of MADs extends a wait.
 */
#define LATE_READS_MAX 16

/* Reads that may come back empty in a row, though poll() promised a MAD, before we take a pause. */
#define EMPTY_READS_MAX 16

int64_t mad_engine_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* The moment timeout_ms from now. */
int64_t mad_engine_deadline(int timeout_ms)
{
	return timeout_ms < 0 ? MAD_NO_DEADLINE
			      : mad_engine_deadline_from(mad_engine_now(), timeout_ms);
}

struct timespec mad_engine_timespec(int64_t deadline)
{
	return (struct timespec){ .tv_sec = deadline / NS_PER_S, .tv_nsec = deadline % NS_PER_S };
}

/* What is left until the deadline, as umad_recv() takes it: whole ms, rounded up; -1 for ever. */
__attribute__((noinline)) int mad_engine_remaining_ms(int64_t deadline)
{
	int64_t left;

	if (deadline == MAD_NO_DEADLINE)
		return -1;
	left = deadline - mad_engine_now();
	if (left <= 0)
		return 0;
	left = (left + NS_PER_MS - 1) / NS_PER_MS;
	return left > INT_MAX ? INT_MAX : (int)left;
}

struct mad_buffer *mad_buffer_new(size_t capacity)
{
	size_t header = umad_size();
	struct mad_buffer *buffer;

	if (capacity > INT_MAX)
		return NULL;
	buffer = calloc(1, sizeof(*buffer) + header + capacity);
	if (buffer)
		buffer->capacity = capacity;
	return buffer;
}

void mad_buffer_free(struct mad_buffer *buffer)
{
	free(buffer);
}

int mad_engine_init(struct mad_engine *engine, int fd)
{
	int error;

	memset(engine, 0, sizeof(*engine));
	engine->fd = fd;
	engine->incoming = mad_buffer_new(IB_MAD_SIZE);
	if (!engine->incoming)
		return -ENOMEM;
	error = pthread_mutex_init(&engine->lock, NULL);
	if (error)
		mad_buffer_free(engine->incoming);
	return -error;
}

/* Nobody may wait for the engine any more. */
void mad_engine_destroy(struct mad_engine *engine)
{
	struct mad_buffer *buffer;

	while ((buffer = engine->first_inbox)) {
		engine->first_inbox = buffer->next;
		mad_buffer_free(buffer);
	}
	mad_buffer_free(engine->spare);
	mad_buffer_free(engine->incoming);
	pthread_mutex_destroy(&engine->lock);
}

static int init_waiter(struct mad_waiter *waiter)
{
	pthread_condattr_t attributes;
	int error = pthread_condattr_init(&attributes);

	if (error)
		return -error;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	error = pthread_cond_init(&waiter->wake, &attributes);
	pthread_condattr_destroy(&attributes);
	return -error;
}

static void enqueue_waiter(struct mad_engine *engine, struct mad_waiter *waiter)
{
	waiter->next = NULL;
	waiter->previous = engine->last_waiter;
	if (engine->last_waiter)
		engine->last_waiter->next = waiter;
	else
		engine->first_waiter = waiter;
	engine->last_waiter = waiter;
}

static void dequeue_waiter(struct mad_engine *engine, struct mad_waiter *waiter)
{
	if (waiter->previous)
		waiter->previous->next = waiter->next;
	else
		engine->first_waiter = waiter->next;
	if (waiter->next)
		waiter->next->previous = waiter->previous;
	else
		engine->last_waiter = waiter->previous;
}

/* Waits, the lock given back meanwhile, until somebody wakes the waiter or the deadline is there.
 */
static __attribute__((noinline)) int wait_for_reader(struct mad_engine *engine,
						     struct mad_waiter *waiter, int64_t deadline)
{
	struct timespec until = mad_engine_timespec(deadline);
	int error = init_waiter(waiter);

	if (error)
		return error;
	waiter->waits = true;
	enqueue_waiter(engine, waiter);
	if (deadline == MAD_NO_DEADLINE)
		pthread_cond_wait(&waiter->wake, &engine->lock);
	else
		pthread_cond_timedwait(&waiter->wake, &engine->lock, &until);
	dequeue_waiter(engine, waiter);
	waiter->waits = false;
	pthread_cond_destroy(&waiter->wake);
	return 0;
}

/* With the lock held: what the waiter waits for may be there. */
void mad_engine_wake(struct mad_waiter *waiter)
{
	if (waiter->waits)
		pthread_cond_signal(&waiter->wake);
}

static bool is_full(const struct mad_engine *engine)
{
	return engine->inbox_length >= MAD_ENGINE_INBOX;
}

/* A buffer of at least IB_MAD_SIZE to read into next: the spare one, or a new one. */
static struct mad_buffer *take_spare(struct mad_engine *engine)
{
	struct mad_buffer *buffer = engine->spare;

	engine->spare = NULL;
	return buffer ? buffer : mad_buffer_new(IB_MAD_SIZE);
}

/* With the lock held: takes back a buffer that mad_engine_receive() or a transaction gave out. */
static void put_spare(struct mad_engine *engine, struct mad_buffer *buffer)
{
	if (!engine->spare && buffer->capacity == IB_MAD_SIZE)
		engine->spare = buffer;
	else
		mad_buffer_free(buffer);
}

void mad_engine_recycle(struct mad_engine *engine, struct mad_buffer *buffer)
{
	pthread_mutex_lock(&engine->lock);
	put_spare(engine, buffer);
	pthread_mutex_unlock(&engine->lock);
}

/* Gives away what was just read and leaves another buffer in its place; NULL without memory. */
struct mad_buffer *mad_engine_take_incoming(struct mad_engine *engine)
{
	struct mad_buffer *taken = engine->incoming, *next = take_spare(engine);

	if (!next)
		return NULL;
	engine->incoming = next;
	return taken;
}

/* What no transaction claims is kept for receivers, up to a limit, and else counted and dropped. */
static __attribute__((noinline)) void keep_for_receiver(struct mad_engine *engine)
{
	const uint8_t *mad = umad_get_mad(engine->incoming->umad);
	bool answer = (mad[MAD_METHOD] & IB_MAD_RESPONSE) || mad_buffer_status(engine->incoming);
	struct mad_buffer *buffer = NULL;

	if ((!answer || engine->sends_unwaited || engine->receivers) && !is_full(engine))
		buffer = mad_engine_take_incoming(engine);
	if (!buffer) {
		engine->statistics.unmatched++;
		return;
	}
	buffer->next = NULL;
	if (engine->last_inbox)
		engine->last_inbox->next = buffer;
	else
		engine->first_inbox = buffer;
	engine->last_inbox = buffer;
	engine->inbox_length++;
	for (struct mad_waiter *waiter = engine->first_waiter; waiter; waiter = waiter->next)
		if (waiter->receives)
			mad_engine_wake(waiter);
}

static void deliver(struct mad_engine *engine)
{
	engine->statistics.received += !mad_buffer_status(engine->incoming);
	if (engine->incoming->length < MAD_HEADER_END)
		engine->statistics.errors++;
	else if (!mad_transaction_claim(engine))
		keep_for_receiver(engine);
}

/* The next MAD is larger than the buffer; the kernel keeps it for a read that is large enough. */
static int enlarge_incoming(struct mad_engine *engine, int length)
{
	struct mad_buffer *larger;

	if (length <= 0 || (size_t)length <= engine->incoming->capacity)
		return -ENOSPC;
	larger = mad_buffer_new(length);
	if (!larger)
		return -ENOMEM;
	put_spare(engine, engine->incoming);
	engine->incoming = larger;
	return 0;
}

static void pause_after_empty_reads(struct mad_engine *engine)
{
	static const struct timespec one_ms = { .tv_nsec = NS_PER_MS };

	if (++engine->empty_reads <= EMPTY_READS_MAX)
		return;
	pthread_mutex_unlock(&engine->lock);
	nanosleep(&one_ms, NULL);
	pthread_mutex_lock(&engine->lock);
}

/* What umad_recv() answered in place of a MAD. */
static __attribute__((noinline, cold)) int read_failed(struct mad_engine *engine, int error,
						       int length, int timeout_ms)
{
	switch (error) {
	case -ENOSPC:
		return enlarge_incoming(engine, length);
	case -EINTR:
		return 0;
	case -ETIMEDOUT:
		return -ETIMEDOUT;
	case -EAGAIN:
		if (!timeout_ms)
			return -EAGAIN;
		pause_after_empty_reads(engine);
		return 0;
	default:
		return error;
	}
}

/*
 * With the lock held: delivers what was read within timeout_ms. Returns 0 (look again what has
 * come), -ETIMEDOUT or -EAGAIN when nothing came in time, or why the port can't be read.
 */
int mad_engine_take_read(struct mad_engine *engine, const struct mad_engine_read *read,
			 int timeout_ms)
{
	if (read->result < 0)
		return read_failed(engine, read->result, read->length, timeout_ms);
	if (!mad_engine_has_read(engine, read))
		return -EIO;
	deliver(engine);
	return 0;
}

/* With the lock held and nobody reading: reads one MAD, and delivers it. */
static int read_one(struct mad_engine *engine, int timeout_ms)
{
	struct mad_engine_read read;

	mad_engine_begin_read(engine);
	mad_engine_read(engine, timeout_ms, &read);
	mad_engine_end_read(engine);
	return mad_engine_take_read(engine, &read, timeout_ms);
}

/*
 * With the lock held: waits until ready(context) or the deadline, which is remaining_ms from now,
 * and reads for all while nobody else does. A deadline that is past still looks once at what has
 * already come. Returns 0, -ETIMEDOUT, or why the port can't be read.
 */
int mad_engine_wait(struct mad_engine *engine, struct mad_waiter *waiter,
		    bool (*ready)(const void *context), const void *context, int remaining_ms,
		    int64_t deadline)
{
	bool there = ready(context);
	int error = 0, late_reads = 0;

	while (!there && !error) {
		if (!remaining_ms && (engine->reading || late_reads++ >= LATE_READS_MAX))
			error = -ETIMEDOUT;
		else if (!engine->reading)
			error = read_one(engine, remaining_ms);
		else
			error = wait_for_reader(engine, waiter, deadline);
		there = ready(context);
		if (!there && !error)
			remaining_ms = mad_engine_remaining_ms(deadline);
	}
	mad_engine_hand_over(engine);
	if (there)
		return 0;
	return error == -EAGAIN ? -ETIMEDOUT : error;
}

/* With the lock held: reads what has already come, at most that many MADs, without waiting. */
void mad_engine_drain(struct mad_engine *engine, unsigned most)
{
	while (most-- && !engine->reading && !read_one(engine, 0))
		;
	mad_engine_hand_over(engine);
}

void mad_engine_count_redirect(struct mad_engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	engine->statistics.redirected++;
	pthread_mutex_unlock(&engine->lock);
}

/* From now on, answers that no transaction claims may be for a receiver. */
void mad_engine_expect_unwaited(struct mad_engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	engine->sends_unwaited = true;
	pthread_mutex_unlock(&engine->lock);
}

/* Sends one umad packet. */
int mad_engine_send(struct mad_engine *engine, int agent, void *umad, int length, int timeout_ms)
{
	int error;

	pthread_mutex_lock(&engine->lock);
	error = mad_engine_send_locked(engine, agent, umad, length, timeout_ms);
	pthread_mutex_unlock(&engine->lock);
	return error;
}

static bool has_inbox(const void *engine)
{
	return ((const struct mad_engine *)engine)->first_inbox;
}

static struct mad_buffer *take_inbox(struct mad_engine *engine)
{
	struct mad_buffer *buffer = engine->first_inbox;

	engine->first_inbox = buffer->next;
	if (!buffer->next)
		engine->last_inbox = NULL;
	engine->inbox_length--;
	return buffer;
}

/* Without a buffer to read into next, what is read would have to be dropped: it stays unread. */
static int reserve_spare(struct mad_engine *engine)
{
	if (!engine->spare && !engine->first_inbox)
		engine->spare = mad_buffer_new(IB_MAD_SIZE);
	return engine->spare || engine->first_inbox ? 0 : -ENOMEM;
}

/*
 * Receives what no transaction claims, waiting up to timeout_ms (negative: for ever; 0: not at
 * all). *received belongs to the caller, who gives it back by mad_engine_recycle(). A MAD longer
 * than room stays for the next call: -ENOSPC.
 */
int mad_engine_receive(struct mad_engine *engine, int timeout_ms, size_t room,
		       struct mad_buffer **received)
{
	struct mad_waiter waiter = { .receives = true };
	int error;

	pthread_mutex_lock(&engine->lock);
	engine->receivers++;
	error = reserve_spare(engine);
	if (!error)
		error = mad_engine_wait(engine, &waiter, has_inbox, engine, timeout_ms,
					mad_engine_deadline(timeout_ms));
	engine->receivers--;
	if (!error && engine->first_inbox->length > room)
		error = -ENOSPC;
	if (!error)
		*received = take_inbox(engine);
	pthread_mutex_unlock(&engine->lock);
	return error == -ETIMEDOUT && !timeout_ms ? -EAGAIN : error;
}

/* Puts what mad_engine_receive() gave out where it was, for the next call. */
void mad_engine_put_back(struct mad_engine *engine, struct mad_buffer *buffer)
{
	pthread_mutex_lock(&engine->lock);
	buffer->next = engine->first_inbox;
	engine->first_inbox = buffer;
	if (!buffer->next)
		engine->last_inbox = buffer;
	engine->inbox_length++;
	pthread_mutex_unlock(&engine->lock);
}

int mad_rpc_get_statistics(const struct ibmad_port *srcport, struct mad_rpc_statistics *statistics,
			   size_t size)
{
	struct mad_engine *engine;

	if (!srcport || !statistics) {
		errno = EINVAL;
		return -1;
	}
	engine = mad_port_engine(srcport);
	memset(statistics, 0, size);
	pthread_mutex_lock(&engine->lock);
	memcpy(statistics, &engine->statistics,
	       size < sizeof(*statistics) ? size : sizeof(*statistics));
	pthread_mutex_unlock(&engine->lock);
	return 0;
}
