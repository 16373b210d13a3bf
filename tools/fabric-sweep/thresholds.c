/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* How many errors --check lets pass: the defaults, and files that change them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

#define MOST_OF_LINK	10    /* a good link has none of these errors */
#define MOST_OF_TRAFFIC 100   /* routing, reboots and congestion cause these, too */
#define MOST_OF_BITS	1e-12 /* the specification allows a link so many wrong bits */
#define SUBNET_MANAGERS "SubnetManagers"
#define BLANKS		" \t\r\n"

const char *const rate_names[RATES] = {
	[RATE_SYMBOL] = "SymbolBER", [RATE_EFFECTIVE] = "EffectiveBER"
};

static void set_defaults(struct thresholds *thresholds)
{
	static const enum mad_fabric_counter of_traffic[] = {
		MAD_FABRIC_COUNTER_RCV_REMOTE_PHYSICAL_ERRORS,
		MAD_FABRIC_COUNTER_RCV_SWITCH_RELAY_ERRORS,
		MAD_FABRIC_COUNTER_XMIT_DISCARDS,
		MAD_FABRIC_COUNTER_XMIT_CONSTRAINT_ERRORS,
		MAD_FABRIC_COUNTER_RCV_CONSTRAINT_ERRORS,
		MAD_FABRIC_COUNTER_VL15_DROPPED,
		MAD_FABRIC_COUNTER_QP1_DROPPED,
	};

	*thresholds = (struct thresholds){ .subnet_managers = 1,
					   .rates = { MOST_OF_BITS, MOST_OF_BITS } };
	for (unsigned i = 0; i < counter_count(); i++)
		thresholds->most[i] =
			mad_fabric_counter_get_kind(i)->is_error ? MOST_OF_LINK : UINT64_MAX;
	for (unsigned i = 0; i < sizeof(of_traffic) / sizeof(of_traffic[0]); i++)
		thresholds->most[of_traffic[i]] = MOST_OF_TRAFFIC;
	memcpy(thresholds->rises, thresholds->most, sizeof(thresholds->rises));
	thresholds->rises[MAD_FABRIC_COUNTER_LINK_DOWNED] = 0;
}

static unsigned find_threshold(const char *name)
{
	for (unsigned i = 0; i < RATES; i++)
		if (!strcmp(name, rate_names[i]))
			return THRESHOLD_RATES + i;
	for (unsigned i = 0; i < counter_count(); i++)
		if (!strcmp(name, mad_fabric_counter_get_kind(i)->name))
			return i;
	return !strcmp(name, SUBNET_MANAGERS) ? THRESHOLD_SUBNET_MANAGERS : THRESHOLDS;
}

static bool set_threshold(struct thresholds *thresholds, const char *name, const char *value)
{
	unsigned number = find_threshold(name);
	char *end = NULL;

	if (*value < '0' || *value > '9' || number == THRESHOLDS || thresholds->given[number])
		return false;
	thresholds->given[number] = true;
	errno = 0;
	if (number == THRESHOLD_SUBNET_MANAGERS)
		thresholds->subnet_managers = strtoull(value, &end, 10);
	else if (number >= THRESHOLD_RATES)
		thresholds->rates[number - THRESHOLD_RATES] = strtod(value, &end);
	else
		thresholds->most[number] = thresholds->rises[number] = strtoull(value, &end, 10);
	return !*end && !errno;
}

/* "Counter=number", as ibqueryerrors reads it, with blanks around it; "#" begins a comment. */
static int take_line(void *context, char *line)
{
	char *name, *value, *rest;

	line[strcspn(line, "#")] = '\0';
	name = strtok_r(line, BLANKS, &rest);
	if (!name)
		return 0;
	value = strchr(name, '=');
	if (!value || strtok_r(NULL, BLANKS, &rest))
		return -EBADMSG;
	*value = '\0';
	return set_threshold(context, name, value + 1) ? 0 : -EBADMSG;
}

bool thresholds_read(struct thresholds *thresholds, const char *name)
{
	set_defaults(thresholds);
	return !name || lines_read(fopen(name, "re"), "--thresholds", name,
				   "COUNTER=NUMBER, of a counter that no other line has; "
				   "'--thresholds list' names all counters",
				   take_line, thresholds);
}

void thresholds_list(void)
{
	struct thresholds thresholds;

	set_defaults(&thresholds);
	for (unsigned i = 0; i < counter_count(); i++) {
		const char *name = mad_fabric_counter_get_kind(i)->name;

		if (thresholds.most[i] == UINT64_MAX)
			printf("# %s: not checked\n", name);
		else
			printf("%s=%" PRIu64 "\n", name, thresholds.most[i]);
	}
	for (unsigned i = 0; i < RATES; i++)
		printf("%s=%g\n", rate_names[i], thresholds.rates[i]);
	printf(SUBNET_MANAGERS "=%" PRIu64 "\n", thresholds.subnet_managers);
}
