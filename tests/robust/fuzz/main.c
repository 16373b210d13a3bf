/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * main.c - runs executions for libFuzzer, and reads their input. The libraries print nowhere:
 * stderr is another stream from the first execution on, libFuzzer has kept the old one.
 */
#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define IS_SINGLE_THREADED __libc_single_threaded
#endif
#endif

#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* Short stacks and a small quarantine: allocations are most of the cost of an execution. */
const char *__asan_default_options(void)
{
	return "malloc_context_size=6:quarantine_size_mb=4:allocator_may_return_null=1:"
	       "detect_stack_use_after_return=0";
}

const char *__ubsan_default_options(void)
{
	return "print_stacktrace=1";
}

void fuzz_fail(const char *condition, const char *file, int line, const char *function)
{
	dprintf(2, "%s:%d: %s: not so: %s\n", file, line, function, condition);
	abort();
}

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

static void *guarded[64];
static size_t guarded_count;

void *fuzz_guard(size_t size)
{
	void *memory = malloc(size ? size : 1);

	FUZZ_CHECK(memory && guarded_count < sizeof(guarded) / sizeof(guarded[0]));
	return guarded[guarded_count++] = memory;
}

void fuzz_touch(const void *bytes, size_t size)
{
	const volatile uint8_t *byte = bytes;

	while (size--)
		(void)*byte++;
}

static ssize_t discard(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	(void)text;
	return (ssize_t)size;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char buffer[1 << 16];
	FILE *nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = discard });

	(void)argc;
	(void)argv;
	FUZZ_CHECK(nowhere && !setvbuf(nowhere, buffer, _IOFBF, sizeof(buffer)));
	stderr = nowhere;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef IS_SINGLE_THREADED
	/* Because of libFuzzer's thread, which measures memory, the libraries would poll in short
	 * turns. */
	IS_SINGLE_THREADED = 1;
#endif
	struct fuzz_input input = { data, size };

	fuzz_kernel_start(&input);
	fuzz_target(&input);
	while (guarded_count)
		free(guarded[--guarded_count]);
	fuzz_kernel_end();
	return 0;
}
