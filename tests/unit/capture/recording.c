/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

char folder[] = "/tmp/capture-XXXXXX";
char name[PATH_SIZE];
struct wire wire;

int setup(void **state)
{
	(void)state;
	snprintf(name, sizeof(name), "%s/it.pcap", folder);
	return wire_open(&wire);
}

int teardown(void **state)
{
	(void)state;
	umad_capture_stop();
	wire_close(&wire);
	unlink(name);
	return 0;
}

int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

/* Fails if a test has left a file. */
int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

struct pcap_file read_back(size_t count)
{
	struct pcap_file file;
	const char *wrong = pcap_read(name, &file);

	if (wrong)
		fail_msg("packet %zu: %s", file.count, wrong);
	assert_int_equal(file.count, count);
	return file;
}

void assert_packets(size_t count)
{
	struct pcap_file file = read_back(count);

	pcap_free(&file);
}

void send_many(int count)
{
	struct wire_packet packet;

	for (int i = 0; i < count; i++) {
		assert_int_equal(wire_send(&wire, 100 + (uint32_t)i), 0);
		recv(wire.far, &packet, sizeof(packet), 0);
	}
}

void begin_capture(void)
{
	assert_int_equal(umad_capture_start(name, 0), 0);
}

void end_capture(size_t count)
{
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(count);
}

void put_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(content, file);
	assert_int_equal(fclose(file), 0);
}

void assert_content(const char *path, const char *content)
{
	char text[100];
	FILE *file = fopen(path, "r");
	size_t size;

	assert_non_null(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	assert_string_equal(text, content);
}
