/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-nldev.c - devices and ports as RDMA netlink reports them (libibumad/netlink/nldev.c),
 * wrong replies, and whether there is RDMA at all.
 */
#include "messages.h"
#include "fakesys.h"

#include <errno.h>
#include <stdio.h>

static const struct fakenl_device rxe = {
	.index = 9,
	.name = "rxe0",
	.protocol = "roce",
	.node_type = 1,
	.ports = 1,
	.state = 1,
	.phys_state = 3,
	.netdev_index = 7,
	.node = "umad17",
	.abi = 5,
};

static int read_port(struct umad_nldev_record *port)
{
	return umad_nldev_read_port(netlink, rxe.index, 1, NULL, port);
}

FAKENL_TEST(errors_of_the_kernel_are_reported)
{
	struct umad_nldev_record port;

	fakenl_add_device(&rxe);
	open_rdma();
	fakenl_response_error(EPERM);
	assert_int_equal(read_port(&port), -EPERM);
	fakenl_response_error(-EPERM); /* errors are negative */
	assert_int_equal(read_port(&port), -EBADMSG);
	fakenl_response_error(1000000);
	assert_int_equal(read_port(&port), -EBADMSG);
	assert_int_equal(read_port(&port), 0);
	umad_netlink_close(netlink);
}

FAKENL_TEST(errors_of_sending_are_reported)
{
	struct umad_nldev_record port;

	fakenl_add_device(&rxe);
	open_rdma();
	fakenl_fail_send(ENOMEM);
	errno = EBADF; /* of something before */
	assert_int_equal(read_port(&port), -ENOMEM);
	assert_int_equal(errno, EBADF);
	fakenl_fail_send(0);
	assert_int_equal(read_port(&port), 0);
	umad_netlink_close(netlink);
}

FAKENL_TEST(an_error_that_is_too_short_is_one)
{
	struct nlmsghdr error = { sizeof(error), NLMSG_ERROR, 0, (uint32_t)ANY_SEQUENCE, 0 };
	struct umad_nldev_record port;

	fakenl_add_device(&rxe);
	open_rdma();
	fakenl_response(&error, sizeof(error), 0);
	assert_int_equal(read_port(&port), -EBADMSG);
	error.nlmsg_type = NLMSG_DONE; /* older kernels send no status with it */
	fakenl_response(&error, sizeof(error), 0);
	assert_int_equal(read_port(&port), 0);
	umad_netlink_close(netlink);
}

/* Messages that are not the reply are ignored: those of other senders, or to older requests. */
FAKENL_TEST(foreign_responses_are_dropped)
{
	struct umad_nldev_record *devices;
	struct writer writer;
	size_t count;

	fakenl_add_device(&rxe);
	open_rdma();
	umad_netlink_join(netlink, UMAD_NLDEV_EVENTS);
	begin(&writer, TYPE_GET);
	put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "forged", 7);
	fakenl_send(NETLINK_RDMA, end(&writer), writer.size, SOMEBODY);
	memset(writer.data + offsetof(struct nlmsghdr, nlmsg_seq), 0, 4);
	fakenl_send(NETLINK_RDMA, end(&writer), writer.size, 0);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(count, 1);
	assert_string_equal(devices[0].name, "rxe0");
	free(devices);
	umad_netlink_close(netlink);
}

/* Messages of netlink itself, such as NLMSG_NOOP, are not part of the reply. */
FAKENL_TEST(control_messages_are_passed_over)
{
	struct nlmsghdr nothing = { sizeof(nothing), NLMSG_NOOP, 0, (uint32_t)ANY_SEQUENCE, 0 };
	struct nlmsghdr done = { sizeof(done), NLMSG_DONE, 0, (uint32_t)ANY_SEQUENCE, 0 };
	struct umad_nldev_record *devices;
	uint8_t response[600];
	struct writer writer;
	size_t count;

	open_rdma();
	begin(&writer, TYPE_GET);
	put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "rxe0", 5);
	memcpy(response, &nothing, sizeof(nothing));
	memcpy(response + sizeof(nothing), end(&writer), writer.size);
	memcpy(response + sizeof(nothing) + writer.size, &done, sizeof(done));
	fakenl_response(response, sizeof(nothing) + writer.size + sizeof(done), 0);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(count, 1);
	assert_string_equal(devices[0].name, "rxe0");
	free(devices);
	umad_netlink_close(netlink);
}

FAKENL_TEST(responses_without_end_are_not_kept)
{
	struct umad_nldev_record *devices;
	struct writer writer;
	uint8_t flood[4096];
	size_t count, at;

	open_rdma();
	begin(&writer, TYPE_GET);
	put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "rxe0", 5);
	end(&writer);
	for (at = 0; at + writer.size <= sizeof(flood); at += writer.size)
		memcpy(flood + at, writer.data, writer.size);
	fakenl_response(flood, at, 0);
	fakenl_repeat_response(100);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), -EOVERFLOW);
	umad_netlink_close(netlink);
}

FAKENL_TEST(rdma_is_known_by_the_protocol)
{
	char text[20000] = "sk               Eth Pid        Groups\n";

	assert_false(umad_nldev_known()); /* no such file */
	fakenl_know_rdma();
	assert_true(umad_nldev_known());
	kernel_file("/proc/net/netlink", text);
	assert_false(umad_nldev_known());
	kernel_file("/proc/net/netlink", "0000000019d3d8f2 20");
	assert_false(umad_nldev_known()); /* not a whole line */
	kernel_file("/proc/net/netlink", "");
	assert_false(umad_nldev_known());
	kernel_file("/proc/net/netlink", "20\n\n \n20 2 \nx 200 0\nx 2 20\nx");
	assert_false(umad_nldev_known());

	memset(text, 'x', sizeof(text) - 1); /* a line without a newline */
	text[sizeof(text) - 1] = '\0';
	kernel_file("/proc/net/netlink", text);
	assert_false(umad_nldev_known());
	fakesys_fail_path(KERNEL_READ, "/proc/net/netlink", EIO);
	assert_false(umad_nldev_known());
	assert_int_equal(fakenl_loads(), 0);
}

/* The library reads what fits a page; wherever a line is cut by that, it is understood. */
FAKENL_TEST(rdma_is_known_in_long_lists)
{
	static const char line[] = "0000000019d3d8f2 15  0 00000000\n";
	const size_t cut = 4096 - (sizeof(line) - 1); /* where the line that is cut begins */
	char text[6000];
	size_t shift, size;

	for (shift = 0; shift < sizeof(line) - 1; shift++) {
		size = (size_t)sprintf(text, "%*s\n", (int)(cut + shift - 1), "sk");
		while (size < sizeof(text) - sizeof(line))
			size += (size_t)sprintf(text + size, "%s", line);
		kernel_file("/proc/net/netlink", text);
		assert_false(umad_nldev_known());
		memcpy(strstr(text, " 15 "), " 20 ", 4);
		kernel_file("/proc/net/netlink", text);
		assert_true(umad_nldev_known());
	}
}

FAKENL_TEST(notifications_are_understood)
{
	enum { MONITOR = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, 28), EVENT_TYPE = 102 };
	struct writer writer;
	struct umad_nldev_record record;
	uint8_t type;

	open_rdma();
	for (type = 0; type < 8; type++) {
		begin(&writer, MONITOR);
		put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "mon0", 5);
		put(&writer, EVENT_TYPE, &type, 1);
		assert_true(umad_nldev_is_event(end(&writer), &record));
		assert_string_equal(record.name, "mon0");
	}
	begin(&writer, MONITOR); /* of a kind that we do not know */
	assert_true(umad_nldev_is_event(end(&writer), &record));
	assert_string_equal(record.name, "");
	begin(&writer, TYPE_PORT_GET);
	assert_false(umad_nldev_is_event(end(&writer), &record));
	umad_netlink_close(netlink);
}
