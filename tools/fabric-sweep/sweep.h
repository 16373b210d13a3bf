/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Functions and structures that the files of fabric-sweep share. */
#ifndef FABRIC_SWEEP_H
#define FABRIC_SWEEP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <infiniband/mad_fabric_changes.h>
#include <infiniband/mad_fabric_counters.h>

#include "options.h"

struct thresholds;

#define FABRIC_SWEEP_SCHEMA 1
#define IS_SM		    0x2 /* in CapabilityMask of PortInfo */
#define PROBLEM_SIZE	    1024

/* The last known state: values that the sweeps so far could not read are as they were before. */
struct state {
	struct mad_fabric *fabric;	      /* NULL: nothing is known */
	struct mad_fabric_counters *counters; /* NULL: none were ever read */
	struct mad_fabric *expected; /* with what is gone, too, for the keys of protected nodes;
				      * NULL: nothing is known */
	int64_t counters_time; /* when counters were last read, seconds since 1970; 0: never */
	int64_t last_complete; /* when the last complete sweep began, the same; 0: none was */
	void *links;	       /* for links.c */
};

/* The results of a sweep; where it found nothing (error), those of the last one. */
struct sweep {
	struct mad_fabric *fabric;	      /* NULL: nothing was ever found */
	struct mad_fabric_counters *counters; /* NULL: not wanted */
	int error;			      /* errno: why the sweep found nothing */
	size_t unread_counters;		      /* ports */
	int64_t last_complete;		      /* seconds since 1970; 0: no sweep was complete yet */
	int64_t counters_ns;		      /* how long reading the counters took */
	int64_t counters_time;		      /* when that began, seconds since 1970 */
	struct mad_rpc_statistics statistics; /* of the program so far */
	const struct state *state;	      /* the sweep is merged into; NULL: none */
};

/* main.c: the number of the signal that asked the program to stop; 0: none. */
extern volatile sig_atomic_t sweep_stop_signal;

/*
 * make.c: sweeps once. expected: the fabric as it was, for the keys of protected nodes, or NULL.
 * Returns 0 or an errno; sweep->fabric is NULL when nothing was found.
 */
int sweep_make(const struct options *options, struct ibmad_port *port,
	       const struct mad_fabric *expected, struct sweep *sweep);
/*
 * Replaces the counters of a sweep by what its ports have counted now; the caller frees the older
 * ones. Returns whether that went well, and shows the fabric that is known: all ports respond that
 * did, and no link went down.
 */
bool sweep_read_again(const struct options *options, struct ibmad_port *port, struct sweep *sweep);
void sweep_free(struct sweep *sweep);
/* Everything that the fabric shows was read. */
bool sweep_is_complete(const struct sweep *sweep);
/* Why not: "2 nodes and the other ends of 3 links did not respond"; empty for a complete sweep. */
void sweep_explain_partial(const struct sweep *sweep, char *text, size_t size);

/* state.c */
/* Adds the known nodes to those that the next sweep expects; false after saying what is wrong. */
bool state_expect(struct state *state);
/*
 * Merges a sweep into the state; has_keys: also into what is expected. What was known before goes
 * to *before, which the caller frees. False after saying what is wrong; the state is as it was.
 */
bool state_take(struct state *state, const struct sweep *sweep, bool has_keys,
		struct state *before);
/* As state_take(), for the counters of a sweep alone. */
bool state_take_counters(struct state *state, const struct sweep *sweep,
			 struct mad_fabric_counters **before);
void state_free(struct state *state);

/* list.c: an array that grows. */
struct list {
	void *items;
	size_t count;
};

/* A further item of that size, all zero, which moves with the next one; NULL without memory. */
void *list_add(struct list *list, size_t size);
void list_free(struct list *list);

/* Takes a line with its end. Returns 0, -EBADMSG for a wrong line or another -errno. */
typedef int line_reader(void *context, char *line);
/*
 * Has take read a file, and closes it; NULL: it could not be opened, for errno. False after saying
 * what is wrong; wanted: what a line is.
 */
bool lines_read(FILE *file, const char *option, const char *name, const char *wanted,
		line_reader *take, void *context);

/* build.c: a port, by its node. */
struct link_end {
	uint64_t guid;
	unsigned duplicate;
	unsigned port_number;
};

struct link_end link_end_of(const struct mad_fabric_port *port);
int link_end_compare(const struct link_end *a, const struct link_end *b);

/* A port in a file. */
struct file_port {
	struct link_end end;
	struct link_end peer;		     /* port_number 0: none */
	struct mad_fabric_port port;	     /* without node, peer and port_number */
	const struct mad_fabric_port *built; /* by file_fabric_build(); NULL: no such port */
};

/* A fabric in a file. */
struct file_fabric {
	struct list nodes; /* struct mad_fabric_node */
	struct list ports; /* struct file_port */
	bool repeats;	   /* ports may be given again: the first one counts */
	int64_t time_ns;   /* as mad_fabric_description has them */
	int error;
};

/* Builds it; a link is one if each of its ports names the other. NULL with errno. */
struct mad_fabric *file_fabric_build(const struct file_fabric *file);

/* links.c: the last known peers of ports; *links is NULL so far where none are known. */
struct last_link {
	struct link_end from; /* first: links are found by it */
	struct link_end to;
	unsigned lid; /* of the peer */
	unsigned type;
	char name[IB_SMP_DATA_SIZE + 1];
};

/* Adds or replaces one; false without memory. */
bool links_add(void **links, const struct last_link *link);
/* Adds the links of a fabric; false without memory. */
bool links_update(void **links, const struct mad_fabric *fabric);
/* The last known link of a port; NULL: the port never had one, or its peer is linked elsewhere. */
const struct last_link *links_find(void *const *links, const struct mad_fabric_port *port);
void links_free(void **links);

/* watch.c: sweeps until a signal comes, and prints what changes. Returns the exit status. */
int watch(const struct options *options, const struct thresholds *thresholds,
	  struct ibmad_port **port, struct sweep *last, struct state *state);

/* traps.c: notices that the SA forwards. */
/* Has the SA forward what reports changes; says what is wrong. */
void traps_subscribe(struct ibmad_port *port);
/*
 * Waits so many seconds, until a signal comes, or until the SA has reported a change: prints what
 * comes then, within a second. Returns whether something came.
 */
bool traps_wait(struct ibmad_port *port, const struct mad_fabric *fabric, unsigned seconds);

/* messages.c: on standard error, behind the program's name. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Begins a round: a message that the round before had, too, is not printed again. */
void complain_next_round(void);
void warn_of_sweep(const struct sweep *sweep);
/* Flushes standard output; false after saying why that failed. */
bool flush_output(void);
/* Flushes standard output; false if nobody reads the pipe any more, after saying so. */
bool output_is_read(void);
const char *error_text(int error);
/* As mad_fabric_problem_text(), with the name of node_name(). */
void problem_text(const struct mad_fabric_problem *problem, char text[PROBLEM_SIZE]);
/* Prints the problems of a fabric, each on a line that begins with a text; returns their number. */
size_t problems_print(const struct mad_fabric *fabric, const char *begin, FILE *file);
/* The errno whose text that is, or EIO. */
int error_of_text(const char *text);

/* node_names.c */
/* Reads the file of that name, NULL: what is at the default places; false after saying why not. */
bool node_names_read(const char *name);
/* The name that the site gives to a node, or its description; empty: not known. */
const char *node_name(const struct mad_fabric_node *node);
/* As node_name(), of a node that is gone, by its GUID and how it described itself. */
const char *node_name_or(uint64_t guid, const char *description);

/* open.c: an open port with the keys of the options, or NULL after saying what to do. */
struct ibmad_port *open_port(const struct options *options);
void close_port(struct ibmad_port *port);

/* keys.c: has requests of a port carry the keys of the options; false after saying why not. */
bool keys_attach(const struct options *options, struct ibmad_port *port);

/* The links that opensm knows, if its files are used; false after saying what is wrong. */
bool keys_read_neighbours(const struct options *options, struct mad_fabric **expected);

/* neighbours.c: a fabric of the links in a file of opensm's; NULL after saying why not. */
struct mad_fabric *neighbours_read(const char *name);

/* Progress, for the options of a sweep. */
bool progress_show(const struct mad_fabric_progress *progress, void *context);
void progress_clear(void);

/* names.c */
/* "name (0x...)", or the GUID alone. */
void print_node(const struct mad_fabric_node *node, FILE *file);
/* As print_node(), and " port 1". */
void print_end(const struct mad_fabric_port *port, FILE *file);
#define NS_PER_S INT64_C(1000000000)
const char *node_type_name(unsigned type);
const char *port_state_name(unsigned state);
const char *physical_state_name(unsigned state);
/* By CLOCK_MONOTONIC. */
int64_t now_ns(void);
void format_time(int64_t ns, char text[32]);
/* "4xEDR"; "?????" where it is not known. */
void format_rate(const struct mad_fabric_port *port, char text[16]);
/* The best rate for which both ends of a link are enabled. */
void format_best_rate(const struct mad_fabric_port *link, char text[16]);
/* The signalling rate of a link; 0 where that is not known. */
uint64_t signal_bytes_per_second(const struct mad_fabric_port *port);
/* The data rate of a link, as sysfs and tools have it. */
uint64_t data_bytes_per_second(const struct mad_fabric_port *port);
/* A subnet manager runs at the port, a master or a standby. */
bool has_subnet_manager(const struct mad_fabric_port *port);
/* A port that does not run at what both ends are enabled for. */
bool is_degraded(const struct mad_fabric_port *port);

/* files.c */
/*
 * The file behind a name, without links, which may be missing: what is replaced. Returns its name,
 * which the caller frees; NULL with errno.
 */
char *file_resolve(const char *name);
/* Removes temporary files that a killed process has left beside a file. */
void file_remove_leftovers(const char *path);
/*
 * Creates a temporary file for path, locked: file_remove_leftovers() leaves that to the process
 * that uses it. The caller frees *name. Returns -1 with errno, and *name NULL.
 */
int file_create_temporary(const char *path, char **name);

/* output.c */
/* Whether every output can be written; false after saying which can't. */
bool outputs_check(const struct options *options);
/*
 * Writes every output that is wanted, also when another can't be written; false if any can't.
 * Without a fabric, only metrics, which say so.
 */
bool outputs_write(const struct sweep *sweep, const struct options *options);

/* Writers: one sweep as one format. Return whether it was made; not whether it could be written. */
typedef bool sweep_writer(const struct sweep *sweep, const struct options *options, FILE *file);
sweep_writer text_write, summary_write, json_write, csv_write, prometheus_write, dot_write,
	svg_write;

/* json.c: pieces of JSON, each behind a comma: "KEY": VALUE. */
void json_put_text(const char *key, const char *value, FILE *file);
void json_put_number(const char *key, uint64_t value, FILE *file);
void json_put_device(const struct mad_fabric_node *node, FILE *file);
/* "guid": "0x..." behind some text instead. */
void json_begin_guid(const char *begin, uint64_t guid, FILE *file);

/*
 * json_read.c: reads what json_write() wrote into an empty state, and closes the file; NULL: it
 * could not be opened, for errno. False after saying why not.
 */
bool json_read(FILE *file, const char *option, const char *name, struct state *state);
/* text_read.c: reads JSON or a topology as ibnetdiscover writes it; as json_read(). */
bool state_read(const char *option, const char *name, struct state *state);

/*
 * changes.c: prints what differs, in words to the file and as JSON as the options want it; returns
 * the number of differences, or -1.
 */
int changes_print(const struct options *options, const struct mad_fabric *older,
		  const struct mad_fabric *newer, FILE *file);

/* thresholds.c */
/* Of a later library, further counters are left out. */
#define COUNTERS_MAX 128
static inline unsigned counter_count(void)
{
	unsigned count = mad_fabric_counter_count();

	return count < COUNTERS_MAX ? count : COUNTERS_MAX;
}

/* Rates of wrong bits since an earlier sweep. */
enum { RATE_SYMBOL, RATE_EFFECTIVE, RATES }; /* effective: FEC has not corrected them */
extern const char *const rate_names[RATES];

/* Thresholds beside those of counters, behind which they are in thresholds.given. */
enum {
	THRESHOLD_RATES = COUNTERS_MAX,
	THRESHOLD_SUBNET_MANAGERS = THRESHOLD_RATES + RATES,
	THRESHOLDS
};

struct thresholds {
	uint64_t most[COUNTERS_MAX];  /* UINT64_MAX: not checked */
	uint64_t rises[COUNTERS_MAX]; /* since an earlier sweep, as far as these alone are wanted */
	uint64_t subnet_managers;     /* masters and standbys that may run */
	double rates[RATES];	      /* errors for each bit */
	bool given[THRESHOLDS];	      /* by the file */
};
/* The defaults, changed by the file that the options name; false after saying what is wrong. */
bool thresholds_read(struct thresholds *thresholds, const char *name);
/* Prints the defaults of all thresholds, as a file for thresholds_read(). */
void thresholds_list(void);

/* check.c */
/* Fewer errors than this make no rate: one in a short time would look like many. */
#define ERRORS_OF_A_RATE 10
/* Errors for each bit that the link of a port carries in that time; 0 for too few errors. */
double error_rate(const struct mad_fabric_port *port, uint64_t errors, double seconds);
/*
 * Prints counters that have risen by more than their limits; without thresholds: all errors, with
 * their rates. Returns how many ports have any.
 */
size_t check_rises(const struct mad_fabric_counters *older, const struct mad_fabric_counters *newer,
		   const struct thresholds *thresholds, FILE *file);
/* Prints what has become worse, and what has ended if that is wanted; returns the number. */
size_t check_worse(const struct state *before, const struct state *now,
		   const struct thresholds *thresholds, bool with_ended, FILE *file);
/* Prints what is wrong, a line each; returns how many there are. */
size_t check_print(const struct sweep *sweep, const struct thresholds *thresholds,
		   const struct state *before, FILE *file);

/* findings.c: with thresholds all that --check finds beside counters, with NULL the problems. */
/* Prints a line each; returns how many there are. */
size_t findings_print(const struct mad_fabric *fabric, const struct thresholds *thresholds,
		      FILE *file);
/* Prints those that have begun, and those that have ended; returns how many have begun. */
size_t findings_compare(const struct mad_fabric *older, const struct mad_fabric *newer,
			const struct thresholds *thresholds, bool with_ended, FILE *file);

#endif
