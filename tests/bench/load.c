/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* bench-load is linked with a pair of libraries, bench-load-nothing is not; neither does more. */
int main(void)
{
	return 0;
}
