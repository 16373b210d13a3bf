/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Capture: every MAD that the process sends and receives, in a file that Wireshark and tshark show
 * as InfiniBand packets.
 *
 *	if (umad_capture_start("sweep.pcap") < 0)
 *		perror("sweep.pcap");
 *	...
 *	umad_capture_stop();
 *
 * Without a change to the program, LIBIBUMAD_CAPTURE=sweep.pcap in its environment does the same:
 * the capture begins with umad_init() or the first port that is opened, and ends with the process.
 * %p in that value stands for the process id. Programs that run with more rights than their caller
 * (setuid) ignore it. If the file can't be made, a line on stderr says why, and the program goes
 * on.
 *
 * The file is a pcap file with times in nanoseconds and link type 197 (ERF); each record holds one
 * packet as it is on the wire, from the local route header to both checksums. erf.flags.cap is 0
 * for what was sent and 1 for what was received. docs/debugging.md says which fields are known and
 * which are filled in.
 *
 * Each record is written at once, by one call, so that all of them can be read whenever the program
 * ends, however it ends. When a record can't be written (a full disk, a size limit) the capture
 * ends, with one line on stderr; the program goes on. A process that is forked writes to the same
 * file; one that executes another program hands the variable on to it, but not the file.
 *
 * Keys in MADs are zeros in the file (the M_Key, SM_Key, B_Key, CC key, and keys of performance
 * management and class 0x0a in the headers; M_Keys in PortInfo, SM_Keys in SMInfo, ServiceKeys, and
 * the keys of BKeyInfo and CongestionKeyInfo) unless umad_capture_include_keys() or
 * LIBIBUMAD_CAPTURE_KEYS=1 in the environment says otherwise. Requests that the program makes in
 * vendor classes other than 0x0a, and the data of notices, are recorded as they are.
 *
 * Any thread may call these functions at any time.
 */
#ifndef INFINIBAND_UMAD_CAPTURE_H
#define INFINIBAND_UMAD_CAPTURE_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Begins to write all MADs, of all ports of this process, to a new file named path (a copy of which
 * is kept), which only its owner may read and write. A file of that name is replaced if it is a
 * regular file of the user's own; nothing else is, and no symbolic link is followed. Returns 0, or
 * a negative errno which is in errno too: -EINVAL (NULL or an empty name), -EBUSY (a capture runs
 * already), -EPERM (what is there is no regular file, or another user's), -ELOOP (it is a symbolic
 * link), -ENOMEM, or what making and writing a file gives, such as -ENOENT, -EACCES and -ENOSPC.
 * Whatever it returns but 0, files are as they were.
 */
int umad_capture_start(const char *path);

/*
 * Ends the capture and closes its file. Returns 0, or a negative errno which is in errno too:
 * -EINVAL if no capture runs, or, once, why one has ended by itself (-ENOSPC, -EFBIG, -EIO, and
 * -EBADF if the program has closed the descriptor).
 */
int umad_capture_stop(void);

/* Whether (include not 0) keys are recorded as they are, from now on and in later captures. */
void umad_capture_include_keys(int include);

#ifdef __cplusplus
}
#endif

#endif
