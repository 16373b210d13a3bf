/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Replacements of the rest of libc: messages go to the log of the simulation. */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "invariants.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

/* Simulated threads are real ones to the libraries. */
extern char replaced___libc_single_threaded;
char replaced___libc_single_threaded;

REPLACED(pid_t, getpid, void)
{
	return sim.is_child ? 4712 : 4711;
}

REPLACED(void, exit, int status)
{
	sim_broken("exit", "the library ends the process with status %d", status);
	sim_give_up();
}

REPLACED(ssize_t, getrandom, void *buffer, size_t size, UNUSED unsigned flags)
{
	uint8_t *bytes = buffer;

	sim_cancellation_point("getrandom");
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)sim_random_next(&sim.choices);
	/* The library takes its first transaction ID from there: little-endian, its low half. */
	for (size_t i = 0; i < size && i < 4 && sim_world.tid_wraps; i++)
		bytes[i] = i ? 0xff : bytes[i] | 0xf0;
	return (ssize_t)size;
}

REPLACED(char *, secure_getenv, UNUSED const char *name)
{
	return NULL;
}

static int __attribute__((format(printf, 1, 0))) print(const char *format, va_list arguments)
{
	char text[1024];
	int length = vsnprintf(text, sizeof(text), format, arguments);

	sim_cancellation_point("printf");
	text[strcspn(text, "\n")] = '\0';
	sim_log("prints: %s", text);
	return length;
}

/* at: which argument the format is. */
#define PRINTS(at, name, ...)                                                        \
	REPLACED(__attribute__((format(printf, at, at + 1))) int, name, __VA_ARGS__) \
	{                                                                            \
		va_list arguments;                                                   \
		int length;                                                          \
                                                                                     \
		va_start(arguments, format);                                         \
		length = print(format, arguments);                                   \
		va_end(arguments);                                                   \
		return length;                                                       \
	}
PRINTS(1, printf, const char *format, ...)
PRINTS(2, __printf_chk, UNUSED int flag, const char *format, ...)
PRINTS(2, fprintf, UNUSED FILE *stream, const char *format, ...)
PRINTS(3, __fprintf_chk, UNUSED FILE *stream, UNUSED int flag, const char *format, ...)

REPLACED(int, fputs, const char *text, UNUSED FILE *stream)
{
	sim_check_locks("fputs");
	sim_cancellation_point("fputs");
	sim_log("prints: %s", text);
	return 0;
}

REPLACED(int, fputc, int character, UNUSED FILE *stream)
{
	sim_cancellation_point("fputc");
	return character;
}

void sim_not_simulated(const char *name)
{
	fprintf(stderr, "simulate: the library called %s(), which is not simulated\n", name);
	sim_broken("not-simulated", "the library called %s()", name);
	sim_give_up();
}
