/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Captures: every MAD that the process sends and receives, in a file that Wireshark and tshark
 * display as InfiniBand packets.
 *
 *	if (umad_capture_start("sweep.pcap", 0) < 0)
 *		perror("sweep.pcap");
 *	...
 *	umad_capture_stop();
 *
 * Without a change to the program, LIBIBUMAD_CAPTURE=sweep.pcap in its environment does the same:
 * the capture begins with umad_init() or the first port that is opened, and ends with the process.
 * The library replaces %p in that value by the process ID. It ignores the variable in programs that
 * run with more privileges than their caller (setuid). If it cannot create the file, it prints the
 * reason on stderr, and the program continues.
 *
 * The file is a pcap file with timestamps in nanoseconds and link type 197 (ERF); each record holds
 * one packet as it is on the wire, from the local route header to both checksums. erf.flags.cap is
 * 0 for MADs sent and 1 for MADs received. docs/debugging.md lists the fields that are known and
 * those that the library has to make up.
 *
 * The library writes each record immediately, in one call, so that the file is complete however the
 * program ends. If a record cannot be written (a full disk, a size limit) the capture stops, with
 * one line on stderr; the program continues. A forked process writes to the same file; a program
 * that it executes inherits the variable, but not the file.
 *
 * Keys in MADs are zeros in the file (the M_Key, SM_Key, B_Key, CC key, and keys of performance
 * management and classes 0x0a to 0x0c in the headers; M_Keys in PortInfo, SM_Keys in SMInfo,
 * ServiceKeys, and the keys of BKeyInfo, CongestionKeyInfo, KeyInfo and NeighborsInfo) unless
 * UMAD_CAPTURE_KEYS or, for a capture of the environment, LIBIBUMAD_CAPTURE_KEYS=1 says otherwise.
 * Where the place of a key is not known, more is hidden: the data of SMPs and SA records of
 * Omni-Path (base version 0x80), and the class header of class 0x0b. Requests that the program
 * makes in other vendor classes, and the data of notices, are recorded as they are.
 *
 * Any thread may call these functions at any time.
 */
#ifndef INFINIBAND_UMAD_CAPTURE_H
#define INFINIBAND_UMAD_CAPTURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of umad_capture_start(). */
#define UMAD_CAPTURE_KEYS (1u << 0) /* keys are recorded as they are, in this capture */

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
 * running or, once, why one has stopped by itself (ENOSPC, EFBIG, EIO, and EBADF if the program has
 * closed the descriptor).
 */
int umad_capture_stop(void);

#ifdef __cplusplus
}
#endif

#endif
