/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric at a glance: nodes by type, links by speed and width, and what is wrong. */
#include "sweep.h"

#define MOST_LANES  12
#define MOST_SPEEDS (MAD_FABRIC_SPEED_XDR + 1)

static void write_links(const struct mad_fabric *fabric, FILE *file)
{
	size_t counts[MOST_SPEEDS][MOST_LANES + 1] = { 0 };
	const struct mad_fabric_port *link = NULL;

	while ((link = mad_fabric_next_link(fabric, link))) {
		const struct mad_fabric_port *end = link->width ? link : link->peer;

		counts[end->speed][end->width]++;
	}
	for (unsigned speed = MOST_SPEEDS; speed-- > 0;)
		for (unsigned lanes = MOST_LANES + 1; lanes-- > 0;)
			if (counts[speed][lanes] && lanes)
				fprintf(file, "  %2ux%-4s %zu\n", lanes,
					mad_fabric_speed_name(speed), counts[speed][lanes]);
			else if (counts[speed][lanes])
				fprintf(file, "  unknown %zu\n", counts[speed][lanes]);
}

static void write_degraded(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_port *link = NULL;
	const char *begin = "Degraded links (slower or narrower than both ends allow):\n  ";
	char rate[16], best[16];

	while ((link = mad_fabric_next_link(fabric, link))) {
		if (!is_degraded(link))
			continue;
		format_rate(link, rate);
		format_best_rate(link, best);
		fputs(begin, file);
		print_end(link, file);
		fputs(" - ", file);
		print_end(link->peer, file);
		fprintf(file, ": %s, enabled up to %s\n", rate, best);
		begin = "  ";
	}
	if (*begin == 'D')
		fputs("Degraded links: none\n", file);
}

/* Links that run, but slower than the fastest of the fabric, are worth a look. */
static void write_slow(const struct mad_fabric *fabric, FILE *file)
{
	const struct mad_fabric_port *link = NULL;
	unsigned fastest = 0;
	size_t slower = 0;

	while ((link = mad_fabric_next_link(fabric, link)))
		if (link->speed > fastest)
			fastest = link->speed;
	while ((link = mad_fabric_next_link(fabric, link)))
		slower += link->speed && link->speed < fastest;
	fprintf(file, "Links slower than the fastest (%s): %zu\n", mad_fabric_speed_name(fastest),
		slower);
}

bool summary_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	char when[32], why[160];

	(void)options;
	format_time(info->time_ns, when);
	sweep_explain_partial(sweep, why, sizeof(why));
	fprintf(file, "Fabric at %s%s%s\n", when, why[0] ? ", partial: " : "", why);
	fprintf(file, "Nodes: %zu\n  switches %zu\n  CAs %zu\n  routers %zu\n", info->nodes,
		info->switches, info->cas, info->routers);
	fprintf(file, "Links: %zu\n", info->links);
	write_links(sweep->fabric, file);
	write_slow(sweep->fabric, file);
	write_degraded(sweep->fabric, file);
	fprintf(file, "Problems: %zu\n", info->problems);
	problems_print(sweep->fabric, "  ", file);
	return true;
}
