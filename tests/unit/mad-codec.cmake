# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Tests of libibmad's field table, codec, text writer, formatters and dumps.
add_unit_test(NAME test-fields SOURCES test-fields.c LIBS ibmad-static ibumad-static)
add_unit_test(NAME test-text SOURCES test-text.c LIBS ibmad-static ibumad-static)
add_unit_test(NAME test-format SOURCES test-format.c LIBS ibmad-static ibumad-static)
add_unit_test(NAME test-dump SOURCES test-dump.c LIBS ibmad-static ibumad-static)
add_unit_test(NAME test-records SOURCES test-records.c LIBS ibmad-static ibumad-static)
