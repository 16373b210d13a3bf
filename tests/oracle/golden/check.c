/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * check FIELDS LIBIBUMAD LIBIBMAD [KNOWN]
 *
 * Reads results from standard input, makes each call of the pair of libraries, and compares
 * byte for byte. Prints how many results of each kind are the same, and the first that are not.
 * KNOWN lists functions that the source of the results does not have (result MISSING) and fields
 * that it reads in another place: kind, function or field id, reason. Exits 0 if all other results
 * are the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "pair.h"

#define MAX_KNOWN 64
#define MAX_SHOWN 20

struct known {
	char kind[16], about[64], reason[128];
	unsigned differ;
};

static struct known known[MAX_KNOWN];
static int known_count;
static unsigned named; /* results that differ by names that only we have */
static unsigned shown;

static void known_load(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file) {
		perror(path);
		exit(1);
	}
	while (fgets(line, sizeof(line), file)) {
		struct known *entry = &known[known_count];

		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (known_count == MAX_KNOWN ||
		    sscanf(line, "%15[^\t]\t%63[^\t]\t%127[^\n]", entry->kind, entry->about,
			   entry->reason) != 3) {
			printf("%s: can't read: %s", path, line);
			exit(1);
		}
		known_count++;
	}
	fclose(file);
}

static struct known *known_find(const struct call *call)
{
	for (int i = 0; i < known_count; i++)
		if (!strcmp(known[i].kind, call->column[0]) &&
		    !strcmp(known[i].about, call->column[1]))
			return &known[i];
	return NULL;
}

/* Cuts a line into the columns of its call; returns the result that follows, or NULL. */
static char *split(char *line, struct call *call, struct kind **kind)
{
	char *rest = line;

	call->columns = 0;
	call->column[call->columns++] = strsep(&rest, "\t");
	*kind = kind_find(call->column[0]);
	while (*kind && rest && call->columns < (*kind)->columns)
		call->column[call->columns++] = strsep(&rest, "\t");
	return *kind && call->columns == (*kind)->columns ? rest : NULL;
}

/*
 * Takes out the names that only we have for bits of CapabilityMask2, each a line of its own, with
 * its line break as results have it. Returns whether there were any.
 */
static bool take_out_new_names(char *result)
{
	static const char *const names[] = { "\\n\\t\\t\\t\\tIsExtendedSpeeds2Supported",
					     "\\n\\t\\t\\t\\tIsLinkSpeedXDRSupported" };
	bool found = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(names[i]);

		for (char *at; (at = strstr(result, names[i])); found = true)
			memmove(at, at + length, strlen(at + length) + 1);
	}
	return found;
}

/* Takes the lines of fields that rdma-core reads in the wrong place out of a dump. */
static void take_out_corrected(char *text)
{
	static const char *const names[] = { "QP1Dropped:", "HDRFECModeSupported:",
					     "HDRFECModeEnabled:", "NDRFECModeSupported:",
					     "NDRFECModeEnabled:" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *line = strstr(text, names[i]);
		char *end = line ? strstr(line, "\\n") : NULL;

		if (end)
			memmove(line, end + 2, strlen(end + 2) + 1);
	}
}

/* Whether KNOWN excuses that the result is not the expected one. */
static struct known *find_excuse(const struct kind *kind, const struct call *call, char *result,
				 char *expected)
{
	struct known *excuse = known_find(call);

	if (!excuse || !strcmp(expected, "MISSING") || kind->about_a_place)
		return excuse;
	take_out_corrected(result);
	take_out_corrected(expected);
	return strcmp(result, expected) ? NULL : excuse;
}

/* Compares one line. Returns false when it can't be read. */
static bool check_line(char *line)
{
	static char result[MAX_LINE];
	struct call call;
	struct kind *kind;
	char *expected = split(line, &call, &kind);
	struct known *excuse;

	if (!expected || (kind->about_a_field && !field_find(atoi(call.column[1]))))
		return false;
	kind->made++;
	result[0] = '\0';
	if (!kind->run(&call, result))
		strcpy(result, "MISSING");
	if (!strcmp(result, expected)) {
		kind->same++;
		return true;
	}
	if (take_out_new_names(result) && !strcmp(result, expected)) {
		kind->same++;
		named++;
		return true;
	}
	excuse = find_excuse(kind, &call, result, expected);
	if (excuse) {
		excuse->differ++;
		kind->excused++;
	} else if (shown++ < MAX_SHOWN) {
		printf("%s %s %.60s:\n  expected %.200s\n  got      %.200s\n", call.column[0],
		       call.column[1], call.columns > 2 ? call.column[2] : "", expected, result);
	}
	return true;
}

static int report(void)
{
	unsigned total = 0, wrong = 0;

	for (const struct kind *kind = kinds; kind->name; kind++) {
		if (kind->made)
			printf("%-6s %6u of %6u the same, %u known to differ\n", kind->name,
			       kind->same, kind->made, kind->excused);
		total += kind->made;
		wrong += kind->made - kind->same - kind->excused;
	}
	for (int i = 0; i < known_count; i++)
		if (known[i].differ)
			printf("known to differ: %s %s, %u times: %s\n", known[i].kind,
			       known[i].about, known[i].differ, known[i].reason);
	printf("%u results are the same but for names that only we have\n", named);
	printf("%u results, %u wrong\n", total, wrong);
	return total == 0 || wrong != 0;
}

int main(int argc, char **argv)
{
	static char line[MAX_LINE];

	if (argc != 4 && argc != 5) {
		fprintf(stderr, "usage: check FIELDS LIBIBUMAD LIBIBMAD [KNOWN] < RESULTS\n");
		return 2;
	}
	fields_load(argv[1]);
	if (argc == 5)
		known_load(argv[4]);
	if (!pair_load(argv[2], argv[3]) || !freopen("/dev/null", "w", stderr))
		return 1;
	printf("calls of %s\n", pair_path());
	while (fgets(line, sizeof(line), stdin)) {
		char *end = strchr(line, '\n');

		if (end)
			*end = '\0';
		if (!end || !check_line(line)) {
			printf("can't read this line: %.100s\n", line);
			return 1;
		}
	}
	return report();
}
