/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The engine of an open port: every request that waits for an answer is a transaction, and what no
 * transaction claims goes to the receivers (servers). There is no thread of its own: whoever waits
 * and finds nobody reading reads for all, and hands the reading over when its own wait is over.
 */
#ifndef LIBIBMAD_ENGINE_H
#define LIBIBMAD_ENGINE_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <infiniband/umad.h>

#include "internal.h"

/* A umad packet: the umad header and length bytes of MAD. */
struct mad_buffer {
	struct mad_buffer *next;
	size_t capacity; /* bytes of MAD that fit */
	size_t length;	 /* bytes of MAD that are there */
	uint8_t umad[];
};

/* What the kernel says of a packet: 0, or why it gives a request back. */
static inline unsigned mad_buffer_status(const struct mad_buffer *buffer)
{
	return ((const struct ib_user_mad *)(const void *)buffer->umad)->status;
}

enum mad_transaction_state {
	MAD_TRANSACTION_WAITING,    /* a try is out */
	MAD_TRANSACTION_UNANSWERED, /* the kernel gave the request back: this try has failed */
	MAD_TRANSACTION_ANSWERED,
};

/* A thread that waits for the engine. */
struct mad_waiter {
	struct mad_waiter *previous;
	struct mad_waiter *next;
	pthread_cond_t wake; /* there while it waits */
	bool waits;
	bool receives;	    /* for what is in the inbox */
	const void *serves; /* the asynchronous lane that it works for, or NULL */
};

/* A request and its answer. The caller fills in the first part and owns all memory. */
struct mad_transaction {
	void *request;	     /* umad packet to send */
	size_t header_size;  /* umad_size() */
	int request_length;  /* bytes of MAD in it */
	int agent;	     /* of the umad layer */
	int timeout_ms;	     /* of one try; negative: for ever */
	int tries;	     /* how often the request is sent at most */
	int data_offset;     /* where the data of an answer begins */
	size_t least_length; /* bytes of MAD of an answer without an error */
	uint8_t *answer;     /* room for the answer's first answer_size bytes of MAD */
	size_t answer_size;
	bool wants_whole; /* hand over answers longer than answer_size in `whole` */

	size_t answer_length;	  /* out: bytes of MAD that the answer has */
	struct mad_buffer *whole; /* out: the whole answer; the caller frees it; or NULL */

	/* The engine's own, guarded by its lock. */
	struct mad_transaction *next_in_bucket;
	struct mad_waiter *waiter; /* the thread that waits for it, or NULL */
	void (*settled)(struct mad_transaction *transaction); /* asynchronous: called instead,
							       * with the engine's lock held */
	enum mad_transaction_state state;
	bool send_failed;    /* the last one */
	int error;	     /* 0, or why the answer could not be taken: -errno */
	int returns_owed;    /* tries that ended before the kernel gave their request back */
	int64_t try_started; /* ns, CLOCK_MONOTONIC */
	uint32_t tid;	     /* low half */
	uint8_t mgmt_class;
};

#define MAD_ENGINE_BUCKETS  256
#define MAD_ENGINE_FINISHED 64
#define MAD_ENGINE_INBOX    256

/* What tells the answers of one transaction from those of another. */
struct mad_transaction_key {
	uint32_t tid;
	uint8_t mgmt_class;
	bool used;
};

struct mad_engine {
	int fd; /* the portid */
	pthread_mutex_t lock;
	bool reading;	     /* a thread is in umad_recv() */
	unsigned receivers;  /* threads in mad_engine_receive() */
	bool sends_unwaited; /* mad_send_via() was used: answers may be for a receiver */
	struct mad_waiter *first_waiter;
	struct mad_waiter *last_waiter;
	struct mad_transaction *buckets[MAD_ENGINE_BUCKETS]; /* in flight, by TID */
	struct mad_transaction_key finished[MAD_ENGINE_FINISHED];
	unsigned next_finished;
	struct mad_buffer *incoming;	/* what the next read fills; the reading thread's */
	struct mad_buffer *spare;	/* kept for reuse, or NULL */
	struct mad_buffer *first_inbox; /* what no transaction claimed, oldest first */
	struct mad_buffer *last_inbox;
	unsigned inbox_length;
	unsigned empty_reads; /* in a row */
	struct mad_rpc_statistics statistics;
};

#define MAD_NO_DEADLINE INT64_MAX

/* The moment timeout_ms after start (ns); a negative timeout never ends. */
static inline int64_t mad_engine_deadline_from(int64_t start, int timeout_ms)
{
	return timeout_ms < 0 ? MAD_NO_DEADLINE : start + (int64_t)timeout_ms * 1000000;
}

/* Sends one umad packet; any number of threads may, none of them with the lock held. */
static inline int mad_engine_write(const struct mad_engine *engine, int agent, void *umad,
				   int length, int timeout_ms)
{
	int error = umad_send(engine->fd, agent, umad, length, timeout_ms, 0);

	if (__builtin_expect(error == -EIO && errno > 0, 0))
		error = -errno;
	return error;
}

static inline void mad_engine_count_sent(struct mad_engine *engine, bool failed)
{
	if (__builtin_expect(failed, 0))
		engine->statistics.errors++;
	else
		engine->statistics.sent++;
}

/* With the lock held, and given back meanwhile: sends one umad packet. */
static inline int mad_engine_send_locked(struct mad_engine *engine, int agent, void *umad,
					 int length, int timeout_ms)
{
	int error;

	pthread_mutex_unlock(&engine->lock);
	error = mad_engine_write(engine, agent, umad, length, timeout_ms);
	pthread_mutex_lock(&engine->lock);
	mad_engine_count_sent(engine, error);
	return error;
}

/*
 * Reading, in steps. Between mad_engine_begin_read(), which wants the lock and that nobody reads,
 * and mad_engine_end_read(), the thread has the reader's part and not the lock.
 */
struct mad_engine_read {
	int result; /* of umad_recv(), or -errno */
	int length; /* bytes of MAD that were read, or there are */
};

static inline void mad_engine_begin_read(struct mad_engine *engine)
{
	engine->reading = true;
	pthread_mutex_unlock(&engine->lock);
}

static inline void mad_engine_read(const struct mad_engine *engine, int timeout_ms,
				   struct mad_engine_read *read)
{
	read->length = (int)engine->incoming->capacity;
	read->result = umad_recv(engine->fd, engine->incoming->umad, &read->length, timeout_ms);
	if (__builtin_expect(read->result == -EIO && errno > 0, 0))
		read->result = -errno;
}

static inline void mad_engine_end_read(struct mad_engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	engine->reading = false;
}

/* With the lock held: whether a MAD has been read; its length is known from now on. */
static inline bool mad_engine_has_read(struct mad_engine *engine,
				       const struct mad_engine_read *read)
{
	if (read->result < 0 || (unsigned)read->length > engine->incoming->capacity)
		return false; /* no MAD is as long as a negative number is without its sign */
	engine->empty_reads = 0;
	engine->incoming->length = read->length;
	return true;
}

/* When a wait is over: somebody else that waits has to read from now on. */
static inline void mad_engine_hand_over(struct mad_engine *engine)
{
	if (!engine->reading && engine->first_waiter)
		pthread_cond_signal(&engine->first_waiter->wake);
}

/* engine.c */
int mad_engine_init(struct mad_engine *engine, int fd);
void mad_engine_destroy(struct mad_engine *engine);
int64_t mad_engine_now(void);
int64_t mad_engine_deadline(int timeout_ms);
struct timespec mad_engine_timespec(int64_t deadline);
void mad_engine_drain(struct mad_engine *engine, unsigned most);
int mad_engine_remaining_ms(int64_t deadline);
int mad_engine_wait(struct mad_engine *engine, struct mad_waiter *waiter,
		    bool (*ready)(const void *context), const void *context, int remaining_ms,
		    int64_t deadline);
int mad_engine_take_read(struct mad_engine *engine, const struct mad_engine_read *read,
			 int timeout_ms);
void mad_engine_wake(struct mad_waiter *waiter);
int mad_engine_send(struct mad_engine *engine, int agent, void *umad, int length, int timeout_ms);
void mad_engine_count_redirect(struct mad_engine *engine);
void mad_engine_expect_unwaited(struct mad_engine *engine);
int mad_engine_receive(struct mad_engine *engine, int timeout_ms, size_t room,
		       struct mad_buffer **received);
void mad_engine_put_back(struct mad_engine *engine, struct mad_buffer *buffer);
struct mad_buffer *mad_engine_take_incoming(struct mad_engine *engine);
void mad_engine_recycle(struct mad_engine *engine, struct mad_buffer *buffer);
struct mad_buffer *mad_buffer_new(size_t capacity);
void mad_buffer_free(struct mad_buffer *buffer);

/* transaction.c */
int mad_return_grace_ms(int timeout_ms);
int mad_transaction_run(struct mad_engine *engine, struct mad_transaction *transaction);
bool mad_transaction_claim(struct mad_engine *engine);
void mad_transaction_begin(struct mad_engine *engine, struct mad_transaction *transaction);
bool mad_transaction_was_used(const struct mad_engine *engine,
			      const struct mad_transaction *transaction);
void mad_transaction_end(struct mad_engine *engine, struct mad_transaction *transaction);

#endif
