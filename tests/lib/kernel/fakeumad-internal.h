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
#define CALL_SIZE   120
#define MAX_REPLIES 8
#define TID_OFFSET  8

struct step {
	char call[CALL_SIZE]; /* as the program makes it */
	int error;
	int agent;
	bool any_packet;
	uint8_t packet[FAKEUMAD_PACKET];
	size_t size;
	struct fakeumad_reply replies[MAX_REPLIES];
	int reply_count;
};

struct fakeumad_script {
	int step_count;
	int next_step;
	bool scripted;
	fakeumad_response_fn *response;
	void *context;
	char failure[512]; /* the first one */
	int poll_failures;
	int poll_error;
	int writes;
	/* Each test begins with zeros above. */
	struct step steps[MAX_STEPS];
	uint8_t kept[FAKEUMAD_KEPT][FAKEUMAD_PACKET];
	size_t kept_size[FAKEUMAD_KEPT];
};

extern struct fakeumad_script fake;

void fakeumad_note_failure(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The next step of the script, where it is this call; NULL where it is not, or without a script. */
struct step *fakeumad_take_step(const char *call, bool *wrong);
int fakeumad_follow_write(int device, const uint8_t *packet, size_t size); /* an errno, or 0 */
/* Whether the script says something of an ioctl, and its errno, or 0. */
bool fakeumad_follow_ioctl(unsigned long request, void *argument, int *error);

#endif
