/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Describes a MAD in words, for the debugging lines of both libraries: class, method, attribute and
 * status by name, or by number if there is no name. Input: the bytes of a common MAD header,
 * unchecked; accesses nothing else.
 */
#ifndef COMMON_MAD_WORDS_H
#define COMMON_MAD_WORDS_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#pragma GCC visibility push(default) /* a source may include this first */
#include <infiniband/umad_types.h>
#include <infiniband/umad_str.h>
#pragma GCC visibility pop

#include "common/mad_layout.h"

enum { MAD_WORDS_SIZE = 128 }; /* enough for the output of mad_words_print() */

/* The name of an attribute that umad_attribute_str() does not know; empty if there is none. */
static inline const char *mad_words_more_attributes(uint8_t mgmt_class, unsigned int id)
{
	static const struct {
		uint16_t id;
		uint8_t mgmt_class;
		char name[31];
	} attributes[] = {
#define DUMPED(mgmt_class, id, name, function, ...) { id, mgmt_class, name },
#define PRINTED(mgmt_class, id, name, ...)	    { id, mgmt_class, name },
#define NAMED(mgmt_class, id, name)		    { id, mgmt_class, name },
#define PART(function, ...)
#include "common/mad_attributes.h"
#undef DUMPED
#undef PRINTED
#undef NAMED
#undef PART
	};
	size_t i;

	if (mgmt_class == UMAD_CLASS_SUBN_DIRECTED_ROUTE)
		mgmt_class = UMAD_CLASS_SUBN_LID_ROUTED;
	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (attributes[i].mgmt_class == mgmt_class && attributes[i].id == id)
			return attributes[i].name;
	return "";
}

/* NVIDIA's name of a class of vendor range 1; empty for other classes. */
static inline const char *mad_words_vendor_class(uint8_t mgmt_class)
{
	static const char names[][6] = { " RDM", " VS", " AM", " N2N" };
	const uint8_t first = UMAD_CLASS_VENDOR_RANGE1_START;
	size_t i = (size_t)mgmt_class - first;

	return i < sizeof(names) / sizeof(names[0]) ? names[i] : "";
}

/* Whether a name covers several classes, or none. */
static inline int mad_words_class_is_vague(const char *name)
{
	return name[0] == '<' || !strcmp(name, "Vendor") || !strcmp(name, "Application");
}

static inline const char *mad_words_attribute(const struct umad_hdr *mad)
{
	const char *name = mad_words_more_attributes(mad->mgmt_class, be16toh(mad->attr_id));

	return *name ? name : umad_attribute_str(mad->mgmt_class, mad->attr_id);
}

/* A kind of notice. */
struct mad_words_notice {
	uint8_t mgmt_class; /* 0: subnet management */
	uint16_t trap;
	uint16_t layout; /* of its DataDetails: see mad_notices.h */
	char text[40];
};

/* The kind of a notice (64 bytes) of a class; NULL if unknown. NVIDIA's traps repeat their number
 * at the end, and count whether the notice says that it is generic or not. */
static inline const struct mad_words_notice *mad_words_find_notice(uint8_t mgmt_class,
								   const uint8_t *notice)
{
	static const struct mad_words_notice kinds[] = {
#define KIND(mgmt_class, trap, text, layout) { mgmt_class, trap, layout, text },
#define VALUE(layout, name, first, bits, form)
#include "common/mad_notices.h"
#undef KIND
#undef VALUE
	};
	unsigned int trap = notice[4] << 8 | notice[5], repeated = notice[62] << 8 | notice[63];
	size_t i;

	if (mad_class_is_smi(mgmt_class) || mgmt_class == UMAD_CLASS_SUBN_ADM)
		mgmt_class = 0;
	if (!(notice[0] & 0x80) && (trap != repeated || !trap))
		return NULL;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].mgmt_class == mgmt_class && kinds[i].trap == trap)
			return &kinds[i];
	return NULL;
}

/* Appends a name, or for "<unknown>" the kind of number and the number. */
static inline size_t mad_words_put(char *text, size_t size, const char *name, const char *kind,
				   unsigned int number)
{
	int length;

	if (name[0] != '<')
		length = snprintf(text, size, " %s", name);
	else
		length = snprintf(text, size, " %s 0x%02x", kind, number);
	return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

/* Writes "SubnAdm GetTable NodeRecord, modifier 0x0"; returns the length. */
static inline size_t mad_words_print_request(char text[MAD_WORDS_SIZE], const struct umad_hdr *mad)
{
	const char *name = umad_class_str(mad->mgmt_class);
	size_t at;

	if (mad_words_class_is_vague(name))
		at = (size_t)snprintf(text, MAD_WORDS_SIZE, "%s 0x%02x%s",
				      name[0] == '<' ? "class" : name, mad->mgmt_class,
				      mad_words_vendor_class(mad->mgmt_class));
	else
		at = (size_t)snprintf(text, MAD_WORDS_SIZE, "%s", name);
	at += mad_words_put(text + at, MAD_WORDS_SIZE - at,
			    umad_method_str(mad->mgmt_class, mad->method), "method", mad->method);
	at += mad_words_put(text + at, MAD_WORDS_SIZE - at, mad_words_attribute(mad), "attribute",
			    be16toh(mad->attr_id));
	return at + (size_t)snprintf(text + at, MAD_WORDS_SIZE - at, ", modifier 0x%x",
				     be32toh(mad->attr_mod));
}

/* Writes the request, and ", TID 0x15608bb3". */
static inline void mad_words_print(char text[MAD_WORDS_SIZE], const struct umad_hdr *mad)
{
	size_t at = mad_words_print_request(text, mad);

	snprintf(text + at, MAD_WORDS_SIZE - at, ", TID 0x%llx",
		 (unsigned long long)be64toh(mad->tid));
}

/* A status (host byte order; without the direction bit of SMPs) in words. The SA has its own status
 * codes in the upper byte. */
static inline const char *mad_words_status(uint8_t mgmt_class, unsigned int status)
{
	if (mgmt_class == UMAD_CLASS_SUBN_ADM && status & UMAD_STATUS_CLASS_MASK)
		return umad_sa_mad_status_str(htobe16((uint16_t)status));
	return umad_common_mad_status_str(htobe16((uint16_t)status));
}

#endif
