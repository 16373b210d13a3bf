/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Internal interfaces, by source file. Internal functions return 0 or -errno; only the public
 * functions convert that to their historical form and set errno.
 */
#ifndef LIBIBMAD_INTERNAL_H
#define LIBIBMAD_INTERNAL_H

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/mad_layout.h"
#include "common/refusals.h"
#include "libibmad/public.h"

/* state.c: ends a public call that failed: sets errno and, if ibdebug enables that, prints why.
 * Returns -1. */
int mad_fail(const char *function, int error) __attribute__((cold));
/* Ends a public call that has printed why it failed: prints only refusals of arguments. */
int mad_fail_again(const char *function, int error) __attribute__((cold));

/* The result of a public function: 0, or -1 with errno set from error (-errno). */
#define mad_zero_or_error(error) mad_end_call(__func__, error)
static inline int mad_end_call(const char *function, int error)
{
	return error ? mad_fail(function, error) : 0;
}

struct ibmad_port;

/*
 * A thread can be cancelled only while it waits for a MAD: cancellation is held in all other calls
 * of libc that are cancellation points. mad_hold_cancel() returns the argument of
 * mad_release_cancel().
 */
static inline int mad_hold_cancel(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	return state;
}
static inline void mad_release_cancel(int state)
{
	pthread_setcancelstate(state, NULL);
}

/* state.c: all process-wide state, with the thread safety of each part. */
struct ibmad_port *mad_state_default_port(void);
struct ibmad_port *mad_state_set_default_port(struct ibmad_port *port);
#pragma GCC visibility push(hidden)
extern struct mad_state_defaults { /* for ports without values of their own */
	atomic_int timeout_ms;
	atomic_int retries;
} mad_state_defaults;
extern atomic_bool mad_state_reply_wanted;
#pragma GCC visibility pop
static inline int mad_state_default_timeout(void)
{
	return atomic_load_explicit(&mad_state_defaults.timeout_ms, memory_order_relaxed);
}
static inline int mad_state_default_retries(void)
{
	return atomic_load_explicit(&mad_state_defaults.retries, memory_order_relaxed);
}
/* The buffer of madrpc_save_mad() for the next response, or NULL. */
struct mad_saved_reply {
	void *buffer;
	size_t size; /* bytes */
};
void mad_state_take_wanted_reply(struct mad_saved_reply *taken);
/* Takes the wish of madrpc_save_mad() for the call that begins now, whatever its outcome. */
static inline void mad_state_take_saved_reply(struct mad_saved_reply *taken)
{
	taken->buffer = NULL;
	if (__builtin_expect(atomic_load_explicit(&mad_state_reply_wanted, memory_order_relaxed),
			     0))
		mad_state_take_wanted_reply(taken);
}
/* Ends a request that is refused before it begins, and the wish of madrpc_save_mad() with it.
 * Returns the error. */
static inline int mad_state_refuse(int error)
{
	struct mad_saved_reply unused;

	mad_state_take_saved_reply(&unused);
	return error;
}
void mad_state_save_reply(const struct mad_saved_reply *saved, const void *mad, size_t length);
/* Whether mad_trid() has returned this number recently. */
bool mad_state_issued_trid(uint64_t trid);
bool mad_state_shows_errors(void);
/* Sets whether mad_warn() prints nothing in this thread as long as ibdebug is 0, as functions that
 * rdma-core does not have want. Returns the previous setting. */
bool mad_state_set_quiet(bool is_quiet);
static inline void mad_state_end_quiet(const bool *was_quiet)
{
	mad_state_set_quiet(*was_quiet);
}
/* Among the declarations of a block: the thread is quiet in it. */
#define MAD_QUIET_BLOCK                                                               \
	const bool was_quiet_ __attribute__((cleanup(mad_state_end_quiet), unused)) = \
		mad_state_set_quiet(true)
void mad_state_read_environment(void);

/* Parses a string that consists of a number (decimal, 0x hexadecimal or 0 octal), with optional
 * blanks around it. Returns false for any other string. */
bool mad_parse_number(const char *text, uint64_t *number);

/*
 * Prints `ibwarn: [pid] function: text` on stderr: mad_warn() always, as these libraries always
 * have for failed requests; mad_show_error() if madrpc_show_errors() or ibdebug enables it. Users
 * know the line by this function's name. errno is left unchanged.
 */
void mad_warn(const char *function, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define mad_show_error(function, ...)                    \
	do {                                             \
		if (mad_state_shows_errors())            \
			mad_warn(function, __VA_ARGS__); \
	} while (0)

/* Prints `ibdebug: [pid] function: text` on stderr, for callers that ibdebug enables. */
void mad_debug(const char *function, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* class.c: properties of management classes. */
int mad_class_version(int mgmt_class);
bool mad_method_has_response(int method);
#define MAD_BM_RESPONSE 1U /* in the attribute modifier of board management: marks a response */
bool mad_request_has_response(const ib_rpc_t *rpc);
/* The attribute that responses to a request have, redirects aside. */
unsigned mad_response_attribute(unsigned mgmt_class, unsigned method, unsigned attr_id);
/* Fills in QP 1 and the well-known Q_Key if the address of a GSI class has 0. */
void mad_address_gsi(ib_portid_t *portid);

/*
 * encode.c: encodes rpc into the umad packet at umad, whose header has header_size bytes
 * (umad_size()) and whose MAD has space for mad_size bytes, with data_size bytes of data (or NULL).
 * Fills in rpc->trid if it is 0. Returns 0, or -EINVAL without writing anything.
 */
int mad_packet_build(void *umad, size_t header_size, size_t mad_size, ib_rpc_t *rpc,
		     const ib_portid_t *dport, const ib_rmpp_hdr_t *rmpp, const void *data,
		     size_t data_size);

/*
 * resolve.c: the addresses of the local port's SM and of the local port. timeout: ms per attempt,
 * 0: that of the port. They return 0 or -errno, and leave the address unchanged on failure.
 */
int mad_resolve_sm(const struct ibmad_port *port, int timeout, ib_portid_t *sm_id);
int mad_resolve_self(const struct ibmad_port *port, ib_portid_t *portid, int *portnum,
		     ibmad_gid_t *gid);

/* port.c and registration.c: an open port and its classes. */
int mad_port_class_of(const struct ibmad_port *port, int agent);
int mad_port_register(struct ibmad_port *port, int mgmt_class, uint8_t rmpp_version,
		      long method_mask[], uint32_t oui);

/* port.c: as mad_pkey_index(). Returns the index or -errno. */
int mad_pkey_find(const struct ibmad_port *port, unsigned pkey, uint16_t *entry);

/* portid.c: addresses as text. */
#define MAD_PORTID_TEXT_SIZE 512 /* enough for every address */
void mad_portid_print(char *text, size_t size, const ib_portid_t *portid);

/* Special properties of a request; usually none. */
enum mad_request_option {
	MAD_REQUEST_KEYED = 1,	/* a ring gives the request its key */
	MAD_REQUEST_ROUTED = 2, /* a directed route was found for its LID */
	MAD_REQUEST_AS_IS = 4,	/* neither a key nor a route is looked up */
	MAD_REQUEST_ONCE = 8,	/* a single attempt */
	MAD_REQUEST_RMPP = 16,	/* the response may have many packets */
};

/*
 * call.c: sends the request rpc with payload (or NULL) and waits for the response, whose data goes
 * to rcvdata (or nowhere, if NULL; unchanged on errors). rmpp: of the request and the response, or
 * NULL: the response is one packet. Returns 0 or -errno.
 */
int mad_rpc_call_with(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		      ib_rmpp_hdr_t *rmpp, const void *payload, void *rcvdata, unsigned options);
static inline int mad_rpc_call(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
			       const void *payload, void *rcvdata)
{
	return mad_rpc_call_with(port, rpc, dport, NULL, payload, rcvdata, 0);
}

/* Stores the outcome in the request, where its version has a place for it. Returns error. */
static inline int mad_rpc_note_error(ib_rpc_t *rpc, int error)
{
	if (rpc && (rpc->mgtclass & IB_MAD_RPC_VERSION_MASK) == IB_MAD_RPC_VERSION1)
		((ib_rpc_v1_t *)rpc)->error = -error;
	return error;
}

#endif
