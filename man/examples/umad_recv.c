/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Receives MADs of any size for a second, and prints what it receives. */
#include <errno.h>
#include <infiniband/umad.h>
#include <infiniband/umad_str.h>
#include <stdio.h>

/* Receives into *umad, which holds *capacity bytes of MAD and grows as needed. */
static int receive(int portid, void **umad, int *capacity, int timeout_ms)
{
	for (;;) {
		int length = *capacity, agent = umad_recv(portid, *umad, &length, timeout_ms);
		void *larger;

		if (agent != -ENOSPC)
			return agent;
		larger = realloc(*umad, umad_size() + (size_t)length);
		if (!larger)
			return -ENOMEM;
		*umad = larger; /* the MAD is still queued, for the next turn */
		*capacity = length;
	}
}

int main(void)
{
	long all[16 / sizeof(long)] = { -1L };
	int portid = umad_open_port(NULL, UMAD_ANY_PORT), capacity = 256, agent;
	void *umad = umad_alloc(1, umad_size() + (size_t)capacity);

	if (!umad || umad_register(portid, UMAD_CLASS_VENDOR_RANGE2_START, 1, 0, all) < 0) {
		perror("can't listen");
		return 1;
	}
	while ((agent = receive(portid, &umad, &capacity, 1000)) >= 0) {
		struct umad_hdr *mad = umad_get_mad(umad);

		printf("%s of class 0x%02x for agent %d\n",
		       umad_method_str(mad->mgmt_class, mad->method), mad->mgmt_class, agent);
	}
	puts(agent == -ETIMEDOUT ? "nothing more" : "failed");
	umad_free(umad);
	umad_close_port(portid);
	return agent != -ETIMEDOUT;
}
