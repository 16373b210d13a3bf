/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The device and port of each open portid, for captures and debugging. The table holds more ports
 * than programs open; in lines and packets of further ones, names and addresses are missing.
 *
 * The thread that opens or closes a port writes its entry, the portid last; threads that use the
 * port read it.
 */
#include "libibumad/internal.h"

enum { OWNERS = 128, NO_PORT = 0, BEING_WRITTEN = 1 };

static struct umad_owner owners[OWNERS];

/* The entries in which a port may be, by preference: i from 0 to OWNERS - 1. */
static struct umad_owner *entry(int portid, unsigned int i)
{
	return &owners[((unsigned int)portid + i) % OWNERS];
}

struct umad_owner *umad_owner_find(int portid)
{
	for (unsigned int i = 0; portid >= 0 && i < OWNERS; i++)
		if (entry(portid, i)->complement == ~portid)
			return entry(portid, i);
	return NULL;
}

static struct umad_owner *reserve(int portid)
{
	int empty;

	for (unsigned int i = 0; i < OWNERS; i++) {
		empty = NO_PORT;
		if (atomic_compare_exchange_strong(&entry(portid, i)->complement, &empty,
						   BEING_WRITTEN))
			return entry(portid, i);
	}
	return NULL;
}

/* A program that closes the descriptor itself leaves an entry with the same number. */
void umad_owner_remember(int portid, const struct umad_port_choice *port)
{
	struct umad_owner *owner = umad_owner_find(portid);

	if (owner)
		owner->complement = BEING_WRITTEN;
	else
		owner = reserve(portid);
	if (!owner)
		return;
	owner->port = *port;
	owner->addresses = 0;
	owner->rmpp_agents = 0;
	owner->complement = ~portid;
}

/* The kernel has no agents beyond 31. */
void umad_owner_note_agent(int portid, uint32_t agent_id, bool has_rmpp)
{
	struct umad_owner *owner = umad_owner_find(portid);
	unsigned int bit = agent_id < 32 ? 1U << agent_id : 0;

	if (owner && has_rmpp)
		owner->rmpp_agents |= bit;
	else if (owner)
		owner->rmpp_agents &= ~bit;
}

bool umad_owner_has_rmpp(int portid, uint32_t agent_id)
{
	struct umad_owner *owner = umad_owner_find(portid);

	return owner && agent_id < 32 && owner->rmpp_agents >> agent_id & 1;
}

void umad_owner_forget(int portid)
{
	struct umad_owner *owner = umad_owner_find(portid);

	if (owner)
		owner->complement = NO_PORT;
}
