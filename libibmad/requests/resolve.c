/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Resolves names to addresses: that of the SM, the local port, a GUID or a GID, or a user's string.
 * A function that fails leaves the address unchanged.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"

/* "lid," before a path, with optional blanks. */
#define LID_TEXT_SIZE 32

static int query_self(const struct ibmad_port *port, uint8_t data[IB_SMP_DATA_SIZE],
		      unsigned attrid, int timeout)
{
	ib_portid_t self = { 0 };

	memset(data, 0, IB_SMP_DATA_SIZE);
	return mad_smp_get(port, data, &self, attrid, 0, timeout);
}

int mad_resolve_sm(const struct ibmad_port *port, int timeout, ib_portid_t *sm_id)
{
	uint8_t portinfo[IB_SMP_DATA_SIZE];
	int error = query_self(port, portinfo, IB_ATTR_PORT_INFO, timeout);

	return error ? error : mad_resolve_read_sm(portinfo, sm_id);
}

int mad_sa_address(const struct ibmad_port *port, const ib_portid_t *sm, ib_portid_t *address)
{
	int error = 0;

	if (!port)
		return mad_state_refuse(mad_refuse(MAD_REFUSED_PORT));
	if (sm)
		*address = *sm;
	else
		error = mad_resolve_sm(port, 0, address);
	if (!error && (address->lid <= 0 || address->lid > UINT16_MAX))
		error = mad_state_refuse(mad_refuse(MAD_REFUSED_SM));
	if (!error)
		mad_address_gsi(address);
	return error;
}

int ib_resolve_smlid_via(ib_portid_t *sm_id, int timeout, const struct ibmad_port *srcport)
{
	return mad_zero_or_error(sm_id ? mad_resolve_sm(srcport, timeout, sm_id)
				       : mad_refuse(MAD_REFUSED_DATA));
}

int mad_resolve_self(const struct ibmad_port *port, ib_portid_t *portid, int *portnum,
		     ibmad_gid_t *gid)
{
	uint8_t nodeinfo[IB_SMP_DATA_SIZE], portinfo[IB_SMP_DATA_SIZE];
	int error = query_self(port, nodeinfo, IB_ATTR_NODE_INFO, 0);

	if (!error)
		error = query_self(port, portinfo, IB_ATTR_PORT_INFO, 0);
	if (error)
		return error;
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

int ib_resolve_self_via(ib_portid_t *portid, int *portnum, ibmad_gid_t *gid,
			const struct ibmad_port *srcport)
{
	return mad_zero_or_error(mad_resolve_self(srcport, portid, portnum, gid));
}

static int resolve_own_gid(const struct ibmad_port *port, int timeout, ibmad_gid_t gid)
{
	uint8_t nodeinfo[IB_SMP_DATA_SIZE];
	int error = query_self(port, nodeinfo, IB_ATTR_NODE_INFO, timeout);

	if (!error)
		mad_resolve_read_own_gid(nodeinfo, gid);
	return error;
}

/*
 * A port that cannot send directed route SMPs, such as the GSI port of a pair, cannot request its
 * GID. In that case the LID comes from the destination's path to itself, and the SL, which that
 * path does not contain, stays. sm_id NULL, or without a LID: the SM of the local port, whose
 * address *sm_id then receives.
 */
static int resolve_gid(const struct ibmad_port *port, ibmad_gid_t gid, int timeout,
		       ib_portid_t *sm_id, ib_portid_t *portid)
{
	bool has_smi = port && mad_port_agent(port, IB_SMI_DIRECT_CLASS) >= 0;
	uint8_t path[IB_SA_DATA_SIZE];
	ib_portid_t local_sm = { 0 };
	ibmad_gid_t own_gid;
	int error = 0;

	if (!sm_id)
		sm_id = &local_sm;
	if (!IB_LID_VALID(sm_id->lid))
		error = mad_resolve_sm(port, timeout, sm_id);
	if (!error && has_smi)
		error = resolve_own_gid(port, timeout, own_gid);
	if (!error)
		error = mad_path_query(port, has_smi ? own_gid : gid, gid, sm_id, path);
	return error ? error : mad_resolve_read_path(path, has_smi, portid);
}

int ib_resolve_gid_via(ib_portid_t *portid, ibmad_gid_t gid, ib_portid_t *sm_id, int timeout,
		       const struct ibmad_port *srcport)
{
	return mad_zero_or_error(portid && gid ? resolve_gid(srcport, gid, timeout, sm_id, portid)
					       : mad_refuse(MAD_REFUSED_DATA));
}

/* The prefix is that of portid->gid, if it has one. */
static int resolve_guid(const struct ibmad_port *port, uint64_t guid, int timeout,
			ib_portid_t *sm_id, ib_portid_t *portid)
{
	ibmad_gid_t gid;
	int error;

	memcpy(gid, portid->gid, sizeof(gid));
	if (!mad_get_field64(gid, 0, IB_GID_PREFIX_F))
		mad_set_field64(gid, 0, IB_GID_PREFIX_F, IB_DEFAULT_SUBN_PREFIX);
	mad_set_field64(gid, 0, IB_GID_GUID_F, guid);
	error = resolve_gid(port, gid, timeout, sm_id, portid);
	if (!error)
		memcpy(portid->gid, gid, sizeof(gid));
	return error;
}

int ib_resolve_guid_via(ib_portid_t *portid, uint64_t *guid, ib_portid_t *sm_id, int timeout,
			const struct ibmad_port *srcport)
{
	return mad_zero_or_error(portid && guid
					 ? resolve_guid(srcport, *guid, timeout, sm_id, portid)
					 : mad_refuse(MAD_REFUSED_DATA));
}

static bool parse_lid(const char *text, int *lid)
{
	uint64_t number;

	if (!mad_parse_number(text, &number) || number > INT_MAX || !IB_LID_VALID((int)number))
		return false;
	*lid = (int)number;
	return true;
}

/* How much of the text is the number with which it begins, blanks before it included. */
static size_t number_length(const char *text)
{
	size_t blanks = strspn(text, " \t");
	const char *number = text + blanks;

	if (number[0] == '0' && (number[1] == 'x' || number[1] == 'X'))
		return blanks + 2 + strspn(number + 2, "0123456789abcdefABCDEF");
	return blanks + strspn(number, "0123456789");
}

/* "lid,p0,p1,...": a path that begins at the LID, whose responses return to the local LID. Any
 * character may be between the two, as programs write a blank or a semicolon. */
static int resolve_drslid(ib_portid_t *portid, char *text, const struct ibmad_port *port)
{
	size_t length = number_length(text);
	ib_portid_t self = { 0 };
	char lid_text[LID_TEXT_SIZE];
	int error;

	if (length >= sizeof(lid_text))
		return -EINVAL;
	memcpy(lid_text, text, length);
	lid_text[length] = '\0';
	if (!parse_lid(lid_text, &portid->lid) || !text[length] ||
	    str2drpath(&portid->drpath, text + length + 1, 0, 0) < 0)
		return -EINVAL;
	error = mad_resolve_self(port, &self, NULL, NULL);
	portid->drpath.drslid = self.lid;
	return error;
}

/* portid: all 0. */
static int resolve(ib_portid_t *portid, char *text, enum MAD_DEST dest, ib_portid_t *sm_id,
		   const struct ibmad_port *port)
{
	ibmad_gid_t gid;
	uint64_t guid;

	switch (dest) {
	case IB_DEST_LID:
		return parse_lid(text, &portid->lid) ? 0 : -EINVAL;
	case IB_DEST_DRPATH:
		return str2drpath(&portid->drpath, text, 0, 0) < 0 ? -EINVAL : 0;
	case IB_DEST_GUID:
		return mad_parse_number(text, &guid) && guid
			       ? resolve_guid(port, guid, 0, sm_id, portid)
			       : -EINVAL;
	case IB_DEST_DRSLID:
		return resolve_drslid(portid, text, port);
	case IB_DEST_GID:
		return inet_pton(AF_INET6, text, gid) == 1
			       ? resolve_gid(port, gid, 0, sm_id, portid)
			       : -EINVAL;
	}
	mad_warn("ib_resolve_portid_str_via", "bad dest_type %d", dest);
	return -EINVAL;
}

int ib_resolve_portid_str_via(ib_portid_t *portid, char *addr_str, enum MAD_DEST dest,
			      ib_portid_t *sm_id, const struct ibmad_port *srcport)
{
	ib_portid_t resolved = { 0 };
	int error = portid && addr_str ? resolve(&resolved, addr_str, dest, sm_id, srcport)
				       : mad_refuse(MAD_REFUSED_DATA);

	if (!error)
		*portid = resolved;
	return mad_zero_or_error(error);
}
