/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The same as identify.c without linking to the libraries: loads them by soname, as plug-ins do,
 * and finds each function by its name, some by their version node, too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <endian.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

static void *libibumad, *libibmad;

static void *check(void *found)
{
	if (!found) {
		fprintf(stderr, "load: %s\n", dlerror());
		exit(EXIT_FAILURE);
	}
	return found;
}

static int fail(const char *what)
{
	fprintf(stderr, "load: %s\n", what);
	return EXIT_FAILURE;
}

/* POSIX says that a function's address survives as a void pointer, ISO C has no cast for it. */
#define LOAD(library, function) __typeof__(&function) function##_ = load(library, #function)
static void *load(void *library, const char *name)
{
	return check(dlsym(library, name));
}

static int identify(void)
{
	LOAD(libibumad, umad_get_cas_names);
	LOAD(libibumad, umad_get_ca);
	LOAD(libibumad, umad_release_ca);
	LOAD(libibmad, mad_rpc_open_port);
	LOAD(libibmad, mad_rpc_close_port);
	LOAD(libibmad, smp_query_via);
	LOAD(libibmad, mad_get_field);
	LOAD(libibmad, mad_get_field64);
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS };
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	char description[IB_SMP_DATA_SIZE + 1] = "";
	ib_portid_t self = { 0 };
	struct ibmad_port *port;
	umad_ca_t ca;

	if (umad_get_cas_names_(names, UMAD_MAX_DEVICES) < 1 || umad_get_ca_(names[0], &ca) < 0)
		return fail("no device");
	printf("%s node 0x%016" PRIx64 "\n", ca.ca_name, be64toh(ca.node_guid));
	umad_release_ca_(&ca);
	port = mad_rpc_open_port_(names[0], 1, classes, 2);
	if (!port)
		return fail("no port");
	if (!smp_query_via_(info, &self, IB_ATTR_NODE_INFO, 0, 0, port) ||
	    !smp_query_via_(description, &self, IB_ATTR_NODE_DESC, 0, 0, port))
		return fail("no response");
	printf("\"%.64s\" type %u, ports %u, guid 0x%016" PRIx64 ", port 0x%016" PRIx64 "\n",
	       description, mad_get_field_(info, 0, IB_NODE_TYPE_F),
	       mad_get_field_(info, 0, IB_NODE_NPORTS_F), mad_get_field64_(info, 0, IB_NODE_GUID_F),
	       mad_get_field64_(info, 0, IB_NODE_PORT_GUID_F));
	mad_rpc_close_port_(port);
	return EXIT_SUCCESS;
}

/* Version nodes, the oldest and ours; and one that does not contain the symbol. */
static int versions(void)
{
	check(dlvsym(libibumad, "umad_init", "IBUMAD_1.0"));
	check(dlvsym(libibumad, "umad_get_smi_gsi_pairs", "IBUMAD_1.4"));
	check(dlvsym(libibumad, "umad_set_grh_net", "IBUMAD_EXT_1.0"));
	check(dlvsym(libibmad, "mad_rpc", "IBMAD_1.3"));
	check(dlvsym(libibmad, "mad_rpc_get_statistics", "IBMAD_EXT_1.0"));
	check(dlsym(libibmad, "ibdebug"));
	return dlvsym(libibmad, "mad_rpc_get_statistics", "IBMAD_1.3")
		       ? fail("a symbol in two nodes")
		       : EXIT_SUCCESS;
}

int main(void)
{
	int status;

	libibumad = check(dlopen("libibumad.so.3", RTLD_NOW | RTLD_LOCAL));
	libibmad = check(dlopen("libibmad.so.5", RTLD_NOW | RTLD_LOCAL));
	status = versions() || identify();
	if (dlclose(libibmad) || dlclose(libibumad))
		return fail(dlerror());
	return status;
}
