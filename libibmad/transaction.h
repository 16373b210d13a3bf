/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A request whose thread waits for it: carries out what the try machine decides.
 */
#ifndef LIBIBMAD_TRANSACTION_H
#define LIBIBMAD_TRANSACTION_H

#include "inflight.h"

/* Gives the request the address of the redirect in its response. Returns 0 or -errno. */
typedef int mad_readdress(struct mad_transaction *transaction, void *context);

/*
 * Takes the engine's lock itself. Sends the request, whose machine is new, and waits for its
 * response. Returns 0 with a response, -ETIMEDOUT or what else the kernel returned the last attempt
 * with, -ENOMEM, -ELOOP, what readdress() failed with, or why the port can't be used.
 */
int mad_transaction_run(struct mad_engine *engine, struct mad_transaction *transaction,
			mad_readdress *readdress, void *context);

#endif
