/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * identify.c without linking to the libraries: loads them by soname, as plug-ins do,
 * and finds each function by its name, some by their version node, too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

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

/* POSIX says that a function's address survives as a void pointer, ISO C has no cast for it. */
#define LOADED(library, function) ((__typeof__(&function))check(dlsym(library, #function)))

#define umad_init	   LOADED(libibumad, umad_init)
#define umad_get_cas_names LOADED(libibumad, umad_get_cas_names)
#define umad_get_ca	   LOADED(libibumad, umad_get_ca)
#define umad_release_ca	   LOADED(libibumad, umad_release_ca)
#define mad_rpc_open_port  LOADED(libibmad, mad_rpc_open_port)
#define mad_rpc_close_port LOADED(libibmad, mad_rpc_close_port)
#define smp_query_via	   LOADED(libibmad, smp_query_via)
#define mad_get_field	   LOADED(libibmad, mad_get_field)
#define mad_get_field64	   LOADED(libibmad, mad_get_field64)
#define main		   identify
#include "identify.c"
#undef main

/* Version nodes, the oldest and ours; and one that does not contain the symbol. */
static int versions(void)
{
	check(dlvsym(libibumad, "umad_init", "IBUMAD_1.0"));
	check(dlvsym(libibumad, "umad_get_smi_gsi_pairs", "IBUMAD_1.4"));
	check(dlvsym(libibumad, "umad_set_grh_net", "IBUMAD_EXT_1.0"));
	check(dlvsym(libibmad, "mad_rpc", "IBMAD_1.3"));
	check(dlvsym(libibmad, "mad_rpc_get_statistics_sized", "IBMAD_EXT_1.0"));
	check(dlsym(libibmad, "ibdebug"));
	return dlvsym(libibmad, "mad_rpc_get_statistics_sized", "IBMAD_1.3")
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
