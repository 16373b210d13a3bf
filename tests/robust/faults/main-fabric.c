/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* main-fabric.c - failing calls of open ports, requests, servers, and of what needs neither. */
#include "cases.h"

int main(int argc, char **argv)
{
	static const struct fault_group *const groups[] = {
		&cases_umad,	&cases_capture, &cases_port,   &cases_listed, &cases_server,
		&cases_default, &cases_async,	&cases_fabric, &cases_keys,
	};

	return fault_main(argc, argv, groups, sizeof(groups) / sizeof(groups[0]));
}
