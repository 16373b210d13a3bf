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

enum {
	MAD_WORDS_SIZE = 128, /* enough for the output of mad_words_print() */
};

/* Volume 1, 16.1.3: attributes of performance management, for which umad_attribute_str() has no
 * names. */
static inline const char *mad_words_perf_attribute(unsigned int id)
{
	static const struct {
		uint8_t id;
		char name[28];
	} attributes[] = {
		{ 0x10, "PortSamplesControl" },
		{ 0x11, "PortSamplesResult" },
		{ 0x12, "PortCounters" },
		{ 0x15, "PortRcvErrorDetails" },
		{ 0x16, "PortXmitDiscardDetails" },
		{ 0x17, "PortOpRcvCounters" },
		{ 0x18, "PortFlowCtlCounters" },
		{ 0x19, "PortVLOpPackets" },
		{ 0x1a, "PortVLOpData" },
		{ 0x1b, "PortVLXmitFlowCtlUpdateErrs" },
		{ 0x1c, "PortVLXmitWaitCounters" },
		{ 0x1d, "PortCountersExtended" },
		{ 0x1e, "PortSamplesResultExtended" },
		{ 0x1f, "PortExtendedSpeedsCounters" },
		{ 0x30, "SwPortVLCongestion" },
		{ 0x31, "PortRcvConCtrl" },
		{ 0x32, "PortSLRcvFECN" },
		{ 0x33, "PortSLRcvBECN" },
		{ 0x34, "PortXmitConCtrl" },
		{ 0x35, "PortVLXmitTimeCong" },
		{ 0x36, "PortXmitDataSL" },
		{ 0x37, "PortRcvDataSL" },
	};
	size_t i;

	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		if (attributes[i].id == id)
			return attributes[i].name;
	return "";
}

/* Attributes of SMPs that switches and adapters have beyond the specification. */
static inline const char *mad_words_vendor_smp(unsigned int id)
{
	switch (id) {
	case 0xff17:
		return "GeneralInfo";
	case 0xff20:
		return "AdaptiveRoutingInfo";
	case 0xff90:
		return "ExtendedPortInfo";
	default:
		return "";
	}
}

/* Whether a name covers several classes, or none. */
static inline int mad_words_class_is_vague(const char *name)
{
	return name[0] == '<' || !strcmp(name, "Vendor") || !strcmp(name, "Application");
}

static inline const char *mad_words_attribute(const struct umad_hdr *mad)
{
	unsigned int id = be16toh(mad->attr_id);
	const char *name = "";

	if (mad->mgmt_class == UMAD_CLASS_PERF_MGMT)
		name = mad_words_perf_attribute(id);
	else if (mad->mgmt_class == UMAD_CLASS_SUBN_LID_ROUTED ||
		 mad->mgmt_class == UMAD_CLASS_SUBN_DIRECTED_ROUTE)
		name = mad_words_vendor_smp(id);
	return *name ? name : umad_attribute_str(mad->mgmt_class, mad->attr_id);
}

/* One part of the text: the name, or the kind of number and the number. */
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
		at = (size_t)snprintf(text, MAD_WORDS_SIZE, "%s 0x%02x",
				      name[0] == '<' ? "class" : name, mad->mgmt_class);
	else
		at = (size_t)snprintf(text, MAD_WORDS_SIZE, "%s", name);
	at += mad_words_put(text + at, MAD_WORDS_SIZE - at,
			    umad_method_str(mad->mgmt_class, mad->method), "method", mad->method);
	at += mad_words_put(text + at, MAD_WORDS_SIZE - at, mad_words_attribute(mad), "attribute",
			    be16toh(mad->attr_id));
	return at + (size_t)snprintf(text + at, MAD_WORDS_SIZE - at, ", modifier 0x%x",
				     be32toh(mad->attr_mod));
}

/* The same, and ", TID 0x15608bb3" */
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
