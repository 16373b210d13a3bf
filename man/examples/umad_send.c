/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Gets the NodeInfo of the local port: a directed route without hops. */
#include <arpa/inet.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sm.h>
#include <stdio.h>
#include <string.h>

enum { TIMEOUT_MS = 1000, RETRIES = 3 };

static void fill(struct umad_smp *smp)
{
	smp->base_version = 1;
	smp->mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
	smp->class_version = 1;
	smp->method = UMAD_METHOD_GET;
	smp->tid = htonll(1); /* the kernel sets the upper half */
	smp->attr_id = htons(UMAD_SM_ATTR_NODE_INFO);
	smp->dr_slid = smp->dr_dlid = 0xffff;
}

int main(void)
{
	int portid = umad_open_port(NULL, UMAD_ANY_PORT), agent, length = sizeof(struct umad_smp);
	void *umad = umad_alloc(1, umad_size() + sizeof(struct umad_smp));
	struct umad_smp *smp = umad ? umad_get_mad(umad) : NULL;

	agent = umad_register(portid, UMAD_CLASS_SUBN_DIRECTED_ROUTE, 1, 0, NULL);
	if (agent < 0 || !smp) {
		fprintf(stderr, "no port, no agent or no memory\n");
		return 1;
	}
	fill(smp);
	umad_set_addr(umad, 0xffff, 0, 0, 0);
	if (umad_send(portid, agent, umad, length, TIMEOUT_MS, RETRIES) < 0 ||
	    umad_recv(portid, umad, &length, TIMEOUT_MS * (RETRIES + 2)) < 0) {
		perror("NodeInfo");
		return 1;
	}
	if (umad_status(umad)) {
		fprintf(stderr, "no response: %s\n", strerror(umad_status(umad)));
		return 1;
	}
	printf("node type %u, %u ports\n", smp->data[2], smp->data[3]);
	umad_free(umad);
	umad_close_port(portid);
	return 0;
}
