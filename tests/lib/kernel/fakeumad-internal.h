/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * State that the files of fakeumad share: fakeumad.c (the policy), fakeumad-script.c (what is
 * expected) and fakeumad-reply.c (packets). All under the lock of the kernel.
 */
#ifndef TESTS_LIB_FAKEUMAD_INTERNAL_H
#define TESTS_LIB_FAKEUMAD_INTERNAL_H

#include "fakeumad.h"

#include <rdma/ib_user_mad.h>

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
	uint8_t packet[FAKEUMAD_PACKET];
	size_t size;
	struct fakeumad_reply replies[MAX_REPLIES];
	int reply_count;
};

struct fakeumad_script {
	struct step steps[MAX_STEPS];
	int step_count;
	int next_step;
	bool scripted;
	fakeumad_response_fn *response;
	void *context;
	char failure[512]; /* the first one */
	int poll_failures;
	int poll_error;
	int writes;
	uint8_t kept[FAKEUMAD_KEPT][FAKEUMAD_PACKET];
	size_t kept_size[FAKEUMAD_KEPT];
};

extern struct fakeumad_script fake;

void fakeumad_note_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct step *fakeumad_take_step(enum step_kind kind, bool *wrong);
int fakeumad_follow_write(int device, const uint8_t *packet, size_t size); /* an errno, or 0 */
/* Whether the script says something of an ioctl, and its errno, or 0. */
bool fakeumad_follow_ioctl(enum step_kind kind, void *argument, int *error);

#endif
