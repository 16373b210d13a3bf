/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Names that would do harm in each format; pictures; and JSON that is read again. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "tools/fabric-sweep/escape.h"
#include "tools/fabric-sweep/picture.h"

#define HARMFUL "a\"b\\c\n\x1b[2J\r\t\x7f&<z>"

/* What write prints of name; the caller frees it. */
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
		{ escape_dot, HARMFUL,
		  "a\\\\x22b\\\\x5cc\\\\x0a\\\\x1b[2J\\\\x0d\\\\x09\\\\x7f&amp;<z>" },
		{ escape_dot, "\xc3\xa9\xe2\x82\xac\x9b\xc2\x9b\xc3",
		  "\xc3\xa9\xe2\x82\xac\\\\x9b\\\\xc2\\\\x9b\\\\xc3" },
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
		{ escape_json, "\xed\xa0\x80", "\\u00ed\\u00a0\\u0080" },
		{ escape_json, "\xff\x80z", "\\u00ff\\u0080z" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = print_name(rows[i].write, rows[i].name);

		assert_string_equal(text, rows[i].wanted);
		free(text);
	}
}

TEST(knows_utf8)
{
	assert_true(is_utf8("leaf \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
	assert_false(is_utf8("\xc3"));
	assert_false(is_utf8("a\xff"));
	assert_false(is_utf8("\xed\xa0\x80"));
}

/* Every single byte, and every byte after one that begins a sequence. */
TEST(nothing_unprintable_comes_out)
{
	void (*const writers[])(FILE * file, const char *name) = { escape_text, escape_dot,
								   escape_json };

	for (int first = 1; first < 0x100; first++)
		for (int second = 0; second < 0x100; second++)
			for (unsigned i = 0; i < 3; i++) {
				const char name[] = { (char)first, (char)second, 0 };
				char *text = print_name(writers[i], name);

				assert_true(is_utf8(text));
				assert_null(strstr(text, "\xc2\x9b")); /* begins a sequence */
				for (const char *c = text; *c; c++)
					assert_true(
						(*c >= ' ' && *c <= '~' && *c != '"') ||
						(writers[i] == escape_dot && (uint8_t)*c >= 0x80));
				free(text);
			}
}

volatile sig_atomic_t sweep_stop_signal;

/* A host with a harmful name on a leaf, the leaf on a spine, a switch by itself, a silent port. */
enum { HOST, LEAF, SPINE, LONELY, NODES };

static struct mad_fabric *make_fabric(size_t nodes_used)
{
	struct mad_fabric_node nodes[NODES] = {
		{ .guid = 1, .type = IB_NODE_CA, .port_count = 3, .description = HARMFUL },
		{ .guid = 2, .type = IB_NODE_SWITCH, .port_count = 3, .description = "leaf" },
		{ .guid = 3, .type = IB_NODE_SWITCH, .port_count = 3, .description = "spine" },
		{ .guid = 4, .type = IB_NODE_SWITCH, .port_count = 3, .description = "lonely" },
	};
	struct mad_fabric_port ports[] = {
		{ .node = &nodes[HOST],
		  .port_number = 1,
		  .peer = &ports[1],
		  .width = 4,
		  .speed = 5,
		  .has_info = 1,
		  .lid = 9,
		  .guid = 77,
		  .state = 4,
		  .physical_state = 5 },
		{ .node = &nodes[LEAF], .port_number = 1, .peer = &ports[0] },
		{ .node = &nodes[LEAF], .port_number = 2, .peer = &ports[3] },
		{ .node = &nodes[SPINE], .port_number = 1, .peer = &ports[2] },
		{ .node = &nodes[SPINE], .port_number = 3, .peer_error = 110 },
	};
	struct mad_fabric_description description = {
		.node_size = sizeof(nodes[0]),
		.port_size = sizeof(ports[0]),
		.nodes = nodes,
		.node_count = nodes_used,
		.ports = ports,
		.port_count = nodes_used ? 5 : 0,
	};
	struct mad_fabric *fabric = mad_fabric_build(&description);

	assert_non_null(fabric);
	return fabric;
}

/* Every format of a fabric with a harmful name, and of one with nothing in it. */
TEST(every_format_is_printable)
{
	sweep_writer *const writers[] = { text_write, summary_write,	json_write,
					  csv_write,  prometheus_write, dot_write };
	const struct options options = { 0 };

	for (size_t nodes = 0; nodes <= NODES; nodes += NODES) {
		struct sweep sweep = { .fabric = make_fabric(nodes) };

		for (unsigned i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
			char *text = NULL;
			size_t size;
			FILE *file = open_memstream(&text, &size);

			assert_non_null(file);
			writers[i](&sweep, &options, file);
			assert_int_equal(fclose(file), 0);
			assert_true(size > 0);
			for (const char *c = text; *c; c++)
				assert_true((*c >= ' ' && *c <= '~') || *c == '\n' || *c == '\t');
			free(text);
		}
		mad_fabric_free(sweep.fabric);
	}
}

static const struct picture_box *box_of(const struct picture *picture, const char *label)
{
	for (size_t i = 0; i < picture->number_of_boxes; i++)
		if (!strcmp(picture->boxes[i].label, label))
			return &picture->boxes[i];
	fail_msg("no box %s", label);
	return NULL;
}

TEST(levels_count_from_hosts)
{
	struct mad_fabric *fabric = make_fabric(NODES);
	struct picture picture;

	assert_int_equal(picture_make(&picture, fabric, PICTURE_HOSTS, NULL), 0);
	assert_int_equal(picture.number_of_boxes, NODES + 1);
	assert_int_equal(picture.number_of_lines, 3);
	assert_int_equal(box_of(&picture, "leaf")->level, 1);
	assert_int_equal(box_of(&picture, "spine")->level, 2);
	assert_int_equal(box_of(&picture, "lonely")->level, 1);
	assert_int_equal(box_of(&picture, "no response")->level, 1); /* below what knows it */
	picture_free(&picture);
	assert_int_equal(picture_make(&picture, fabric, PICTURE_SWITCHES, NULL), 0);
	assert_string_equal(box_of(&picture, "leaf")->counts, "1 host");
	picture_free(&picture);
	mad_fabric_free(fabric);
}

/* What --check prints of a fabric; the caller frees it. */
static char *check_text(const struct mad_fabric *fabric, uint64_t subnet_managers)
{
	struct thresholds thresholds;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_true(thresholds_read(&thresholds, NULL));
	thresholds.subnet_managers = subnet_managers;
	findings_print(fabric, &thresholds, file);
	assert_int_equal(fclose(file), 0);
	return text;
}

/* A port of make_fabric() as another one: that a test can write to. */
static struct mad_fabric_port *writable_port(const struct mad_fabric *fabric, uint64_t guid,
					     unsigned number)
{
	return (void *)(uintptr_t)mad_fabric_get_port(mad_fabric_find_node(fabric, guid), number);
}

enum change { NOTHING, STATE, LOOP, NAME, TYPE, CAPABILITIES, MASTER };

static void change_fabric(struct mad_fabric *fabric, enum change change, unsigned value)
{
	struct mad_fabric_port *host = writable_port(fabric, 1, 1);
	struct mad_fabric_port *other = writable_port(fabric, 1, 2);
	struct mad_fabric_port *loop = writable_port(fabric, 2, 3);
	struct mad_fabric_node *lonely = (void *)(uintptr_t)mad_fabric_find_node(fabric, 4);

	switch (change) {
	case NOTHING:
		break;
	case STATE:
		host->state = (uint8_t)value;
		break;
	case LOOP:
		loop->peer = loop;
		break;
	case NAME:
		strcpy(lonely->description, value ? "leaf" : "");
		break;
	case TYPE:
		lonely->type = (uint8_t)value;
		break;
	case CAPABILITIES: /* of two ports */
		mad_set_field(host->port_info, 0, IB_PORT_CAPMASK_F, value);
		mad_set_field(other->port_info, 0, IB_PORT_CAPMASK_F, value);
		other->has_info = true;
		/* nothing is unknown */
		((struct mad_fabric_info *)(uintptr_t)mad_fabric_get_info(fabric))->unknown_ends =
			0;
		break;
	case MASTER:
		mad_set_field(host->port_info, 0, IB_PORT_SMLID_F, 5);
		mad_set_field(other->port_info, 0, IB_PORT_SMLID_F, value);
		other->has_info = true;
		other->state = UMAD_PORT_ACTIVE;
		break;
	}
}

TEST(check_names_what_no_counter_shows)
{
	static const struct {
		enum change change;
		unsigned value;
		unsigned subnet_managers;
		const char *wanted; /* a part of the only line beside that of the silent port */
	} rows[] = {
		{ NOTHING, 0, 1, NULL },
		{ STATE, UMAD_PORT_INITIALIZE, 1, " port 1: unknown and Initialize, not Active\n" },
		{ STATE, UMAD_PORT_ARMED, 1, " port 1: unknown and Armed, not Active\n" },
		{ LOOP, 0, 1,
		  "leaf (0x0000000000000002) port 3 - leaf (0x0000000000000002) port 3: a loop to "
		  "itself\n" },
		{ NAME, 0, 1, NULL },
		{ NAME, 1, 1,
		  "! 2 nodes have the name leaf: 0x0000000000000002, 0x0000000000000004\n" },
		{ TYPE, 0, 1, "! lonely (0x0000000000000004): unknown node type 0\n" },
		{ TYPE, 4, 1, "! lonely (0x0000000000000004): unknown node type 4\n" },
		{ CAPABILITIES, 4, 1, "! no subnet manager runs at any port\n" },
		{ CAPABILITIES, 2, 1, "! 2 subnet managers: a" },
		{ CAPABILITIES, 2, 2, NULL },
		{ MASTER, 5, 1, NULL },
		{ MASTER, 0, 1, NULL },
		{ MASTER, 6, 1,
		  " port 2: its subnet manager has LID 6, that of other ports has LID 5\n" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct mad_fabric *fabric = make_fabric(NODES);
		char *text, *line;

		change_fabric(fabric, rows[i].change, rows[i].value);
		text = check_text(fabric, rows[i].subnet_managers);
		line = strchr(text, '\n') + 1;
		if (rows[i].wanted)
			assert_non_null(strstr(line, rows[i].wanted));
		if (rows[i].wanted)
			assert_ptr_equal(strchr(line, '\n'), strrchr(line, '\n'));
		else
			assert_string_equal(line, "");
		free(text);
		mad_fabric_free(fabric);
	}
}

/* The lines of --check about a link whose ends have these modes of FEC; -1: one that is not known.
 */
static void assert_fec(unsigned speed, int mode, int peer_mode, const char *wanted)
{
	struct mad_fabric *fabric = make_fabric(NODES);
	struct mad_fabric_port *port = writable_port(fabric, 2, 2);
	struct mad_fabric_port *peer = (void *)(uintptr_t)port->peer;
	char *text, *line;

	port->speed = peer->speed = (uint8_t)speed;
	port->has_fec = mode >= 0;
	peer->has_fec = peer_mode >= 0;
	port->fec_mode = (uint8_t)mode;
	peer->fec_mode = (uint8_t)peer_mode;
	text = check_text(fabric, 1);
	line = strstr(text, ": FEC modes ");
	if (wanted)
		assert_non_null(line);
	if (wanted)
		assert_memory_equal(line, wanted, strlen(wanted));
	else
		assert_null(line);
	free(text);
	mad_fabric_free(fabric);
}

TEST(links_without_a_common_fec_are_wrong)
{
	assert_fec(MAD_FABRIC_SPEED_NDR, 4, 4, NULL);
	assert_fec(MAD_FABRIC_SPEED_EDR, 0, 0, NULL);
	assert_fec(MAD_FABRIC_SPEED_HDR, 0, -1, NULL);
	assert_fec(MAD_FABRIC_SPEED_HDR, 0, 0, ": FEC modes 0 (no FEC) and 0 (no FEC)\n");
	assert_fec(MAD_FABRIC_SPEED_EDR, 2, 0, ": FEC modes 2 (RS-FEC) and 0 (no FEC)\n");
	assert_fec(MAD_FABRIC_SPEED_NDR, 4, 13,
		   ": FEC modes 4 (RS-FEC (544,514)) and 13 (MLNX-RS-544-514-PLR)\n");
}

TEST(rate_of_wrong_bits)
{
	struct mad_fabric_port port = { .width = 4, .speed = MAD_FABRIC_SPEED_EDR };
	double bits = 4 * 25.78125e9 * 60;

	assert_true(error_rate(&port, 9, 60) == 0);
	assert_true(error_rate(&port, 10, 60) > 9.999 / bits);
	assert_true(error_rate(&port, 10, 60) < 10.001 / bits);
	assert_true(error_rate(&port, 10, 0) == 0);
	assert_true(error_rate(&port, 10, -1) == 0);
	port.speed = MAD_FABRIC_SPEED_UNKNOWN;
	assert_true(error_rate(&port, 10, 60) == 0);
	port.speed = UINT8_MAX;
	assert_true(error_rate(&port, 10, 60) == 0);
}

/* What json_write() writes of a fabric, read again; checks that nothing differs. */
static struct mad_fabric *read_again(const struct mad_fabric *fabric)
{
	char name[] = "/tmp/test-output.XXXXXX";
	struct sweep sweep = { .fabric = (struct mad_fabric *)(uintptr_t)fabric,
			       .last_complete = 900 };
	FILE *file = fdopen(mkstemp(name), "w");
	struct mad_fabric_changes *changes;
	struct state state = { 0 };
	struct mad_fabric *again;

	assert_non_null(file);
	assert_true(json_write(&sweep, NULL, file));
	assert_int_equal(fclose(file), 0);
	assert_true(json_read("--diff", name, &state));
	remove(name);
	assert_int_equal(state.last_complete, 900);
	links_free(&state.links);
	again = state.fabric;
	changes = mad_fabric_compare(fabric, again);
	assert_null(mad_fabric_next_change(changes, NULL));
	mad_fabric_changes_free(changes);
	return again;
}

TEST(json_is_read_again)
{
	struct mad_fabric *fabric = make_fabric(NODES), *again = read_again(fabric);

	assert_int_equal(mad_fabric_get_info(again)->links, 2);
	assert_int_equal(mad_fabric_get_info(again)->unknown_ends, 1);
	assert_string_equal(mad_fabric_find_node(again, 1)->description, HARMFUL);
	mad_fabric_free(again);
	mad_fabric_free(fabric);
}

/* Readers of JSON hold numbers up to 2^53 exactly: greater ones are text. */
TEST(json_keeps_large_counters)
{
	static const uint64_t values[] = { 1, UINT64_C(1) << 53, (UINT64_C(1) << 53) + 1,
					   UINT64_MAX - 1, UINT64_MAX };
	struct mad_fabric *fabric = make_fabric(NODES);
	char name[] = "/tmp/test-output.XXXXXX", wanted[64], text[8192];

	close(mkstemp(name));
	for (size_t i = 0; i < COUNT(values); i++) {
		const struct mad_fabric_counter_value value = {
			.port = mad_fabric_get_port(mad_fabric_find_node(fabric, 2), 1),
			.counter = MAD_FABRIC_COUNTER_RCV_DATA,
			.value = values[i]
		};
		struct sweep sweep = { .fabric = fabric,
				       .counters = mad_fabric_counters_build(fabric, &value, 1) };
		FILE *file = fopen(name, "w+");
		struct state known = { 0 };
		uint64_t again;
		size_t length;

		assert_non_null(sweep.counters);
		assert_true(json_write(&sweep, NULL, file));
		rewind(file);
		length = fread(text, 1, sizeof(text) - 1, file);
		text[length] = '\0';
		assert_int_equal(fclose(file), 0);
		snprintf(wanted, sizeof(wanted),
			 i < 2 ? "\"PortRcvData\": %" PRIu64 "}"
			       : "\"PortRcvData\": \"%" PRIu64 "\"}",
			 values[i]);
		assert_non_null(strstr(text, wanted));
		assert_true(json_read("--diff", name, &known));
		assert_true(mad_fabric_row_value(mad_fabric_counters_find(known.counters, 2, 1),
						 MAD_FABRIC_COUNTER_RCV_DATA, &again) >= 0);
		assert_int_equal(again, values[i]);
		state_free(&known);
		mad_fabric_counters_free(sweep.counters);
	}
	remove(name);
	mad_fabric_free(fabric);
}

TEST(too_many_nodes_are_no_full_disk)
{
	assert_string_equal(error_text(ENOSPC), "more nodes than a fabric has LIDs");
	assert_int_equal(error_of_text(error_text(ENOSPC)), ENOSPC);
}

/* For what is worse than in a file, the file has all that --check looks at. */
TEST(check_finds_the_same_in_json)
{
	struct mad_fabric *fabric = make_fabric(NODES), *again;
	struct mad_fabric_port *ports[] = { writable_port(fabric, 2, 2),
					    writable_port(fabric, 3, 1) };
	char *text, *text_again;

	for (unsigned i = 0; i < COUNT(ports); i++) {
		ports[i]->has_info = ports[i]->has_fec = true;
		ports[i]->state = UMAD_PORT_ARMED;
		ports[i]->width = 1;
		ports[i]->speed = MAD_FABRIC_SPEED_EDR;
		ports[i]->best_width = 4;
		ports[i]->best_speed = MAD_FABRIC_SPEED_HDR;
		ports[i]->fec_mode = (uint8_t)(4 + 9 * i);
	}
	change_fabric(fabric, CAPABILITIES, 2);
	change_fabric(fabric, NAME, 1);
	text = check_text(fabric, 1);
	again = read_again(fabric);
	text_again = check_text(again, 1);
	assert_non_null(strstr(text, "slower or narrower"));
	assert_non_null(strstr(text, "FEC modes"));
	assert_non_null(strstr(text, "2 subnet managers"));
	assert_string_equal(text_again, text);
	free(text);
	free(text_again);
	mad_fabric_free(again);
	mad_fabric_free(fabric);
}

static struct mad_fabric *read_text(const char *name, const char *text, size_t length)
{
	FILE *file = fopen(name, "w");
	struct state state = { 0 };

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	json_read("--diff", name, &state);
	mad_fabric_counters_free(state.counters);
	links_free(&state.links);
	return state.fabric;
}

/* A file that ends anywhere is refused, and one in which any byte is another does no harm. */
TEST(damaged_json_is_refused)
{
	char name[] = "/tmp/test-output.XXXXXX", *text;
	struct mad_fabric *fabric = make_fabric(NODES);
	struct sweep sweep = { .fabric = fabric };
	size_t length, accepted = 0;
	FILE *memory = open_memstream(&text, &length);

	close(mkstemp(name));
	assert_true(json_write(&sweep, NULL, memory));
	assert_int_equal(fclose(memory), 0);
	assert_non_null(freopen("/dev/null", "w", stderr)); /* a message for each */
	for (size_t i = 0; i < length - 2; i += 3)
		assert_null(read_text(name, text, i));
	for (size_t i = 0; i < length; i++) {
		struct mad_fabric *read;
		char before = text[i];

		text[i] = "x\"{}[],:0"[i % 9];
		read = read_text(name, text, length);
		accepted += read != NULL;
		mad_fabric_free(read);
		text[i] = before;
	}
	assert_between(accepted, 1, length - 1);
	remove(name);
	free(text);
	mad_fabric_free(fabric);
}

/* Two hosts of one GUID and one name, which is not UTF-8, on a leaf. */
static struct mad_fabric *make_duplicates(void)
{
	struct mad_fabric_node nodes[] = {
		{ .guid = 2, .type = IB_NODE_SWITCH, .port_count = 2, .description = "leaf" },
		{ .guid = 1, .type = IB_NODE_CA, .port_count = 1, .description = "h\xff" },
		{ .guid = 1,
		  .type = IB_NODE_CA,
		  .port_count = 1,
		  .description = "h\xff",
		  .same_guid = nodes },
	};
	struct mad_fabric_port ports[] = {
		{ .node = &nodes[0], .port_number = 1, .peer = &ports[2], .width = 4, .speed = 5 },
		{ .node = &nodes[0], .port_number = 2, .peer = &ports[3], .width = 4, .speed = 5 },
		{ .node = &nodes[1], .port_number = 1, .peer = &ports[0], .width = 4, .speed = 5 },
		{ .node = &nodes[2], .port_number = 1, .peer = &ports[1], .width = 4, .speed = 5 },
	};
	struct mad_fabric_description description = { .node_size = sizeof(nodes[0]),
						      .port_size = sizeof(ports[0]),
						      .nodes = nodes,
						      .node_count = COUNT(nodes),
						      .ports = ports,
						      .port_count = COUNT(ports) };
	struct mad_fabric *fabric = mad_fabric_build(&description);

	assert_non_null(fabric);
	return fabric;
}

TEST(json_tells_nodes_with_one_guid_apart)
{
	struct mad_fabric *fabric = make_duplicates(), *again = read_again(fabric);

	assert_int_equal(mad_fabric_get_info(again)->links, 2);
	assert_string_equal(mad_fabric_find_node(again, 1)->description, "h\xff");
	mad_fabric_free(again);
	mad_fabric_free(fabric);
}

/* Metrics that prometheus_write() writes of a fabric with counters of a port whose peer is silent.
 */
static char *write_metrics(const struct options *options, int error)
{
	struct mad_fabric *fabric = make_fabric(NODES);
	const struct mad_fabric_port *port =
		mad_fabric_get_port(mad_fabric_find_node(fabric, 3), 3);
	const struct mad_fabric_counter_value values[] = {
		{ .port = port, .counter = MAD_FABRIC_COUNTER_SYMBOL_ERRORS, .value = 5 },
		{ .port = port, .counter = MAD_FABRIC_COUNTER_RCV_DATA, .value = 7 },
	};
	struct sweep sweep = { .fabric = fabric,
			       .counters = mad_fabric_counters_build(fabric, values, COUNT(values)),
			       .counters_time = 1000,
			       .last_complete = 900,
			       .error = error };
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	assert_true(prometheus_write(&sweep, options, file));
	assert_int_equal(fclose(file), 0);
	mad_fabric_counters_free(sweep.counters);
	mad_fabric_free(fabric);
	return text;
}

TEST(metrics_of_a_port_with_a_silent_peer)
{
	static const struct {
		struct options options;
		int error;
		bool there;
		const char *text;
	} rows[] = {
		{ { .brief = true },
		  0,
		  true,
		  "symbol_error_total{guid=\"0x0000000000000003\",port=\"3\"} 5" },
		{ { 0 }, 0, true, "port_up{guid=\"0x0000000000000003\",port=\"3\"} 1" },
		{ { 0 }, 0, true, "hca_rate_bytes_per_second{guid=\"0x0000000000000001\"} " },
		{ { 0 },
		  0,
		  true,
		  "receive_data_bytes_total{guid=\"0x0000000000000003\",port=\"3\"} 28" },
		{ { .no_traffic = true }, 0, false, "receive_data_bytes_total" },
		{ { .no_traffic = true }, 0, true, "symbol_error_total{" },
		/* a sweep that found nothing: when there were others */
		{ { 0 }, ETIMEDOUT, true, "\ninfiniband_sweep_timestamp_seconds 1000\n" },
		{ { 0 },
		  ETIMEDOUT,
		  true,
		  "\ninfiniband_sweep_last_complete_timestamp_seconds 900\n" },
		{ { 0 }, ETIMEDOUT, false, "infiniband_switch" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char *text = write_metrics(&rows[i].options, rows[i].error);

		assert_int_equal(strstr(text, rows[i].text) != NULL, rows[i].there);
		free(text);
	}
}

/* A series that comes twice makes Prometheus refuse all of it. */
TEST(prometheus_has_no_series_twice)
{
	struct sweep sweep = { .fabric = make_duplicates() };
	const struct options options = { 0 };
	char *text = NULL, *next, *value;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	assert_true(prometheus_write(&sweep, &options, file));
	assert_int_equal(fclose(file), 0);
	for (char *line = text; *line; line = next) {
		next = strchr(line, '\n') + 1;
		value = memrchr(line, ' ', (size_t)(next - line));
		if (*line != '#')
			assert_null(memmem(next, strlen(next), line, (size_t)(value - line)));
	}
	free(text);
	mad_fabric_free(sweep.fabric);
}
