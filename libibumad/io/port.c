/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opens and closes ports. A portid is the file descriptor of /dev/infiniband/umadN.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

int umad_init(void)
{
	umad_capture_read_environment();
	return 0;
}

int umad_done(void)
{
	return 0;
}

/* Enables the header with a P_Key index, which later interfaces have anyway; kernels that do not
 * support the request have only the shorter header. */
static int enable_pkey(int fd)
{
	int result = 0;

	if (umad_state.abi_version <= IB_UMAD_ABI_VERSION)
		result = umad_sys_ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL);
	if (result < 0 && result != -ENOTTY && result != -EINVAL)
		return result;
	umad_state_set_pkey_layout(result == 0);
	return 0;
}

/* Opens the umad device of a port. Fails if the port has none; else *fd is a descriptor, or why the
 * device cannot be opened. */
static int open_device(struct umad_source *source, struct umad_port_choice *port, int *fd)
{
	int error = umad_node_open(source, port, fd);
	int refused = error < 0 || *fd < 0 ? 0 : enable_pkey(*fd);

	if (refused < 0) {
		umad_sys_close(*fd);
		*fd = refused;
	}
	return error;
}

/* Opens the best port that can be opened: in containers others have no device node, or one that
 * this process may not open. If none can, the result is that of the first. */
static int open_best(struct umad_selection *selection, struct umad_port_choice *port, int *fd)
{
	int error = umad_selection_next(selection, port), next_error, next_fd;
	struct umad_port_choice next;

	if (error < 0)
		return error;
	error = open_device(selection->source, port, fd);
	while ((error < 0 || *fd < 0) && !umad_sys_resource_error()) {
		if (umad_selection_next(selection, &next) < 0)
			break;
		next_error = open_device(selection->source, &next, &next_fd);
		if (!next_error && next_fd >= 0) {
			*port = next;
			*fd = next_fd;
			return 0;
		}
	}
	return error < 0 || *fd < 0 ? umad_sys_resource_error_or(error) : 0;
}

static int open_port(const char *ca_name, int portnum, bool need_smi)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_selection selection = {
		.source = &source, .ca_name = ca_name, .portnum = portnum, .need_smi = need_smi
	};
	struct umad_port_choice port;
	int error, fd = -ENODEV;

	umad_capture_read_environment();
	umad_sys_clear_resource_error();
	error = umad_node_check_abi(&source);
	if (!error)
		error = umad_selection_begin(&selection);
	if (!error)
		error = open_best(&selection, &port, &fd);
	umad_selection_end(&selection);
	umad_source_close(&source);
	if (error < 0) {
		umad_state_trace(1, error, "no umad device for %s port %d",
				 ca_name ? ca_name : "any device", portnum);
		return umad_state_finish(error);
	}
	if (fd < 0) {
		umad_state_finish(fd);
		return -EIO;
	}
	umad_owner_remember(fd, &port);
	umad_state_trace(1, 0, "opened %s port %d as %d, header of %zu bytes", port.ca_name,
			 port.portnum, fd, umad_state_header_size());
	return fd;
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
	int result, number = -1;

	if (!path || max <= 0)
		return umad_state_finish(-EINVAL);
	result = umad_selection_resolve(&source, ca_name, portnum, &choice);
	if (!result)
		result = number = umad_node_find(&source, choice.ca_name, choice.portnum);
	if (result >= 0)
		result = umad_node_check_issm(result);
	umad_source_close(&source);
	snprintf(found, sizeof(found), "%s/issm%d", UMAD_NODE_DIR, number);
	if (!result && strlen(found) >= (size_t)max)
		result = -ENAMETOOLONG;
	if (result < 0)
		return umad_state_finish(result);
	strcpy(path, found);
	return 0;
}
