/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The second argument of the calls that submit an asynchronous request. */
#ifndef TESTS_LIB_ASYNC_REQUEST_H
#define TESTS_LIB_ASYNC_REQUEST_H

#include <infiniband/mad_async.h>

#define ASYNC_TO(address, function, argument) ASYNC_FOR(address, function, argument, 0, 0)

/* With milliseconds for all attempts, or a timeout per attempt. */
#define ASYNC_FOR(address, function, argument, deadline, timeout)               \
	&(const struct mad_async_request)                                       \
	{                                                                       \
		.to = (address), .callback = (function), .context = (argument), \
		.timeout_ms = (timeout), .deadline_ms = (deadline),             \
	}

typedef void async_callback(struct mad_async *async, const struct mad_async_result *result,
			    void *context);

#endif
