/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Files of keys and of LIDs: which lines are right, which files are refused, and what a message
 * says. Where keys are in memory: test-key-memory.
 */
#include "test.h"
#include "common/bytes.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_sa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];
static struct mad_keys *keys;
static char why[200];

static int setup(void **state)
{
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/test-key-files-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	keys = mad_keys_create();
	assert_non_null(keys);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mad_keys_free(keys);
	unlink(path);
	return 0;
}

static void write_file(const char *text, size_t length)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static int error_of(int result)
{
	return result ? errno : 0;
}

static int read_text(const char *text)
{
	write_file(text, strlen(text));
	return error_of(mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)));
}

static int read_lids(const char *text)
{
	write_file(text, strlen(text));
	return error_of(mad_keys_read_lids(keys, path, 0, why, sizeof(why)));
}

static uint64_t key_of(uint64_t guid, int lid)
{
	ib_portid_t to = { .lid = lid };
	uint64_t key;

	mad_set_field64(to.gid, 0, IB_GID_GUID_F, guid);
	return mad_keys_get(keys, MAD_KEY_M, &to, &key) ? 0 : key;
}

#define CASE(name) TEST_WITH(name, setup, teardown)

/* Files, one read after the other into the same ring, and the key that a GUID or a LID has then. */
CASE(files)
{
	static const struct {
		bool lids;
		const char *text;
		uint64_t id, key;
		const char *why;
	} rows[] = {
		/* without its line end, the last line may have been cut off within a number */
		{ false, "0x1 0xffffffffffffffff\n\n0x2 0xb", 1, 0, ":3: is not 0xGUID 0xKEY" },
		{ false, "0x0000000000000001 0xffffffffffffffff\n\n0x2 0xb\n", 1, UINT64_MAX, "" },
		/* as people write lines; the last of two keys counts */
		{ false, "# keys\n\n  \t\n  # more\n 0x1\t0xA \r\n0X2 0Xb\n0x1 0xc\n0x3 0xd\n", 1,
		  0xc, "" },
		{ false, "", 2, 0xb, "" },
		{ false, "0x3 0x0\n", 3, 0, "" },
		{ false, "0x10 0x1010\n0x20 0x2020\n", 3, 0, "" },
		/* a message has no content of the file; a file with a wrong line changes nothing */
		{ false, "0x4 0x44\n# abc\n0x5\n0x6 0x66\n", 4, 0, ":3: is not 0xGUID 0xKEY" },
		{ false, "0x5 0xabc123 0x7\n", 5, 0, ":1: is not 0xGUID 0xKEY" },
		{ false, "0x5 0x0123456789abcdef0\n", 5, 0, ":1: is not 0xGUID 0xKEY" },
		{ false, "0x0 0xabc123\n", 5, 0, ":1: is not 0xGUID 0xKEY" },
		{ true, "0x0000000000000010 0x0001 0x0001\n\n0x0000000000000020 0x0008 0x000f\n\n",
		  1, 0x1010, "" },
		{ true, "", 2, 0, "" },
		{ true, "", 7, 0, "" },
		{ true, "", 8, 0x2020, "" },
		{ true, "", 15, 0x2020, "" },
		{ true, "", 16, 0, "" },
		{ true, "0x10 0x2 0x2\n0x10 0x2 0x1\n", 2, 0, ":2: is no range of LIDs" },
		{ true, "0x10 0x0 0x1\n", 0, 0, ":1: is no range of LIDs" },
		{ true, "0x10 0x1 0xc000\n", 0, 0, ":1: is no range of LIDs" },
		{ true, "0x10 0x1 0xffffffffffffffff\n", 0, 0, ":1: is no range of LIDs" },
		{ true, "0x10 0xbfff 0xbfff\n", 0xbfff, 0x1010, "" },
		{ true, "0x10 0x1\n", 0, 0, ":1: is not 0xGUID 0xFIRST_LID 0xLAST_LID" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		int error = (rows[i].lids ? read_lids : read_text)(rows[i].text);
		char wanted[200] = "";

		if (rows[i].why[0])
			snprintf(wanted, sizeof(wanted), "%s%s", path, rows[i].why);
		if (error != (wanted[0] ? EBADMSG : 0) || strcmp(why, wanted) != 0 ||
		    key_of(rows[i].lids ? 0 : rows[i].id, rows[i].lids ? (int)rows[i].id : 0) !=
			    rows[i].key)
			fail_msg("row %zu: %s: %s", i, strerror(error), why);
	}
	write_file("0x4 0x44\0\n", 10);
	assert_errno(mad_keys_read(keys, MAD_KEY_M, path, 0, NULL, 0), EBADMSG);
}

/* Lines of files of keys, and (with a further number) of LIDs. */
CASE(lines_with_something_else)
{
	static const char *const parts[] = {
		"1",	"x1",	"0",	 "0x",	 "0X",	 "0xg", "-0x1",	  "+0x1",
		"0x1,", "0x1g", "0x1\v", "0x1#", "0x0x", "# 1", "0x10x1", "0x11234567812345678",
	};
	char line[80];

	for (size_t i = 0; i < COUNT(parts) * 2; i++) {
		const char *part = parts[i / 2];

		snprintf(line, sizeof(line), i % 2 ? "0x1 %s\n" : "%s 0x1\n", part);
		assert_int_equal(read_text(line), i % 2 || part[0] != '#' ? EBADMSG : 0);
		snprintf(line, sizeof(line), i % 2 ? "0x1 0x1 %s\n" : "0x1 %s 0x1\n", part);
		assert_int_equal(read_lids(line), EBADMSG);
	}
}

/* A file that another user may have changed is refused; one with keys also if others can read it.
 */
CASE(files_that_others_can_access)
{
	static const struct {
		mode_t mode;
		int key_error, any_reader_error, lid_error;
		const char *why;
	} modes[] = {
		{ 0600, 0, 0, 0, "" },
		{ 0640, 0, 0, 0, "" },
		{ 0400, 0, 0, 0, "" },
		{ 0644, EPERM, 0, 0, "others can read it" },
		{ 0604, EPERM, 0, 0, "others can read it" },
		{ 0660, EPERM, EPERM, EPERM, "its group or others can write it" },
		{ 0602, EPERM, EPERM, EPERM, "its group or others can write it" },
		{ 0666, EPERM, EPERM, EPERM, "others can read it" },
	};

	write_file("", 0);
	for (size_t i = 0; i < COUNT(modes); i++) {
		assert_int_equal(chmod(path, modes[i].mode), 0);
		assert_int_equal(
			error_of(mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why))),
			modes[i].key_error);
		assert_non_null(strstr(why, modes[i].why));
		assert_int_equal(error_of(mad_keys_read(keys, MAD_KEY_M, path, MAD_KEYS_ANY_READER,
							NULL, 0)),
				 modes[i].any_reader_error);
		assert_int_equal(error_of(mad_keys_read_lids(keys, path, 0, NULL, 0)),
				 modes[i].lid_error);
	}
}

CASE(files_of_other_users)
{
	if (geteuid())
		skip();
	write_file("", 0);
	assert_int_equal(chown(path, 12345, -1), 0);
	assert_errno(mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)), EPERM);
	assert_non_null(strstr(why, "belongs to another user"));
}

CASE(what_is_no_file)
{
	assert_errno(mad_keys_read(keys, MAD_KEY_M, "/no/such/file", 0, why, sizeof(why)), ENOENT);
	assert_string_equal(why, "/no/such/file: No such file or directory");
	assert_errno(mad_keys_read(keys, MAD_KEY_M, "/", 0, why, sizeof(why)), EPERM);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_errno(mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)), EPERM);
}

static int replace(const char *text)
{
	write_file(text, strlen(text));
	return mad_keys_read(keys, MAD_KEY_M, path, MAD_KEYS_REPLACE, NULL, 0);
}

/* Keys that a file does not have stay, or go; keys of another type, defaults and LIDs stay. */
CASE(reading_again)
{
	ib_portid_t by_guid = { .gid = { [15] = 1 } };
	uint64_t key;

	mad_keys_set_guid(keys, MAD_KEY_CC, 1, 8);
	mad_keys_map_lid(keys, 9, 2);
	assert_int_equal(read_text("0x1 0x11\n0x2 0x22\n"), 0);
	assert_int_equal(read_text("0x2 0x23\n"), 0);
	assert_int_equal(key_of(1, 0), 0x11);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(replace("0x2 0x23\n"), 0);
	assert_int_equal(key_of(1, 0), 0);
	assert_int_equal(key_of(0, 9), 0x23);
	assert_int_equal(mad_keys_get(keys, MAD_KEY_CC, &by_guid, &key), 0);
	assert_int_equal(key, 8);
	write_file("0x3 0x7 0x7\n", 12);
	assert_int_equal(mad_keys_read_lids(keys, path, MAD_KEYS_REPLACE, NULL, 0), 0);
	assert_int_equal(key_of(0, 9), 0);
	assert_int_equal(replace("0x2 0x24\nx\n"), -1); /* changes nothing */
	assert_int_equal(key_of(2, 0), 0x23);
}

CASE(a_short_buffer_for_the_reason)
{
	char small[4] = "xyz";

	write_file("x", 1);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, small, 3), -1);
	assert_memory_equal(small, "/t\0", 4);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, small, 0), -1);
}

/* Responds to queries for all NodeRecords and all PortInfoRecords with a port of four LIDs. */
static int response_tables(const struct fakeumad_request *request, void *context)
{
	unsigned attr_id = request->mad[16] << 8 | request->mad[17];
	size_t size = attr_id == IB_SA_ATTR_NODERECORD ? 112 : 72;
	uint8_t response[256 - 24] = { 1, 1, 7, [7] = 1 };
	struct fakeumad_reply reply = { .data = response,
					.data_size = sizeof(response),
					.data_offset = 24 };

	response[11] = (uint8_t)(20 + size);
	response[45 - 24] = (uint8_t)(size / 8);
	mad_put_be16(response + 56 - 24, *(const uint16_t *)context);
	if (attr_id == IB_SA_ATTR_NODERECORD)
		mad_set_field64(response, 56 - 24 + 4, IB_NODE_PORT_GUID_F, 0x77);
	else
		mad_set_field(response, 56 - 24 + 4, IB_PORT_LMC_F, 2);
	fakeumad_reply(request, &reply);
	return 0;
}

CASE(lids_from_the_sa)
{
	static uint16_t base_lids[] = { 1, 8, 0xbffe }; /* unicast: up to 0xbfff */
	ib_portid_t sm = { .lid = 1 };
	void *port;

	assert_int_equal(fakeumad_setup(&port), 0);
	for (int i = 0; i < 3; i++) {
		fakeumad_respond_with(response_tables, &base_lids[i]);
		mad_keys_set_guid(keys, MAD_KEY_M, 0x77, 0x7777);
		assert_int_equal(mad_keys_query_lids(keys, port, &sm, 100), 0);
		for (int lid = -1; lid <= 4; lid++)
			assert_true(
				key_of(0, base_lids[i] + lid) ==
				(lid < 0 || lid > 3 || base_lids[i] + lid > 0xbfff ? 0 : 0x7777));
	}
	fakeumad_teardown(&port);
}
