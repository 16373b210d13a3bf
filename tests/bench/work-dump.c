/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Printing: whole attributes as an active port has them, and every number by itself. */
#include "works.h"

#define ATTRIBUTE 1024 /* as the tools pass them */
#define TEXT	  4096

/* As an active EDR port responds. */
static const uint8_t portinfo[ATTRIBUTE] =
	"\x00\x00\x00\x00\x00\x00\x00\x00\xfe\x80\x00\x00\x00\x00\x00\x00\x03\xfd\x00\x01"
	"\x26\x51\xe8\x48\x00\x00\x00\x00\x01\x03\x03\x02\x74\x52\x00\x47\x50\x30\x04\x08"
	"\x08\x05\x1f\x30\x00\x00\x00\x00\x00\x00\x80\x12\x10\x88";
static const uint8_t nodeinfo[ATTRIBUTE] =
	"\x01\x01\x01\x01\x00\x02\xc9\x03\x00\x4a\x1b\x23\x00\x02\xc9\x03\x00\x4a\x1b\x20"
	"\x00\x02\xc9\x03\x00\x4a\x1b\x21\x00\x80\x10\x17\x00\x00\x00\x00\x01\x00\x02\xc9";
static const uint8_t perfcounters[ATTRIBUTE] =
	"\x00\x01\x1b\x01\x00\x11\x00\x02\x00\x00\x00\x00\x00\x00\x12\x67\x00\x00\x00\x00"
	"\x00\x00\x00\x00\xff\xff\xff\xff\xba\x2c\x2b\x15\x04\xfd\x59\x59\x04\x3e\xf4\x07"
	"\x00\x01\x60\x0b";
static const uint8_t perfcounters_ext[ATTRIBUTE] =
	"\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x07\x63\x63\xc1\x9a\x14\x00\x00\x06\xec"
	"\x63\x28\xfc\x35\x00\x00\x00\x04\xaf\x73\x95\x15\x00\x00\x00\x04\xa0\xbb\xfa\xea"
	"\x00\x00\x00\x04\xaf\x73\x7a\x90\x00\x00\x00\x04\xa0\xbb\xee\x60\x00\x00\x00\x00"
	"\x00\x00\x1a\x85\x00\x00\x00\x00\x00\x00\x0c\x8a";

static char text[TEXT];

/* A work: prints an attribute. */
#define DUMP(name)                                                                             \
	static unsigned dump_##name(const struct pair *pair, enum work_order order)            \
	{                                                                                      \
		(void)order;                                                                   \
		pair->mad_dump_##name(text, sizeof(text), (void *)(uintptr_t)name, ATTRIBUTE); \
		return 1;                                                                      \
	}

/* A work: prints each number. */
#define PRINT(name)                                                                          \
	static unsigned dump_##name(const struct pair *pair, enum work_order order)          \
	{                                                                                    \
		(void)order;                                                                 \
		for (unsigned i = 0; i < work_numbers.count; i++)                            \
			pair->mad_dump_##name(work_numbers.fields[i].id, text, sizeof(text), \
					      work_numbers.fields[i].value);                 \
		return work_numbers.count;                                                   \
	}

DUMP(portinfo)
DUMP(perfcounters)
DUMP(perfcounters_ext)
DUMP(nodeinfo)
PRINT(field)
PRINT(val)

#define WORK(name)                                                              \
	{                                                                       \
		"time of printing", "mad_dump_" #name, dump_##name, TABLE_ORDER \
	}
const struct work dump_works[] = {
	WORK(portinfo),
	WORK(perfcounters),
	WORK(perfcounters_ext),
	WORK(nodeinfo),
	WORK(field),
	WORK(val),
	{ NULL, NULL, NULL, TABLE_ORDER },
};
