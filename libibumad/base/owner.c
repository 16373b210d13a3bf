/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Which device and port each open portid belongs to, for captures and debugging. A portid is the
 * file descriptor, so that nothing else needs to know. Input: what port.c has opened. The table has
 * room for more ports than programs open; beyond that they are not known, and nothing depends on
 * it.
 *
 * Rule for threads: an entry is written by the thread that opens or closes its port, and read by
 * those that use the port meanwhile. Its portid is set last.
 */
#include "libibumad/internal.h"

enum { OWNERS = 128, NO_PORT = -1, BEING_WRITTEN = -2 };

/* The portids in it are one higher than they are, so that zeros are an empty table. */
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
	int i;

	for (i = 0; portid >= 0 && i < OWNERS; i++)
		if (load(&owners[(portid + i) % OWNERS]) == portid)
			return &owners[(portid + i) % OWNERS];
	return NULL;
}

/* An empty entry, near to where it is looked for first, which nobody else takes any more. */
static struct umad_owner *reserve(int portid)
{
	int i, empty;

	for (i = 0; i < OWNERS; i++) {
		empty = 0; /* NO_PORT, as entries hold it */
		if (atomic_compare_exchange_strong(&owners[(portid + i) % OWNERS].portid, &empty,
						   BEING_WRITTEN - NO_PORT))
			return &owners[(portid + i) % OWNERS];
	}
	return NULL;
}

/* A program may have closed the descriptor by itself, so that an older entry has its number. */
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
	atomic_store_explicit(&owner->addresses, 0, memory_order_relaxed);
	store(owner, portid);
}

void umad_owner_forget(int portid)
{
	struct umad_owner *owner = umad_owner_find(portid);

	if (owner)
		store(owner, NO_PORT);
}
