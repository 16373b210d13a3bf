/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A header of a MAD, in words. */
#include <arpa/inet.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_str.h>
#include <stdio.h>

static void print_header(const struct umad_hdr *header)
{
	printf("%s %s(%s), status %s", umad_class_str(header->mgmt_class),
	       umad_method_str(header->mgmt_class, header->method),
	       umad_attribute_str(header->mgmt_class, header->attr_id),
	       umad_common_mad_status_str(header->status));
	if (header->mgmt_class == UMAD_CLASS_SUBN_ADM)
		printf(", %s", umad_sa_mad_status_str(header->status));
	putchar('\n');
}

int main(void)
{
	const struct umad_hdr response = {
		.base_version = 1,
		.mgmt_class = UMAD_CLASS_SUBN_ADM,
		.class_version = UMAD_SA_CLASS_VERSION,
		.method = UMAD_SA_METHOD_GET_TABLE_RESP,
		.status = htons(UMAD_SA_STATUS_NO_RECORDS << 8),
		.attr_id = htons(UMAD_SA_ATTR_NODE_REC),
	};

	print_header(&response);
	return 0;
}
