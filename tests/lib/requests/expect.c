/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* expect.c - the writes of a row of the table of requests on the kernel of fakeumad: see script.h.
 */
#include "script.h"

void request_expect(const struct request_script *script)
{
	static struct request_outcome
		outcomes[REQUEST_STEPS]; /* the script refers to their bytes */
	const long reports[16 / sizeof(long)] = { 1L << IB_MAD_METHOD_REPORT };

	if (script->call->kind->flags & REQUEST_REGISTERS && script->row->step_count)
		fakeumad_expect_register(IB_SA_CLASS, 2, 1, 0, reports,
					 request_agent(script->call, IB_SA_CLASS), 0);
	for (int i = 0; i < script->row->step_count; i++) {
		struct request_outcome *outcome = &outcomes[i];
		uint8_t packet[FAKEUMAD_PACKET];

		request_write(script, i, packet);
		request_response(script, i, packet, outcome);
		if (outcome->write_error)
			fakeumad_expect_write_error(packet, sizeof(packet), outcome->write_error);
		else
			fakeumad_expect_write(packet, sizeof(packet), &outcome->reply,
					      !outcome->nothing);
	}
}

uint64_t request_written_trid(void)
{
	const uint8_t *packet = fakeumad_written(fakeumad_writes());

	return mad_get_field64((void *)(packet + FAKEUMAD_HEADER), 0, IB_MAD_TRID_F);
}
