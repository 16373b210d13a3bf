/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The rules of fakekernel.h: what follows a write. */
#include "fakekernel-internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* When the kernel reports timeouts: long before the library's own, also on a busy machine. */
#define RETURNED_MS 1

static size_t data_offset(uint8_t mgmt_class)
{
	if (mgmt_class == 3)
		return 56;
	if (mgmt_class >= 0x30 && mgmt_class <= 0x4f)
		return 40;
	if (mgmt_class >= 0x09 && mgmt_class <= 0x0f)
		return 24;
	return 64;
}

static bool option(const char *words, const char *name, long *value)
{
	size_t n = strlen(name);

	for (const char *p = words; (p = strstr(p, name)); p += n) {
		if (p != words && p[-1] != ' ')
			continue;
		if (value && p[n] == '=')
			*value = strtol(p + n + 1, NULL, 0);
		if (p[n] == '=' || p[n] == ' ' || !p[n])
			return true;
	}
	return false;
}

static void patch(const char *words, uint8_t *mad, size_t size)
{
	for (const char *p = words; (p = strstr(p, " at=")); p++) {
		char *hex;
		size_t offset = strtoul(p + 4, &hex, 0);

		for (hex++; isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1]);
		     hex += 2) {
			char byte[3] = { hex[0], hex[1], '\0' };

			if (offset < size)
				mad[offset++] = (uint8_t)strtoul(byte, NULL, 16);
		}
	}
}

static uint8_t response_method(uint8_t method)
{
	return method == 2 ? 0x81 : (uint8_t)(method | 0x80);
}

static void reply(int device, const char *words, const uint8_t *packet, size_t sent)
{
	long length = MAD_SIZE, delay = 0, value = 0;

	option(words, "len", &length);
	size_t size = HEADER_SIZE + (size_t)length, whole = size < 4096 ? 4096 : size;
	uint8_t *out = calloc(1, whole), *mad = out + HEADER_SIZE;
	struct ib_user_mad_hdr *h = (void *)out;

	memcpy(out, packet, sent < whole ? sent : whole);
	size_t offset = data_offset(mad[1]);

	h->status = option(words, "ustatus", &value) ? (uint32_t)value : 0;
	h->length = (uint32_t)size;
	mad[3] = response_method(mad[3]);
	for (size_t i = offset; i < whole - HEADER_SIZE && !option(words, "echo", NULL); i++)
		mad[i] = option(words, "zero", NULL) ? 0 : (uint8_t)(i * 7 + 3 + i / 256);
	long status = 0;

	option(words, "status", &status);
	mad[4] = (uint8_t)(status >> 8);
	mad[5] = (uint8_t)status;
	if (option(words, "tid", &value))
		mad[15] = (uint8_t)(mad[15] + value);
	if (option(words, "class", &value))
		mad[1] = (uint8_t)value;
	if (option(words, "method", &value))
		mad[3] = (uint8_t)value;
	patch(words, mad, whole - HEADER_SIZE);
	option(words, "delay", &delay);
	fakekernel_queue(device, 0, (int)delay, out, size);
	if (option(words, "twice", NULL))
		fakekernel_queue(device, 0, (int)delay, out, size);
	free(out);
}

/* One happening of a step. Returns the errno with which the write itself fails, or 0. */
static int happen(int device, const char *words, const uint8_t *packet, size_t size)
{
	long value = 0;

	while (*words == ' ')
		words++;
	if (option(words, "writeerr", &value))
		return (int)value;
	if (option(words, "readerr", &value)) {
		fakekernel_queue(device, (int)value, 0, packet, HEADER_SIZE);
	} else if (option(words, "timeout", NULL)) {
		struct ib_user_mad_hdr *back = malloc(size);

		memcpy(back, packet, size);
		back->status = ETIMEDOUT;
		back->length = (uint32_t)size;
		fakekernel_queue(device, 0, RETURNED_MS, back, size);
		free(back);
	} else if (option(words, "reply", NULL)) {
		reply(device, words, packet, size);
	}
	return 0;
}

int fakekernel_response(int device, const uint8_t *packet, size_t size)
{
	char step[RULES_SIZE], *part, *rest = NULL, *end;
	int error = 0;

	if (!fakekernel.step)
		fakekernel_rules("reply");
	end = strchr(fakekernel.step, ';');
	snprintf(step, sizeof(step), "%.*s",
		 end ? (int)(end - fakekernel.step) : (int)strlen(fakekernel.step),
		 fakekernel.step);
	if (end)
		fakekernel.step = end + 1;
	for (part = strtok_r(step, "+", &rest); part; part = strtok_r(NULL, "+", &rest))
		if (!error)
			error = happen(device, part, packet, size);
	return error;
}

void fakekernel_rules(const char *rules)
{
	snprintf(fakekernel.rules, sizeof(fakekernel.rules), "%s", rules);
	fakekernel.step = fakekernel.rules;
}
