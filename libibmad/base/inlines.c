/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The inline functions of <infiniband/mad.h> as symbols, as libibumad/base/inlines.c has those of
 * its headers.
 */
#define ib_portid_set	     inline_ib_portid_set
#define mad_is_vendor_range1 inline_mad_is_vendor_range1
#define mad_is_vendor_range2 inline_mad_is_vendor_range2

#include "libibmad/public.h"

#undef ib_portid_set
#undef mad_is_vendor_range1
#undef mad_is_vendor_range2

#define EXPORT(name)                          \
	extern __typeof__(inline_##name) name \
		__attribute__((visibility("default"), alias("inline_" #name)))

EXPORT(ib_portid_set);
EXPORT(mad_is_vendor_range1);
EXPORT(mad_is_vendor_range2);
