/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* input.c - reads the input of an execution. */
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

static uint64_t number(struct fuzz_input *input, int size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | (input->left ? (input->left--, *input->next++) : 0);
	return value;
}

uint8_t fuzz_u8(struct fuzz_input *input)
{
	return (uint8_t)number(input, 1);
}

uint16_t fuzz_u16(struct fuzz_input *input)
{
	return (uint16_t)number(input, 2);
}

uint32_t fuzz_u32(struct fuzz_input *input)
{
	return (uint32_t)number(input, 4);
}

uint64_t fuzz_u64(struct fuzz_input *input)
{
	return number(input, 8);
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
