/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * From names to addresses: the SM's, the local port's, that of a GUID or a GID, and what a user
 * typed. A call that fails leaves the address as it was.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* "lid," before a path, with blanks. */
#define LID_TEXT_SIZE 32

static int fail(int error)
{
	errno = error;
	return -1;
}

static bool query_self(const struct ibmad_port *port, uint8_t data[IB_SMP_DATA_SIZE],
		       unsigned attrid, int timeout)
{
	ib_portid_t self = { 0 };

	memset(data, 0, IB_SMP_DATA_SIZE);
	return smp_query_via(data, &self, attrid, 0, timeout, port);
}

int ib_resolve_smlid_via(ib_portid_t *sm_id, int timeout, const struct ibmad_port *srcport)
{
	uint8_t portinfo[IB_SMP_DATA_SIZE];
	int lid;

	if (!sm_id)
		return fail(EINVAL);
	if (!query_self(srcport, portinfo, IB_ATTR_PORT_INFO, timeout))
		return -1;
	lid = mad_get_field(portinfo, 0, IB_PORT_SMLID_F);
	if (!IB_LID_VALID(lid))
		return fail(ENXIO);
	memset(sm_id, 0, sizeof(*sm_id));
	sm_id->lid = lid;
	sm_id->sl = mad_get_field(portinfo, 0, IB_PORT_SMSL_F);
	return 0;
}

int ib_resolve_self_via(ib_portid_t *portid, int *portnum, ibmad_gid_t *gid,
			const struct ibmad_port *srcport)
{
	uint8_t nodeinfo[IB_SMP_DATA_SIZE], portinfo[IB_SMP_DATA_SIZE];

	if (!query_self(srcport, nodeinfo, IB_ATTR_NODE_INFO, 0) ||
	    !query_self(srcport, portinfo, IB_ATTR_PORT_INFO, 0))
		return -1;
	if (portid) {
		portid->lid = mad_get_field(portinfo, 0, IB_PORT_LID_F);
		portid->sl = mad_get_field(portinfo, 0, IB_PORT_SMSL_F);
	}
	if (portnum)
		*portnum = mad_get_field(nodeinfo, 0, IB_NODE_LOCAL_PORT_F);
	if (gid) {
		mad_set_field64(*gid, 0, IB_GID_PREFIX_F,
				mad_get_field64(portinfo, 0, IB_PORT_GID_PREFIX_F));
		mad_set_field64(*gid, 0, IB_GID_GUID_F,
				mad_get_field64(nodeinfo, 0, IB_NODE_PORT_GUID_F));
	}
	return 0;
}

/* Asks the SM for a path between two GIDs; LID and SL of it go to portid. */
static int resolve_path(const struct ibmad_port *port, ibmad_gid_t source, ibmad_gid_t destination,
			ib_portid_t *sm_id, ib_portid_t *portid)
{
	uint8_t path[IB_SA_DATA_SIZE];
	int lid = ib_path_query_via(port, source, destination, sm_id, path);

	if (lid < 0)
		return -1;
	if (!IB_LID_VALID(lid))
		return fail(ENXIO);
	portid->lid = lid;
	portid->sl = mad_get_field(path, 0, IB_SA_PR_SL_F);
	return 0;
}

int ib_resolve_gid_via(ib_portid_t *portid, ibmad_gid_t gid, ib_portid_t *sm_id, int timeout,
		       const struct ibmad_port *srcport)
{
	ib_portid_t sm;

	if (!portid || !gid)
		return fail(EINVAL);
	if (!sm_id) {
		sm_id = &sm;
		if (ib_resolve_smlid_via(sm_id, timeout, srcport) < 0)
			return -1;
	}
	return resolve_path(srcport, gid, gid, sm_id, portid);
}

/* The local port's GID below the default subnet prefix, as every SM knows it. */
static int resolve_own_gid(const struct ibmad_port *port, int timeout, ibmad_gid_t gid)
{
	uint8_t nodeinfo[IB_SMP_DATA_SIZE];

	if (!query_self(port, nodeinfo, IB_ATTR_NODE_INFO, timeout))
		return -1;
	mad_set_field64(gid, 0, IB_GID_PREFIX_F, IB_DEFAULT_SUBN_PREFIX);
	mad_set_field64(gid, 0, IB_GID_GUID_F, mad_get_field64(nodeinfo, 0, IB_NODE_PORT_GUID_F));
	return 0;
}

/* The prefix is that of portid->gid, where it has one. */
int ib_resolve_guid_via(ib_portid_t *portid, uint64_t *guid, ib_portid_t *sm_id, int timeout,
			const struct ibmad_port *srcport)
{
	ibmad_gid_t source, destination;
	ib_portid_t sm;

	if (!portid || !guid)
		return fail(EINVAL);
	if (!sm_id) {
		sm_id = &sm;
		if (ib_resolve_smlid_via(sm_id, timeout, srcport) < 0)
			return -1;
	}
	if (resolve_own_gid(srcport, timeout, source) < 0)
		return -1;
	memcpy(destination, portid->gid, sizeof(destination));
	if (!mad_get_field64(destination, 0, IB_GID_PREFIX_F))
		mad_set_field64(destination, 0, IB_GID_PREFIX_F, IB_DEFAULT_SUBN_PREFIX);
	mad_set_field64(destination, 0, IB_GID_GUID_F, *guid);
	if (resolve_path(srcport, source, destination, sm_id, portid) < 0)
		return -1;
	memcpy(portid->gid, destination, sizeof(destination));
	return 0;
}

/* Reads a text that is wholly a number, decimal, 0x hexadecimal or 0 octal, blanks around it. */
static bool parse_number(const char *text, uint64_t *number)
{
	const char *digit = text;
	char *end;

	while (isspace((unsigned char)*digit))
		digit++;
	if (*digit == '-')
		return false;
	errno = 0;
	*number = strtoull(digit, &end, 0);
	if (errno || end == digit)
		return false;
	while (isspace((unsigned char)*end))
		end++;
	return !*end;
}

static bool parse_lid(const char *text, int *lid)
{
	uint64_t number;

	if (!parse_number(text, &number) || number > INT_MAX || !IB_LID_VALID((int)number))
		return false;
	*lid = (int)number;
	return true;
}

static int resolve_lid(ib_portid_t *portid, const char *text)
{
	int lid;

	if (!parse_lid(text, &lid))
		return fail(EINVAL);
	return ib_portid_set(portid, lid, 0, 0);
}

static int resolve_drpath(ib_portid_t *portid, char *text)
{
	ib_dr_path_t path = { 0 };

	if (str2drpath(&path, text, 0, 0) < 0)
		return -1;
	portid->drpath = path;
	return 0;
}

/* "lid,p0,p1,...": a path that begins at the LID, with answers to our own. */
static int resolve_drslid(ib_portid_t *portid, char *text, const struct ibmad_port *port)
{
	ib_dr_path_t path = { .drdlid = 0xffff };
	size_t length = strcspn(text, ",");
	ib_portid_t self = { 0 };
	char lid_text[LID_TEXT_SIZE];
	int lid;

	if (length >= sizeof(lid_text))
		return fail(EINVAL);
	memcpy(lid_text, text, length);
	lid_text[length] = '\0';
	if (!parse_lid(lid_text, &lid))
		return fail(EINVAL);
	if (!text[length])
		return fail(EINVAL);
	if (str2drpath(&path, text + length + 1, 0, 0) < 0)
		return -1;
	if (ib_resolve_self_via(&self, NULL, NULL, port) < 0)
		return -1;
	portid->lid = lid;
	portid->drpath = path;
	portid->drpath.drslid = self.lid;
	return 0;
}

static int resolve_guid(ib_portid_t *portid, const char *text, ib_portid_t *sm_id,
			const struct ibmad_port *port)
{
	uint64_t guid;

	if (!parse_number(text, &guid) || !guid)
		return fail(EINVAL);
	return ib_resolve_guid_via(portid, &guid, sm_id, 0, port);
}

static int resolve_gid(ib_portid_t *portid, const char *text, ib_portid_t *sm_id,
		       const struct ibmad_port *port)
{
	ibmad_gid_t gid;

	if (inet_pton(AF_INET6, text, gid) != 1)
		return fail(EINVAL);
	return ib_resolve_gid_via(portid, gid, sm_id, 0, port);
}

static int resolve(ib_portid_t *portid, char *text, enum MAD_DEST dest, ib_portid_t *sm_id,
		   const struct ibmad_port *port)
{
	switch (dest) {
	case IB_DEST_LID:
		return resolve_lid(portid, text);
	case IB_DEST_DRPATH:
		return resolve_drpath(portid, text);
	case IB_DEST_GUID:
		return resolve_guid(portid, text, sm_id, port);
	case IB_DEST_DRSLID:
		return resolve_drslid(portid, text, port);
	case IB_DEST_GID:
		return resolve_gid(portid, text, sm_id, port);
	}
	mad_warn("ib_resolve_portid_str_via", "bad dest_type %d", dest);
	return fail(EINVAL);
}

int ib_resolve_portid_str_via(ib_portid_t *portid, char *addr_str, enum MAD_DEST dest,
			      ib_portid_t *sm_id, const struct ibmad_port *srcport)
{
	ib_portid_t resolved = { 0 };

	if (!portid || !addr_str)
		return fail(EINVAL);
	if (resolve(&resolved, addr_str, dest, sm_id, srcport) < 0)
		return -1;
	*portid = resolved;
	return 0;
}
