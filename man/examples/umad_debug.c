/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What goes to standard error, and an address in full. */
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

	printf("level %d\n", umad_debug(-1)); /* only asks */
	printf("level %d\n", umad_debug(1));
	umad_close_port(-1); /* tells that it does it */
	umad_debug(0);
	umad_free(umad);
	return 0;
}
