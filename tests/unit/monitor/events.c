/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* events.c - plays events.tbl: see events.h. The verbs of monitors are here. */
#include "events.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { PATIENCE_MS = 20000, QUIET_MS = 90 };

struct umad_monitor *monitor;
struct umad_event event;

int set_up_host(void **state)
{
	forget_host();
	return fakenl_setup(state);
}

int tear_down_host(void **state)
{
	umad_monitor_close(monitor);
	monitor = NULL;
	return fakenl_teardown(state);
}

int next_event(void)
{
	memset(&event, 0xff, sizeof(event));
	return umad_monitor_read(monitor, &event, 0);
}

/* Within real time, whatever the clock of fakesys says. */
bool is_readable(int timeout_ms)
{
	struct pollfd fd = { .fd = umad_monitor_get_fd(monitor), .events = POLLIN };

	return poll(&fd, 1, timeout_ms) > 0;
}

static void see_port(char *name, char *changes)
{
	static const struct scene_name bits[] = {
		{ "state", UMAD_CHANGED_STATE }, { "phys", UMAD_CHANGED_PHYS_STATE },
		{ "lid", UMAD_CHANGED_LID },	 { "sm", UMAD_CHANGED_SM },
		{ "cap", UMAD_CHANGED_CAPMASK }, { .name = NULL }
	};
	static const struct scene_member members[] = {
		SCENE_NUMBER(struct umad_event, "port", port_number),
		SCENE_NUMBER(struct umad_event, "state", state),
		SCENE_NUMBER(struct umad_event, "phys", physical_state),
		SCENE_NUMBER(struct umad_event, "lid", base_lid),
		SCENE_NUMBER(struct umad_event, "lmc", lmc),
		SCENE_NUMBER(struct umad_event, "smlid", sm_lid),
		SCENE_NUMBER(struct umad_event, "smsl", sm_sl),
		SCENE_NUMBER(struct umad_event, "capmask", capability_mask),
		{ .name = NULL },
	};
	char *values = scene_split(changes, ';'), *number = scene_split(name, '.'), *bit, *rest;
	unsigned wanted = 0;

	for (bit = strtok_r(changes, ",", &rest); bit; bit = strtok_r(NULL, ",", &rest))
		wanted |= scene_find(bits, bit);
	assert_string_equal(event.ca_name, name);
	assert_int_equal(event.port_number, number ? scene_number(number) : 1);
	assert_int_equal(event.changed, wanted);
	for (char *at = values; at && (at = strchr(at, ';'));)
		*at = ' ';
	if (values)
		scene_assert_members(members, &event, values);
}

/* Of a node, NAME or NAME.PORT is whose it is. */
static void see_device(char *word, char *owner)
{
	char *number = owner ? scene_split(owner, '.') : NULL;

	assert_string_equal(event.ca_name, owner ? owner : word);
	assert_string_equal(event.node, owner ? word : "");
	assert_int_equal(event.port_number, number ? scene_number(number) : !!owner);
	assert_string_equal(event.old_name, "");
}

/* The bytes behind the name are zeros. */
static void assert_name_ends(void)
{
	for (size_t i = strlen(event.ca_name); i < sizeof(event.ca_name); i++)
		assert_int_equal(event.ca_name[i], 0);
}

/* After a device, each of its ports with all values. */
static void see_ports(const char *name, unsigned count)
{
	for (unsigned number = 1; number <= count; number++) {
		assert_int_equal(next_event(), 1);
		assert_string_equal(umad_event_str(event.type), "port changed");
		assert_string_equal(event.ca_name, name);
		assert_int_equal(event.port_number, number);
		assert_int_equal(event.changed, 0x1f);
	}
}

static void see(char *word)
{
	char *ports = *word == '+' ? scene_split(word, '/') : NULL, *old = scene_split(word, '<'),
	     *owner = scene_split(word, '@');
	char *changes = scene_split(word, ':');
	unsigned type = old			   ? UMAD_EVENT_DEVICE_RENAMED
			: changes		   ? UMAD_EVENT_PORT_CHANGED
			: !strcmp(word, "overrun") ? UMAD_EVENT_OVERRUN
			: *word == '+' && owner	   ? UMAD_EVENT_UMAD_ADDED
			: owner			   ? UMAD_EVENT_UMAD_REMOVED
			: *word == '+'		   ? UMAD_EVENT_DEVICE_ADDED
						   : UMAD_EVENT_DEVICE_REMOVED;

	assert_true(is_readable(0));
	assert_int_equal(next_event(), 1);
	assert_string_equal(umad_event_str(event.type), umad_event_str(type));
	assert_name_ends();
	if (old) {
		assert_string_equal(event.ca_name, word);
		assert_string_equal(event.old_name, old);
	} else if (changes) {
		see_port(word, changes);
	} else if (type == UMAD_EVENT_OVERRUN) {
		assert_string_equal(event.ca_name, "");
	} else {
		see_device(word + 1, owner);
		if (type == UMAD_EVENT_DEVICE_ADDED)
			see_ports(word + 1, ports ? (unsigned)scene_number(ports) : 1);
	}
}

static void play_sees(char *rest)
{
	char *word;

	while ((word = scene_word(&rest)))
		see(word);
	assert_int_equal(next_event(), 0);
	assert_false(is_readable(0));
}

/* A read that fails. */
static void play_fails(char *rest)
{
	errno = 0;
	assert_int_equal(next_event(), -1);
	assert_int_equal(errno, scene_number(rest));
}

/* "open", "open present" or "open EINVAL", with which that fails. Scans are off: what a scene sees
 * does not depend on how long it takes. */
static void play_open(char *rest)
{
	bool is_present = !strcmp(rest, "present");

	errno = EINTR; /* the caller's */
	monitor = umad_monitor_open(is_present ? UMAD_MONITOR_REPORT_PRESENT : 0);
	if (is_present || !*rest) {
		assert_non_null(monitor);
		assert_int_equal(umad_monitor_set_interval(monitor, 0), 0);
		assert_int_equal(errno, EINTR);
	} else {
		assert_null(monitor);
		assert_int_equal(errno, scene_number(rest));
	}
}

static void play_monitor(char *rest)
{
	char *what = scene_word(&rest);

	if (!strcmp(what, "close")) {
		umad_monitor_close(monitor);
		monitor = NULL;
	} else if (!strcmp(what, "rescan")) {
		assert_int_equal(umad_monitor_rescan(monitor), *rest ? -1 : 0);
		if (*rest)
			assert_int_equal(errno, scene_number(rest));
	} else if (!strcmp(what, "interval")) {
		assert_int_equal(umad_monitor_set_interval(monitor, (int)scene_number(rest)), 0);
	} else if (!strcmp(what, "waits")) {
		assert_true(is_readable(PATIENCE_MS));
	} else if (!strcmp(what, "wait-scans")) {
		for (int left = (int)scene_number(rest); left; left--) {
			assert_true(is_readable(PATIENCE_MS));
			errno = EBADF; /* the caller's */
			assert_int_equal(next_event(), 0);
			assert_int_equal(errno, EBADF);
		}
	} else {
		assert_false(is_readable(QUIET_MS));
	}
}

static const struct scene_verb monitor_verbs[] = {
	{ "open", play_open }, { "monitor", play_monitor },
	{ "sees", play_sees }, { "fails", play_fails },
	{ .name = NULL },
};

void play_statement(char *statement)
{
	static const struct scene_verb *const all[] = { host_verbs, monitor_verbs, call_verbs,
							NULL };

	scene_play_verb(all, statement);
}

void play(const char *statement)
{
	scene_play_copy(play_statement, statement);
}
