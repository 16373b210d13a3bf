/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* recording.h - a folder, a wire whose MADs are recorded, and what is to be in a file. */
#ifndef TESTS_CAPTURE_RECORDING_H
#define TESTS_CAPTURE_RECORDING_H

#include "pcapfile.h"
#include "test.h"
#include "wire.h"

#include <errno.h>
#include <infiniband/umad_capture.h>

enum { PATH_SIZE = 64, RECORD = 16 + 16 + 290, CALLERS = 77 };

extern char folder[]; /* for files; a test leaves none there */
extern char name[PATH_SIZE];
extern struct wire wire;

int setup(void **state);
int teardown(void **state);
int make_folder(void **state);
int remove_folder(void **state);

#define CASE(name) TEST_WITH(name, setup, teardown)

void send_many(int count);

/* Begins a capture to the file `name`; ends it, and so many packets are in the file. */
void begin_capture(void);
void end_capture(size_t count);

/* The file is in order and has so many packets; the caller frees it. */
struct pcap_file read_back(size_t count);
void assert_packets(size_t count);

void put_file(const char *path, const char *content);
void assert_content(const char *path, const char *content);

#endif
