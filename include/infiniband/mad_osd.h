/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The platform part of <infiniband/mad.h>, which programs include: the headers of the system. */
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
