/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See worker.h. */
#include "worker.h"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys.h"

enum { NOBODY = 65534 };

static int command_pipe[2], result_pipe[2];

static bool set_netdev(bool up)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = NETDEV };
	bool done = ioctl(fd, SIOCGIFFLAGS, &request) == 0;

	request.ifr_flags = (short)((request.ifr_flags & ~IFF_UP) | (up ? IFF_UP : 0));
	done = done && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
	close(fd);
	return done;
}

static bool do_command(enum command command)
{
	switch (command) {
	case ADD:
		return sys_run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", NETDEV,
			       NULL);
	case DELETE:
		return sys_run("rdma", "link", "delete", DEVICE, NULL);
	case DOWN:
		return set_netdev(false);
	case UP:
		return set_netdev(true);
	case RENAME:
		return sys_run("rdma", "dev", "set", DEVICE, "name", OTHER, NULL);
	case DELETE_NETDEV:
		return sys_run("ip", "link", "delete", NETDEV, NULL);
	}
	return false;
}

static void work(void)
{
	enum command command;

	while (read(command_pipe[0], &command, sizeof(command)) == sizeof(command)) {
		bool done = do_command(command);

		if (write(result_pipe[1], &done, sizeof(done)) != sizeof(done))
			break;
	}
	_exit(0);
}

bool order(enum command command)
{
	bool done;

	return write(command_pipe[1], &command, sizeof(command)) == sizeof(command) &&
	       read(result_pipe[0], &done, sizeof(done)) == sizeof(done) && done;
}

bool start_worker(bool as_user)
{
	if (if_nametoindex(NETDEV))
		sys_run("ip", "link", "delete", NETDEV, NULL);
	if (!sys_run("ip", "link", "add", NETDEV, "type", "veth", "peer", "name", PEER, NULL) ||
	    !sys_run("ip", "link", "set", PEER, "up", NULL) || !set_netdev(true))
		return false;
	if (pipe(command_pipe) || pipe(result_pipe))
		return false;
	switch (fork()) {
	case -1:
		return false;
	case 0:
		work();
	}
	return !as_user ||
	       (!setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY));
}
