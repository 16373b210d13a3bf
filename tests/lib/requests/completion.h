/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The asynchronous form of the calls that rows of the table of requests make. */
#ifndef TESTS_LIB_REQUESTS_COMPLETION_H
#define TESTS_LIB_REQUESTS_COMPLETION_H

#include "script.h"

#include <infiniband/mad_async.h>

/* The outcome of an asynchronous request, in the call. */
struct request_completion {
	struct request_call *call;
	const struct request_script *script;
	int64_t id;
	int calls; /* of the callback; also 1 where the library refuses the request */
};

/* Whether the response to the asynchronous form of the call is read as a table. */
bool request_has_table(const struct request_call *call);

/* Submits the call. The arguments stay as they are, and are overwritten then: the library has a
 * copy. */
void request_begin(struct request_completion *completion, struct mad_async *async);

#endif
