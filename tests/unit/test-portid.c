/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/wire/portid.c: addresses and routes as text, and text as routes. */
#include <errno.h>
#include <infiniband/mad.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

TEST(addresses_as_text)
{
	static const struct {
		ib_portid_t portid;
		const char *text;
		int portnum; /* before the last hop, as these libraries always have it */
	} rows[] = {
		{ { .lid = 4 }, "Lid 4", -1 },
		{ { .drpath = { .cnt = 3, .p = { 0, 1, 20, 255 } } },
		  "DR path slid 0; dlid 0; 0,1,20,255",
		  20 },
		{ { .drpath = { .cnt = 1, .p = { 0, 11 } } }, "DR path slid 0; dlid 0; 0,11", 0 },
		{ { .lid = 4, .drpath = { .cnt = 1, .drslid = 5, .drdlid = 6 } },
		  "Lid 4 DR path slid 5; dlid 6; 0,0",
		  -1 },
		{ { .lid = 4, .grh_present = 1, .gid = { 0xfe, 0x80, [15] = 1 } },
		  "Lid 4 Gid fe80::1",
		  -1 },
	};
	ib_portid_t self = { 0 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		ib_portid_t portid = rows[i].portid;

		assert_string_equal(portid2str(&portid), rows[i].text);
		assert_int_equal(portid2portnum(&portid), rows[i].portnum);
	}
	assert_string_equal(portid2str(NULL), "");
	assert_int_equal(portid2portnum(NULL), -1);
	assert_int_equal(portid2portnum(&self), 0);
}

TEST(path_counts)
{
	static const int wrong[] = { 64, 1000, 0x7fffffff, -1, -1000 };
	ib_portid_t longest = { .lid = 65535, .grh_present = 1, .drpath = { .cnt = 63 } };
	const char *text;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		ib_portid_t portid = { .drpath = { .cnt = wrong[i] } };
		char path[1000];

		assert_true(strlen(portid2str(&portid)) < 600);
		assert_ptr_equal(drpath2str(&portid.drpath, path, sizeof(path)), path);
		assert_int_equal(strlen(path), strlen("slid 0; dlid 0; 0") +
						       (wrong[i] < 0 ? 0 : 63 * strlen(",0")));
		assert_int_equal(portid2portnum(&portid), -1);
	}
	memset(longest.drpath.p, 255, sizeof(longest.drpath.p));
	memset(longest.gid, 0xab, sizeof(longest.gid));
	text = portid2str(&longest);
	assert_string_equal(text + strlen(text) - 4, ",255");
}

static void *other_thread(void *mine)
{
	ib_portid_t portid = { .lid = 77 };

	assert_ptr_not_equal(portid2str(&portid), mine);
	return NULL;
}

TEST(each_thread_has_its_text)
{
	ib_portid_t portid = { .lid = 4 };
	char *text = portid2str(&portid);
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, other_thread, text), 0);
	pthread_join(thread, NULL);
	assert_string_equal(text, "Lid 4");
}

TEST(drpath2str_is_cut_at_the_end)
{
	static const char whole[] = "slid 3; dlid 4; 0,1,22,255";
	ib_dr_path_t path = { .cnt = 3, .p = { 0, 1, 22, 255 }, .drslid = 3, .drdlid = 4 };
	char text[sizeof(whole) + 1];

	for (size_t size = 0; size <= sizeof(whole); size++) {
		memset(text, 'x', sizeof(text));
		assert_ptr_equal(drpath2str(&path, text, size), text);
		if (size) {
			assert_true(strlen(text) < size);
			assert_memory_equal(text, whole, strlen(text));
		}
		for (size_t i = size; i < sizeof(text); i++)
			assert_int_equal(text[i], 'x');
	}
	assert_string_equal(drpath2str(&path, text, sizeof(whole)), whole);
	errno = 0;
	assert_ptr_equal(drpath2str(NULL, text, sizeof(text)), text);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(text, whole);
	assert_null(drpath2str(&path, NULL, sizeof(text)));
}

/* Returns the result of str2drpath(), which leaves the path as it was after an error. */
static int parse(ib_dr_path_t *path, const char *text, int drslid, int drdlid)
{
	ib_dr_path_t before;
	char copy[400];
	int result;

	snprintf(copy, sizeof(copy), "%s", text);
	memset(path, 0xee, sizeof(*path));
	memset(&before, 0xee, sizeof(before));
	errno = 0;
	result = str2drpath(path, copy, drslid, drdlid);
	assert_int_equal(errno, result < 0 ? EINVAL : 0);
	if (result < 0)
		assert_memory_equal(path, &before, sizeof(before));
	return result;
}

TEST(text_as_route)
{
	ib_dr_path_t path;
	char text[] = "0";

	assert_int_equal(parse(&path, "0,1,20,255", 0, 0), 3);
	assert_int_equal(path.cnt, 3);
	assert_memory_equal(path.p, "\x00\x01\x14\xff", 4);
	assert_int_equal(path.drslid, 0xffff);
	assert_int_equal(path.drdlid, 0xffff);
	assert_int_equal(parse(&path, "0", 0, 0), 0);
	assert_int_equal(path.cnt, 0);
	assert_int_equal(parse(&path, "0,1", 0x12, 0xbfff), 1);
	assert_int_equal(path.drslid, 0x12);
	assert_int_equal(path.drdlid, 0xbfff);
	assert_int_equal(parse(&path, "0,1", 0xffff, 0xffff), 1);
	assert_int_equal(path.drslid, 0xffff);
	assert_int_equal(parse(&path, " 0,\t1, 20", 0, 0), 2); /* blanks before a number */
	assert_memory_equal(path.p, "\x00\x01\x14", 3);
	assert_int_equal(str2drpath(NULL, text, 0, 0), -1);
	assert_errno(str2drpath(&path, NULL, 0, 0), EINVAL);
}

/* Other texts that are none: rows text_no_path of tests/lib/requests. */
TEST(text_that_is_no_route)
{
	static const int lids[][2] = { { -1, 0 }, { 0, -1 }, { 0x10000, 0 }, { 0, 0x10000 } };
	ib_dr_path_t path;

	assert_int_equal(parse(&path, "0,1\n,", 0, 0), -1);
	for (size_t i = 0; i < COUNT(lids); i++)
		assert_int_equal(parse(&path, "0,1", lids[i][0], lids[i][1]), -1);
}

TEST(routes_of_63_hops_and_more)
{
	ib_dr_path_t path;
	char text[400] = "0";

	for (int hops = 1; hops < 100; hops++) {
		sprintf(text + strlen(text), ",%d", hops % 36);
		if (hops >= 63)
			assert_int_equal(parse(&path, text, 0, 0), hops == 63 ? 63 : -1);
		if (hops == 63)
			assert_int_equal(path.p[63], 63 % 36);
	}
}
