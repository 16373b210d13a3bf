/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* listen.c - see listen.h. */
#include "listen.h"
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

char said[MAX_TEXT];
static int memory, listened, saved;

/* Replaces the messages of another C library for an errno with glibc's, which tests expect. */
static void use_words_of_glibc(void)
{
	static const struct {
		int error;
		const char *words;
	} errors[] = {
		{ ETIMEDOUT, "Connection timed out" },
		{ EBUSY, "Device or resource busy" },
		{ ECANCELED, "Operation canceled" },
	};
	char *at;

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		const char *words = errors[i].words, *here = strerror(errors[i].error);
		size_t length = strlen(words);

		if (!strcmp(here, words))
			continue;
		while ((at = strstr(said, here))) {
			assert_true(strlen(said) + length < sizeof(said));
			memmove(at + length, at + strlen(here), strlen(at + strlen(here)) + 1);
			memcpy(at, words, length);
		}
	}
}

void listen_begin_to(int fd)
{
	fflush(NULL);
	listened = fd;
	memory = memfd_create("listen", 0);
	saved = dup(fd);
	assert_true(memory >= 0 && saved >= 0);
	assert_int_not_equal(dup2(memory, fd), -1);
}

void listen_begin(void)
{
	listen_begin_to(STDERR_FILENO);
}

void listen_end(void)
{
	ssize_t count;

	fflush(NULL);
	dup2(saved, listened);
	count = pread(memory, said, sizeof(said) - 1, 0);
	said[count > 0 ? count : 0] = '\0';
	use_words_of_glibc();
	close(memory);
	close(saved);
}

void listen_assert(const char *pattern)
{
	const char *at = said, *end = pattern;
	size_t length;

	for (; *end; end++) {
		length = *end == '#' ? strspn(at, "0123456789abcdef") : *at == *end;
		if (!length)
			fail_msg("\"%s\" is not \"%s\"", said, pattern);
		at += length;
	}
	assert_string_equal(at, "");
}

int listen_never(void **state)
{
	(void)state;
	fflush(stderr);
	return !freopen("/dev/null", "w", stderr);
}
