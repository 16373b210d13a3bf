/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The device and port of each open portid, for captures and debugging. The table holds more ports
 * than programs open; in lines and packets of further ones, names and addresses are missing.
 *
 * The thread that opens or closes a port writes its entry, the portid last; threads that use the
 * port read it.
 */
#include "libibumad/internal.h"

enum { OWNERS = 128, NO_PORT = -1, BEING_WRITTEN = -2 };

static struct umad_owner owners[OWNERS];

static int load(struct umad_owner *owner)
{
	return atomic_load_explicit(&owner->portid, memory_order_acquire) + NO_PORT;
}

static void store(struct umad_owner *owner, int portid)
{
	atomic_store_explicit(&owner->portid, portid - NO_PORT, memory_order_release);
}

struct umad_owner *umad_owner_find(int portid)
{
	for (int i = 0; portid >= 0 && i < OWNERS; i++)
		if (load(&owners[(portid + i) % OWNERS]) == portid)
			return &owners[(portid + i) % OWNERS];
	return NULL;
}

/* Claims a free entry, searching from the preferred one. */
static struct umad_owner *reserve(int portid)
{
	int empty;

	for (int i = 0; i < OWNERS; i++) {
		empty = 0; /* NO_PORT as entries store it */
		if (atomic_compare_exchange_strong(&owners[(portid + i) % OWNERS].portid, &empty,
						   BEING_WRITTEN - NO_PORT))
			return &owners[(portid + i) % OWNERS];
	}
	return NULL;
}

/* A program that closes the descriptor itself leaves an entry with the same number. */
void umad_owner_remember(int portid, const struct umad_port_choice *port)
{
	struct umad_owner *owner = umad_owner_find(portid);

	if (owner)
		store(owner, BEING_WRITTEN);
	else
		owner = reserve(portid);
	if (!owner)
		return;
	owner->port = *port;
	owner->addresses = owner->rmpp_agents = 0;
	store(owner, portid);
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
		store(owner, NO_PORT);
}
