/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The platform part of <infiniband/mad.h>: what that header needs from the system it is used on.
 * It declares nothing of its own; programs include <infiniband/mad.h>.
 */
#ifndef _MAD_OSD_H_
#define _MAD_OSD_H_

/* Programs depend on each of these: none may be removed. */
#include <arpa/inet.h>
#include <byteswap.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#endif /* _MAD_OSD_H_ */
