/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-names.c - the names of classes, methods, attributes and statuses (libibumad/trace/names.c).
 *
 * Expected strings are those of the older library; numbers are written out, so that a wrong
 * constant in a header shows here. tests/oracle/golden compares every number.
 */
#include <endian.h>
#include <string.h>

#include <infiniband/umad_str.h>

#include "test.h"

struct row {
	unsigned int number;
	const char *name;
};

static void expect_class(unsigned int first, unsigned int last, const char *name)
{
	for (unsigned int i = first; i <= last; i++)
		assert_string_equal(umad_class_str((uint8_t)i), name);
}

TEST(class_of_each_range)
{
	expect_class(0x00, 0x00, "<unknown>");
	expect_class(0x01, 0x01, "Subn");
	expect_class(0x02, 0x02, "<unknown>");
	expect_class(0x03, 0x03, "SubnAdm");
	expect_class(0x04, 0x04, "Perf");
	expect_class(0x05, 0x05, "BM");
	expect_class(0x06, 0x06, "DevMgt");
	expect_class(0x07, 0x07, "ComMgt");
	expect_class(0x08, 0x08, "SNMP");
	expect_class(0x09, 0x0f, "Vendor");
	expect_class(0x10, 0x10, "DevAdm");
	expect_class(0x11, 0x11, "BootMgt");
	expect_class(0x12, 0x12, "BIS");
	expect_class(0x13, 0x20, "Application");
	expect_class(0x21, 0x21, "CongestionManagment");
	expect_class(0x22, 0x2f, "Application");
	expect_class(0x30, 0x4f, "Vendor");
	expect_class(0x50, 0x80, "<unknown>");
	expect_class(0x81, 0x81, "Subn");
	expect_class(0x82, 0xff, "<unknown>");
}

static const struct row common_methods[] = {
	{ 0x01, "Get" },    { 0x02, "Set" },	     { 0x03, "Send" },	  { 0x05, "Trap" },
	{ 0x06, "Report" }, { 0x07, "TrapRepress" }, { 0x81, "GetResp" }, { 0x86, "ReportResp" },
};

static const struct row sa_methods[] = {
	{ 0x12, "GetTable" },	{ 0x13, "GetTraceTable" }, { 0x14, "GetMulti" },
	{ 0x15, "Delete" },	{ 0x92, "GetTableResp" },  { 0x94, "GetMultiResp" },
	{ 0x95, "DeleteResp" },
};

TEST(method_common_to_all_classes)
{
	for (unsigned int mgmt_class = 0; mgmt_class < 256; mgmt_class++)
		for (size_t i = 0; i < COUNT(common_methods); i++)
			assert_string_equal(umad_method_str((uint8_t)mgmt_class,
							    (uint8_t)common_methods[i].number),
					    common_methods[i].name);
}

TEST(method_of_the_sa_only)
{
	for (size_t i = 0; i < COUNT(sa_methods); i++) {
		const uint8_t method = (uint8_t)sa_methods[i].number;

		assert_string_equal(umad_method_str(0x03, method), sa_methods[i].name);
		assert_string_equal(umad_method_str(0x04, method), "<unknown");
		assert_string_equal(umad_method_str(0x81, method), "<unknown");
	}
}

TEST(method_unknown)
{
	static const uint8_t methods[] = { 0x00, 0x04, 0x08, 0x16, 0x80, 0x82, 0x87, 0x96, 0xff };

	for (size_t i = 0; i < COUNT(methods); i++) {
		assert_string_equal(umad_method_str(0x01, methods[i]), "<unknown");
		assert_string_equal(umad_method_str(0x03, methods[i]), "<unknown");
	}
}

static const char *common_status(unsigned int status)
{
	return umad_common_mad_status_str(htobe16((uint16_t)status));
}

TEST(status_busy_comes_first)
{
	assert_string_equal(common_status(0x0001), "Busy");
	assert_string_equal(common_status(0xffff), "Busy");
	assert_string_equal(common_status(0x0002), "Redirection required");
	assert_string_equal(common_status(0xfffe), "Redirection required");
}

TEST(status_code_of_three_bits)
{
	static const char *const names[8] = {
		"Success",
		"Bad Version",
		"Method not supported",
		"Method/Attribute combo not supported",
		"Success",
		"Success",
		"Success",
		"Invalid attribute/modifier field",
	};

	for (unsigned int code = 0; code < 8; code++) {
		assert_string_equal(common_status(code << 2), names[code]);
		assert_string_equal(common_status(0xffe0 | code << 2), names[code]);
	}
}

static const char *sa_status(unsigned int status)
{
	return umad_sa_mad_status_str(htobe16((uint16_t)status));
}

TEST(status_of_the_sa_in_the_upper_byte)
{
	static const char *const names[] = {
		"Success",	     "No Resources", "Request Invalid",		"No Records",
		"Too Many Records",  "Invalid GID",  "Insufficient Components", "Request Denied",
		"Priority Suggested"
	};

	for (unsigned int code = 0; code < 256; code++) {
		const char *name = code < COUNT(names) ? names[code] : "Undefined Error";

		assert_string_equal(sa_status(code << 8), name);
		assert_string_equal(sa_status(code << 8 | 0xff), name);
	}
}

/* Checks that a class has the attributes given and those of all classes, and no other below 0x100.
 */
static void expect_attributes(uint8_t mgmt_class, const struct row *rows, size_t count)
{
	static const char *const common[] = { "<unknown>", "Class Port Info", "Notice",
					      "Inform Info" };
	const char *names[256];

	for (unsigned int id = 0; id < 256; id++)
		names[id] = id < COUNT(common) ? common[id] : "<unknown>";
	for (size_t i = 0; i < count; i++)
		names[rows[i].number] = rows[i].name;
	for (unsigned int id = 0; id < 256; id++)
		assert_string_equal(umad_attribute_str(mgmt_class, htobe16((uint16_t)id)),
				    names[id]);
}

static const struct row sm_attributes[] = {
	{ 0x10, "NodeDescription" },
	{ 0x11, "NodeInfo" },
	{ 0x12, "SwitchInfo" },
	{ 0x14, "GUIDInfo" },
	{ 0x15, "PortInfo" },
	{ 0x16, "P_KeyTable" },
	{ 0x17, "SLtoVLMappingTable" },
	{ 0x18, "VLArbitrationTable" },
	{ 0x19, "LinearForwardingTable" },
	{ 0x1a, "RandomForwardingTable" },
	{ 0x1b, "MulticastForwardingTable" },
	{ 0x1c, "LinkSpeedWidthPairsTable" },
	{ 0x1d, "VendorSpecificMadsTable" },
	{ 0x1e, "HierarchyInfo" },
	{ 0x20, "SMInfo" },
	{ 0x30, "VendorDiag" },
	{ 0x31, "LedInfo" },
	{ 0x32, "CableInfo" },
	{ 0x33, "PortInfoExtended" },
};

TEST(attribute_of_subnet_management)
{
	expect_attributes(0x01, sm_attributes, COUNT(sm_attributes));
	expect_attributes(0x81, sm_attributes, COUNT(sm_attributes));
}

TEST(attribute_of_the_sa)
{
	static const struct row rows[] = {
		{ 0x11, "NodeRecord" },
		{ 0x12, "PortInfoRecord" },
		{ 0x13, "SLtoVLMappingTableRecord" },
		{ 0x14, "SwitchInfoRecord" },
		{ 0x15, "LinearForwardingTableRecord" },
		{ 0x16, "RandomForwardingTableRecord" },
		{ 0x17, "MulticastForwardingTableRecord" },
		{ 0x18, "SMInfoRecord" },
		{ 0x19, "LinkSpeedWidthPairsTableRecord" },
		{ 0x20, "LinkRecord" },
		{ 0x30, "GuidInfoRecord" },
		{ 0x31, "ServiceRecord" },
		{ 0x33, "P_KeyTableRecord" },
		{ 0x35, "PathRecord" },
		{ 0x36, "VLArbitrationTableRecord" },
		{ 0x38, "MCMemberRecord" },
		{ 0x39, "TraceRecord" },
		{ 0x3a, "MultiPathRecord" },
		{ 0x3b, "ServiceAssociationRecord" },
		{ 0x3c, "HierarchyInfoRecord" },
		{ 0x3d, "CableInfoRecord" },
		{ 0x3e, "PortInfoExtendedRecord" },
		{ 0xf3, "InformInfoRecord" },
	};

	expect_attributes(0x03, rows, COUNT(rows));
}

TEST(attribute_of_communication_management)
{
	static const struct row rows[] = {
		{ 0x10, "ConnectRequest" },
		{ 0x11, "MsgRcptAck" },
		{ 0x12, "ConnectReject" },
		{ 0x13, "ConnectReply" },
		{ 0x14, "ReadyToUse" },
		{ 0x15, "DisconnectRequest" },
		{ 0x16, "DisconnectReply" },
		{ 0x17, "ServiceIDResReq" },
		{ 0x18, "ServiceIDResReqResp" },
		{ 0x19, "LoadAlternatePath" },
		{ 0x1a, "AlternatePathResponse" },
		{ 0x1b, "SuggestAlternatePath" },
		{ 0x1c, "SuggestPathResponse" },
	};

	expect_attributes(0x07, rows, COUNT(rows));
}

TEST(attribute_of_other_classes)
{
	static const uint8_t classes[] = { 0x00, 0x02, 0x04, 0x21, 0x30, 0x4f, 0x80, 0x82, 0xff };

	for (size_t i = 0; i < COUNT(classes); i++)
		expect_attributes(classes[i], NULL, 0);
}

TEST(attribute_above_the_tables)
{
	static const uint8_t classes[] = { 0x01, 0x03, 0x04, 0x07, 0x81 };

	for (size_t i = 0; i < COUNT(classes); i++)
		for (unsigned int id = 0x100; id < 0x10000; id++)
			assert_string_equal(umad_attribute_str(classes[i], htobe16((uint16_t)id)),
					    "<unknown>");
}
