/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* pair.c - loads a pair of libraries: see pair.h. */
#include "pair.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *what)
{
	const char *error = dlerror();

	fprintf(stderr, "%s: %s\n", what, error ? error : "not the libibumad that libibmad gets");
	exit(EXIT_FAILURE);
}

static void *load(Lmid_t space, const char *path, int flags)
{
	void *library = dlmopen(space, path, RTLD_NOW | flags);

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

void pair_load(struct pair *pair, const char *libibumad, const char *libibmad, bool apart)
{
	Lmid_t space = apart ? LM_ID_NEWLM : LM_ID_BASE;
	void *umad = load(space, libibumad, 0), *mad;

	if (dlinfo(umad, RTLD_DI_LMID, &space))
		give_up(libibumad);
	mad = load(space, libibmad, 0);
	/* libibmad asks for libibumad by its SONAME. */
	if (load(space, "libibumad.so.3", RTLD_NOLOAD) != umad)
		give_up(libibumad);
#define PAIR_FIND(function)	  pair->function = find(umad, mad, #function, false);
#define PAIR_FIND_LATER(function) pair->function = find(umad, mad, #function, true);
	PAIR_FUNCTIONS(PAIR_FIND, PAIR_FIND_LATER)
}
