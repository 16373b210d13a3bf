/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Routes and addresses as text, both ways: str2drpath() against a parser of our own, drpath2str()
 * with every size of buffer, portid2str() for whatever may be in an address.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <infiniband/mad.h>

#include "fuzz.h"

enum { TEXT_SIZE = 256, HOPS = IB_SUBNET_PATH_HOPS_MAX };

/* Numbers up to 255 with a comma after each but the last, blanks before each: how many hops there
 * are behind the first of them, or -1. */
static int model_parse(const char *text, uint8_t hops[HOPS])
{
	unsigned long number;
	int count = 0;

	for (;; text++) {
		text += strspn(text, " \t\n\v\f\r");
		if (!isdigit((unsigned char)*text) || count == HOPS)
			return -1;
		number = 0;
		while (isdigit((unsigned char)*text) && number < 100000)
			number = number * 10 + (unsigned long)(*text++ - '0');
		if (number > 255)
			return -1;
		hops[count++] = (uint8_t)number;
		if (!*text)
			return count - 1;
		if (*text != ',')
			return -1;
	}
}

static size_t model_print(const ib_dr_path_t *path, char *text, size_t size)
{
	int hops = path->cnt < 0 ? 0 : path->cnt < HOPS ? path->cnt : HOPS - 1, i;
	FILE *file = fmemopen(text, size, "w");

	FUZZ_CHECK(file);
	fprintf(file, "slid %u; dlid %u; %u", path->drslid, path->drdlid, path->p[0]);
	for (i = 1; i <= hops; i++)
		fprintf(file, ",%u", path->p[i]);
	fputc('\0', file);
	fclose(file);
	return strlen(text);
}

static void check_printing(ib_dr_path_t *path, struct fuzz_input *input)
{
	char *whole = fuzz_guard(1024), *cut;
	size_t length, size, kept;
	int i;

	FUZZ_CHECK(drpath2str(path, whole, 1024) == whole);
	length = strlen(whole);
	for (i = 0; i < 4; i++) {
		size = fuzz_u16(input) % (length + 4);
		cut = fuzz_guard(size);
		FUZZ_CHECK(drpath2str(path, cut, size) == cut);
		kept = length < size ? length : size - 1;
		FUZZ_CHECK(!size || (strnlen(cut, size) == kept && !memcmp(cut, whole, kept)));
	}
}

/* The text that a path gives, without LIDs, is one that gives the path. */
static void check_round_trip(const ib_dr_path_t *path)
{
	ib_dr_path_t copy = *path, again;
	char whole[1024], expected[1024], *hops;

	drpath2str(&copy, whole, sizeof(whole));
	if (path->p[1] == 3) { /* now and then: it is slow */
		model_print(path, expected, sizeof(expected));
		FUZZ_CHECK(!strcmp(whole, expected));
	}
	hops = strrchr(whole, ' ') + 1;
	memset(&again, 0, sizeof(again));
	FUZZ_CHECK(str2drpath(&again, hops, path->drslid, path->drdlid) == path->cnt);
	FUZZ_CHECK(!memcmp(again.p, path->p, (size_t)path->cnt + 1));
}

static void parse(struct fuzz_input *input)
{
	int drslid = fuzz_u8(input) - 1, drdlid = fuzz_u16(input) * 2 - 1, result, expected;
	ib_dr_path_t *path = fuzz_guard(sizeof(*path)), before;
	uint8_t hops[HOPS] = { 0 };
	char text[TEXT_SIZE], *copy;
	size_t length = input->left < TEXT_SIZE - 1 ? input->left : TEXT_SIZE - 1;

	fuzz_bytes(input, text, length);
	text[length] = '\0';
	copy = fuzz_guard(strlen(text) + 1);
	strcpy(copy, text);
	memset(path, 0x11, sizeof(*path));
	before = *path;
	expected = drslid < 0 || drdlid < 0 || drdlid > 0xffff ? -1 : model_parse(text, hops);
	errno = 0;
	result = str2drpath(path, copy, drslid, drdlid);
	FUZZ_CHECK(result == expected);
	if (result < 0) {
		FUZZ_CHECK(errno == EINVAL && !memcmp(path, &before, sizeof(before)));
		return;
	}
	FUZZ_CHECK(path->cnt == result && !memcmp(path->p, hops, (size_t)result + 1));
	FUZZ_CHECK(path->drslid == (drslid ? drslid : 0xffff));
	FUZZ_CHECK(path->drdlid == (drdlid ? drdlid : 0xffff));
	check_round_trip(path);
}

static void print(struct fuzz_input *input)
{
	ib_portid_t *portid = fuzz_guard(sizeof(*portid));
	char *text;
	int number;

	memset(portid, 0, sizeof(*portid));
	portid->lid = (int16_t)fuzz_u16(input);
	portid->drpath.cnt = (int8_t)fuzz_u8(input);
	portid->grh_present = fuzz_u8(input) & 1;
	portid->drpath.drslid = fuzz_u16(input);
	portid->drpath.drdlid = fuzz_u16(input);
	fuzz_bytes(input, portid->gid, sizeof(portid->gid));
	check_printing(&portid->drpath, input);
	fuzz_bytes(input, portid->drpath.p, sizeof(portid->drpath.p));
	text = portid2str(portid);
	FUZZ_CHECK(text && strlen(text) > 4 && strlen(text) < 511);
	number = portid2portnum(portid);
	FUZZ_CHECK(number >= -1 && number < 256);
}

void fuzz_target(struct fuzz_input *input)
{
	if (fuzz_u8(input) & 1)
		print(input);
	else
		parse(input);
}
