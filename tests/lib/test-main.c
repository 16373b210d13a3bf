/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-main.c - main() of all programs of cmocka tests: see test.h. */
#include "test.h"

int main(int argc, char **argv)
{
	return test_run(argc, argv);
}
