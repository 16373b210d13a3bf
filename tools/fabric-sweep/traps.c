/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Notices that the SA forwards: ports that come and go, links of switches, descriptions. They come
 * from the wire, and anyone may send them: they only make the next sweep come earlier.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include <infiniband/mad_sa.h>

#include "escape.h"
#include "sweep.h"

#define SLICE_MS  200	   /* within which a signal ends the wait */
#define SETTLE_NS NS_PER_S /* in which traps of one change come */

void traps_subscribe(struct ibmad_port *port)
{
	static const unsigned traps[] = { 64, 65, 128, 144 };
	bool good = true;

	for (size_t i = 0; i < sizeof(traps) / sizeof(traps[0]) && good; i++)
		good = !mad_sa_subscribe(port, NULL, traps[i], 0);
	if (!good)
		complain("--traps: the SA can't be asked to report changes: %s", strerror(errno));
}

/* The node or port that a value of a notice names. */
static void print_value(const struct mad_fabric *fabric, const struct mad_notice_value *value)
{
	const struct mad_fabric_port *port = NULL;

	if (fabric && value->bytes && value->bits == 128)
		port = mad_fabric_find_port(
			fabric, mad_get_field64((void *)(uintptr_t)value->bytes, 0, IB_GID_GUID_F),
			NULL);
	else if (fabric && strstr(value->name, "LID"))
		port = mad_fabric_find_lid(fabric, (unsigned)value->number);
	printf(" %s ", value->name);
	for (unsigned i = 0; value->bytes && i < value->bits / 8; i++)
		printf("%02x", value->bytes[i]);
	if (!value->bytes)
		printf(value->bits > 16 ? "0x%" PRIx64 : "%" PRIu64, value->number);
	if (port) {
		fputs(" (", stdout);
		escape_text(stdout, node_name(port->node));
		putchar(')');
	}
}

static void print_notice(const struct mad_fabric *fabric, const uint8_t *notice)
{
	struct mad_notice_value value;

	printf("! %s:", mad_notice_kind(notice, IB_SA_CLASS));
	for (unsigned i = 0; !mad_notice_value(notice, IB_SA_CLASS, i, &value); i++)
		print_value(fabric, &value);
	putchar('\n');
}

/* A port that is gone can't be waited on: the time passes nevertheless. */
static bool receive(struct ibmad_port *port, void *notice)
{
	const struct timespec slice = { .tv_nsec = SLICE_MS * 1000000L };

	if (!mad_sa_receive_notice(port, notice, SLICE_MS))
		return true;
	if (errno != ETIMEDOUT)
		nanosleep(&slice, NULL);
	return false;
}

bool traps_wait(struct ibmad_port *port, const struct mad_fabric *fabric, unsigned seconds)
{
	int64_t until = now_ns() + seconds * NS_PER_S;
	uint8_t notice[MAD_SA_NOTICE_SIZE];
	bool any = false;

	while (!sweep_stop_signal && now_ns() < until) {
		if (!receive(port, notice))
			continue;
		if (!any && until > now_ns() + SETTLE_NS)
			until = now_ns() + SETTLE_NS;
		any = true;
		print_notice(fabric, notice);
		fflush(stdout);
	}
	return any;
}
