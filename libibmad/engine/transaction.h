/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A request whose thread waits for it: carries out the decisions of the try machine.
 */
#ifndef LIBIBMAD_TRANSACTION_H
#define LIBIBMAD_TRANSACTION_H

#include "libibmad/engine/inflight.h"

/* Sets the address of the request to that of the redirect in its response. Returns 0 or -errno. */
typedef int mad_readdress(struct mad_transaction *transaction, void *context);

/*
 * Takes the engine's lock itself. Sends the request, whose machine is new, and waits for its
 * response. Returns 0 with a response, -ETIMEDOUT or the error with which the kernel returned the
 * last attempt, -ENOMEM, -ELOOP, the error of readdress(), or why the port cannot be used.
 */
int mad_transaction_run(struct mad_engine *engine, struct mad_transaction *transaction,
			mad_readdress *readdress, void *context);

#endif
