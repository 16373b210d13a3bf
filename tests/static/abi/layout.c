/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * layout.c - the layout of every public structure, as another compiler sees it and as C++ does.
 *
 * Holds nothing of its own: the assertions are those with which the libraries are compiled.
 */
#ifdef __cplusplus
#define _Static_assert static_assert
#define _Alignof alignof
#endif

#include "../../../libibumad/layout.c"
#include "../../../libibmad/layout.c"
