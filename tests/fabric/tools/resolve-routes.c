/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * resolve-routes LID...: prints "LID PATH" for each, the path as port numbers with commas between,
 * and looks that an SMP along it, and one by the LID on a port that uses routes, reach the same
 * node. At the end, "N requests".
 */
#include <infiniband/mad_address.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int description(struct ibmad_port *port, ib_portid_t *to, uint8_t text[IB_SMP_DATA_SIZE])
{
	return smp_query_via(text, to, IB_ATTR_NODE_DESC, 0, 0, port) ? 0 : -1;
}

static int check_route(struct ibmad_port *port, int lid, ib_portid_t *route)
{
	uint8_t by_route[IB_SMP_DATA_SIZE] = { 0 }, by_lid[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t to = { .lid = lid };

	if (description(port, route, by_route) || mad_route_use(port, true) ||
	    description(port, &to, by_lid) || mad_route_use(port, false))
		return -1;
	if (to.lid != lid || to.drpath.cnt || memcmp(by_route, by_lid, sizeof(by_lid))) {
		fprintf(stderr, "LID %d is %s by route and %s by LID\n", lid, (char *)by_route,
			(char *)by_lid);
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int classes[] = { IB_SMI_DIRECT_CLASS }, count = argc - 1;
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	struct mad_rpc_statistics statistics;
	ib_portid_t *routes = calloc((size_t)argc, sizeof(*routes));

	if (!port || !routes)
		return 1;
	for (int i = 0; i < count; i++)
		if (mad_route_resolve(port, atoi(argv[i + 1]), &routes[i], 0) < 0) {
			perror(argv[i + 1]);
			return 1;
		}
	mad_rpc_get_statistics(port, &statistics);
	for (int i = 0; i < count; i++) {
		printf("%s 0", argv[i + 1]);
		for (int hop = 1; hop <= routes[i].drpath.cnt; hop++)
			printf(",%u", routes[i].drpath.p[hop]);
		puts("");
		if (check_route(port, atoi(argv[i + 1]), &routes[i]))
			return 1;
	}
	printf("%llu requests\n", (unsigned long long)statistics.sent);
	free(routes);
	mad_rpc_close_port(port);
	return 0;
}
