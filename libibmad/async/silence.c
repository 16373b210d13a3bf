/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * silence.c - why the SA did not respond to an asynchronous request with a key from a ring: it
 * drops requests with a wrong SM_Key. The request is made into one without a key, under the same
 * ID, and a response to that shows that the key was refused. See mad_keys.h.
 */
#include <errno.h>
#include <string.h>

#include "libibmad/async/async.h"
#include "libibmad/keys/keys.h"
#include "libibmad/requests/requests.h"
#include "libibmad/requests/rpc.h"
#include "libibmad/wire/packet.h"

static bool is_to_ask(const struct mad_lane *lane, const struct mad_async_request *request,
		      int error)
{
	return error == -ETIMEDOUT && !lane->failed && !request->tries_with_key &&
	       mad_keys_sa_may_refuse(lane->port, mad_transaction_request(&request->transaction));
}

/* Makes the request anew. Returns 0 or -EINVAL. */
static int encode(struct mad_lane *lane, struct mad_async_request *request)
{
	struct mad_transaction *transaction = &request->transaction;
	const struct mad_try before = transaction->try;
	ib_portid_t to = request->portid;
	ib_rpc_v1_t rpc;
	int error = mad_sa_key_request(&rpc, &to, 0);

	if (error)
		return error;
	memset(request->umad, 0, sizeof(request->umad));
	error = mad_packet_build(request->umad, umad_size(), IB_MAD_SIZE, (ib_rpc_t *)&rpc, &to,
				 NULL, NULL, 0);
	if (error)
		return error;
	transaction->agent = mad_port_agent(lane->port, IB_SA_CLASS);
	transaction->min_response_length = mad_min_response_length((ib_rpc_t *)&rpc);
	mad_try_init(&transaction->try, before.timeout_ms, before.attempts, false);
	request->tries_with_key = before.sent_all;
	return transaction->agent < 0 ? -EINVAL : 0;
}

bool mad_silence_ask(struct mad_lane *lane, struct mad_async_request *request, int error)
{
	if (!is_to_ask(lane, request, error) || encode(lane, request))
		return false;
	if (request->response)
		SLIST_INSERT_HEAD(&lane->spare_responses, request->response, link);
	request->response = NULL;
	return true;
}

int mad_silence_outcome(struct mad_async_request *request, int error)
{
	if (!request->tries_with_key)
		return error;
	request->transaction.try.sent_all = request->tries_with_key;
	return error ? error : -EKEYREJECTED;
}
