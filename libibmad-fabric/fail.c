/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* fail.c - public calls that fail, in the form of libibmad's: see fabric.h. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libibmad-fabric/fabric.h"

static void explain(const char *function, int error)
{
	const char *why = mad_refusal_take(error);
	char line[512]; /* fputs() writes a line at once */
	int cancel_state;

	if (ibdebug <= 0)
		return;
	snprintf(line, sizeof(line), "ibdebug: [%d] %.*s: %s%s%s\n", (int)getpid(),
		 mad_refusal_name_length(function), function, why ? why : "", why ? ": " : "",
		 strerror(-error));
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	fputs(line, stderr);
	pthread_setcancelstate(cancel_state, NULL);
}

int fabric_end_call(const char *function, int error)
{
	if (error != -ENODATA) /* a port without this counter is no failure */
		explain(function, error);
	errno = -error;
	return -1;
}
