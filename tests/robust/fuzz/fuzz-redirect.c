/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Redirects: half of all responses are redirects, also those to the queries that a redirect
 * requires. */
#include "rpc.h"

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	struct mad_rpc_statistics statistics;
	int calls = 4;

	fuzz_kernel_prefer_response(5);
	do
		fuzz_rpc_once(port, input);
	while (input->left && --calls);
	FUZZ_CHECK(!mad_rpc_get_statistics(port, &statistics, sizeof(statistics)));
	FUZZ_CHECK(statistics.sent <= fuzz_kernel_writes());
	mad_rpc_close_port(port);
}
