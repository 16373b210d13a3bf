/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Responses to SMPs, by LID and by route. */
#include "call.h"

static void make_call(const struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	unsigned attr = fuzz_u16(input), mod = which & 4 ? fuzz_u32(input) : 0;
	struct fuzz_call call;
	ib_portid_t portid;
	int status = -1;
	uint8_t *result;

	fuzz_portid(input, &portid);
	fuzz_call_begin(&call, port, IB_SMP_DATA_SIZE, input);
	switch (which & 3) {
	case 0:
		result = smp_query_via(call.data, &portid, attr, mod, call.timeout_ms, port);
		break;
	case 1:
		result = smp_set_via(call.data, &portid, attr, mod, call.timeout_ms, port);
		break;
	case 2:
		result = smp_query_status_via(call.data, &portid, attr, mod, call.timeout_ms,
					      &status, port);
		break;
	default:
		result = smp_set_status_via(call.data, &portid, attr, mod, call.timeout_ms, &status,
					    port);
	}
	fuzz_call_end(&call, result, IB_SMP_DATA_OFFS, true);
	if (which & 2)
		FUZZ_CHECK(status >= 0 && status < 0x8000 && !(result && status));
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	uint8_t saved[IB_MAD_SIZE], control;
	int calls = 4;

	control = fuzz_u8(input);
	madrpc_show_errors(control & 2);
	if (control & 1) {
		smp_mkey_set(port, fuzz_u64(input));
		madrpc_save_mad(saved, sizeof(saved));
	}
	do
		make_call(port, input);
	while (input->left && --calls);
	madrpc_save_mad(NULL, 0);
	madrpc_show_errors(0);
	mad_rpc_close_port(port);
}
