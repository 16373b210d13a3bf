/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opens and closes ports. Input: the caller's choice of a port. Accesses the device nodes
 * /dev/infiniband/umadN. A portid is the file descriptor, so there is no table of open ports.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

#define DEVICE_DIR "/dev/infiniband"

int umad_init(void)
{
	umad_capture_read_environment();
	return 0;
}

int umad_done(void)
{
	return 0;
}

/* Writes the path of a port's device node, "umadN" or "issmN", to path. */
static int find_node_path(struct umad_source *source, const char *ca_name, int portnum,
			  bool need_smi, const char *kind, struct umad_port_choice *choice,
			  char path[UMAD_PATH_SIZE])
{
	int result = umad_selection_resolve(source, ca_name, portnum, need_smi, choice);

	if (result < 0)
		return result;
	result = umad_node_find(source, choice->ca_name, choice->portnum);
	if (result < 0)
		return result;
	snprintf(path, UMAD_PATH_SIZE, "%s/%s%d", DEVICE_DIR, kind, result);
	if (strcmp(kind, UMAD_NODE_PREFIX) != 0)
		return umad_node_check_issm(result);
	umad_state_trace(1, 0, "%s port %d is %s", choice->ca_name, choice->portnum, path);
	return 0;
}

/* Opens the device node and enables the header with a P_Key index, which later interfaces have
 * anyway; kernels that do not support the request have only the shorter header. Returns the
 * descriptor. */
static int open_node(const char *path)
{
	int result;
	int fd = umad_sys_open_device(path);

	if (fd < 0)
		return fd;
	result = umad_state_abi_version() > IB_UMAD_ABI_VERSION ? 0 : umad_uapi_enable_pkey(fd);
	if (result < 0 && result != -ENOTTY && result != -EINVAL) {
		umad_sys_close(fd);
		return result;
	}
	umad_state_set_pkey_layout(result == 0);
	umad_state_trace(1, 0, "opened %s as %d, header of %zu bytes", path, fd,
			 umad_state_header_size());
	return fd;
}

static int open_port(const char *ca_name, int portnum, bool need_smi)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_port_choice choice;
	char path[UMAD_PATH_SIZE];
	int result;

	umad_capture_read_environment();
	umad_sys_clear_resource_error();
	result = umad_node_check_abi(&source);
	if (!result)
		result = find_node_path(&source, ca_name, portnum, need_smi, UMAD_NODE_PREFIX,
					&choice, path);
	umad_source_close(&source);
	if (result < 0) {
		umad_state_trace(1, result, "no umad device for %s port %d",
				 ca_name ? ca_name : "any device", portnum);
		return umad_state_finish(result);
	}
	result = open_node(path);
	if (result < 0) {
		umad_state_trace(1, result, "can't open %s", path);
		umad_state_finish(result);
		return -EIO;
	}
	umad_owner_remember(result, &choice);
	return result;
}

int umad_open_port(const char *ca_name, int portnum)
{
	return open_port(ca_name, portnum, false);
}

int umad_open_smi_port(const char *ca_name, int portnum)
{
	return open_port(ca_name, portnum, true);
}

int umad_close_port(int portid)
{
	umad_state_trace(1, 0, "closing %d", portid);
	umad_owner_forget(portid);
	if (portid < 0 || umad_sys_close(portid) < 0)
		return umad_state_finish(-EINVAL);
	return 0;
}

int umad_get_fd(int portid)
{
	return portid < 0 ? umad_state_finish(-EINVAL) : portid;
}

int umad_get_issm_path(const char *ca_name, int portnum, char *path, int max)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_port_choice choice;
	char found[UMAD_PATH_SIZE];
	int result;

	if (!path || max <= 0)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	result = find_node_path(&source, ca_name, portnum, false, "issm", &choice, found);
	umad_source_close(&source);
	if (!result && strlen(found) >= (size_t)max)
		result = -ENAMETOOLONG;
	if (result < 0)
		return umad_state_finish(result);
	strcpy(path, found);
	return 0;
}
