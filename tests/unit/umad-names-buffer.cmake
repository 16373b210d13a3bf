# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Tests of libibumad/trace/names.c and libibumad/io/buffer.c.
add_unit_test(NAME test-names SOURCES test-names.c LIBS ibumad-static)
add_unit_test(NAME test-buffer SOURCES test-buffer.c LIBS ibumad-static)
