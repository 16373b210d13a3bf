/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Prints a value in several forms, and to a buffer that is too short. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	uint32_t value = 0x1a, speeds = 7;
	uint8_t bytes[] = { 0xde, 0xad };
	char text[64], small[8];

	mad_dump_int(text, sizeof(text), &value, sizeof(value));
	puts(text);
	mad_dump_hex(text, sizeof(text), &value, sizeof(value));
	puts(text);
	mad_dump_array(text, sizeof(text), bytes, sizeof(bytes));
	puts(text);
	mad_dump_linkspeedsup(text, sizeof(text), &speeds, sizeof(speeds));
	puts(text);
	mad_dump_linkspeedsup(small, sizeof(small), &speeds, sizeof(speeds));
	puts(small);
	return 0;
}
