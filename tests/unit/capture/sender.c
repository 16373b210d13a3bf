/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * sender COUNT|all [fork]: a program that knows nothing of captures. It sends and receives COUNT
 * MADs (in four processes with fork), or one of each kind, over a socket pair instead of a umad
 * device. Exits 0 if all of them arrived.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/mad_layout.h"
#include "wire.h"

enum { NO_TRAP = 0xffff };

/* An attribute with a name, or a notice: a trap. */
static const struct mad {
	uint8_t mgmt_class;
	uint16_t attr_id;
	uint16_t trap;
} mads[] = {
#define DUMPED(mgmt_class, id, name, function, ...) { mgmt_class, id, NO_TRAP },
#define PRINTED(mgmt_class, id, name, ...)	    { mgmt_class, id, NO_TRAP },
#define NAMED(mgmt_class, id, name)		    { mgmt_class, id, NO_TRAP },
#define PART(function, ...)
#include "common/mad_attributes.h"
#define KIND(mgmt_class, trap, text, layout) { mgmt_class, 2, trap },
#define VALUE(layout, name, first, bits, form)
#include "common/mad_notices.h"
};

static int send_mad(const struct wire *wire, const struct mad *mad)
{
	struct wire_packet packet = { 0 };
	uint8_t *notice;

	umad_set_addr(&packet, WIRE_LID, 1, 0, UMAD_QKEY);
	packet.mad.header = (struct umad_hdr){
		.base_version = UMAD_BASE_VERSION,
		.mgmt_class = mad->mgmt_class ? mad->mgmt_class : UMAD_CLASS_SUBN_LID_ROUTED,
		.class_version = mad_class_wire_version(mad->mgmt_class),
		.method = mad->trap == NO_TRAP ? UMAD_METHOD_GET_RESP : UMAD_METHOD_TRAP,
		.attr_id = htobe16(mad->attr_id),
	};
	notice = packet.mad.bytes + mad_attribute_start(packet.mad.bytes);
	if (mad->trap != NO_TRAP) {
		notice[0] = 0x81;
		notice[4] = (uint8_t)(mad->trap >> 8);
		notice[5] = (uint8_t)mad->trap;
	}
	if (umad_send(wire->near, WIRE_AGENT, &packet, WIRE_MAD, 0, 0) < 0)
		return -1;
	return recv(wire->far, &packet, sizeof(packet), 0) < 0 ? -1 : 0;
}

/* Sends each attribute and notice that has a name here, with debugging lines. */
static int send_all(const struct wire *wire)
{
	size_t i, count = sizeof(mads) / sizeof(mads[0]);

	umad_debug(1);
	for (i = 0; i < count; i++)
		if (send_mad(wire, &mads[i]) < 0)
			return -1;
	return printf("%zu\n", count) < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct wire_packet packet;
	struct wire wire;
	int i;

	if (argc < 2)
		return fprintf(stderr, "usage: sender COUNT|all [fork]\n"), 2;
	if (umad_init() < 0 || (argc > 2 && (fork() < 0 || fork() < 0)) || wire_open(&wire) < 0)
		return perror("sender"), 1;
	if (!strcmp(argv[1], "all") && send_all(&wire) < 0)
		return perror("sender"), 1;
	for (i = 0; i < atoi(argv[1]); i++)
		if (wire_send(&wire, (uint32_t)i) < 0 || wire_receive(&wire, &packet) < 0)
			return perror("sender"), 1;
	wire_close(&wire);
	for (i = 0; argc > 2 && i < 2; i++)
		wait(NULL);
	return 0;
}
