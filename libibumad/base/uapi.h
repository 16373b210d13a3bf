/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Interface of uapi.c: the requests of the umad devices, without any type of the kernel's header,
 * so that it can be included beside umad.h. Each function returns 0 or a negative errno.
 */
#ifndef LIBIBUMAD_UAPI_H
#define LIBIBUMAD_UAPI_H

#include <stdint.h>

/* The values of an agent to register; all in host byte order. */
struct umad_agent_request {
	uint8_t qpn;
	uint8_t mgmt_class;
	uint8_t mgmt_class_version;
	uint8_t rmpp_version;
	uint32_t oui;		 /* 24 bits */
	uint32_t flags;		 /* register2 only; on return the flags that the kernel accepted */
	uint64_t method_mask[2]; /* bit m % 64 of word m / 64: method m */
	uint32_t agent_id;	 /* set by the kernel */
};

int umad_uapi_enable_pkey(int fd);
int umad_uapi_register(int fd, struct umad_agent_request *request);
int umad_uapi_register2(int fd, struct umad_agent_request *request);
int umad_uapi_unregister(int fd, uint32_t agent_id);

#endif /* LIBIBUMAD_UAPI_H */
