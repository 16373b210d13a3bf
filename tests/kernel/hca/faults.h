/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Faults of frames between the devices and the fabric: losses, repetitions, delays, forgeries. */
#ifndef TESTS_KERNEL_HCA_FAULTS_H
#define TESTS_KERNEL_HCA_FAULTS_H

#include "frame.h"

#include <stdbool.h>
#include <stdint.h>

/* A frame on its way to a device, or from one into the fabric. */
struct passing {
	struct passing *next;
	int64_t due_ns;
	bool to_device;
	struct vhca_frame frame;
};

/*
 * Takes a command: "lose N", "repeat N", "hold N" (until the next frame has passed), "delay MS",
 * "forge N" (before the response a copy with another transaction ID), "only smp|gmp|all", "report"
 * (on stdout: the frames since the last report, the time from the first to the last of them, and
 * all faults). One frame of N is concerned, by chance, which follows from the seed in "lose N SEED"
 * and so on; 0 ends it. False if it is none of these.
 */
bool faults_command(const char *line);

/* A frame passes at a time (CLOCK_MONOTONIC). */
void faults_pass(const struct vhca_frame *frame, bool to_device, int64_t now_ns);

/* The next frame that has arrived by now, which the caller frees, or NULL. */
struct passing *faults_next(int64_t now_ns);

/* How long poll() may wait for the next one, in ms; -1: none is on its way. */
int faults_wait_ms(int64_t now_ns);

#endif
