/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the libraries get in place of the rest of libc: messages go to the log of the simulation. */
#include "replaced.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "invariants.h"
#include "log.h"
#include "process.h"
#include "scheduler.h"
#include "world.h"
#include "threads.h"

/* Simulated threads are real ones to the libraries. */
char replaced___libc_single_threaded;

pid_t replaced_getpid(void)
{
	return sim.is_child ? 4712 : 4711;
}

void replaced_exit(int status)
{
	sim_broken("exit", "the library ends the process with status %d", status);
	sim_give_up();
}

ssize_t replaced_getrandom(void *buffer, size_t size, unsigned flags)
{
	uint8_t *bytes = buffer;

	(void)flags;
	sim_cancellation_point("getrandom");
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)sim_random_next(&sim.choices);
	/* The library takes its first transaction ID from there: little-endian, its low half. */
	for (size_t i = 0; i < size && i < 4 && sim_world.tid_wraps; i++)
		bytes[i] = i ? 0xff : bytes[i] | 0xf0;
	return (ssize_t)size;
}

char *replaced_secure_getenv(const char *name)
{
	(void)name;
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

int replaced_fprintf(FILE *stream, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)stream;
	va_start(arguments, format);
	length = print(format, arguments);
	va_end(arguments);
	return length;
}

int replaced_printf(const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = print(format, arguments);
	va_end(arguments);
	return length;
}

int replaced___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)stream;
	(void)flag;
	va_start(arguments, format);
	length = print(format, arguments);
	va_end(arguments);
	return length;
}

int replaced___printf_chk(int flag, const char *format, ...)
{
	va_list arguments;
	int length;

	(void)flag;
	va_start(arguments, format);
	length = print(format, arguments);
	va_end(arguments);
	return length;
}

int replaced_fputs(const char *text, FILE *stream)
{
	(void)stream;
	sim_cancellation_point("fputs");
	sim_log("prints: %s", text);
	return 0;
}

int replaced_fputc(int character, FILE *stream)
{
	(void)stream;
	sim_cancellation_point("fputc");
	return character;
}

void sim_not_simulated(const char *name)
{
	fprintf(stderr, "simulate: the library called %s(), which is not simulated\n", name);
	sim_broken("not-simulated", "the library called %s()", name);
	sim_give_up();
}
