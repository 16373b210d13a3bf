/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the parts of fabric-sweep share. */
#ifndef FABRIC_SWEEP_H
#define FABRIC_SWEEP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <infiniband/mad_fabric.h>

#include "options.h"

#define FABRIC_SWEEP_SCHEMA 1

/* What one sweep found. */
struct sweep {
	struct mad_fabric *fabric;
	struct mad_fabric_counters *counters; /* NULL: not wanted */
};

/* main.c: the number of the signal that asked the program to stop; 0: none. */
extern volatile sig_atomic_t sweep_stop_signal;

/* messages.c: on standard error, behind the program's name. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn_of_problems(const struct mad_fabric *fabric);
const char *error_text(int error);

/* open.c: an open port, or NULL after saying what to do. */
struct ibmad_port *open_port(const struct options *options);

/* progress.c: for the options of a sweep. */
bool progress_show(const struct mad_fabric_progress *progress, void *context);
void progress_clear(void);

/* names.c */
const char *node_type_name(unsigned type);
const char *port_state_name(unsigned state);
const char *physical_state_name(unsigned state);
void format_time(int64_t seconds, char text[32]);
/* "4xEDR"; "?????" where it is not known. */
void format_rate(const struct mad_fabric_port *port, char text[16]);
/* A port that does not run at what both ends are enabled for. */
bool is_degraded(const struct mad_fabric_port *port);

/* Writers: one sweep as one format. */
typedef void sweep_writer(const struct sweep *sweep, const struct options *options, FILE *file);
sweep_writer text_write, summary_write, json_write, csv_write, prometheus_write, dot_write,
	svg_write;

/* json_read.c: a fabric that json_write() wrote; NULL after saying why not. */
struct mad_fabric *json_read(const char *option, const char *name);

/* changes.c: prints what differs; returns the number of differences, or -1. */
int changes_print(const struct mad_fabric *older, const struct mad_fabric *newer, FILE *file);
/* Prints error counters that rose; returns how many ports there are. */
int errors_print(const struct mad_fabric_counters *older, const struct mad_fabric_counters *newer,
		 FILE *file);

#endif
