/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* main-host.c - failing calls of discovery and monitors. */
#include "cases.h"

int main(int argc, char **argv)
{
	static const struct fault_group *const groups[] = { &cases_discovery, &cases_selection,
							    &cases_monitor };

	return fault_main(argc, argv, groups, sizeof(groups) / sizeof(groups[0]));
}
