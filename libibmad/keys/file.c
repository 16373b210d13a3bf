/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Files of keys and of LIDs as opensm writes them. Input: files that an administrator names; each
 * is read as a whole, into memory that core dumps omit, and accepted only if every line is valid.
 */
/* Before any header: open() and mmap() rather than open64() and mmap64(), which simulators miss. */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/digits.h"
#include "common/regular_file.h"
#include "libibmad/keys/keys.h"

#define FILE_SIZE_MAX  (256 << 20)
#define HEX_DIGITS_MAX 16
#define BLANKS	       " \t\r"

/* A file that is being read, and where the reason of a failure goes. */
struct source {
	const char *path;
	uint32_t flags; /* MAD_KEYS_... */
	bool is_secret;
	char *memory;  /* a NUL is behind the text */
	size_t size;   /* of memory */
	size_t length; /* of the text */
	char *why;
	size_t why_size;
};

/* line: 0 for the whole file. */
static int fail(const struct source *source, unsigned line, int error, const char *text)
{
	char number[sizeof(":4294967295")] = "";

	if (line)
		snprintf(number, sizeof(number), ":%u", line);
	if (source->why)
		snprintf(source->why, source->why_size, "%s%s: %s", source->path, number, text);
	return error;
}

/* Reads a line, which ends at `end`. Returns 1, 0 for a line without numbers, or -EBADMSG. */
static int read_numbers(const char *at, const char *end, unsigned count, uint64_t *numbers)
{
	at += strspn(at, BLANKS);
	if (at == end || *at == '#')
		return 0;
	for (unsigned i = 0; i < count; i++) {
		const char *digits = at + 2;

		if (at[0] != '0' || (at[1] != 'x' && at[1] != 'X'))
			return -EBADMSG;
		at = digits;
		if (parse_digits(&at, 16, UINT64_MAX, &numbers[i]) || at - digits > HEX_DIGITS_MAX)
			return -EBADMSG;
		if (at != end && !strspn(at, BLANKS))
			return -EBADMSG;
		at += strspn(at, BLANKS);
	}
	return at == end && numbers[0] ? 1 : -EBADMSG;
}

int mad_keys_read_line(struct mad_keys_text *text, unsigned count,
		       uint64_t numbers[MAD_KEYS_NUMBERS_MAX])
{
	int result = 0;

	while (!result && text->at < text->end) {
		const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
		const char *end = newline ? newline : text->end;

		text->line++;
		result = read_numbers(text->at, end, count, numbers);
		if (result > 0 && !newline) /* cut off, perhaps within the number */
			result = -EBADMSG;
		text->at = newline ? newline + 1 : end;
	}
	return result;
}

/* Whether no other user can have changed the file, or (a file of keys) have read it. */
static int check_status(struct source *source, const struct stat *status)
{
	mode_t forbidden = S_IWGRP | S_IWOTH | (source->is_secret ? S_IROTH : 0);

	if (!S_ISREG(status->st_mode))
		return fail(source, 0, -EPERM, "is not a regular file");
	if (status->st_uid != 0 && status->st_uid != geteuid())
		return fail(source, 0, -EPERM, "belongs to another user");
	if (status->st_mode & forbidden & S_IROTH)
		return fail(source, 0, -EPERM, "others can read it; chmod 600");
	if (status->st_mode & forbidden)
		return fail(source, 0, -EPERM, "its group or others can write it; chmod go-w");
	if (status->st_size > FILE_SIZE_MAX)
		return fail(source, 0, -EBADMSG, "is longer than 256 MB");
	return 0;
}

/* Reads the whole file, which must have the size that fstat() reported. */
static int fill(struct source *source, int fd)
{
	ssize_t count;

	do {
		count = read(fd, source->memory + source->length, source->size - source->length);
		if (count < 0 && errno != EINTR)
			return fail(source, 0, -errno, strerror(errno));
		if (count > 0)
			source->length += (size_t)count;
	} while (count && source->length < source->size);
	return source->length == source->size - 1
		       ? 0
		       : fail(source, 0, -EIO, "changes while it is read");
}

static int load_open(struct source *source, int fd)
{
	struct stat status;
	int error;

	if (fstat(fd, &status) < 0)
		return fail(source, 0, -errno, strerror(errno));
	error = check_status(source, &status);
	if (error)
		return error;
	source->size = (size_t)status.st_size + 1;
	source->memory = mad_keys_allocate(source->size);
	if (!source->memory)
		return fail(source, 0, -ENOMEM, strerror(ENOMEM));
	return fill(source, fd);
}

static int load(struct source *source)
{
	int cancel_state = mad_hold_cancel(), fd = open_for_reading(source->path), error;

	if (fd < 0) {
		error = fail(source, 0, -errno, strerror(errno));
	} else {
		error = load_open(source, fd);
		close(fd);
	}
	mad_release_cancel(cancel_state);
	return error;
}

static struct mad_keys_text text_of(const struct source *source)
{
	return (struct mad_keys_text){ source->memory, source->memory + source->length, 0 };
}

/* The number of lines with numbers, up to the first that is invalid. numbers: memory for those of a
 * line, which the caller wipes. */
static size_t count_lines(const struct source *source, unsigned count, uint64_t *numbers)
{
	struct mad_keys_text text = text_of(source);
	size_t lines = 0;

	while (mad_keys_read_line(&text, count, numbers) > 0)
		lines++;
	return lines;
}

/* Reads all lines: each is an entry with a key, or the entries of its LIDs, which are found by LID.
 * Returns 0 or -EBADMSG. */
static int read_entries(const struct source *source, unsigned count, uint64_t kind,
			uint64_t *numbers, struct mad_key_entry *entries)
{
	struct mad_keys_text text = text_of(source);
	bool lids = count == 3;
	int result;

	while ((result = mad_keys_read_line(&text, count, numbers)) > 0) {
		if (!lids)
			*entries++ = (struct mad_key_entry){ numbers[0], numbers[1], kind };
		else if (!numbers[1] || numbers[1] > numbers[2] || numbers[2] >= MAD_KEYS_LIDS)
			return fail(source, text.line, -EBADMSG, "is no range of LIDs");
		for (uint64_t lid = numbers[1]; lids && lid <= numbers[2]; lid++)
			entries[lid] = (struct mad_key_entry){ lid, numbers[0], kind };
	}
	return result ? fail(source, text.line, -EBADMSG,
			     lids ? "is not 0xGUID 0xFIRST_LID 0xLAST_LID" : "is not 0xGUID 0xKEY")
		      : 0;
}

/* Changes the ring if all lines of a file that is loaded are valid. */
static int change(const struct source *source, struct mad_keys *keys, unsigned count, uint64_t kind)
{
	uint64_t numbers[MAD_KEYS_NUMBERS_MAX];
	size_t lines = count_lines(source, count, numbers) + 1; /* mmap() refuses 0 */
	size_t entry_count = count == 3 ? MAD_KEYS_LIDS : lines;
	struct mad_key_entry *entries = mad_keys_allocate(entry_count * sizeof(*entries));
	int error = entries ? read_entries(source, count, kind, numbers, entries) : -ENOMEM;

	if (!error)
		error = mad_keys_change(keys, source->flags & MAD_KEYS_REPLACE ? kind : 0, entries,
					entry_count);
	if (error && error != -EBADMSG)
		fail(source, 0, error, strerror(-error));
	mad_keys_wipe(entries, entry_count * sizeof(*entries));
	explicit_bzero(numbers, sizeof(numbers));
	return error;
}

static int read_source(struct source *source, struct mad_keys *keys, unsigned count, uint64_t kind)
{
	int error = load(source);

	if (!error)
		error = change(source, keys, count, kind);
	mad_keys_wipe(source->memory, source->size);
	return error;
}

static enum mad_refusal check(const struct source *source, const struct mad_keys *keys,
			      bool has_type)
{
	if (!keys)
		return MAD_REFUSED_KEYS;
	if (!has_type)
		return MAD_REFUSED_KEY_TYPE;
	if (!source->path)
		return MAD_REFUSED_KEY_PATH;
	return source->flags & ~(MAD_KEYS_REPLACE | MAD_KEYS_ANY_READER) ? MAD_REFUSED_KEY_FLAGS
									 : MAD_REFUSED_NOTHING;
}

/* Reads a file whose lines have `count` numbers each: 2 for keys, 3 for LIDs. */
static int read_file(const char *function, struct source source, struct mad_keys *keys,
		     bool has_type, unsigned count, uint64_t kind)
{
	int saved_errno = errno, error = mad_refuse(check(&source, keys, has_type));

	if (!source.why_size)
		source.why = NULL;
	if (source.why)
		source.why[0] = '\0';
	if (!error)
		error = read_source(&source, keys, count, kind);
	else if (source.why)
		snprintf(source.why, source.why_size, "%s", strerror(EINVAL));
	errno = saved_errno;
	return mad_end_call(function, error);
}

int mad_keys_read(struct mad_keys *keys, unsigned type, const char *path, uint32_t flags, char *why,
		  size_t why_size)
{
	struct source source = {
		.path = path,
		.flags = flags,
		.is_secret = !(flags & MAD_KEYS_ANY_READER),
		.why = why,
		.why_size = why_size,
	};

	return read_file(__func__, source, keys, mad_keys_has_type(type), 2,
			 mad_keys_kind(MAD_KEY_OF_GUID, type));
}

int mad_keys_read_lids(struct mad_keys *keys, const char *path, uint32_t flags, char *why,
		       size_t why_size)
{
	struct source source = { .path = path, .flags = flags, .why = why, .why_size = why_size };

	return read_file(__func__, source, keys, true, 3, mad_keys_kind(MAD_KEY_LID_GUID, 0));
}
