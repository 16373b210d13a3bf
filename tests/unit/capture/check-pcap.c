/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * check-pcap FILE: reads a capture back and prints how many packets it has. Exits 1 if anything in
 * it is wrong, a checksum for instance.
 */
#include <stdio.h>

#include "pcapfile.h"

int main(int argc, char **argv)
{
	struct pcap_file file;
	const char *wrong;

	if (argc != 2)
		return fprintf(stderr, "usage: check-pcap FILE\n"), 2;
	wrong = pcap_read(argv[1], &file);
	if (wrong)
		printf("%s: packet %zu: %s\n", argv[1], file.count, wrong);
	else
		printf("%zu packets\n", file.count);
	pcap_free(&file);
	return wrong != NULL;
}
