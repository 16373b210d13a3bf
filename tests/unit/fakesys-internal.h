/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakesys-internal.h - what the parts of fakesys have for one another: fakesys-tree.c (files in
 * memory), fakesys.c (the calls for them, failures, setup), fakesys-device.c (open umad devices,
 * the clock) and fakesys-memory.c (allocations).
 */
#ifndef TESTS_UNIT_FAKESYS_INTERNAL_H
#define TESTS_UNIT_FAKESYS_INTERNAL_H

#include "fakesys.h"

enum { FAKESYS_PATH_SIZE = 384 };

struct fakesys_file {
	char path[FAKESYS_PATH_SIZE];
	char *content; /* NULL: a directory */
	size_t size;
};

/* Files, in the order in which they were made; NULL behind the last. */
struct fakesys_file *fakesys_file_number(int number);
int fakesys_find_file(const char *path); /* its number, -1: none */
bool fakesys_is_at_or_below(const char *path, const char *top);

/* Counts a call; true: it is to fail, with what errno says. path may be NULL. */
bool fakesys_fails(enum fakesys_call call, const char *path);

bool fakesys_is_descriptor(int fd); /* one of ours, open or not */
bool fakesys_is_device(int fd);	    /* an open device */

ssize_t fakesys_device_read(void *buffer, size_t size);
void fakesys_device_reset(void);
int fakesys_device_left(void); /* expected calls that have not come */

void fakesys_memory_reset(void);
void fakesys_memory_check(void);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);
void *__real_malloc(size_t size);

#endif
