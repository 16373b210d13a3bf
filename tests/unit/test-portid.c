/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/wire/portid.c: addresses and routes as text, and text as routes. */
#include <errno.h>
#include <infiniband/mad.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

TEST(lid_as_text)
{
	ib_portid_t portid = { .lid = 4 };

	assert_string_equal(portid2str(&portid), "Lid 4");
}

TEST(route_as_text)
{
	ib_portid_t portid = { .drpath = { .cnt = 3, .p = { 0, 1, 20, 255 } } };

	assert_string_equal(portid2str(&portid), "DR path slid 0; dlid 0; 0,1,20,255");
}

TEST(lid_and_route_as_text)
{
	ib_portid_t portid = { .lid = 4, .drpath = { .cnt = 1, .drslid = 5, .drdlid = 6 } };

	assert_string_equal(portid2str(&portid), "Lid 4 DR path slid 5; dlid 6; 0,0");
}

TEST(gid_as_text)
{
	ib_portid_t portid = { .lid = 4, .grh_present = 1, .gid = { 0xfe, 0x80, [15] = 1 } };

	assert_string_equal(portid2str(&portid), "Lid 4 Gid fe80::1");
}

TEST(nothing_as_text)
{
	assert_string_equal(portid2str(NULL), "");
}

TEST(path_count_out_of_range)
{
	static const int counts[] = { 64, 1000, 0x7fffffff, -1, -1000 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		ib_portid_t portid = { .drpath = { .cnt = counts[i] } };
		char text[1000];

		assert_true(strlen(portid2str(&portid)) < 600);
		assert_ptr_equal(drpath2str(&portid.drpath, text, sizeof(text)), text);
		assert_true(strlen(text) < 600);
		assert_int_equal(portid2portnum(&portid), -1);
	}
}

TEST(longest_route_as_text)
{
	ib_portid_t portid = { .lid = 65535, .grh_present = 1 };
	const char *text;

	portid.drpath.cnt = 63;
	memset(portid.drpath.p, 255, sizeof(portid.drpath.p));
	memset(portid.gid, 0xab, sizeof(portid.gid));
	text = portid2str(&portid);
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
		assert_int_equal(text[size], 'x');
	}
	assert_string_equal(drpath2str(&path, text, sizeof(whole)), whole);
}

TEST(portnum_of_a_lid)
{
	ib_portid_t portid = { .lid = 4, .drpath = { .cnt = 2, .p = { 0, 1, 2 } } };

	assert_int_equal(portid2portnum(&portid), -1);
	assert_int_equal(portid2portnum(NULL), -1);
}

/* The port before the last hop, as these libraries always have it. */
TEST(portnum_of_a_route)
{
	ib_portid_t portid = { .drpath = { .cnt = 3, .p = { 0, 11, 12, 13 } } };

	assert_int_equal(portid2portnum(&portid), 12);
	portid.drpath.cnt = 1;
	assert_int_equal(portid2portnum(&portid), 0);
}

TEST(portnum_of_the_local_port)
{
	ib_portid_t portid = { 0 };

	assert_int_equal(portid2portnum(&portid), 0);
}

static int parse(ib_dr_path_t *path, const char *text)
{
	char copy[400];

	snprintf(copy, sizeof(copy), "%s", text);
	memset(path, 0xee, sizeof(*path));
	errno = 0;
	return str2drpath(path, copy, 0, 0);
}

TEST(text_as_route)
{
	ib_dr_path_t path;

	assert_int_equal(parse(&path, "0,1,20,255"), 3);
	assert_int_equal(path.cnt, 3);
	assert_memory_equal(path.p, "\x00\x01\x14\xff", 4);
	assert_int_equal(path.drslid, 0xffff);
	assert_int_equal(path.drdlid, 0xffff);
}

TEST(text_as_local_route)
{
	ib_dr_path_t path;

	assert_int_equal(parse(&path, "0"), 0);
	assert_int_equal(path.cnt, 0);
}

TEST(lids_of_a_route)
{
	ib_dr_path_t path;
	char text[] = "0,1";

	assert_int_equal(str2drpath(&path, text, 0x12, 0xbfff), 1);
	assert_int_equal(path.drslid, 0x12);
	assert_int_equal(path.drdlid, 0xbfff);
}

TEST(lids_that_no_route_has)
{
	static const int lids[][2] = { { -1, 0 }, { 0, -1 }, { 0x10000, 0 }, { 0, 0x10000 } };
	ib_dr_path_t path;
	char text[] = "0,1";

	for (size_t i = 0; i < sizeof(lids) / sizeof(lids[0]); i++) {
		errno = 0;
		assert_int_equal(str2drpath(&path, text, lids[i][0], lids[i][1]), -1);
		assert_int_equal(errno, EINVAL);
	}
}

TEST(text_that_is_no_route)
{
	static const char *const junk[] = {
		"",    ",",    "0,",  "0,,1",	"x",
		"0,x", "0,1x", "-1",  "0,-1",	"0,256",
		"0;1", "0x1",  "0 1", "0,1\n,", "99999999999999999999"
	};
	ib_dr_path_t path, before;

	memset(&before, 0xee, sizeof(before));
	for (size_t i = 0; i < sizeof(junk) / sizeof(junk[0]); i++) {
		assert_int_equal(parse(&path, junk[i]), -1);
		assert_int_equal(errno, EINVAL);
		assert_memory_equal(&path, &before, sizeof(path));
	}
}

static void make_route(char *text, int hops)
{
	text += sprintf(text, "0");
	for (int i = 0; i < hops; i++)
		text += sprintf(text, ",%d", i % 36);
}

TEST(route_of_63_hops)
{
	ib_dr_path_t path;
	char text[400];

	make_route(text, 63);
	assert_int_equal(parse(&path, text), 63);
	assert_int_equal(path.p[63], 62 % 36);
}

TEST(route_of_64_hops_and_more)
{
	ib_dr_path_t path;
	char text[400];

	for (int hops = 64; hops < 100; hops++) {
		make_route(text, hops);
		assert_int_equal(parse(&path, text), -1);
		assert_int_equal(errno, EINVAL);
	}
}

TEST(nothing_to_parse)
{
	ib_dr_path_t path;
	char text[] = "0";

	assert_int_equal(str2drpath(NULL, text, 0, 0), -1);
	assert_int_equal(str2drpath(&path, NULL, 0, 0), -1);
	assert_int_equal(errno, EINVAL);
}
