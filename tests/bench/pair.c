/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* pair.c - loads a pair of libraries: see pair.h. */
#include "pair.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *what)
{
	const char *error = dlerror();

	fprintf(stderr, "%s: %s\n", what, error ? error : "can't be loaded");
	exit(EXIT_FAILURE);
}

static void *load(Lmid_t space, const char *path, int flags)
{
	void *library = dlmopen(space, path, flags);

	if (!library)
		give_up(path);
	return library;
}

static void *find(void *libibumad, void *libibmad, const char *name, bool optional)
{
	void *function = dlsym(libibmad, name);

	if (!function)
		function = dlsym(libibumad, name);
	if (!function && !optional)
		give_up(name);
	return function;
}

/* libibmad asks for libibumad by its SONAME, and has to get the one that was loaded for it. */
static void check_soname(Lmid_t space, const void *libibumad, const char *path)
{
	const void *found = load(space, "libibumad.so.3", RTLD_NOW | RTLD_NOLOAD);

	if (found != libibumad) {
		fprintf(stderr, "%s: not the libibumad.so.3 that libibmad gets\n", path);
		exit(EXIT_FAILURE);
	}
}

void pair_load(struct pair *pair, const char *libibumad, const char *libibmad, bool apart)
{
	Lmid_t space = apart ? LM_ID_NEWLM : LM_ID_BASE;
	void *umad = load(space, libibumad, RTLD_NOW), *mad;

	if (dlinfo(umad, RTLD_DI_LMID, &space))
		give_up(libibumad);
	mad = load(space, libibmad, RTLD_NOW);
	check_soname(space, umad, libibumad);
#define PAIR_FIND(function)	  pair->function = find(umad, mad, #function, false);
#define PAIR_FIND_LATER(function) pair->function = find(umad, mad, #function, true);
	PAIR_CODEC_FUNCTIONS(PAIR_FIND)
	PAIR_RPC_FUNCTIONS(PAIR_FIND)
	PAIR_DISCOVERY_FUNCTIONS(PAIR_FIND)
	PAIR_LATER_FUNCTIONS(PAIR_FIND_LATER)
}
