/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What netlink.c offers: netlink sockets, without a name of libnl-3. Each function returns 0 (or
 * what is said beside it) or a negative errno, and leaves errno alone.
 */
#ifndef LIBIBUMAD_NETLINK_H
#define LIBIBUMAD_NETLINK_H

#include <stddef.h>
#include <linux/netlink.h>

/* An open socket, which never blocks. -ELIBACC: no libnl-3 here; -ELIBBAD: one without what is
 * needed; -EPROTONOSUPPORT: the kernel does not know the protocol. */
struct umad_netlink;
int umad_netlink_open(int protocol, struct umad_netlink **netlink);
void umad_netlink_close(struct umad_netlink *netlink);
int umad_netlink_get_fd(const struct umad_netlink *netlink);
int umad_netlink_join(struct umad_netlink *netlink, int group);

/* What the kernel sent in one piece; data is to be freed with free(). */
struct umad_netlink_datagram {
	void *data;
	size_t size;
};
/* 1: a datagram; 0: none is waiting; -ENOBUFS: some were lost. */
int umad_netlink_receive(struct umad_netlink *netlink, struct umad_netlink_datagram *datagram);

/* Calls handler for each message of a datagram that is whole, until one returns something else than
 * 0, and returns that. */
typedef int umad_netlink_handler(const struct nlmsghdr *message, void *context);
int umad_netlink_walk(const struct umad_netlink_datagram *datagram, umad_netlink_handler *handler,
		      void *context);

/* A request and what goes with it; its answers, which may be of another type, go to handler. */
struct umad_netlink_attribute {
	int type;
	const void *value;
	int size;
};
struct umad_netlink_request {
	int type;
	int flags; /* NLM_F_DUMP or 0 */
	const void *header;
	size_t header_size;
	const struct umad_netlink_attribute *attributes;
	size_t attribute_count;
	umad_netlink_handler *handler;
	void *context;
};
/* What the kernel answered. -EINTR: a dump that changed meanwhile, to be asked for again. */
int umad_netlink_ask(struct umad_netlink *netlink, const struct umad_netlink_request *request);

/* Where attributes of a message go. One of another size than its kind has is left out, as is a name
 * that does not fit; a text is cut. */
enum umad_netlink_kind {
	UMAD_NETLINK_U8,
	UMAD_NETLINK_U32,
	UMAD_NETLINK_U64,
	UMAD_NETLINK_NAME,
	UMAD_NETLINK_TEXT,
	UMAD_NETLINK_PRESENT, /* that there is such an attribute, whatever its size */
};
struct umad_netlink_field {
	int type;
	enum umad_netlink_kind kind;
	size_t offset; /* of the member that it goes to: uint8_t, uint32_t, uint64_t, char [size],
			* bool */
	size_t size;   /* NAME and TEXT: bytes there, NUL included */
};
#define UMAD_NETLINK_FIELD(attribute, type_of_object, member, kind_of_field) \
	{                                                                    \
		.type = (attribute), .kind = UMAD_NETLINK_##kind_of_field,   \
		.offset = offsetof(type_of_object, member),                  \
		.size = sizeof(((type_of_object *)NULL)->member)             \
	}
/* Fills in the members of object that message has attributes for, behind a header of header_size
 * bytes. -EBADMSG for a message that is too short. */
int umad_netlink_decode(const struct nlmsghdr *message, size_t header_size,
			const struct umad_netlink_field *fields, size_t count, void *object);

#endif /* LIBIBUMAD_NETLINK_H */
