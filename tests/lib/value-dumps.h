/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The functions of mad.h that print one value: VALUE_DUMP(function, what it reads). NUMBER: valsz
 * bytes, which are 1, 2, 4 or 8; WORD: 4 bytes; BYTES: valsz bytes; TABLE: 8 bytes.
 */
/* clang-format off */
VALUE_DUMP(mad_dump_int, NUMBER)
VALUE_DUMP(mad_dump_uint, NUMBER)
VALUE_DUMP(mad_dump_hex, NUMBER)
VALUE_DUMP(mad_dump_rhex, NUMBER)
VALUE_DUMP(mad_dump_bitfield, WORD)
VALUE_DUMP(mad_dump_array, BYTES)
VALUE_DUMP(mad_dump_string, BYTES)
VALUE_DUMP(mad_dump_linkwidth, WORD)
VALUE_DUMP(mad_dump_linkwidthsup, WORD)
VALUE_DUMP(mad_dump_linkwidthen, WORD)
VALUE_DUMP(mad_dump_linkdowndefstate, WORD)
VALUE_DUMP(mad_dump_linkspeed, WORD)
VALUE_DUMP(mad_dump_linkspeedsup, WORD)
VALUE_DUMP(mad_dump_linkspeeden, WORD)
VALUE_DUMP(mad_dump_linkspeedext, WORD)
VALUE_DUMP(mad_dump_linkspeedextsup, WORD)
VALUE_DUMP(mad_dump_linkspeedexten, WORD)
VALUE_DUMP(mad_dump_linkspeedext2, WORD)
VALUE_DUMP(mad_dump_linkspeedextsup2, WORD)
VALUE_DUMP(mad_dump_linkspeedexten2, WORD)
VALUE_DUMP(mad_dump_portstate, WORD)
VALUE_DUMP(mad_dump_physportstate, WORD)
VALUE_DUMP(mad_dump_portcapmask, WORD)
VALUE_DUMP(mad_dump_portcapmask2, WORD)
VALUE_DUMP(mad_dump_mtu, WORD)
VALUE_DUMP(mad_dump_vlcap, WORD)
VALUE_DUMP(mad_dump_opervls, WORD)
VALUE_DUMP(mad_dump_node_type, WORD)
VALUE_DUMP(mad_dump_sltovl, TABLE)
VALUE_DUMP(mad_dump_vlarbitration, BYTES)
VALUE_DUMP(mad_dump_nodedesc, BYTES)
/* clang-format on */
#undef VALUE_DUMP
