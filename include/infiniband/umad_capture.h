/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Captures: every MAD that the process sends and receives, in a file that Wireshark and tshark
 * display as InfiniBand packets: umad_capture_start(3). Any thread may call these functions at any
 * time. */
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

/* Starts writing all MADs, of all ports of this process, to a new file (path is copied) for its
 * owner only. A regular file of the same user is replaced; symbolic links are not followed. flags:
 * 0 or UMAD_CAPTURE_KEYS. Returns 0, or -1, no file changed, with EINVAL, EBUSY (a capture is
 * running), EPERM (no regular file, or another user's), ELOOP, ENOMEM or an error of creating and
 * writing it. */
int umad_capture_start(const char *path, uint32_t flags);

/* Stops the capture and closes its file. Returns 0, or -1 with EINVAL if none is running or, once,
 * why the capture stopped by itself (ENOSPC, EFBIG, EIO, EBADF, ETIMEDOUT) or why the end of the
 * file cannot be put in order. */
int umad_capture_stop(void);

#ifdef __cplusplus
}
#endif

#endif
