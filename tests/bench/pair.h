/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A pair of libibumad and libibmad that is loaded from two files at run time, and its functions.
 * Programs here are linked to neither library, so one program can have any pair, or two of them.
 */
#ifndef TESTS_BENCH_PAIR_H
#define TESTS_BENCH_PAIR_H

#include <infiniband/mad.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <infiniband/umad_monitor.h>
#include <stdbool.h>

/* Exit status of a program whose pair has no such function. */
#define PAIR_HAS_NONE 3

/* The functions; not every pair has those of LATER, which are NULL then. */
#define PAIR_FUNCTIONS(F, LATER)         \
	F(mad_get_field)                 \
	F(mad_set_field)                 \
	F(mad_get_field64)               \
	F(mad_set_field64)               \
	F(mad_decode_field)              \
	F(mad_encode_field)              \
	F(mad_dump_field)                \
	F(mad_dump_val)                  \
	F(mad_dump_portinfo)             \
	F(mad_dump_perfcounters)         \
	F(mad_dump_perfcounters_ext)     \
	F(mad_dump_nodeinfo)             \
	F(mad_rpc_open_port)             \
	F(mad_rpc_close_port)            \
	F(mad_rpc_portid)                \
	F(smp_query_via)                 \
	F(pma_query_via)                 \
	F(sa_rpc_call)                   \
	F(umad_init)                     \
	F(umad_open_port)                \
	F(umad_get_issm_path)            \
	F(umad_get_port)                 \
	F(umad_get_ca)                   \
	F(umad_get_cas_names)            \
	F(umad_get_ca_device_list)       \
	F(umad_free_ca_device_list)      \
	LATER(umad_get_smi_gsi_pairs)    \
	LATER(umad_monitor_open)         \
	LATER(umad_monitor_get_fd)       \
	LATER(umad_monitor_read_sized)   \
	LATER(umad_monitor_set_interval) \
	LATER(mad_sa_query_sized)        \
	LATER(mad_sa_table_count)        \
	LATER(mad_sa_get_node_sized)     \
	LATER(mad_sa_table_free)         \
	LATER(mad_async_create_sized)    \
	LATER(mad_async_free)            \
	LATER(mad_async_smp_sized)       \
	LATER(mad_async_dispatch)        \
	LATER(mad_async_pending)

struct pair {
#define PAIR_MEMBER(function) __typeof__(function) *function;
	PAIR_FUNCTIONS(PAIR_MEMBER, PAIR_MEMBER)
};

/*
 * Loads the two files, with all symbols resolved, and ends the program with a message when that
 * can't be done. apart: into a namespace of its own, with a libc of its own, so that a second pair
 * with the same names can be loaded; else a preloaded library, and functions that the program
 * exports, replace libc's for the pair.
 */
void pair_load(struct pair *pair, const char *libibumad, const char *libibmad, bool apart);

#endif
