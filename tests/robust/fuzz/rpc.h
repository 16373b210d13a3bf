/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* mad_rpc() and mad_rpc_rmpp() with any request there may be, for fuzz-rpc and fuzz-redirect. */
#ifndef TESTS_FUZZ_RPC_H
#define TESTS_FUZZ_RPC_H

#include "call.h"

/* One request of a class that has redirects, or of any. */
void fuzz_rpc_once(const struct ibmad_port *port, struct fuzz_input *input);

#endif
