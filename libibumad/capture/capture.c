/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Writes MADs sent and received to a pcap file. Input: the MADs from io.c, a file name from
 * the program or LIBIBUMAD_CAPTURE. Accesses that file, through file.c, and stderr if a
 * capture fails. One lock guards everything in this file.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "common/refusals.h"
#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

#define ENVIRONMENT	 "LIBIBUMAD_CAPTURE"
#define ENVIRONMENT_KEYS "LIBIBUMAD_CAPTURE_KEYS"

enum {
	ERF_HEADER_SIZE = 16,
	ERF_TYPE_INFINIBAND = 21,
	ERF_VARYING_LENGTH = 0x04,
};

/* In the machine's byte order, as the header of the file. */
struct pcap_record {
	uint32_t seconds;
	uint32_t nanoseconds;
	uint32_t size;
	uint32_t size_on_wire;
	uint8_t erf[ERF_HEADER_SIZE];
	uint8_t packet[UMAD_PACKET_SIZE_MAX];
};

enum { PCAP_RECORD_HEADER_SIZE = offsetof(struct pcap_record, erf) };
_Static_assert(PCAP_RECORD_HEADER_SIZE == 16, "pcap: record header");

static struct {
	bool runs;
	int ended_by; /* why the last capture stopped by itself: a negative errno */
	bool includes_keys;
	struct umad_capture_file file;
	char name[256]; /* of the file, for messages; truncated if it is longer */
	struct pcap_record record;
} capture;

static atomic_bool environment_read; /* set with the lock held */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	sigset_t signals;
	int cancel_state;
} holder; /* the thread that holds the lock, before it took it */

/* A thread that holds the lock handles no signals and cannot be cancelled, so a signal handler may
 * send MADs, too. */
static void take_lock(void)
{
	int cancel_state = umad_sys_hold_cancel();
	sigset_t all, signals;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &signals);
	pthread_mutex_lock(&lock);
	holder.signals = signals;
	holder.cancel_state = cancel_state;
}

static void release_lock(void)
{
	__typeof__(holder) released = holder;

	pthread_mutex_unlock(&lock);
	pthread_sigmask(SIG_SETMASK, &released.signals, NULL);
	umad_sys_release_cancel(released.cancel_state);
}

/* fork() waits for the lock, so that the child, which has no other threads, finds it free. At load
 * time, since another thread may fork while the lock is taken for the first time. Out of memory,
 * forks are no safer than without this. */
static __attribute__((constructor)) void prepare_forks(void)
{
	pthread_atfork(take_lock, release_lock, release_lock);
}

/* With the lock held. */
static int start(const char *path, uint32_t flags)
{
	int result;

	if (!path || !*path)
		return mad_refuse(MAD_REFUSED_CAPTURE_PATH);
	if (flags & ~UMAD_CAPTURE_KEYS)
		return mad_refuse(MAD_REFUSED_CAPTURE_FLAGS);
	if (capture.runs)
		return mad_refuse(MAD_REFUSED_CAPTURE_RUNS);
	result = umad_capture_file_create(path, &capture.file);
	if (result < 0)
		return result;
	snprintf(capture.name, sizeof(capture.name), "%.*s", (int)sizeof(capture.name) - 1, path);
	capture.runs = true;
	capture.includes_keys = flags & UMAD_CAPTURE_KEYS;
	umad_state_watch(UMAD_WATCHER_CAPTURE, true);
	return 0;
}

/* With the lock held. */
static int stop(void)
{
	int ended_by = capture.ended_by;

	capture.ended_by = 0;
	if (!capture.runs)
		return ended_by ? ended_by : mad_refuse(MAD_REFUSED_NO_CAPTURE);
	umad_state_watch(UMAD_WATCHER_CAPTURE, false);
	capture.runs = false;
	return umad_capture_file_close(&capture.file);
}

int umad_capture_start(const char *path, uint32_t flags)
{
	int saved_errno = errno, error;

	take_lock();
	error = start(path, flags);
	release_lock();
	errno = saved_errno;
	return umad_state_fail(error);
}

int umad_capture_stop(void)
{
	int saved_errno = errno, error;

	take_lock();
	error = stop();
	release_lock();
	errno = saved_errno;
	return umad_state_fail(error);
}

/* Replaces each %p by the process ID. The caller frees the result; NULL if out of memory. */
static char *expand(const char *pattern)
{
	char *path = malloc(strlen(pattern) * 11 + 1); /* two characters become at most 22 */
	char *at = path;

	for (; path && *pattern; pattern++) {
		if (pattern[0] != '%' || pattern[1] != 'p') {
			*at++ = *pattern;
		} else {
			at += snprintf(at, 22, "%ld", (long)getpid());
			pattern++;
		}
	}
	if (path)
		*at = '\0';
	return path;
}

/* Starts the capture that LIBIBUMAD_CAPTURE asks for, once in a process. */
void umad_capture_read_environment(void)
{
	int saved_errno = errno, result = 0;
	const char *pattern, *keys;
	char *path;

	if (environment_read)
		return;
	pattern = secure_getenv(ENVIRONMENT);
	keys = secure_getenv(ENVIRONMENT_KEYS);
	take_lock();
	if (!environment_read && pattern && *pattern && !capture.runs) {
		path = expand(pattern);
		result = path ? start(path, keys && !strcmp(keys, "1") ? UMAD_CAPTURE_KEYS : 0)
			      : -ENOMEM;
		free(path);
	}
	environment_read = true;
	release_lock();
	if (result < 0)
		umad_state_print(result, "no capture to %s", pattern);
	errno = saved_errno;
}

/* The ERF header: the time in units of 2^-32 seconds, lowest byte first, the type, flags (the lower
 * two bits are the interface) and lengths. */
static void put_erf_header(uint8_t erf[ERF_HEADER_SIZE], const struct umad_capture_note *note,
			   size_t size)
{
	uint64_t fraction = ((uint64_t)note->when.tv_nsec << 32) / 1000000000;
	uint64_t time = (uint64_t)note->when.tv_sec << 32 | fraction;

	for (int i = 0; i < 8; i++)
		erf[i] = (uint8_t)(time >> 8 * i);
	erf[8] = ERF_TYPE_INFINIBAND;
	erf[9] = (uint8_t)(ERF_VARYING_LENGTH | note->received);
	mad_put_be16(erf + 10, (uint16_t)(ERF_HEADER_SIZE + size));
	mad_put_be16(erf + 12, 0);
	mad_put_be16(erf + 14, (uint16_t)size);
}

/* Writes MAD number index of a message as one record. */
static int append(const struct umad_capture_note *note, size_t index)
{
	struct pcap_record *record = &capture.record;
	size_t size = umad_packet_build(note, index, record->packet);

	put_erf_header(record->erf, note, size);
	record->seconds = (uint32_t)note->when.tv_sec;
	record->nanoseconds = (uint32_t)note->when.tv_nsec;
	record->size = record->size_on_wire = (uint32_t)(ERF_HEADER_SIZE + size);
	return umad_capture_file_append(&capture.file, record,
					PCAP_RECORD_HEADER_SIZE + record->size);
}

/* Copies a MAD: before it is sent, because once it is, another thread may receive the response and
 * the program may reuse the buffer. */
void umad_capture_note_mad(int portid, const void *umad, size_t length, bool received,
			   struct umad_capture_note *note)
{
	const struct ib_user_mad *header = umad;
	size_t header_size = umad_state_header_size();
	const uint8_t *mad = (const uint8_t *)umad + header_size;

	*note = (struct umad_capture_note){ .received = received, .length = length };
	memcpy(&note->address, &header->addr, header_size - offsetof(struct ib_user_mad, addr));
	clock_gettime(CLOCK_REALTIME, &note->when);
	note->mad = length > sizeof(note->head) ? malloc(length) : note->head;
	if (note->mad)
		memcpy(note->mad, mad, length);
	if (note->mad != note->head)
		memcpy(note->head, mad, sizeof(note->head));
	/* the kernel numbers the segments, and ignores a number that the program has left */
	if (note->mad && !received && umad_owner_has_rmpp(portid, header->agent_id) &&
	    umad_packet_is_data(mad, length))
		mad_put_be32(note->mad + RMPP_SEGMENT, 0);
	umad_packet_find_own(portid, note);
}

/* With the lock held: writes a message as the MADs that carry it. A failure ends the capture. */
static int add(const struct umad_capture_note *note)
{
	size_t count;
	int error = note->mad ? 0 : -ENOMEM;

	if (!capture.runs)
		return 0;
	if (note->mad && !capture.includes_keys)
		umad_capture_hide_keys(note->mad, note->length);
	count = note->mad ? umad_packet_count(note->mad, note->length) : 0;
	for (size_t i = 0; i < count && !error; i++)
		error = append(note, i);
	if (error < 0) {
		stop();
		capture.ended_by = error;
	}
	return error;
}

/* Writes the copied MAD to the capture that runs now. */
void umad_capture_add(struct umad_capture_note *note)
{
	char name[sizeof(capture.name)];
	int error;

	take_lock();
	error = add(note);
	if (error < 0)
		strcpy(name, capture.name);
	release_lock();
	if (error < 0)
		umad_state_print(error, "capture to %s stopped", name);
}

void umad_capture_free_note(void *note)
{
	struct umad_capture_note *copy = note;

	if (copy->mad != copy->head)
		free(copy->mad);
}
