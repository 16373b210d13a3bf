/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Calls that the distribution's pair does not have. Tests use them by their names; each is looked
 * up when it is called, and where it is missing the case is skipped. So one test program runs on
 * both pairs: a direct reference would keep it from being loaded at all.
 */
#ifndef KERNEL_OPTIONAL_H
#define KERNEL_OPTIONAL_H

#include <infiniband/mad.h>
#include <infiniband/mad_address.h>
#include <infiniband/mad_async.h>
#include <infiniband/mad_message.h>
#include <infiniband/umad.h>
#include <infiniband/umad_monitor.h>

#include "tap.h"

#define optional(name, ...) (((__typeof__(&name))tap_symbol(#name))(__VA_ARGS__))

#define mad_rpc_open_port2(...)	 optional(mad_rpc_open_port2, __VA_ARGS__)
#define mad_rpc_close_port2(...) optional(mad_rpc_close_port2, __VA_ARGS__)

#define mad_message_send(...)	 optional(mad_message_send, __VA_ARGS__)
#define mad_message_receive(...) optional(mad_message_receive, __VA_ARGS__)
#define umad_event_str(...)	 optional(umad_event_str, __VA_ARGS__)
#define umad_monitor_close(...)	 optional(umad_monitor_close, __VA_ARGS__)
#define umad_monitor_get_fd(...) optional(umad_monitor_get_fd, __VA_ARGS__)
#define umad_monitor_open(...)	 optional(umad_monitor_open, __VA_ARGS__)
#define umad_monitor_read(...)	 optional(umad_monitor_read, __VA_ARGS__)
#define umad_monitor_rescan(...) optional(umad_monitor_rescan, __VA_ARGS__)

#define mad_async_create(...)	optional(mad_async_create, __VA_ARGS__)
#define mad_async_free(...)	optional(mad_async_free, __VA_ARGS__)
#define mad_async_submit(...)	optional(mad_async_submit, __VA_ARGS__)
#define mad_async_cancel(...)	optional(mad_async_cancel, __VA_ARGS__)
#define mad_async_dispatch(...) optional(mad_async_dispatch, __VA_ARGS__)
#define mad_async_get_fd(...)	optional(mad_async_get_fd, __VA_ARGS__)
#define mad_async_pending(...)	optional(mad_async_pending, __VA_ARGS__)

#endif
