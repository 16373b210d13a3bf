/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * All process-wide state of libibmad, which its interface requires. Any thread may use any of it:
 * each number is atomic, and a lock guards the buffer of madrpc_save_mad().
 *
 * ibdebug is a plain int that programs write directly; they should set it before starting threads.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "libibmad/base/fork.h"
#include "libibmad/internal.h"

#define BLANKS " \t\n\v\f\r"

int ibdebug;

struct mad_state_defaults mad_state_defaults = {
	.timeout_ms = MAD_DEF_TIMEOUT_MS,
	.retries = MAD_DEF_RETRIES,
};

static struct {
	atomic_bool shows_errors;
	_Atomic(struct ibmad_port *) default_port;
	_Atomic uint64_t next_trid; /* 0: not chosen yet */
	_Atomic uint64_t first_trid;
	_Atomic uint64_t parents_trid; /* next_trid of the parent when it forked, or 0 */
} state;

/* The buffer for the next response: set by madrpc_save_mad(), used once. */
atomic_bool mad_state_reply_wanted;
static atomic_bool environment_is_read;
static struct {
	pthread_mutex_t lock;
	struct mad_saved_reply wanted;
} save = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The child's transaction IDs differ from the parent's. */
static void settle_child(void)
{
	atomic_store(&state.parents_trid, atomic_load(&state.next_trid));
	atomic_store(&state.next_trid, 0);
	atomic_store(&state.first_trid, 0);
}

/* Called before a fork has anything to settle. Without memory for the handlers, forks are no safer
 * than without this library's support. */
static void prepare_forks(void)
{
	static struct mad_fork_member member = { .rank = MAD_FORK_LEAF, .lock = &save.lock };
	static atomic_bool is_registered;

	mad_fork_add(&member);
	mad_fork_in_child(&is_registered, settle_child);
}

struct ibmad_port *mad_state_default_port(void)
{
	return atomic_load(&state.default_port);
}

/* Returns the previous default port. */
struct ibmad_port *mad_state_set_default_port(struct ibmad_port *port)
{
	return atomic_exchange(&state.default_port, port);
}

int madrpc_set_retries(int retries)
{
	if (retries > 0)
		atomic_store(&mad_state_defaults.retries, retries);
	return atomic_load(&mad_state_defaults.retries);
}

int madrpc_set_timeout(int timeout)
{
	atomic_store(&mad_state_defaults.timeout_ms, timeout);
	return 0;
}

void madrpc_show_errors(int set)
{
	atomic_store(&state.shows_errors, set != 0);
}

static _Thread_local bool is_quiet;

bool mad_state_set_quiet(bool quiet)
{
	bool before = is_quiet;

	is_quiet = quiet;
	return before;
}

bool mad_state_shows_errors(void)
{
	return ibdebug || atomic_load_explicit(&state.shows_errors, memory_order_relaxed);
}

/* Writes a line at once, so that the lines of several threads and processes do not mix: neither
 * glibc nor musl splits a string that fputs() writes to stderr. fprintf() would take 8 KiB of the
 * stack. */
__attribute__((format(printf, 3, 0))) static void print(const char *kind, const char *function,
							const char *format, va_list arguments)
{
	int saved_errno = errno, cancel_state, length;
	char line[1024];

	length = snprintf(line, sizeof(line), "%s: [%d] %s: ", kind, (int)getpid(), function);
	if (length < (int)sizeof(line) / 2)
		vsnprintf(line + length, sizeof(line) - 1 - length, format, arguments);
	length = (int)strlen(line);
	line[length] = '\n';
	line[length + 1] = '\0';
	cancel_state = mad_hold_cancel();
	fputs(line, stderr);
	mad_release_cancel(cancel_state);
	errno = saved_errno;
}

void mad_warn(const char *function, const char *format, ...)
{
	va_list arguments;

	if (is_quiet && !ibdebug)
		return;
	va_start(arguments, format);
	print("ibwarn", function, format, arguments);
	va_end(arguments);
}

void mad_debug(const char *function, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print("ibdebug", function, format, arguments);
	va_end(arguments);
}

static void explain(const char *function, int error, const char *why)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", mad_refusal_name_length(function), function);
	mad_debug(name, "%s%s%s", why ? why : "", why ? ": " : "", strerror(-error));
}

static int fail(const char *function, int error, bool is_shown)
{
	const char *why = mad_refusal_take(error);

	if (ibdebug > 0 && (is_shown || why))
		explain(function, error, why);
	errno = -error;
	return -1;
}

/* EAGAIN, nothing to receive, is no failure. */
int mad_fail(const char *function, int error)
{
	if (!environment_is_read)
		mad_state_read_environment();
	return fail(function, error, error != -EAGAIN);
}

int mad_fail_again(const char *function, int error)
{
	return fail(function, error, false);
}

bool mad_parse_number(const char *text, uint64_t *number)
{
	int saved_errno = errno;
	bool is_valid;
	char *end;

	text += strspn(text, BLANKS);
	errno = 0;
	*number = strtoull(text, &end, 0);
	is_valid = !errno && end != text && *text != '-' && !end[strspn(end, BLANKS)];
	errno = saved_errno;
	return is_valid;
}

/* LIBIBMAD_DEBUG_LEVEL sets ibdebug when a port is opened; an invalid number is ignored. */
void mad_state_read_environment(void)
{
	const char *text = secure_getenv("LIBIBMAD_DEBUG_LEVEL");
	uint64_t level;

	environment_is_read = true;
	if (text && mad_parse_number(text, &level) && level <= INT_MAX)
		ibdebug = (int)level;
}

void madrpc_save_mad(void *madbuf, int len)
{
	prepare_forks();
	pthread_mutex_lock(&save.lock);
	save.wanted.buffer = len > 0 ? madbuf : NULL;
	save.wanted.size = len > 0 ? len : 0;
	atomic_store(&mad_state_reply_wanted, save.wanted.buffer != NULL);
	pthread_mutex_unlock(&save.lock);
}

void mad_state_take_wanted_reply(struct mad_saved_reply *taken)
{
	pthread_mutex_lock(&save.lock);
	*taken = save.wanted;
	save.wanted.buffer = NULL;
	atomic_store(&mad_state_reply_wanted, false);
	pthread_mutex_unlock(&save.lock);
}

void mad_state_save_reply(const struct mad_saved_reply *saved, const void *mad, size_t length)
{
	memcpy(saved->buffer, mad, length < saved->size ? length : saved->size);
}

/* Whether the IDs of a child that begins with this seed might be among those of its parent. */
static bool is_near_parents(uint64_t seed)
{
	uint64_t parents = atomic_load(&state.parents_trid);

	return parents && (uint32_t)(seed - parents + (1U << 30)) < 1U << 31;
}

/* Sets a first transaction ID that differs between processes and boots, unless another thread does.
 */
static __attribute__((noinline, cold)) void choose_first_trid(void)
{
	struct timespec now;
	uint64_t seed, none = 0;
	int cancel_state = mad_hold_cancel();
	ssize_t length = getrandom(&seed, sizeof(seed), GRND_NONBLOCK);

	prepare_forks();
	mad_release_cancel(cancel_state);
	if (length != sizeof(seed)) {
		clock_gettime(CLOCK_REALTIME, &now);
		seed = ((uint64_t)getpid() << 32) ^ (uint64_t)now.tv_nsec ^
		       (uint64_t)now.tv_sec << 20;
	}
	if (is_near_parents(seed)) /* the kernel may hold requests of the parent */
		seed ^= UINT64_C(1) << 31;
	seed |= 1;
	if (atomic_compare_exchange_strong(&state.next_trid, &none, seed))
		atomic_store(&state.first_trid, seed);
}

bool mad_state_issued_trid(uint64_t trid)
{
	uint64_t first = atomic_load(&state.first_trid);

	return first && trid <= UINT32_MAX &&
	       (uint32_t)(trid - first) < atomic_load(&state.next_trid) - first;
}

/*
 * The low half distinguishes the transactions of this process; the kernel owns the high half and
 * writes its agent ID there.
 */
uint64_t mad_trid(void)
{
	uint64_t trid;

	if (!atomic_load_explicit(&state.next_trid, memory_order_relaxed))
		choose_first_trid();
	do
		trid = (uint32_t)atomic_fetch_add(&state.next_trid, 1);
	while (!trid);
	return trid;
}
