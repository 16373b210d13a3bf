/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Two buffers in one array, and the addresses of the parts of each. */
#include <infiniband/umad.h>
#include <infiniband/umad_types.h>
#include <stdio.h>

int main(void)
{
	size_t size = umad_size() + sizeof(struct umad_packet);
	char *buffers = umad_alloc(2, size);

	if (!buffers) {
		perror("umad_alloc");
		return 1;
	}
	for (int i = 0; i < 2; i++) {
		void *umad = buffers + (size_t)i * size;
		struct umad_packet *mad = umad_get_mad(umad);

		mad->mad_hdr.base_version = 1;
		printf("buffer %d: MAD at %td of %zu, status %d\n", i, (char *)mad - (char *)umad,
		       size, umad_status(umad));
	}
	umad_free(buffers);
	return 0;
}
