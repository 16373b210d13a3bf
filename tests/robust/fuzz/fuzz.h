/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Shared by all fuzz targets: an input that is read piece by piece, memory whose surroundings are
 * watched, and checks that end the run. A target is one function, fuzz_target(); main.c calls it.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The rest of an input; behind its end come zeros. */
struct fuzz_input {
	const uint8_t *next;
	size_t left;
};

uint8_t fuzz_u8(struct fuzz_input *input);
uint16_t fuzz_u16(struct fuzz_input *input);
uint32_t fuzz_u32(struct fuzz_input *input);
uint64_t fuzz_u64(struct fuzz_input *input);
void fuzz_bytes(struct fuzz_input *input, void *to, size_t size);

/* Reads a length of one byte and a text, of which `to` gets at most size - 1 bytes and a NUL.
 * Returns their number. */
size_t fuzz_text(struct fuzz_input *input, char *to, size_t size);

/* An execution of the target. main.c checks what every execution has to keep. */
void fuzz_target(struct fuzz_input *input);

/* Ends the run unless the condition holds; libFuzzer keeps the input. */
#define FUZZ_CHECK(condition) \
	((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__, __func__))
void fuzz_fail(const char *condition, const char *file, int line, const char *function)
	__attribute__((noreturn));

/* Memory until the end of the execution, not initialised; the sanitizer watches its surroundings.
 */
void *fuzz_guard(size_t size);

/* Reads all of the bytes: the sanitizer reports those that may not be read. */
void fuzz_touch(const void *bytes, size_t size);

#endif
