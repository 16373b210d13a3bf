/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* call.c - a port on the kernel of the fuzz targets, addresses, and the time of blocking calls. */
#include <errno.h>

#include <infiniband/mad.h>

#include "fuzz.h"

enum { GRACE_MS = 100, MAX_HOPS = 70 };

struct ibmad_port *fuzz_open_port(struct fuzz_input *input)
{
	int classes[] = { 0x01, 0x81, 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };
	char name[] = "mlx5_0";
	struct ibmad_port *port;
	uint8_t control = fuzz_u8(input);

	fuzz_kernel_one_hca();
	port = mad_rpc_open_port(name, 1, classes, sizeof(classes) / sizeof(classes[0]));
	FUZZ_CHECK(port);
	mad_rpc_set_retries(port, 1 + (control & 3));
	mad_rpc_set_timeout(port, 1 + (control >> 2));
	return port;
}

static void read_path(struct fuzz_input *input, ib_dr_path_t *path)
{
	int i;

	path->cnt = (int8_t)fuzz_u8(input) % MAX_HOPS;
	for (i = 1; i <= path->cnt && i < IB_SUBNET_PATH_HOPS_MAX && input->left; i++)
		path->p[i] = fuzz_u8(input);
}

void fuzz_portid(struct fuzz_input *input, ib_portid_t *portid)
{
	uint8_t control = fuzz_u8(input);

	memset(portid, 0, sizeof(*portid));
	portid->lid = control & 1 ? fuzz_u16(input) : control & 2 ? 7 : 0;
	if (control & 4)
		read_path(input, &portid->drpath);
	if (control & 8) {
		portid->drpath.drslid = fuzz_u16(input);
		portid->drpath.drdlid = fuzz_u16(input);
	}
	if (control & 16) {
		portid->grh_present = fuzz_u8(input);
		fuzz_bytes(input, portid->gid, sizeof(portid->gid));
	}
	if (control & 32) {
		portid->qp = fuzz_u32(input);
		portid->qkey = fuzz_u32(input);
		portid->sl = fuzz_u8(input);
		portid->pkey_idx = fuzz_u8(input);
	}
	if (control & 64)
		portid->lid = -portid->lid;
}

void fuzz_call_begin(struct fuzz_call *call, const struct ibmad_port *port,
		     struct fuzz_input *input)
{
	call->port = port;
	call->timeout_ms = fuzz_u8(input) & 0x7f;
	call->started = fuzz_kernel_ms();
	call->writes = fuzz_kernel.writes;
	errno = 0;
}

/* Each attempt is one write, and each lasts no longer than its timeout and what the kernel is given
 * to return a request. */
void fuzz_call_end(const struct fuzz_call *call)
{
	int64_t took = fuzz_kernel_ms() - call->started;
	int64_t timeout = mad_get_timeout(call->port, (int)call->timeout_ms);
	int64_t tries = fuzz_kernel.writes - call->writes;

	if (mad_get_timeout(call->port, 0) > timeout)
		timeout = mad_get_timeout(call->port, 0);
	FUZZ_CHECK(took <= tries * (timeout + timeout / 8 + GRACE_MS) + 50);
}
