/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The umad header, with 64 bytes and, on kernels without P_Key indices, with 56: every function
 * that fills it in or reads it, with every argument, on a buffer that has the header and no more.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "libibumad/io/buffer.c"
#include "libibumad/base/state.c"

#include "proof.h"

enum { LONG_HEADER = 64, SHORT_HEADER = 56 };

/* The library prints; what stdio does with it is not proved. */
int fprintf(FILE *stream, const char *format, ...)
{
	(void)stream;
	(void)format;
	return nondet_int();
}

int snprintf(char *text, size_t size, const char *format, ...)
{
	(void)format;
	PROVE(__CPROVER_w_ok(text, size), "space for the text");
	return nondet_int();
}

pid_t getpid(void)
{
	return nondet_int();
}

/* A header of either size with any content, and nothing behind it. */
static uint8_t *any_header(size_t *size)
{
	bool pkey = nondet_bool();
	uint8_t *umad;

	umad_state_set_pkey_layout(pkey);
	*size = pkey ? LONG_HEADER : SHORT_HEADER;
	PROVE(umad_size() == *size, "umad_size()");
	umad = malloc(*size);
	ASSUME(umad);
	return umad;
}

void header_address(void)
{
	size_t size, watched = nondet_size();
	uint8_t *umad = any_header(&size), old;
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);
	int lid = nondet_int(), qp = nondet_int(), sl = nondet_int(), qkey = nondet_int();
	size_t first = offsetof(struct ib_user_mad, addr.qpn);
	size_t last = offsetof(struct ib_user_mad, addr.sl);

	ASSUME(watched < size && (watched < first || watched > last));
	old = umad[watched];
	PROVE(umad_set_addr(umad, lid, qp, sl, qkey) == 0, "result");
	PROVE(be16toh(addr->lid) == (uint16_t)lid, "LID");
	PROVE(be32toh(addr->qpn) == (uint32_t)qp, "QP");
	PROVE(be32toh(addr->qkey) == (uint32_t)qkey, "Q_Key");
	PROVE(addr->sl == (uint8_t)sl, "SL");
	PROVE(umad[watched] == old, "nothing else changes");
}

void header_grh(void)
{
	size_t size;
	uint8_t *umad = any_header(&size), gid_index;
	ib_mad_addr_t *addr = umad_get_mad_addr(umad);
	struct ib_mad_addr route;
	unsigned i = nondet_unsigned();

	ASSUME(i < sizeof(route.gid));
	gid_index = addr->gid_index;
	PROVE(umad_set_grh(umad, nondet_bool() ? &route : NULL) == 0, "result");
	PROVE(addr->gid_index == gid_index, "the GID index does not change");
	if (addr->grh_present) {
		PROVE(addr->gid[i] == route.gid[i], "GID");
		PROVE(be32toh(addr->flow_label) == route.flow_label, "flow label");
	}
}

/* A GRH that is the header's own address, as a program may pass it. */
void header_grh_of_itself(void)
{
	size_t size;
	uint8_t *umad = any_header(&size);

	PROVE(umad_set_grh_net(umad, umad_get_mad_addr(umad)) == 0, "result");
	PROVE(umad_get_mad_addr(umad)->grh_present == 1, "GRH present");
}

/* In the short header the P_Key index does not exist: the bytes would be the MAD's. */
void header_pkey(void)
{
	size_t size, watched = nondet_size();
	uint8_t *umad = any_header(&size), old;
	int pkey_index = nondet_int();

	ASSUME(watched < SHORT_HEADER);
	old = umad[watched];
	PROVE(umad_set_pkey(umad, pkey_index) == 0, "result");
	PROVE(umad_get_pkey(umad) == (size == LONG_HEADER ? (uint16_t)pkey_index : 0),
	      "P_Key index");
	PROVE(umad[watched] == old, "nothing else changes");
}

void header_read(void)
{
	size_t size;
	uint8_t *umad = any_header(&size);

	PROVE((uint8_t *)umad_get_mad(umad) == umad + size, "the MAD is behind the header");
	PROVE(umad_status(umad) == (int)((struct ib_user_mad *)umad)->status, "status");
	umad_dump(umad);
	umad_addr_dump(umad_get_mad_addr(umad));
}
