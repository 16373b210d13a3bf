/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Files of keys and of LIDs: which lines are right, which files are refused, and what a message
 * says; and where a ring's memory is.
 */
#include "test.h"
#include "bounds.h"
#include "bytes.h"
#include "common/bytes.h"
#include "fakeumad.h"

#include <errno.h>
#include <fcntl.h>
#include <infiniband/mad_keys.h>
#include <infiniband/mad_sa.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libibmad/keys/keys.h"

/* Larger ones are a sanitizer's. */
#define MAPPING_MAX (256UL << 20)

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

/* Returns 0 or the errno. */
static int read_text(const char *text)
{
	write_file(text, strlen(text));
	return mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)) ? errno : 0;
}

static int read_lids(const char *text)
{
	write_file(text, strlen(text));
	return mad_keys_read_lids(keys, path, 0, why, sizeof(why)) ? errno : 0;
}

static uint64_t key_of(uint64_t guid)
{
	ib_portid_t to = { .lid = 0x100 };
	uint64_t key;

	mad_set_field64(to.gid, 0, IB_GID_GUID_F, guid);
	return mad_keys_get(keys, MAD_KEY_M, &to, &key) ? 0 : key;
}

static uint64_t key_of_lid(int lid)
{
	ib_portid_t to = { .lid = lid };
	uint64_t key;

	return mad_keys_get(keys, MAD_KEY_M, &to, &key) ? 0 : key;
}

#define CASE(name) TEST_WITH(name, setup, teardown)

/* As opensm and as people write them. Without its line end, the last line may have been cut off
 * within a number. */
CASE(lines_of_keys)
{
	assert_int_equal(read_text("0x0000000000000001 0xffffffffffffffff\n\n0x2 0xb"), EBADMSG);
	assert_true(key_of(1) == 0);
	assert_int_equal(read_text("0x0000000000000001 0xffffffffffffffff\n\n0x2 0xb\n"), 0);
	assert_true(key_of(1) == UINT64_MAX);
	assert_int_equal(read_text("# keys\n\n  \t\n  # more\n 0x1\t0xA \r\n0X2 0Xb\n0x1 0xc\n0x3 "
				   "0xd\n"),
			 0);
	assert_true(key_of(1) == 0xc);
	assert_true(key_of(2) == 0xb);
	assert_true(key_of(3) == 0xd);
	assert_int_equal(read_text(""), 0);
	assert_int_equal(read_text("0x3 0x0\n"), 0);
	assert_true(key_of(3) == 0);
	assert_true(key_of(2) == 0xb);
}

/* What a line of so many numbers looks like. */
#define BLANKS "[ \t\r]*"
#define NUMBER "0[xX][0-9a-fA-F]{1,16}"

static bool matches(const char *pattern, const char *line)
{
	regex_t regex;
	int result;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	result = regexec(&regex, line, 0, NULL, 0);
	regfree(&regex);
	return !result;
}

/* The line is read as its pattern says, its numbers as sscanf() reads them, and nothing behind it.
 */
static void check_line(const char *line, size_t length, unsigned count)
{
	char pattern[100], *text = (char *)fenced_page() + PAGE - length - 1;
	uint64_t numbers[MAD_KEYS_NUMBERS_MAX] = { 0 }, wanted[3] = { 0 };
	struct mad_keys_text parser = { .at = text, .end = text + length + 1 };
	int result = matches("^" BLANKS "(#.*)?$", line) ? 0 : -EBADMSG;

	snprintf(pattern, sizeof(pattern), "^" BLANKS "(" NUMBER "[ \t\r]+){%u}" NUMBER BLANKS "$",
		 count - 1);
	sscanf(line, "%" SCNx64 "%" SCNx64 "%" SCNx64, &wanted[0], &wanted[1], &wanted[2]);
	if (matches(pattern, line) && wanted[0])
		result = 1;
	memcpy(text, line, length);
	text[length] = '\n';
	if (mad_keys_read_line(&parser, count, numbers) != result)
		fail_msg("\"%s\" is taken for a line of %u numbers, or is not", line, count);
	assert_ptr_equal(parser.at, parser.end);
	if (result > 0)
		assert_memory_equal(numbers, wanted, count * sizeof(numbers[0]));
	text[length] = '\0'; /* without a line end it may have been cut */
	parser = (struct mad_keys_text){ .at = text, .end = text + length };
	assert_int_equal(mad_keys_read_line(&parser, count, numbers), result ? -EBADMSG : 0);
}

CASE(every_line_of_three_parts)
{
	static const char *const parts[] = {
		"",  "0x", "0X", " ",	"\t", "\r", "#", "0",	"1",	   "f",
		"A", "g",  "-",	 "0x1", "x",  "\v", ",", "0x0", "0x1 0x2", "0123456789abcdef",
	};
	char line[80];

	for (size_t i = 0; i < COUNT(parts) * COUNT(parts) * COUNT(parts) * 2; i++) {
		int length = snprintf(line, sizeof(line), "%s%s%s%s", i % 2 ? "0x1 " : "",
				      parts[i / 2 % COUNT(parts)],
				      parts[i / 2 / COUNT(parts) % COUNT(parts)],
				      parts[i / 2 / COUNT(parts) / COUNT(parts)]);

		check_line(line, (size_t)length, 2);
		check_line(line, (size_t)length, 3);
	}
}

/* The message has file and line, and nothing of the content of the line. */
CASE(lines_that_are_something_else)
{
	static const char *const lines[] = {
		"0x5", "0x5 0xabc123 0x7", "0x5 0x0123456789abcdef0", "0x0 0xabc123", "x",
	};
	char text[100], expected[100];

	snprintf(expected, sizeof(expected), "%s:3: is not 0xGUID 0xKEY", path);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "0x4 0x44\n# abc123\n%s\n0x6 0x66\n", lines[i]);
		assert_int_equal(read_text(text), EBADMSG);
		assert_string_equal(why, expected);
	}
	assert_true(key_of(4) == 0); /* none of them, or all */
	write_file("0x4 0x44\0\n", 10);
	assert_errno(mad_keys_read(keys, MAD_KEY_M, path, 0, NULL, 0), EBADMSG);
}

CASE(files_of_lids)
{
	assert_int_equal(read_text("0x10 0x1010\n0x20 0x2020\n"), 0);
	assert_int_equal(read_lids("0x0000000000000010 0x0001 0x0001\n\n"
				   "0x0000000000000020 0x0008 0x000f\n\n"),
			 0);
	assert_true(key_of_lid(1) == 0x1010);
	assert_true(key_of_lid(2) == 0);
	assert_true(key_of_lid(7) == 0);
	assert_true(key_of_lid(8) == 0x2020);
	assert_true(key_of_lid(15) == 0x2020);
	assert_true(key_of_lid(16) == 0);
	assert_int_equal(read_lids("0x10 0x2 0x1\n"), EBADMSG);
	assert_non_null(strstr(why, ":1: is no range of LIDs"));
	assert_int_equal(read_lids("0x10 0x0 0x1\n"), EBADMSG);
	assert_int_equal(read_lids("0x10 0x1 0xc000\n"), EBADMSG);
	assert_int_equal(read_lids("0x10 0x1 0xffffffffffffffff\n"), EBADMSG);
	assert_int_equal(read_lids("0x10 0x1\n"), EBADMSG);
	assert_non_null(strstr(why, ":1: is not 0xGUID 0xFIRST_LID 0xLAST_LID"));
}

CASE(files_that_others_can_access)
{
	static const struct {
		mode_t mode;
		int key_error;
		int lid_error;
	} modes[] = {
		{ 0600, 0, 0 },		{ 0640, 0, 0 },		{ 0400, 0, 0 },
		{ 0644, EPERM, 0 },	{ 0604, EPERM, 0 },	{ 0660, EPERM, EPERM },
		{ 0602, EPERM, EPERM }, { 0666, EPERM, EPERM },
	};

	write_file("", 0);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		assert_int_equal(chmod(path, modes[i].mode), 0);
		errno = 0;
		mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why));
		assert_int_equal(errno, modes[i].key_error);
		errno = 0;
		mad_keys_read_lids(keys, path, 0, why, sizeof(why));
		assert_int_equal(errno, modes[i].lid_error);
	}
	chmod(path, 0644);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "others can read it"));
	assert_ptr_equal(strstr(why, path), why);
	chmod(path, 0620);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)), -1);
	assert_non_null(strstr(why, "its group or others can write it"));
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
	assert_errno(mad_keys_read(keys, MAD_KEY_M, NULL, 0, why, sizeof(why)), EINVAL);
	assert_errno(mad_keys_read(NULL, MAD_KEY_M, path, 0, why, sizeof(why)), EINVAL);
	assert_errno(mad_keys_read(keys, MAD_KEY_PERF + 1, path, 0, NULL, 5), EINVAL);
}

/* Read again: what the file no longer has stays, or goes; what is of another kind stays. */
CASE(reading_again)
{
	ib_portid_t by_lid = { .lid = 9 }, by_guid = { .gid = { [15] = 1 } };
	uint64_t key;

	mad_keys_set_default(keys, MAD_KEY_CC, 7);
	mad_keys_set_guid(keys, MAD_KEY_CC, 1, 8);
	mad_keys_map_lid(keys, 9, 2);
	write_file("0x1 0x11\n0x2 0x22\n", 18);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, NULL, 0), 0);
	write_file("0x2 0x23\n", 9);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, NULL, 0), 0);
	assert_int_equal(mad_keys_get(keys, MAD_KEY_M, &by_guid, &key), 0);
	assert_int_equal(key, 0x11);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, MAD_KEYS_REPLACE, NULL, 0),
				 0);
	assert_errno(mad_keys_get(keys, MAD_KEY_M, &by_guid, &key), ENOENT);
	assert_int_equal(mad_keys_get(keys, MAD_KEY_M, &by_lid, &key), 0);
	assert_int_equal(key, 0x23);
	assert_int_equal(mad_keys_get(keys, MAD_KEY_CC, &by_guid, &key), 0);
	assert_int_equal(key, 8);
	write_file("0x3 0x7 0x7\n", 12);
	assert_int_equal(mad_keys_read_lids(keys, path, MAD_KEYS_REPLACE, NULL, 0), 0);
	assert_errno(mad_keys_get(keys, MAD_KEY_M, &by_lid, &key), ENOENT);
}

CASE(files_that_others_can_read)
{
	write_file("0x1 0x11\n", 9);
	assert_int_equal(chmod(path, 0644), 0);
	assert_errno(mad_keys_read(keys, MAD_KEY_M, path, 0, NULL, 0), EPERM);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, MAD_KEYS_ANY_READER, NULL, 0), 0);
	assert_int_equal(chmod(path, 0664), 0);
	assert_errno(mad_keys_read(keys, MAD_KEY_M, path, MAD_KEYS_ANY_READER, NULL, 0), EPERM);
	assert_errno(mad_keys_read(keys, MAD_KEY_M, path, 4, NULL, 0), EINVAL);
}

CASE(a_short_buffer_for_the_reason)
{
	char small[4] = "xyz";

	write_file("x", 1);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, small, 3), -1);
	assert_memory_equal(small, "/t\0", 4);
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, small, 0), -1);
}

/*
 * Looks for the key in the memory of the process: the mappings that have it in *mappings, and how
 * many of them go into core dumps in *dumped. Finds none where an emulator's memory is shown, too.
 */
static void find_in_memory(const uint8_t needle[8], int *mappings, int *dumped)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	unsigned long begin, end, first = 0, last = 0;
	bool found = false;
	char line[512];

	*mappings = *dumped = 0;
	while (maps && fgets(line, sizeof(line), maps)) {
		if (strstr(line, "qemu-")) {
			*mappings = *dumped = 0;
			break;
		}
		if (sscanf(line, "%lx-%lx rw-p", &begin, &end) == 2 && strstr(line, "rw-p")) {
			first = begin;
			last = end;
			found = false;
			if (last - first > MAPPING_MAX)
				continue;
			for (unsigned long at = first; at < last && !found; at += 4096) {
				uint8_t page[4096];

				if (pread(memory, page, sizeof(page), (off_t)at) == sizeof(page))
					found = memmem(page, sizeof(page), needle, 8) &&
						(at > (unsigned long)needle ||
						 at + sizeof(page) <= (unsigned long)needle);
			}
		}
		if (!strncmp(line, "VmFlags:", 8) && found) {
			++*mappings;
			*dumped += !strstr(line, " dd");
			found = false;
		}
	}
	if (maps)
		fclose(maps);
	close(memory);
}

/* Whether /proc shows what goes into core dumps: that of newer emulators has the mappings, and none
 * of these flags. */
static bool shows_dumped(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *maps = fopen("/proc/self/smaps", "r");
	bool is_it = false, shown = false;
	unsigned long begin, end;
	char line[512];

	assert_ptr_not_equal(page, MAP_FAILED);
	assert_int_equal(madvise(page, size, MADV_DONTDUMP), 0);
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
			is_it = (unsigned long)page >= begin && (unsigned long)page < end;
		if (is_it && !strncmp(line, "VmFlags:", 8))
			shown = strstr(line, " dd");
	}
	if (maps)
		fclose(maps);
	munmap(page, size);
	return shown;
}

/* Made by arithmetic, so that it is nowhere in the program. */
static void make_needle(uint8_t needle[8], char text[64])
{
	uint64_t key = (uint64_t)getpid() * UINT64_C(0x9e3779b97f4a7c15) | 1;

	memcpy(needle, &key, 8);
	snprintf(text, 64, "0x77 0x%016llx\n", (unsigned long long)key);
}

/* Where arguments go on the stack, making the number has left it there. */
static __attribute__((noinline)) void clear_stack(void)
{
	volatile uint8_t below[16384];

	for (size_t i = 0; i < sizeof(below); i++)
		below[i] = 0;
}

/* The ring's pages are no part of a core dump, and empty when they are freed. */
CASE(where_keys_are)
{
	static uint8_t needle[4096 * 3] __attribute__((aligned(4096)));
	uint8_t *middle = needle + 4096;
	char text[64];
	int mappings, dumped;

	make_needle(middle, text);
	clear_stack();
	write_file(text, strlen(text));
	memset(text, 0, sizeof(text));
	assert_int_equal(mad_keys_read(keys, MAD_KEY_M, path, 0, why, sizeof(why)), 0);
	find_in_memory(middle, &mappings, &dumped);
	if (!mappings || !shows_dumped())
		skip();			       /* no /proc, or an emulator's */
	for (uint64_t i = 1000; i < 3000; i++) /* the table moves */
		mad_keys_set_guid(keys, MAD_KEY_M, i, i);
	find_in_memory(middle, &mappings, &dumped);
	assert_int_equal(mappings, 1);
	assert_int_equal(dumped, 0);
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
				key_of_lid(base_lids[i] + lid) ==
				(lid < 0 || lid > 3 || base_lids[i] + lid > 0xbfff ? 0 : 0x7777));
	}
	assert_errno(mad_keys_query_lids(keys, NULL, &sm, 100), EINVAL);
	sm.lid = 0;
	assert_errno(mad_keys_query_lids(keys, port, &sm, 100), EINVAL);
	fakeumad_teardown(&port);
}
