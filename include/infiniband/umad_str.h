/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Names of classes, methods, attributes and statuses, for messages. All functions
 * return constant strings of the library, never NULL, which the caller must not free. */
#ifndef INFINIBAND_UMAD_STR_H
#define INFINIBAND_UMAD_STR_H

#include <infiniband/umad_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the name of a management class. */
const char *umad_class_str(uint8_t mgmt_class);

/* Returns the name of a method in that class. */
const char *umad_method_str(uint8_t mgmt_class, uint8_t method);

/* Returns the meaning of a status (network order) in the bits that all classes share. */
const char *umad_common_mad_status_str(__be16 status);

/* Returns the meaning of a status (network order) in the bits that belong to the SA class. */
const char *umad_sa_mad_status_str(__be16 status);

/* Returns the name of an attribute (network order) of a management class. */
const char *umad_attribute_str(uint8_t mgmt_class, __be16 attr_id);

#ifdef __cplusplus
}
#endif

#endif /* INFINIBAND_UMAD_STR_H */
