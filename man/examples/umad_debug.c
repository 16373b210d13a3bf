/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The output on standard error, and a full address. */
#include <infiniband/umad.h>
#include <stdio.h>

int main(void)
{
	void *umad = umad_alloc(1, umad_size() + 256);

	if (!umad)
		return 1;
	umad_set_addr(umad, 5, 1, 0, (int)0x80010000);
	umad_dump(umad);
	umad_addr_dump(umad_get_mad_addr(umad));

	printf("level %d\n", umad_debug(-1)); /* changes nothing */
	printf("level %d\n", umad_debug(1));
	umad_close_port(-1); /* prints a line */
	umad_debug(0);
	umad_free(umad);
	return 0;
}
