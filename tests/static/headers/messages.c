/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * messages.c - uses the four printing macros of mad.h as programs do, for check-messages.py, which
 * knows the right output. Compiled as C and as C++; links to nothing, so none of the macros
 * needs ibdebug.
 */
#include <infiniband/mad.h>

static int print_all(int number)
{
	const char *who = "macro";

	if (number == 42)
		IBWARN("number %d", number);
	else
		IBWARN("not reached");
	IBDEBUG("one %s, %d%%", who, 100);
	if (number)
		IBVERBOSE("verbose %s", who);
	IBVERBOSE("no values");
	IBWARN("%s", "a value alone");
	fflush(stdout);
	return number;
}

int main(int argc, char **argv)
{
	int number = print_all(argc + 41);

	if (number != 42)
		IBWARN("arguments: %s", argv[1]);
	errno = ENODEV;
	IBPANIC("no device for %d", number);
	return 0;
}
