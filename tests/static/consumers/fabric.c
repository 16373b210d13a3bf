/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A program on libibmad-fabric, which finds its headers and its libraries; it needs no fabric. */
#include <errno.h>
#include <infiniband/mad_fabric_changes.h>
#include <infiniband/mad_fabric_counters.h>

int main(void)
{
	return mad_fabric_discover(NULL, NULL) || errno != EINVAL ||
	       mad_fabric_compare(NULL, NULL) ||
	       !mad_fabric_counter_get_kind(MAD_FABRIC_COUNTER_SYMBOL_ERRORS);
}
