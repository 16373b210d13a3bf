/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the files of fakeumad share: the state of the fake kernel, all of it under its lock. */
#ifndef TESTS_UNIT_FAKEUMAD_INTERNAL_H
#define TESTS_UNIT_FAKEUMAD_INTERNAL_H

#include "fakeumad.h"

#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <sys/types.h>

#define FIRST_FD    1024
#define MAX_DEVICES 16
#define MAX_AGENTS  64
#define MAX_STEPS   64
#define MAX_REPLIES 8
#define TID_OFFSET  8

enum step_kind { STEP_OPEN, STEP_ENABLE_PKEY, STEP_REGISTER, STEP_UNREGISTER, STEP_WRITE };

struct step {
	enum step_kind kind;
	int error;
	int agent;
	char path[64];
	struct ib_user_mad_reg_req registration;
	bool any_packet;
	uint8_t packet[FAKEUMAD_HEADER + FAKEUMAD_MAD];
	size_t size;
	struct fakeumad_reply replies[MAX_REPLIES];
	int reply_count;
};

struct arrival {
	struct arrival *next;
	int fd;
	int error;
	int64_t due; /* ms */
	size_t size;
	uint8_t packet[];
};

struct fakeumad_kernel {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool ready;

	bool open[MAX_DEVICES];
	int agents[MAX_AGENTS]; /* the descriptor of each that is registered */
	struct arrival *arrivals;
	int gone; /* errno of a device that was removed */
	int poll_failures;
	int poll_error;

	struct step steps[MAX_STEPS];
	int step_count;
	int next_step;
	bool scripted;
	fakeumad_answer_fn *answer;
	void *context;
	char failure[512]; /* the first one */

	int writes;
	int polls;
	int reads;
	uint8_t kept[FAKEUMAD_KEPT][FAKEUMAD_HEADER + FAKEUMAD_MAD];
	size_t kept_size[FAKEUMAD_KEPT];
};

extern struct fakeumad_kernel fake;

/* fakeumad.c; all with the lock held */
void fakeumad_note_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct step *fakeumad_take_step(enum step_kind kind, bool *wrong);
int fakeumad_scripted_write(int fd, const uint8_t *packet, size_t size);
void fakeumad_clear_arrivals(int fd);

/* fakeumad-sysfs.c */
bool fakeumad_sysfs_has(const char *path);
int fakeumad_sysfs_open(const char *path);
bool fakeumad_sysfs_owns(int fd);
long fakeumad_sysfs_read(int fd, void *buffer, size_t size);
void fakeumad_sysfs_close(int fd);
void fakeumad_sysfs_reset(void);
int fakeumad_sysfs_open_files(void);

#endif
