/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Works: calls of one function of the field codec or the formatters with fixed inputs. No call
 * fails, and none depends on an earlier one.
 *
 * bench-works LIBIBUMAD LIBIBMAD: makes each of the works of one pair once between marks (marks.h),
 * to be counted, and reads the first and the last fields of the table, as "few" and "many".
 *
 * bench-works ROUNDS LIBIBUMAD LIBIBMAD LIBIBUMAD LIBIBMAD: times the works of two pairs in one
 * process, and prints for each work and round its comparison, its name and the nanoseconds a call
 * of both. A round is short, and in each of them every work has its turn on one pair and, right
 * after that, on the other. So what else the machine does, and a clock that changes, hit both
 * alike. The time of a call includes that of the loop around it, for both.
 */
#include "marks.h"
#include "pair.h"

#include <endian.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ALIGNMENTS	 8    /* of the buffer: 0 to 7 bytes off a multiple of 8 */
#define LARGEST		 512  /* bytes that an attribute or a field's value is sure to fit in */
#define ATTRIBUTE	 1024 /* as the tools pass attributes */
#define RANDOM		 65536
#define SOME		 64 /* fields from either end of the table */
#define ROUND_NS	 100000
#define CALIBRATION_RUNS 5

/* The fields up to 32 bits, those of exactly 64, both, and all. */
static struct fields {
	unsigned count;
	unsigned at; /* index in random at which the next round begins */
	struct field {
		enum MAD_FIELDS id;
		void *value; /* as mad_decode_field() leaves it */
	} fields[IB_FIELD_LAST_];
	uint16_t ordered[ALIGNMENTS *
			 IB_FIELD_LAST_]; /* indices: 0 to count - 1, ALIGNMENTS times */
	uint16_t random[RANDOM];
} narrow, wide, numbers, all;

/* In the order of the table a processor soon foresees every branch, as in a program that reads the
 * same fields again and again; it foresees nothing of random indices. */
enum order { TABLE_ORDER, RANDOM_ORDER };

static alignas(64) uint8_t buffer[LARGEST + 64];
static alignas(64) uint8_t value[LARGEST];
static char text[4096];

/* Results of calls go here: the compiler cannot leave a call out. */
static volatile uint64_t sink;

static const uint16_t *next_indices(struct fields *fields, enum order order)
{
	const uint16_t *start = fields->random + fields->at;

	if (order == TABLE_ORDER)
		return fields->ordered;
	fields->at = (fields->at + ALIGNMENTS * fields->count) % (RANDOM / 2);
	return start;
}

/* The bits that a field sets when its value is all ones; 0 for an ID without a field. */
static unsigned count_bits(const struct pair *pair, enum MAD_FIELDS id)
{
	uint8_t attribute[LARGEST] = { 0 };
	unsigned bits = 0;

	memset(value, 0xff, sizeof(value));
	pair->mad_encode_field(attribute, id, value);
	for (unsigned i = 0; i < sizeof(attribute); i++)
		bits += (unsigned)__builtin_popcount(attribute[i]);
	return bits;
}

/*
 * Values lie one behind the other, as a program's own variables would. Those of short fields are 2,
 * which means something wherever a number stands for something.
 */
static void *make_value(const struct pair *pair, enum MAD_FIELDS id, unsigned bits)
{
	static alignas(16) uint8_t values[16 * LARGEST * 2], *next = values;
	uint8_t attribute[LARGEST], *made = next;

	if (bits > 32 && (uintptr_t)made % 8)
		made += 4;
	next = made + (bits <= 32 ? 4 : (bits + 63) / 64 * 8);
	if (next > values + sizeof(values))
		abort();
	for (unsigned i = 0; i < sizeof(attribute); i++)
		attribute[i] = (uint8_t)(0x41 + i * 7 % 57);
	pair->mad_decode_field(attribute, id, made);
	if (bits < 16)
		memcpy(made, &(uint32_t){ bits == 1 ? 1 : 2 }, sizeof(uint32_t));
	return made;
}

static void make_orders(struct fields *fields)
{
	uint32_t state = 2463534242u;

	for (unsigned i = 0; i < ALIGNMENTS * fields->count; i++)
		fields->ordered[i] = (uint16_t)(i % fields->count);
	for (unsigned i = 0; i < RANDOM; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		fields->random[i] = (uint16_t)(state % fields->count);
	}
}

static void prepare(const struct pair *pair)
{
	for (int id = IB_NO_FIELD + 1; id < IB_FIELD_LAST_; id++) {
		unsigned bits = count_bits(pair, (enum MAD_FIELDS)id);
		struct field field = { .id = (enum MAD_FIELDS)id };

		if (!bits)
			continue;
		field.value = make_value(pair, field.id, bits);
		all.fields[all.count++] = field;
		if (bits <= 64)
			numbers.fields[numbers.count++] = field;
		if (bits <= 32)
			narrow.fields[narrow.count++] = field;
		else if (bits == 64)
			wide.fields[wide.count++] = field;
	}
	make_orders(&narrow);
	make_orders(&wide);
	make_orders(&all);
}

/* A work makes its calls once, and returns how many. That of the codec calls a function for each of
 * the fields that it is for, at every alignment. */
#define CODEC(name, called, which, ...)                                             \
	static unsigned name(const struct pair *pair, enum order order)             \
	{                                                                           \
		__typeof__(called) function = (called);                             \
		const uint16_t *next = next_indices(&which, order);                 \
		const unsigned count = which.count;                                 \
		uint64_t sum = 0;                                                   \
                                                                                    \
		(void)pair;                                                         \
		for (unsigned a = 0; a < ALIGNMENTS; a++)                           \
			for (unsigned i = 0; i < count; i++) {                      \
				const struct field *field = &which.fields[*next++]; \
                                                                                    \
				__VA_ARGS__;                                        \
			}                                                           \
		sink = sum;                                                         \
		return ALIGNMENTS * count;                                          \
	}

/* A lower bound of a call: a function without a table, for one field. */
__attribute__((noinline)) static uint64_t read_by_hand(const void *bytes, int base_offs,
						       enum MAD_FIELDS field)
{
	uint64_t word;

	(void)field;
	memcpy(&word, (const uint8_t *)bytes + base_offs, sizeof(word));
	return be64toh(word) >> 8 & 0xffffffff;
}

static uint64_t (*volatile by_hand)(const void *, int, enum MAD_FIELDS) = read_by_hand;

CODEC(get, pair->mad_get_field, narrow, sum += function(buffer + a, 0, field->id))
CODEC(set, pair->mad_set_field, narrow, function(buffer + a, 0, field->id, i & 1))
CODEC(get64, pair->mad_get_field64, wide, sum += function(buffer + a, 0, field->id))
CODEC(set64, pair->mad_set_field64, wide,
      function(buffer + a, 0, field->id, UINT64_C(1) << (i & 63)))
CODEC(decode, pair->mad_decode_field, all, function(buffer + a, field->id, value))
CODEC(encode, pair->mad_encode_field, all, function(buffer + a, field->id, field->value))
CODEC(hand_written, by_hand, narrow, sum += function(buffer + a, 0, field->id))

/* A work: prints an attribute, as an active EDR port responds. */
#define DUMP(name, bytes)                                                        \
	static unsigned dump_##name(const struct pair *pair, enum order order)   \
	{                                                                        \
		static uint8_t attribute[ATTRIBUTE] = bytes;                     \
                                                                                 \
		(void)order;                                                     \
		pair->mad_dump_##name(text, sizeof(text), attribute, ATTRIBUTE); \
		return 1;                                                        \
	}

DUMP(portinfo, "\x00\x00\x00\x00\x00\x00\x00\x00\xfe\x80\x00\x00\x00\x00\x00\x00\x03\xfd\x00\x01"
	       "\x26\x51\xe8\x48\x00\x00\x00\x00\x01\x03\x03\x02\x74\x52\x00\x47\x50\x30\x04\x08"
	       "\x08\x05\x1f\x30\x00\x00\x00\x00\x00\x00\x80\x12\x10\x88")
DUMP(nodeinfo, "\x01\x01\x01\x01\x00\x02\xc9\x03\x00\x4a\x1b\x23\x00\x02\xc9\x03\x00\x4a\x1b\x20"
	       "\x00\x02\xc9\x03\x00\x4a\x1b\x21\x00\x80\x10\x17\x00\x00\x00\x00\x01\x00\x02\xc9")
DUMP(perfcounters,
     "\x00\x01\x1b\x01\x00\x11\x00\x02\x00\x00\x00\x00\x00\x00\x12\x67\x00\x00\x00\x00"
     "\x00\x00\x00\x00\xff\xff\xff\xff\xba\x2c\x2b\x15\x04\xfd\x59\x59\x04\x3e\xf4\x07"
     "\x00\x01\x60\x0b")
DUMP(perfcounters_ext,
     "\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x07\x63\x63\xc1\x9a\x14\x00\x00\x06\xec"
     "\x63\x28\xfc\x35\x00\x00\x00\x04\xaf\x73\x95\x15\x00\x00\x00\x04\xa0\xbb\xfa\xea"
     "\x00\x00\x00\x04\xaf\x73\x7a\x90\x00\x00\x00\x04\xa0\xbb\xee\x60\x00\x00\x00\x00"
     "\x00\x00\x1a\x85\x00\x00\x00\x00\x00\x00\x0c\x8a")

/* A work: prints each number. */
#define PRINT(name)                                                                     \
	static unsigned dump_##name(const struct pair *pair, enum order order)          \
	{                                                                               \
		(void)order;                                                            \
		for (unsigned i = 0; i < numbers.count; i++)                            \
			pair->mad_dump_##name(numbers.fields[i].id, text, sizeof(text), \
					      numbers.fields[i].value);                 \
		return numbers.count;                                                   \
	}
PRINT(field)
PRINT(val)

/* Works in random order are for timing: their counts are those of the table order. */
#define BOTH_ORDERS(function, make)                                                 \
	{ "time of the codec", #function, make, TABLE_ORDER },                      \
	{                                                                           \
		"time of the codec", #function ", random order", make, RANDOM_ORDER \
	}
#define PRINTING(name)                                                          \
	{                                                                       \
		"time of printing", "mad_dump_" #name, dump_##name, TABLE_ORDER \
	}
static const struct work {
	const char *comparison; /* the table of its figure */
	const char *name;	/* of the function */
	unsigned (*make)(const struct pair *pair, enum order order);
	enum order order; /* argument of make */
} works[] = {
	BOTH_ORDERS(mad_get_field, get),
	BOTH_ORDERS(mad_set_field, set),
	BOTH_ORDERS(mad_get_field64, get64),
	BOTH_ORDERS(mad_set_field64, set64),
	BOTH_ORDERS(mad_decode_field, decode),
	BOTH_ORDERS(mad_encode_field, encode),
	{ "time of the codec", "hand-written load, swap, shift and mask", hand_written,
	  TABLE_ORDER },
	PRINTING(portinfo),
	PRINTING(perfcounters),
	PRINTING(perfcounters_ext),
	PRINTING(nodeinfo),
	PRINTING(field),
	PRINTING(val),
};
#define WORKS (sizeof(works) / sizeof(works[0]))

static void mark_growth(const struct pair *pair, const char *name, const struct field *fields)
{
	uint64_t sum = 0;

	mark_begin(name, SOME);
	for (unsigned i = 0; i < SOME; i++)
		sum += pair->mad_get_field(buffer, 0, fields[i].id);
	mark_end();
	sink = sum;
}

static void count(const struct pair *pair)
{
	for (size_t i = 0; i < WORKS; i++) {
		unsigned calls = works[i].make(pair, works[i].order);

		if (works[i].order == RANDOM_ORDER)
			continue;
		mark_begin(works[i].name, calls);
		works[i].make(pair, works[i].order);
		mark_end();
	}
	if (narrow.count < 2 * SOME)
		abort();
	mark_growth(pair, "few", narrow.fields);
	mark_growth(pair, "many", narrow.fields + narrow.count - SOME);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Nanoseconds a call. */
static double time_work(const struct work *work, const struct pair *pair, unsigned repeats)
{
	double start = now_ns();
	unsigned calls = 0;

	for (unsigned i = 0; i < repeats; i++)
		calls += work->make(pair, work->order);
	return (now_ns() - start) / calls;
}

/* How often a work has to be repeated to fill a round. */
static unsigned calibrate(const struct work *work, const struct pair *pair)
{
	double shortest = ROUND_NS;

	for (unsigned i = 0; i < CALIBRATION_RUNS; i++) {
		double start = now_ns(), took;

		work->make(pair, work->order);
		took = now_ns() - start;
		if (took < shortest)
			shortest = took;
	}
	return 1 + (unsigned)(ROUND_NS / (shortest + 1));
}

static void time_round(const struct pair pairs[2], unsigned round)
{
	static unsigned repeats[WORKS];
	double took[2];

	for (size_t i = 0; i < WORKS; i++) {
		if (!repeats[i])
			repeats[i] = calibrate(&works[i], &pairs[0]);
		for (unsigned turn = 0; turn < 2; turn++) {
			unsigned which = (round + turn) % 2;

			took[which] = time_work(&works[i], &pairs[which], repeats[i]);
		}
		printf("%s\t%s\t%g\t%g\n", works[i].comparison, works[i].name, took[0], took[1]);
	}
}

int main(int argc, char **argv)
{
	unsigned rounds = argc == 6 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	struct pair pairs[2];

	if (argc != 3 && argc != 6) {
		fprintf(stderr, "usage: %s [ROUNDS LIBIBUMAD LIBIBMAD] LIBIBUMAD LIBIBMAD\n",
			argv[0]);
		return 2;
	}
	for (int i = argc == 3; i < 2; i++)
		pair_load(&pairs[i], argv[argc - 4 + 2 * i], argv[argc - 3 + 2 * i], argc == 6);
	prepare(&pairs[argc == 3]);
	if (argc == 3)
		count(&pairs[1]);
	for (unsigned round = 0; round < rounds; round++)
		time_round(pairs, round);
	return EXIT_SUCCESS;
}
