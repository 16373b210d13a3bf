/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See worker.h. */
#include "worker.h"

#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sys.h"

enum { NOBODY = 65534 };

/* Its task: something to do so many times; with two commands, in turn. */
struct task {
	enum command first, second;
	int times;
};

static int task_pipe[2], result_pipe[2];

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

/* A uevent about a device that is not the subject. */
static bool make_noise(void)
{
	int fd = open("/sys/class/net/lo/uevent", O_WRONLY | O_CLOEXEC);
	bool done = write(fd, "change", 6) == 6;

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
	case NOISE:
		return make_noise();
	}
	return false;
}

static void work(void)
{
	struct task task;

	while (read(task_pipe[0], &task, sizeof(task)) == sizeof(task)) {
		bool done = true;

		for (int i = 0; i < task.times; i++)
			done = do_command(i % 2 ? task.second : task.first) && done;
		if (write(result_pipe[1], &done, sizeof(done)) != sizeof(done))
			break;
	}
	_exit(0);
}

bool start_task(enum command first, enum command second, int times)
{
	struct task task = { first, second, times };

	return write(task_pipe[1], &task, sizeof(task)) == sizeof(task);
}

bool end_task(void)
{
	bool done;

	return read(result_pipe[0], &done, sizeof(done)) == sizeof(done) && done;
}

bool task_is_done(void)
{
	struct pollfd result = { .fd = result_pipe[0], .events = POLLIN };

	return poll(&result, 1, 0) > 0;
}

bool order(enum command command)
{
	return start_task(command, command, 1) && end_task();
}

bool start_worker(bool as_user)
{
	if (if_nametoindex(NETDEV))
		sys_run("ip", "link", "delete", NETDEV, NULL);
	if (!sys_run("ip", "link", "add", NETDEV, "type", "veth", "peer", "name", PEER, NULL) ||
	    !sys_run("ip", "link", "set", PEER, "up", NULL) || !set_netdev(true))
		return false;
	if (pipe(task_pipe) || pipe(result_pipe))
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
