/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Captures: every MAD that the process sends and receives, in a file that Wireshark and tshark
 * display as InfiniBand packets: umad_capture_start(3). Any thread may call these functions at any
 * time.
 */
#ifndef INFINIBAND_UMAD_CAPTURE_H
#define INFINIBAND_UMAD_CAPTURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of umad_capture_start(). */
enum umad_capture_flag {
	UMAD_CAPTURE_KEYS = 1 << 0, /* keys are recorded as they are, in this capture */
};

/*
 * Starts writing all MADs, of all ports of this process, to a new file named path (the library
 * keeps a copy of the name), which only its owner may read and write. A file of that name is
 * replaced if it is a regular file of the same user; anything else is kept, and symbolic links are
 * not followed. flags: 0 or UMAD_CAPTURE_KEYS. Returns 0, or -1 with errno EINVAL (path is NULL or
 * empty, unknown flags), EBUSY (a capture is running already), EPERM (the existing file is not
 * regular, or belongs to another user), ELOOP (it is a symbolic link), ENOMEM, or the error of
 * creating and writing a file, such as ENOENT, EACCES and ENOSPC. On failure, no file is changed.
 */
int umad_capture_start(const char *path, uint32_t flags);

/*
 * Stops the capture and closes its file. Returns 0, or -1 with errno EINVAL if no capture is
 * running or, once, why one has stopped by itself (ENOSPC, EFBIG, EIO, EBADF if the program has
 * closed the descriptor, and ETIMEDOUT if a forked process that shares the file has been stopped
 * while it was writing). If the file cannot be put in order, after somebody has truncated it, the
 * errno says why.
 */
int umad_capture_stop(void);

#ifdef __cplusplus
}
#endif

#endif
