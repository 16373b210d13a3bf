/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every formatter with every size of buffer: what it writes is a prefix of the whole text, ends
 * with a NUL, and lies in the buffer; it reads no byte that valsz does not give it.
 */
#include <stdio.h>

#include <infiniband/mad.h>

#include "fuzz.h"

enum { WHOLE = 8192, VALUE_MAX = 300, LABEL = 32 };

/* What a formatter reads. */
enum reads {
	READS_NUMBER, /* 1, 2, 4 or 8 bytes, by valsz */
	READS_WORD,   /* 4 bytes */
	READS_BYTES,  /* valsz bytes */
	READS_SLTOVL, /* 8 bytes */
	READS_FIELDS, /* valsz bytes, if that is more than 8; else 256 */
};

static const struct {
	ib_mad_dump_fn *function;
	enum reads reads;
} formatters[] = {
	{ mad_dump_int, READS_NUMBER },
	{ mad_dump_uint, READS_NUMBER },
	{ mad_dump_hex, READS_NUMBER },
	{ mad_dump_rhex, READS_NUMBER },
	{ mad_dump_bitfield, READS_WORD },
	{ mad_dump_array, READS_BYTES },
	{ mad_dump_string, READS_BYTES },
	{ mad_dump_linkwidth, READS_WORD },
	{ mad_dump_linkwidthsup, READS_WORD },
	{ mad_dump_linkwidthen, READS_WORD },
	{ mad_dump_linkdowndefstate, READS_WORD },
	{ mad_dump_linkspeed, READS_WORD },
	{ mad_dump_linkspeedsup, READS_WORD },
	{ mad_dump_linkspeeden, READS_WORD },
	{ mad_dump_linkspeedext, READS_WORD },
	{ mad_dump_linkspeedextsup, READS_WORD },
	{ mad_dump_linkspeedexten, READS_WORD },
	{ mad_dump_linkspeedext2, READS_WORD },
	{ mad_dump_linkspeedextsup2, READS_WORD },
	{ mad_dump_linkspeedexten2, READS_WORD },
	{ mad_dump_portstate, READS_WORD },
	{ mad_dump_physportstate, READS_WORD },
	{ mad_dump_portcapmask, READS_WORD },
	{ mad_dump_portcapmask2, READS_WORD },
	{ mad_dump_mtu, READS_WORD },
	{ mad_dump_vlcap, READS_WORD },
	{ mad_dump_opervls, READS_WORD },
	{ mad_dump_node_type, READS_WORD },
	{ mad_dump_sltovl, READS_SLTOVL },
	{ mad_dump_vlarbitration, READS_BYTES },
	{ mad_dump_nodedesc, READS_BYTES },
#define DUMPED(mgmt_class, id, name, function, ...) PART(function, __VA_ARGS__)
#define PRINTED(mgmt_class, id, name, ...)
#define NAMED(mgmt_class, id, name)
#define PART(function, ...) { mad_dump_##function, READS_FIELDS },
#include "common/mad_attributes.h"
};

/* How a text is made: a formatter, or one of the calls for fields. */
struct job {
	unsigned which, field, end;
	void *value;
	int valsz;
};

enum {
	FORMATTERS = sizeof(formatters) / sizeof(formatters[0]),
	FIELD = FORMATTERS,
	VAL,
	FIELDS,
	JOBS
};

/* Returns false where the call says that it has written nothing. */
static bool make(const struct job *job, char *buf, int bufsz)
{
	switch ((int)job->which) {
	case FIELD:
		return mad_dump_field((enum MAD_FIELDS)job->field, buf, bufsz, job->value);
	case VAL:
		return mad_dump_val((enum MAD_FIELDS)job->field, buf, bufsz, job->value);
	case FIELDS:
		mad_dump_fields(buf, bufsz, job->value, job->valsz, (int)job->field, (int)job->end);
		return true;
	default:
		formatters[job->which].function(buf, bufsz, job->value, job->valsz);
		return true;
	}
}

static void check_cut(const struct job *job, const char *whole, size_t length, int bufsz)
{
	size_t size = bufsz > 0 ? (size_t)bufsz : 0, kept;
	char *buf = fuzz_guard(size);

	memset(buf, 0x7e, size);
	if (!make(job, buf, bufsz)) {
		FUZZ_CHECK(job->which == FIELD && bufsz <= LABEL);
		return;
	}
	if (!size)
		return;
	kept = length < size - 1 ? length : size - 1;
	FUZZ_CHECK(strnlen(buf, size) == kept && !memcmp(buf, whole, kept));
}

static void check_sizes(const struct job *job, struct fuzz_input *input)
{
	static char whole[WHOLE];
	size_t length;
	int i;

	whole[0] = '\0';
	if (!make(job, whole, sizeof(whole)))
		return;
	length = strnlen(whole, sizeof(whole));
	FUZZ_CHECK(length < sizeof(whole) - 1);
	check_cut(job, whole, length, (int8_t)fuzz_u8(input) % 2);
	for (i = -1; i < 3; i++)
		if ((int)length + i > 0)
			check_cut(job, whole, length, (int)length + i);
	for (i = 0; i < 4; i++)
		check_cut(job, whole, length, fuzz_u16(input) % ((int)length + 40));
}

/* What the value of a field takes, as mad_decode_field() leaves it. */
static size_t value_size(unsigned field)
{
	uint8_t attribute[512] = { 0 }, filled[512];
	size_t size = sizeof(filled);

	memset(filled, 0xff, sizeof(filled));
	if (field >= IB_FIELD_LAST_ || !*mad_field_name((enum MAD_FIELDS)field))
		return 0;
	mad_decode_field(attribute, (enum MAD_FIELDS)field, filled);
	while (size && filled[size - 1])
		size--;
	return size;
}

/* How many bytes the job's value has. */
static size_t choose_size(struct job *job, struct fuzz_input *input)
{
	static const uint8_t numbers[] = { 1, 2, 4, 8 };

	job->valsz = fuzz_u16(input) % VALUE_MAX;
	if (job->which == FIELD || job->which == VAL)
		return value_size(job->field);
	if (job->which == FIELDS)
		return job->valsz > 8 ? (size_t)job->valsz : 256;
	switch (formatters[job->which].reads) {
	case READS_NUMBER:
		job->valsz = numbers[job->valsz & 3];
		return (size_t)job->valsz;
	case READS_WORD:
		return 4;
	case READS_BYTES:
		return (size_t)job->valsz;
	case READS_SLTOVL:
		return 8;
	default:
		return job->valsz > 8 ? (size_t)job->valsz : 256;
	}
}

void fuzz_target(struct fuzz_input *input)
{
	struct job job = { .which = fuzz_u8(input) % JOBS };
	size_t size;

	if (job.which >= FORMATTERS) {
		job.field = fuzz_u16(input) % (IB_FIELD_LAST_ + 2);
		job.end = job.which == FIELDS ? job.field + fuzz_u8(input) % 32 : 0;
	}
	size = choose_size(&job, input);
	job.value = fuzz_guard(size);
	memset(job.value, fuzz_u8(input), size);
	fuzz_bytes(input, job.value, input->left < size ? input->left : size);
	check_sizes(&job, input);
}
