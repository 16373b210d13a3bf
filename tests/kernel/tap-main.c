/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* tap-main.c - main() of the test programs. */
#include "tap.h"

int main(void)
{
	return tap_run_tests();
}
