/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* cases-umad.c - open ports of libibumad: agents, input, output. */
#include "fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A port with an agent, which has sent a request. */
static int fd, agent;
static uint8_t *umad, oui[] = { 0, 0x14, 5 };

static void begin(void)
{
	fd = umad_open_port("mlx5_0", 1);
	agent = umad_register(fd, 4, 1, 0, NULL);
	umad = calloc(1, umad_size() + 256);
	umad_set_addr(umad, 7, 1, 0, 0);
	memcpy(umad_get_mad(umad), "\1\4\1\1", 4);
	((uint8_t *)umad_get_mad(umad))[15] = 9;
	umad_send(fd, agent, umad, 256, 100, 0);
}

static void end(void)
{
	free(umad);
	umad_close_port(fd);
}

/* The kernel has closed the descriptor although it reports an error. */
static const struct fault_rule close_rules[] = {
	{ FAULT_BIT(CLOSE), EIO, FAULT_REPORTS, { EINVAL } },
};

/* A program's signal ends its wait. */
static const struct fault_rule wait_rules[] = {
	{ FAULT_BIT(POLL), EINTR, FAULT_REPORTS, { EINTR } },
};

/* A read that finds nothing ends the call: a later MAD is for the next. */
static const struct fault_rule at_once_rules[] = {
	{ FAULT_BIT(READ), EAGAIN, FAULT_REPORTS, { EWOULDBLOCK } },
};

FAULT(umad_close_port, NULL, fabric_bare, 0, FAULT_RULES(close_rules))
{
	int opened = umad_open_port("mlx5_0", 1);

	fault_begin(run);
	fault_negative(run, umad_close_port(opened));
}

/* Agent IDs count up, so results are not compared. */
#define CALL(function, statement, flags, ...)                  \
	FAULT(function, NULL, fabric_bare, flags, __VA_ARGS__) \
	{                                                      \
		begin();                                       \
		fault_begin(run);                              \
		statement;                                     \
		end();                                         \
	}
CALL(umad_get_fd, fault_negative(run, umad_get_fd(fd)), FAULT_PURE)
CALL(umad_register, fault_refused(run, umad_register(fd, 5, 1, 0, NULL), -EPERM), 0)
CALL(umad_register_oui, fault_refused(run, umad_register_oui(fd, 0x32, 0, oui, NULL), -EPERM), 0)
CALL(umad_unregister, fault_negative(run, umad_unregister(fd, agent)), 0)
CALL(umad_send, fault_refused(run, umad_send(fd, agent, umad, 256, 100, 0), -EIO), 0)
CALL(umad_poll, fault_refused(run, umad_poll(fd, 5000), -EIO), 0, FAULT_RULES(wait_rules))

FAULT(umad_register2, NULL, fabric_bare, FAULT_UNTOUCHED)
{
	struct umad_reg_attr attr = { .mgmt_class = 5, .mgmt_class_version = 1 }, before = attr;

	begin();
	fault_begin(run);
	fault_positive(run, umad_register2(fd, &attr, (uint32_t *)run->output));
	FAULT_EXPECT(run, !memcmp(&attr, &before, sizeof(attr)));
	end();
}

/* A MAD that a failed call has left comes with the next. */
FAULT(umad_recv, NULL, fabric_bare, FAULT_UNTOUCHED, FAULT_RULES(wait_rules))
{
	int length = 256, ret;

	begin();
	fault_begin(run);
	ret = umad_recv(fd, run->output, &length, 5000);
	fault_end(run);
	if (run->saved_errno == EINTR)
		fault_refused(run, ret, -EIO);
	else
		fault_negative(run, ret);
	FAULT_EXPECT(run, length == 256);
	if (run->failed)
		FAULT_EXPECT(run, umad_recv(fd, umad, &length, 5000) == agent);
	end();
}

FAULT(umad_recv, "without waiting", fabric_bare, FAULT_UNTOUCHED, FAULT_RULES(at_once_rules))
{
	int length = 256;

	begin();
	fault_begin(run);
	fault_negative(run, umad_recv(fd, run->output, &length, 0));
	FAULT_EXPECT(run, length == 256);
	end();
}
