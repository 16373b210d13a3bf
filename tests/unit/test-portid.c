/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/wire/portid.c: addresses and routes as text, and text as routes. */
#include <errno.h>
#include <infiniband/mad.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void lid_as_text(void **state)
{
	ib_portid_t portid = { .lid = 4 };

	(void)state;
	assert_string_equal(portid2str(&portid), "Lid 4");
}

static void route_as_text(void **state)
{
	ib_portid_t portid = { .drpath = { .cnt = 3, .p = { 0, 1, 20, 255 } } };

	(void)state;
	assert_string_equal(portid2str(&portid), "DR path slid 0; dlid 0; 0,1,20,255");
}

static void lid_and_route_as_text(void **state)
{
	ib_portid_t portid = { .lid = 4, .drpath = { .cnt = 1, .drslid = 5, .drdlid = 6 } };

	(void)state;
	assert_string_equal(portid2str(&portid), "Lid 4 DR path slid 5; dlid 6; 0,0");
}

static void gid_as_text(void **state)
{
	ib_portid_t portid = { .lid = 4, .grh_present = 1, .gid = { 0xfe, 0x80, [15] = 1 } };

	(void)state;
	assert_string_equal(portid2str(&portid), "Lid 4 Gid fe80::1");
}

static void nothing_as_text(void **state)
{
	(void)state;
	assert_string_equal(portid2str(NULL), "");
}

static void path_count_out_of_range(void **state)
{
	static const int counts[] = { 64, 1000, 0x7fffffff, -1, -1000 };

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		ib_portid_t portid = { .drpath = { .cnt = counts[i] } };
		char text[1000];

		assert_true(strlen(portid2str(&portid)) < 600);
		assert_ptr_equal(drpath2str(&portid.drpath, text, sizeof(text)), text);
		assert_true(strlen(text) < 600);
		assert_int_equal(portid2portnum(&portid), -1);
	}
}

static void longest_route_as_text(void **state)
{
	ib_portid_t portid = { .lid = 65535, .grh_present = 1 };
	const char *text;

	(void)state;
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

static void each_thread_has_its_text(void **state)
{
	ib_portid_t portid = { .lid = 4 };
	char *text = portid2str(&portid);
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, other_thread, text), 0);
	pthread_join(thread, NULL);
	assert_string_equal(text, "Lid 4");
}

static void drpath2str_is_cut_at_the_end(void **state)
{
	static const char whole[] = "slid 3; dlid 4; 0,1,22,255";
	ib_dr_path_t path = { .cnt = 3, .p = { 0, 1, 22, 255 }, .drslid = 3, .drdlid = 4 };
	char text[sizeof(whole) + 1];

	(void)state;
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

static void portnum_of_a_lid(void **state)
{
	ib_portid_t portid = { .lid = 4, .drpath = { .cnt = 2, .p = { 0, 1, 2 } } };

	(void)state;
	assert_int_equal(portid2portnum(&portid), -1);
	assert_int_equal(portid2portnum(NULL), -1);
}

/* The port before the last hop, as these libraries always have it. */
static void portnum_of_a_route(void **state)
{
	ib_portid_t portid = { .drpath = { .cnt = 3, .p = { 0, 11, 12, 13 } } };

	(void)state;
	assert_int_equal(portid2portnum(&portid), 12);
	portid.drpath.cnt = 1;
	assert_int_equal(portid2portnum(&portid), 0);
}

static void portnum_of_the_local_port(void **state)
{
	ib_portid_t portid = { 0 };

	(void)state;
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

static void text_as_route(void **state)
{
	ib_dr_path_t path;

	(void)state;
	assert_int_equal(parse(&path, "0,1,20,255"), 3);
	assert_int_equal(path.cnt, 3);
	assert_memory_equal(path.p, "\x00\x01\x14\xff", 4);
	assert_int_equal(path.drslid, 0xffff);
	assert_int_equal(path.drdlid, 0xffff);
}

static void text_as_local_route(void **state)
{
	ib_dr_path_t path;

	(void)state;
	assert_int_equal(parse(&path, "0"), 0);
	assert_int_equal(path.cnt, 0);
}

static void lids_of_a_route(void **state)
{
	ib_dr_path_t path;
	char text[] = "0,1";

	(void)state;
	assert_int_equal(str2drpath(&path, text, 0x12, 0xbfff), 1);
	assert_int_equal(path.drslid, 0x12);
	assert_int_equal(path.drdlid, 0xbfff);
}

static void text_that_is_no_route(void **state)
{
	static const char *const junk[] = {
		"",    ",",    "0,",  "0,,1",	"x",
		"0,x", "0,1x", "-1",  "0,-1",	"0,256",
		"0;1", "0x1",  "0 1", "0,1\n,", "99999999999999999999"
	};
	ib_dr_path_t path, before;

	(void)state;
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

static void route_of_63_hops(void **state)
{
	ib_dr_path_t path;
	char text[400];

	(void)state;
	make_route(text, 63);
	assert_int_equal(parse(&path, text), 63);
	assert_int_equal(path.p[63], 62 % 36);
}

static void route_of_64_hops_and_more(void **state)
{
	ib_dr_path_t path;
	char text[400];

	(void)state;
	for (int hops = 64; hops < 100; hops++) {
		make_route(text, hops);
		assert_int_equal(parse(&path, text), -1);
		assert_int_equal(errno, EINVAL);
	}
}

static void nothing_to_parse(void **state)
{
	ib_dr_path_t path;
	char text[] = "0";

	(void)state;
	assert_int_equal(str2drpath(NULL, text, 0, 0), -1);
	assert_int_equal(str2drpath(&path, NULL, 0, 0), -1);
	assert_int_equal(errno, EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lid_as_text),
		cmocka_unit_test(route_as_text),
		cmocka_unit_test(lid_and_route_as_text),
		cmocka_unit_test(gid_as_text),
		cmocka_unit_test(nothing_as_text),
		cmocka_unit_test(path_count_out_of_range),
		cmocka_unit_test(longest_route_as_text),
		cmocka_unit_test(each_thread_has_its_text),
		cmocka_unit_test(drpath2str_is_cut_at_the_end),
		cmocka_unit_test(portnum_of_a_lid),
		cmocka_unit_test(portnum_of_a_route),
		cmocka_unit_test(portnum_of_the_local_port),
		cmocka_unit_test(text_as_route),
		cmocka_unit_test(text_as_local_route),
		cmocka_unit_test(lids_of_a_route),
		cmocka_unit_test(text_that_is_no_route),
		cmocka_unit_test(route_of_63_hops),
		cmocka_unit_test(route_of_64_hops_and_more),
		cmocka_unit_test(nothing_to_parse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
