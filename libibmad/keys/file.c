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
#define SHORTEST_LINE  8 /* "0x1 0x1\n" */
#define HEX_DIGITS_MAX 16
#define BLANKS	       " \t\r"

/* A file that is being read, and where the reason of a failure goes. */
struct source {
	const char *path;
	uint32_t flags; /* MAD_KEYS_... */
	bool has_lids;	/* each line has a GUID and a range of LIDs, not a key */
	uint64_t kind;	/* of the entries */
	char *why;	/* NULL: nobody asks */
	size_t why_size;
	char *text;  /* a NUL is behind it */
	size_t size; /* of its memory */
	size_t length;
	const char *at; /* the next line */
	unsigned line;	/* number of the line that was read last, from 1 */
};

static int fail(const struct source *source, int error, const char *text)
{
	char number[sizeof(":4294967295")] = "";

	if (source->line)
		snprintf(number, sizeof(number), ":%u", source->line);
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
		at += strspn(at, BLANKS);
	}
	return at == end && numbers[0] ? 1 : -EBADMSG;
}

/* Reads the next line that holds numbers. Returns 1; 0 at the end of the text; -EBADMSG. */
static int read_line(struct source *source, uint64_t numbers[3])
{
	const char *end = source->text + source->length;
	int result = 0;

	while (!result && source->at < end) {
		const char *newline = memchr(source->at, '\n', (size_t)(end - source->at));

		source->line++;
		result = read_numbers(source->at, newline ? newline : end, source->has_lids ? 3 : 2,
				      numbers);
		if (result > 0 && !newline) /* cut off, perhaps within the number */
			result = -EBADMSG;
		source->at = newline ? newline + 1 : end;
	}
	return result;
}

/* Whether no other user can have changed the file, or (a file of keys) have read it. */
static int check_status(struct source *source, const struct stat *status)
{
	mode_t forbidden = S_IWGRP | S_IWOTH |
			   (source->has_lids || source->flags & MAD_KEYS_ANY_READER ? 0 : S_IROTH);

	if (!S_ISREG(status->st_mode))
		return fail(source, -EPERM, "is not a regular file");
	if (status->st_uid != 0 && status->st_uid != geteuid())
		return fail(source, -EPERM, "belongs to another user");
	if (status->st_mode & forbidden & S_IROTH)
		return fail(source, -EPERM, "others can read it; chmod 600");
	if (status->st_mode & forbidden)
		return fail(source, -EPERM, "its group or others can write it; chmod go-w");
	if (status->st_size > FILE_SIZE_MAX)
		return fail(source, -EBADMSG, "is longer than 256 MB");
	return 0;
}

/* Reads the whole file, which must have the size that fstat() reported. */
static int fill(struct source *source, int fd)
{
	ssize_t count;

	do {
		count = read(fd, source->text + source->length, source->size - source->length);
		if (count < 0 && errno != EINTR)
			return fail(source, -errno, strerror(errno));
		if (count > 0)
			source->length += (size_t)count;
	} while (count && source->length < source->size);
	return source->length == source->size - 1 ? 0
						  : fail(source, -EIO, "changes while it is read");
}

static int load_open(struct source *source, int fd)
{
	struct stat status;
	int error;

	if (fd < 0 || fstat(fd, &status) < 0)
		return fail(source, -errno, strerror(errno));
	error = check_status(source, &status);
	if (error)
		return error;
	source->size = (size_t)status.st_size + 1;
	source->at = source->text = mad_keys_allocate(source->size);
	return source->text ? fill(source, fd) : fail(source, -ENOMEM, strerror(ENOMEM));
}

static int load(struct source *source)
{
	int cancel_state = mad_hold_cancel(), fd = open_for_reading(source->path);
	int error = load_open(source, fd);

	if (fd >= 0)
		close(fd);
	mad_release_cancel(cancel_state);
	return error;
}

/* Reads all lines: each is an entry with a key, or the entries of its LIDs, which are found by LID.
 * Returns 0 or -EBADMSG. */
static int read_entries(struct source *source, uint64_t numbers[3], struct mad_key_entry *entries)
{
	bool lids = source->has_lids;
	int result;

	while ((result = read_line(source, numbers)) > 0) {
		if (!lids)
			*entries++ = (struct mad_key_entry){ numbers[0], numbers[1], source->kind };
		else if (!numbers[1] || numbers[1] > numbers[2] || numbers[2] >= MAD_KEYS_LIDS)
			return fail(source, -EBADMSG, "is no range of LIDs");
		for (uint64_t lid = numbers[1]; lids && lid <= numbers[2]; lid++)
			entries[lid] = (struct mad_key_entry){ lid, numbers[0], source->kind };
	}
	return result ? fail(source, -EBADMSG,
			     lids ? "is not 0xGUID 0xFIRST_LID 0xLAST_LID" : "is not 0xGUID 0xKEY")
		      : 0;
}

/* Changes the ring if all lines of a file that is loaded are valid. */
static int change(struct source *source, struct mad_keys *keys)
{
	size_t count = source->has_lids ? MAD_KEYS_LIDS : source->length / SHORTEST_LINE + 1;
	struct mad_key_entry *entries = mad_keys_allocate(count * sizeof(*entries));
	uint64_t numbers[3];
	int error = entries ? read_entries(source, numbers, entries) : -ENOMEM;

	if (!error)
		error = mad_keys_change(keys, source->flags & MAD_KEYS_REPLACE ? source->kind : 0,
					entries, count);
	source->line = 0;
	if (error && error != -EBADMSG)
		fail(source, error, strerror(-error));
	mad_keys_wipe(entries, count * sizeof(*entries));
	explicit_bzero(numbers, sizeof(numbers));
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

static int read_file(const char *function, struct mad_keys *keys, bool has_type,
		     struct source source)
{
	int saved_errno = errno, error = mad_refuse(check(&source, keys, has_type));

	if (!source.why_size)
		source.why = NULL;
	if (source.why)
		snprintf(source.why, source.why_size, "%s", error ? strerror(EINVAL) : "");
	if (!error)
		error = load(&source);
	if (!error)
		error = change(&source, keys);
	mad_keys_wipe(source.text, source.size);
	errno = saved_errno;
	return mad_end_call(function, error);
}

int mad_keys_read(struct mad_keys *keys, unsigned type, const char *path, uint32_t flags, char *why,
		  size_t why_size)
{
	return read_file(__func__, keys, mad_keys_has_type(type),
			 (struct source){ .path = path,
					  .flags = flags,
					  .kind = mad_keys_kind(MAD_KEY_OF_GUID, type),
					  .why = why,
					  .why_size = why_size });
}

int mad_keys_read_lids(struct mad_keys *keys, const char *path, uint32_t flags, char *why,
		       size_t why_size)
{
	return read_file(__func__, keys, true,
			 (struct source){ .path = path,
					  .flags = flags,
					  .has_lids = true,
					  .kind = mad_keys_kind(MAD_KEY_LID_GUID, 0),
					  .why = why,
					  .why_size = why_size });
}
