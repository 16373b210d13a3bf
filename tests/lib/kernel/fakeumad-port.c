/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Ports of libibmad on the device of fakeumad.h, for the cases that need one. */
#include "fakeumad.h"
#include "test.h"

#include <infiniband/mad.h>

struct ibmad_port *fakeumad_port(void)
{
	int classes[] = { 0x01, 0x81, 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };
	struct ibmad_port *port =
		mad_rpc_open_port(NULL, 0, classes, sizeof(classes) / sizeof(classes[0]));

	assert_non_null(port);
	return port;
}

int fakeumad_setup(void **state)
{
	fakeumad_reset();
	*state = fakeumad_port();
	return 0;
}

int fakeumad_teardown(void **state)
{
	mad_rpc_close_port(*state);
	fakeumad_finish();
	return 0;
}

int fakeumad_begin(void **state)
{
	(void)state;
	fakeumad_reset();
	return 0;
}

int fakeumad_end(void **state)
{
	(void)state;
	fakeumad_finish();
	return 0;
}
