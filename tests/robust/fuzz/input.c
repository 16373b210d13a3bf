/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The input of an execution, piece by piece. */
#include "fuzz.h"

void fuzz_bytes(struct fuzz_input *input, void *to, size_t size)
{
	size_t there = size < input->left ? size : input->left;

	memset(to, 0, size);
	if (!there)
		return;
	memcpy(to, input->next, there);
	input->next += there;
	input->left -= there;
}

uint8_t fuzz_u8(struct fuzz_input *input)
{
	if (!input->left)
		return 0;
	input->left--;
	return *input->next++;
}

uint16_t fuzz_u16(struct fuzz_input *input)
{
	uint16_t high = fuzz_u8(input);

	return (uint16_t)(high << 8 | fuzz_u8(input));
}

uint32_t fuzz_u32(struct fuzz_input *input)
{
	uint32_t high = fuzz_u16(input);

	return high << 16 | fuzz_u16(input);
}

uint64_t fuzz_u64(struct fuzz_input *input)
{
	uint64_t high = fuzz_u32(input);

	return high << 32 | fuzz_u32(input);
}

size_t fuzz_text(struct fuzz_input *input, char *to, size_t size)
{
	size_t length = fuzz_u8(input);

	if (length > size - 1)
		length = size - 1;
	if (length > input->left)
		length = input->left;
	fuzz_bytes(input, to, length);
	to[length] = '\0';
	return length;
}
