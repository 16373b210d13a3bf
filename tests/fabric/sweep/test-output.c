/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Outputs of the fabrics in files: names that would do harm, and files that are read again. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "tools/fabric-sweep/escape.h"
#include "tools/fabric-sweep/sweep.h"

#define HARMFUL "a\"b\\c\n\x1b[2J\r\t\x7f&<z>"

volatile sig_atomic_t sweep_stop_signal;

static void escape_short(FILE *file, const char *name)
{
	escape_dot(file, name, 16);
}

/* The text that write prints of name; the caller frees it. */
static char *print_name(void (*write)(FILE *file, const char *name), const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	write(file, name);
	assert_int_equal(fclose(file), 0);
	return text;
}

TEST(each_format_escapes_names)
{
	static const struct {
		void (*write)(FILE *file, const char *name);
		const char *name, *wanted;
	} rows[] = {
		{ escape_text, "leaf-01 HCA-1", "leaf-01 HCA-1" },
		{ escape_text, HARMFUL, "a\\x22b\\x5cc\\x0a\\x1b[2J\\x0d\\x09\\x7f&<z>" },
		{ escape_text, "\xc3\xa9\x9b", "\\xc3\\xa9\\x9b" },
		/* a spreadsheet takes what begins so for a formula */
		{ escape_csv, "=HYPERLINK(1)", "\\x3dHYPERLINK(1)" },
		{ escape_csv, "+1", "\\x2b1" },
		{ escape_csv, "-1", "\\x2d1" },
		{ escape_csv, " @x", " \\x40x" },
		{ escape_csv, "leaf-1=2", "leaf-1=2" },
		{ escape_csv, HARMFUL, "a\\x22b\\x5cc\\x0a\\x1b[2J\\x0d\\x09\\x7f&<z>" },
		/* neither escapes nor entities */
		{ escape_short, HARMFUL,
		  "a\\\\x22b\\\\x5cc\\\\x0a\\\\x1b[2J\\\\x0d\\\\x09\\\\x7f&amp;<z" },
		{ escape_short, "\xc3\xa9\xe2\x82\xac\x9b\xc2\x9b\xc3",
		  "\xc3\xa9\xe2\x82\xac\\\\x9b\\\\xc2\\\\x9b\\\\xc3" },
		/* shortened, but not within a character */
		{ escape_short, "123456789012345\xc3\xa9z", "123456789012345\xc3\xa9" },
		{ escape_prometheus, HARMFUL,
		  "a\\\"b\\\\c\\\\x0a\\\\x1b[2J\\\\x0d\\\\x09\\\\x7f&<z>" },
		{ escape_json, HARMFUL,
		  "a\\u0022b\\u005cc\\u000a\\u001b[2J\\u000d\\u0009\\u007f&<z>" },
		{ escape_json, "\xc3\xa9", "\\u00e9" },
		{ escape_json, "\xe2\x82\xac", "\\u20ac" },
		{ escape_json, "\xf0\x9f\x98\x80", "\\ud83d\\ude00" },
		/* cut off, overlong, beyond Unicode, surrogates, stray: each byte for itself */
		{ escape_json, "\xc3", "\\u00c3" },
		{ escape_json, "\xe2\x82", "\\u00e2\\u0082" },
		{ escape_json, "\xf0\x9f\x98", "\\u00f0\\u009f\\u0098" },
		{ escape_json, "\xc0\xaf", "\\u00c0\\u00af" },
		{ escape_json, "\xe0\x80\xaf", "\\u00e0\\u0080\\u00af" },
		{ escape_json, "\xf4\x90\x80\x80", "\\u00f4\\u0090\\u0080\\u0080" },
		{ escape_json, "\xf8\x88\x80\x80\x80", "\\u00f8\\u0088\\u0080\\u0080\\u0080" },
		{ escape_json, "\xed\xa0\x80", "\\u00ed\\u00a0\\u0080" },
		{ escape_json, "\xff\x80z", "\\u00ff\\u0080z" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = print_name(rows[i].write, rows[i].name);

		assert_string_equal(text, rows[i].wanted);
		free(text);
	}
	assert_true(is_utf8("leaf \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
	assert_false(is_utf8("\xc3"));
	assert_false(is_utf8("a\xff"));
	assert_false(is_utf8("\xed\xa0\x80"));
}

/* Every single byte, and every byte after a byte that begins a sequence. */
TEST(nothing_unprintable_comes_out)
{
	void (*const writers[])(FILE * file, const char *name) = { escape_text, escape_short,
								   escape_json };

	for (int first = 1; first < 0x100; first++)
		for (int second = 0; second < 0x100; second++)
			for (unsigned i = 0; i < 3; i++) {
				const char name[] = { (char)first, (char)second, 0 };
				char *text = print_name(writers[i], name);

				assert_true(is_utf8(text));
				assert_null(strstr(text, "\xc2\x9b")); /* begins a sequence */
				for (const char *c = text; *c; c++)
					assert_true((*c >= ' ' && *c <= '~' && *c != '"') ||
						    (writers[i] == escape_short &&
						     (uint8_t)*c >= 0x80));
				free(text);
			}
}

/* A file of this folder, as json_write() writes it; the caller frees it. */
static char *file_text(const char *name)
{
	char path[PATH_MAX], *text = NULL;
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), FILES "/%s.json", name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(getdelim(&text, &size, '\0', file) > 0);
	assert_int_equal(fclose(file), 0);
	return text;
}

/* A sweep that found the fabric of a file; the caller frees known. */
static struct sweep sweep_of(const char *name, struct state *known)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), FILES "/%s.json", name);
	*known = (struct state){ 0 };
	assert_true(json_read(fopen(path, "r"), "--diff", path, known));
	return (struct sweep){ .fabric = known->fabric,
			       .counters = known->counters,
			       .counters_time = known->counters_time,
			       .last_complete = known->last_complete,
			       .state = known };
}

/* An output of a sweep, or the lines of --check without a writer; the caller frees it. */
static char *output_of(sweep_writer *write, const struct sweep *sweep,
		       const struct options *options, uint64_t subnet_managers)
{
	struct thresholds thresholds;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	assert_true(thresholds_read(&thresholds, NULL));
	thresholds.subnet_managers = subnet_managers;
	if (write)
		assert_true(write(sweep, options, file));
	else
		findings_print(sweep->fabric, &thresholds, file);
	assert_int_equal(fclose(file), 0);
	return text;
}

/* Every format of a fabric with a harmful name, and of a fabric with nothing in it. */
TEST(every_format_is_printable)
{
	sweep_writer *const writers[] = { text_write, summary_write,	json_write,
					  csv_write,  prometheus_write, dot_write };
	const struct options options = { .brief = false };
	const char *const files[] = { "all", "duplicates", "empty" };

	for (size_t file = 0; file < COUNT(files); file++) {
		struct state known;
		struct sweep sweep = sweep_of(files[file], &known);

		for (unsigned i = 0; i < COUNT(writers); i++) {
			char *text = output_of(writers[i], &sweep, &options, 1);

			assert_true(*text);
			for (const char *c = text; *c; c++)
				assert_true((*c >= ' ' && *c <= '~') || *c == '\n' || *c == '\t');
			free(text);
		}
		state_free(&known);
	}
}

static void set_port_info(const struct mad_fabric *fabric, uint64_t guid, unsigned capabilities,
			  unsigned master_lid)
{
	const struct mad_fabric_port *port =
		mad_fabric_get_port(mad_fabric_find_node(fabric, guid), 1);
	void *info = (void *)(uintptr_t)port->port_info;

	mad_set_field(info, 0, IB_PORT_CAPMASK_F, capabilities);
	mad_set_field(info, 0, IB_PORT_SMLID_F, master_lid);
}

/* No file has PortInfo: it is written into the fabric. */
TEST(check_names_subnet_managers)
{
	static const struct {
		unsigned one, two;   /* CapabilityMask */
		unsigned master_lid; /* of two; one has 5 */
		unsigned most;
		bool is_partial;
		const char *wanted;
	} rows[] = {
		{ 2, 0, 5, 1, false, "" },
		{ 2, 0, 0, 1, false, "" },
		{ 2, 0, 6, 1, false,
		  "! two (0x0000000000000002) port 1 - one (0x0000000000000001) port 1: its subnet "
		  "manager has LID 6, that of other ports has LID 5\n" },
		{ 2, 2, 5, 1, false,
		  "! 2 subnet managers: one (0x0000000000000001) port 1, two (0x0000000000000002) "
		  "port 1\n" },
		{ 2, 2, 5, 2, false, "" },
		{ 4, 4, 5, 1, false, "! no subnet manager runs at any port\n" },
		{ 4, 4, 5, 1, true, "" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct state known;
		struct sweep sweep = sweep_of("pair", &known);
		const struct mad_fabric_port *further =
			mad_fabric_get_port(mad_fabric_find_node(known.fabric, 1), 2);
		char *text;

		if (rows[i].is_partial)
			((struct mad_fabric_port *)(uintptr_t)further)->physical_state =
				UMAD_PHYS_LINK_UP;
		set_port_info(known.fabric, 1, rows[i].one, 5);
		set_port_info(known.fabric, 2, rows[i].two, rows[i].master_lid);
		text = output_of(NULL, &sweep, NULL, rows[i].most);
		assert_string_equal(text, rows[i].wanted);
		free(text);
		state_free(&known);
	}
}

TEST(rate_of_wrong_bits)
{
	static const struct {
		uint8_t speed;
		uint64_t errors;
		double seconds;
		double wanted;
	} rows[] = {
		{ MAD_FABRIC_SPEED_EDR, 9, 60, 0 },
		{ MAD_FABRIC_SPEED_EDR, 10, 60, 10 / (4 * 25.78125e9 * 60) },
		{ MAD_FABRIC_SPEED_EDR, 10, 0, 0 },
		{ MAD_FABRIC_SPEED_EDR, 10, -1, 0 },
		{ MAD_FABRIC_SPEED_UNKNOWN, 10, 60, 0 },
		{ UINT8_MAX, 10, 60, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct mad_fabric_port port = { .width = 4, .speed = rows[i].speed };
		double rate = error_rate(&port, rows[i].errors, rows[i].seconds);

		assert_true(rate >= rows[i].wanted * 0.9999 && rate <= rows[i].wanted * 1.0001);
	}
}

/* A file that is read has all that was written: sweeps are compared with files. */
TEST(json_is_read_again)
{
	const char *const files[] = { "all", "duplicates", "pair", "empty" };

	for (size_t i = 0; i < COUNT(files); i++) {
		struct state known;
		struct sweep sweep = sweep_of(files[i], &known);
		char *written = output_of(json_write, &sweep, NULL, 1);
		char *text = file_text(files[i]);

		assert_string_equal(written, text);
		free(written);
		free(text);
		state_free(&known);
	}
}

TEST(too_many_nodes_are_no_full_disk)
{
	assert_string_equal(error_text(ENOSPC), "more nodes than a fabric has LIDs");
	assert_int_equal(error_of_text(error_text(ENOSPC)), ENOSPC);
}

static bool is_read(const char *text, size_t length)
{
	char name[] = "/tmp/test-output.XXXXXX";
	FILE *file = fdopen(mkstemp(name), "w");
	struct state known = { 0 };
	bool good;

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	good = json_read(fopen(name, "re"), "--diff", name, &known);
	remove(name);
	state_free(&known);
	return good;
}

/* A file that ends anywhere is refused, and a file in which any byte is another does no harm. */
TEST(damaged_json_is_refused)
{
	char *text = file_text("all");
	size_t length = strlen(text), accepted = 0;

	assert_non_null(freopen("/dev/null", "w", stderr)); /* a message for each */
	for (size_t i = 0; i < length - 2; i += 3)
		assert_false(is_read(text, i));
	for (size_t i = 0; i < length; i++) {
		char before = text[i];

		text[i] = "x\"{}[],:0"[i % 9];
		accepted += is_read(text, length);
		text[i] = before;
	}
	assert_between(accepted, 1, length - 1);
	free(text);
}

enum { METRICS, BRIEF, NO_TRAFFIC, FAILED, DOT, SWITCHES, AROUND };

TEST(outputs_have_what_they_should)
{
	static const struct {
		sweep_writer *write;
		struct options options;
		int error; /* of the sweep */
	} outputs[] = {
		[METRICS] = { .write = prometheus_write },
		[BRIEF] = { prometheus_write, { .brief = true }, 0 },
		[NO_TRAFFIC] = { prometheus_write, { .no_traffic = true }, 0 },
		[FAILED] = { .write = prometheus_write, .error = ETIMEDOUT },
		[DOT] = { .write = dot_write },
		[SWITCHES] = { dot_write, { .picture = PICTURE_SWITCHES }, 0 },
		[AROUND] = { dot_write, { .around = "0x4d" }, 0 },
	};
	static const struct {
		int output;
		const char *text; /* behind "not ": is not there */
	} rows[] = {
		/* a port whose peer is silent */
		{ BRIEF, "symbol_error_total{guid=\"0x0000000000000003\",port=\"3\"} 5" },
		{ METRICS, "port_up{guid=\"0x0000000000000003\",port=\"3\"} 1" },
		{ METRICS, "hca_rate_bytes_per_second{guid=\"0x0000000000000001\"} " },
		{ METRICS, "transmit_data_bytes_total{guid=\"0x0000000000000003\",port=\"3\"} 28" },
		{ NO_TRAFFIC, "not transmit_data_bytes_total" },
		{ NO_TRAFFIC, "symbol_error_total{" },
		/* a node that is gone has the site's name, too */
		{ METRICS, ",uplink=\"of the site\",uplink_guid=\"0x0000000000000009\"" },
		/* a sweep that found nothing has the time of the last sweep that did */
		{ FAILED, "\ninfiniband_sweep_timestamp_seconds 1767323999\n" },
		{ FAILED, "\ninfiniband_sweep_last_complete_timestamp_seconds 900\n" },
		{ FAILED, "not infiniband_switch" },
		/* levels count from hosts; a silent node is below the switch that has its link */
		{ DOT, "n0 [label=\"spine\"" },
		{ DOT, "n1 [label=\"leaf\"" },
		{ DOT, "n2 [label=\"lonely\"" },
		{ DOT, "n0 -- n1 [" },
		{ DOT, "n1 -- n3 [" },
		{ DOT, "n0 -- s0 [style=dashed" },
		{ DOT, "n3 -- s1 [style=dashed" },
		{ SWITCHES, "n1 [label=\"leaf\\n1 host\"" },
		{ SWITCHES, "not n3" },
		{ SWITCHES, "not s1" },	  /* of a host that is not drawn */
		{ AROUND, "n0 -- n1 [" }, /* by the GUID of a port */
		{ AROUND, "not spine" },
	};
	char map[] = "/tmp/test-output.XXXXXX";
	FILE *file = fdopen(mkstemp(map), "w");
	struct state known;
	struct sweep sweep = sweep_of("all", &known);

	fputs("0x9 \"of the site\"\n", file);
	assert_int_equal(fclose(file), 0);
	assert_true(node_names_read(map));
	remove(map);
	for (size_t i = 0; i < COUNT(rows); i++) {
		bool is_not = !strncmp(rows[i].text, "not ", 4);
		char *text;

		sweep.error = outputs[rows[i].output].error;
		text = output_of(outputs[rows[i].output].write, &sweep,
				 &outputs[rows[i].output].options, 1);
		if (!strstr(text, rows[i].text + (is_not ? 4 : 0)) != is_not)
			fail_msg("%s: %s", rows[i].text, text);
		free(text);
	}
	state_free(&known);
}

/* A series that comes twice makes Prometheus refuse all of it. */
TEST(prometheus_has_no_series_twice)
{
	const struct options options = { .brief = false };
	struct state known;
	struct sweep sweep = sweep_of("duplicates", &known);
	char *text = output_of(prometheus_write, &sweep, &options, 1), *next, *value;

	for (char *line = text; *line; line = next) {
		next = strchr(line, '\n') + 1;
		value = memrchr(line, ' ', (size_t)(next - line));
		if (*line != '#')
			assert_null(memmem(next, strlen(next), line, (size_t)(value - line)));
	}
	free(text);
	state_free(&known);
}

/* A discovery knows the GUID at the other end of a link by opensm's file, and so the M_Key. */
TEST(neighbours_of_opensm_have_their_guids)
{
	char name[] = "/tmp/neighbours.XXXXXX";
	const struct mad_fabric_port *port;
	struct mad_fabric *fabric;
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	assert_true(dprintf(fd, "0x22:8 0x33:1\n\n0x11:1 0x22:7\n0x22:7 0x11:1\n"
				"0x44:2 0x11:1\n0x33:1 0x11:1\n") > 0);
	close(fd);
	fabric = neighbours_read(name);
	unlink(name);
	assert_non_null(fabric);
	for (uint64_t guid = 0x11; guid <= 0x44; guid += 0x11) {
		port = mad_fabric_find_port(fabric, guid, NULL);
		assert_non_null(port);
		assert_int_equal(port->node->guid, guid);
		assert_int_equal(port->port_number, 0);
	}
	port = mad_fabric_get_port(mad_fabric_find_node(fabric, 0x11), 1);
	assert_int_equal(port->peer->node->guid, 0x22);
	assert_int_equal(port->peer->port_number, 7);
	assert_int_equal(mad_fabric_get_info(fabric)->links, 2); /* the first lines of each port */
	mad_fabric_free(fabric);
}
