/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events-devices.c - devices and their nodes that come, go and get other names; late and
 * contradictory messages.
 */
#include "events.h"

EVENTS_TEST(device_comes_and_goes, "open", "host +mlx5_0/0", "says +mlx5_0 +umad0 +issm0",
	    "sees +mlx5_0 +umad0@mlx5_0", "host -mlx5_0/0", "says -issm0 -umad0 -mlx5_0",
	    "sees -umad0@mlx5_0 -mlx5_0")

/* The kernel announces the umad device first. */
EVENTS_TEST(device_comes_before_its_node, "open", "host +mlx5_0/0", "says +umad0 +mlx5_0",
	    "sees +mlx5_0 +umad0@mlx5_0")

EVENTS_TEST(nodes_go_before_their_device, "host +mlx5_0/0 +umad1@mlx5_0 +umad2@mlx5_0", "open",
	    "host -mlx5_0/0 -umad1 -umad2", "says -mlx5_0 -umad0",
	    "sees -umad0@mlx5_0 -umad1@mlx5_0 -umad2@mlx5_0 -mlx5_0")

/* The module is loaded later, or unloaded. */
EVENTS_TEST(node_comes_and_goes_alone, "host +mlx5_0", "open", "host +umad3@mlx5_0", "says +umad3",
	    "sees +umad3@mlx5_0", "host -umad3", "says -umad3", "sees -umad3@mlx5_0")

EVENTS_TEST(device_gets_another_name, "host +mlx5_0/0", "open", "host -mlx5_0/0 +ibp3s0/0",
	    "says ibp3s0<mlx5_0", "sees ibp3s0<mlx5_0", "host -ibp3s0/0", "says -umad0 -ibp3s0",
	    "sees -umad0@ibp3s0 -ibp3s0")

/* Without a message, or where the node GUID is another one, it is another device. */
EVENTS_TEST(device_without_a_message_has_no_new_name, "host +mlx5_0/0", "open",
	    "host -mlx5_0/0 +ibp3s0/0", "rescan",
	    "sees -umad0@mlx5_0 -mlx5_0 +ibp3s0 +umad0@ibp3s0", "says ibp3s0<mlx5_0", "sees",
	    "host -ibp3s0/0 +mlx5_0/0#b0", "says mlx5_0<ibp3s0",
	    "sees -umad0@ibp3s0 -ibp3s0 +mlx5_0 +umad0@mlx5_0")

/* a becomes b, then c becomes a: with all messages, and with a look before the second one. */
EVENTS_TEST(name_is_given_to_another_device, "host +a/0 +c/1#c0", "open",
	    "host -a/0 -c/1 +b/0 +a/1#c0", "says b<a a<c", "sees b<a a<c")

EVENTS_TEST(name_is_given_to_another_device_unseen, "host +a/0 +c/1#c0", "open",
	    "host -a/0 -c/1 +b/0 +a/1#c0", "rescan",
	    "sees -umad0@a -umad1@c -a -c +b +a +umad0@b +umad1@a", "says b<a a<c", "sees")

/* Two devices exchange their names: no event can be the first, so one of them is removed. */
EVENTS_TEST(names_are_exchanged, "host +a/0 +b/1#b0", "open", "host -a/0 -b/1 +b/0 +a/1#b0",
	    "says t<a a<b b<t", "sees -umad0@a -a a<b +b +umad0@b")

#define LONG_NAME "b1234567890123456789"

EVENTS_TEST(impossible_names_come_and_go, "host +mlx5_0/0", "open",
	    "host -mlx5_0/0 +" LONG_NAME "/0", "says " LONG_NAME "<mlx5_0",
	    "sees -umad0@mlx5_0 -mlx5_0", "host -" LONG_NAME "/0 +mlx5_0/0",
	    "says mlx5_0<" LONG_NAME, "sees +mlx5_0 +umad0@mlx5_0",
	    "says +" LONG_NAME " -" LONG_NAME, "says +umad1048576 +umad01 +umad", "sees")

MONITOR_TEST(other_types_of_device_are_ignored)
{
	open_monitor();
	kernel_ca("siw0", 1, 1, 0);
	kernel_ca_file("siw0", "node_type", "4: RNIC\n");
	play((const char *const[]){ "says +siw0 ~siw0 siw0<siw1 -siw0", "sees", NULL });
}

/* In an exclusive RDMA network namespace the umad devices of all namespaces are seen, but only the
 * devices of this one. mlx5_1 moves here, of which there is but one message in a rootless
 * container, and mlx5_0 away. */
EVENTS_TEST(nodes_of_other_namespaces_are_ignored, "host +mlx5_0/0 +umad1@mlx5_1", "present",
	    "sees +mlx5_0 +umad0@mlx5_0", "rescan", "sees", "host +umad2@mlx5_2", "says +umad2",
	    "sees", "host -umad2", "says -umad2", "sees", "host +mlx5_1", "says +mlx5_1",
	    "sees +mlx5_1 +umad1@mlx5_1", "host -mlx5_0", "rescan", "sees -umad0@mlx5_0 -mlx5_0",
	    "rescan", "sees")

/* What it was cannot be known any more. */
EVENTS_TEST(device_that_came_and_went_is_no_event, "open", "says +umad0 +mlx5_0 -umad0 -mlx5_0",
	    "sees")

/* And then its module was loaded again. */
EVENTS_TEST(device_that_went_and_came_is_reported, "host +mlx5_0/0", "open", "says -mlx5_0 +mlx5_0",
	    "sees -umad0@mlx5_0 -mlx5_0 +mlx5_0 +umad0@mlx5_0", "says -umad0 +umad0",
	    "sees -umad0@mlx5_0 +umad0@mlx5_0")

EVENTS_TEST(messages_that_repeat_are_no_events, "host +mlx5_0/0", "open",
	    "says +mlx5_0 +umad0 -mlx5_1 -umad1 mlx5_0<mlx5_1", "sees")
