/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * messages.c - uses the four printing macros of mad.h as programs do, for check-messages.py, which
 * says what has to come of it. Compiled as C and as C++; links to nothing, so none of the macros
 * needs ibdebug.
 */
#include <infiniband/mad.h>

static int print_all(int answer)
{
	const char *who = "macro";

	if (answer == 42)
		IBWARN("answer %d", answer);
	else
		IBWARN("not reached");
	IBDEBUG("one %s, %d%%", who, 100);
	if (answer)
		IBVERBOSE("verbose %s", who);
	IBVERBOSE("no values");
	IBWARN("%s", "a value alone");
	fflush(stdout);
	return answer;
}

int main(int argc, char **argv)
{
	int answer = print_all(argc + 41);

	if (answer != 42)
		IBWARN("arguments: %s", argv[1]);
	errno = ENODEV;
	IBPANIC("no device for %d", answer);
	return 0;
}
