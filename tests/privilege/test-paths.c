/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * No path leads out of the places where devices are, whatever name a caller gives and whatever is
 * in sysfs. Stands in for the kernel with a sysfs in which every directory and every attribute is
 * made of the same names, good and bad, and looks at each path that is opened: it is absolute, has
 * no empty component, no "." and no "..", lies below one of the places of devices, is opened for
 * writing only as a umad node, never created, and never left to other programs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mad.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../assert-between.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define FIRST_FD     1000
#define MAX_FDS	     64
#define LONG_NAME    "mlx5_0123456789012345678901234567890123456789012345678901234567890123456789"

/* What callers ask for, what directories list, and what attributes say. */
static const char *const names[] = {
	"mlx5_0", "1",	    "umad0",	  "..",	       ".",	      "../..",
	"",	  "0",	    "umad1",	  "a/b",       "/etc/passwd", "../../../etc/passwd",
	"/",	  "umad/0", "umad../x",	  "mlx5_0/..", "issm0",	      "./mlx5_0",
	"255",	  "-1",	    "4294967297", "0x1",       "mlx5_0\n..",  LONG_NAME,
	"%s%n",	  "2",	    "umad-1",	  "1: CA",     "4: ACTIVE",   "InfiniBand",
	"5",	  "umad63", "umad64",	  "\xff\xfe",  "umad00",      "*",
};

static struct {
	bool open;
	bool device;
	const char *says; /* NULL: what every attribute says */
} descriptors[MAX_FDS];

static struct directory {
	bool open;
	size_t at;
	struct dirent entry;
} directories[MAX_FDS];

static size_t content; /* which name the attributes say */
static unsigned opened, opened_devices;

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);
int __wrap_scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **, const struct dirent **));

/* "umad" and a number below 64 as the kernel writes it, which is all that a device is called. */
static bool is_node(const char *name)
{
	char *end;
	long number;

	if (strncmp(name, "umad", 4) || name[4] < '0' || name[4] > '9')
		return false;
	number = strtol(name + 4, &end, 10);
	return !*end && number < 64 && (name[4] != '0' || !name[5]);
}

/* Whether each component of an absolute path is a name. */
static bool is_canonical(const char *path)
{
	while (*path == '/') {
		size_t length = strcspn(++path, "/");

		if (!length || (length == 1 && path[0] == '.') ||
		    (length == 2 && path[0] == '.' && path[1] == '.') || length > NAME_MAX)
			return false;
		path += length;
	}
	return !*path;
}

static bool begins(const char *path, const char *with)
{
	size_t length = strlen(with);

	return !strncmp(path, with, length) && (!path[length] || path[length] == '/');
}

static bool is_place_of_devices(const char *path)
{
	return begins(path, "/sys/class/infiniband") || begins(path, "/sys/class/infiniband_mad") ||
	       !strcmp(path, "/proc/net/netlink");
}

static void check_path(const char *path, int flags)
{
	bool device = begins(path, "/dev/infiniband") && is_node(path + 16);

	opened++;
	if (!is_canonical(path) || (!device && !is_place_of_devices(path)))
		fail_msg("opened: %s", path);
	if (!(flags & O_CLOEXEC) || flags & (O_CREAT | O_TRUNC | O_APPEND) ||
	    ((flags & O_ACCMODE) != O_RDONLY && !device))
		fail_msg("opened with flags 0%o: %s", (unsigned)flags, path);
}

/* Two attributes are what a good device has, so that some devices are opened, too. */
static const char *says(const char *path)
{
	const char *attribute = strrchr(path, '/') + 1;

	if (!strcmp(attribute, "port"))
		return "1";
	return strcmp(attribute, "abi_version") ? NULL : "5";
}

int __wrap_open(const char *path, int flags, ...)
{
	check_path(path, flags);
	for (int i = 0; i < MAX_FDS; i++) {
		if (descriptors[i].open)
			continue;
		descriptors[i].open = true;
		descriptors[i].device = begins(path, "/dev");
		descriptors[i].says = says(path);
		opened_devices += descriptors[i].device;
		return FIRST_FD + i;
	}
	errno = EMFILE;
	return -1;
}

int __wrap_close(int fd)
{
	assert_between(fd, FIRST_FD, FIRST_FD + MAX_FDS - 1);
	assert_true(descriptors[fd - FIRST_FD].open);
	descriptors[fd - FIRST_FD].open = false;
	return 0;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	const char *text;
	size_t length;

	assert_between(fd, FIRST_FD, FIRST_FD + MAX_FDS - 1);
	if (descriptors[fd - FIRST_FD].device) {
		errno = EAGAIN;
		return -1;
	}
	text = descriptors[fd - FIRST_FD].says;
	text = text ? text : names[content];
	length = strlen(text) < size ? strlen(text) : size;
	memcpy(buffer, text, length);
	return (ssize_t)length;
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	(void)buffer;
	assert_true(fd >= FIRST_FD && descriptors[fd - FIRST_FD].device);
	return (ssize_t)size;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	(void)fds, (void)count, (void)timeout;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	(void)request;
	assert_true(fd >= FIRST_FD && descriptors[fd - FIRST_FD].device);
	return 0;
}

DIR *__wrap_opendir(const char *path)
{
	struct directory *directory = directories;

	check_path(path, O_RDONLY | O_CLOEXEC); /* as opendir() itself has it */
	while (directory->open)
		assert_between(++directory - directories, 0, MAX_FDS - 1);
	directory->open = true;
	directory->at = 0;
	return (DIR *)directory;
}

struct dirent *__wrap_readdir(DIR *dir)
{
	struct directory *directory = (struct directory *)dir;

	/* What no directory can hold, the kernel does not list. */
	while (directory->at < COUNT(names) &&
	       (!names[directory->at][0] || strchr(names[directory->at], '/')))
		directory->at++;
	if (directory->at == COUNT(names))
		return NULL;
	snprintf(directory->entry.d_name, sizeof(directory->entry.d_name), "%s",
		 names[directory->at++]);
	return &directory->entry;
}

int __wrap_closedir(DIR *dir)
{
	((struct directory *)dir)->open = false;
	return 0;
}

int __wrap_scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **, const struct dirent **))
{
	(void)list, (void)filter, (void)compare;
	check_path(path, O_RDONLY | O_CLOEXEC);
	errno = ENOENT;
	return -1;
}

/* Asks all that takes the name of a device. */
static void ask(const char *name, int portnum)
{
	char ca_names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN], path[256];
	int classes[] = { IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct umad_device_node *list;
	struct umad_ca_pair pairs[8];
	struct ibmad_port *mad_port;
	__be64 guids[UMAD_CA_MAX_PORTS];
	umad_port_t port;
	umad_ca_t ca;
	int portid;

	umad_get_cas_names(ca_names, UMAD_MAX_DEVICES);
	list = umad_get_ca_device_list();
	umad_free_ca_device_list(list);
	if (!umad_get_ca(name, &ca))
		umad_release_ca(&ca);
	if (!umad_get_port(name, portnum, &port))
		umad_release_port(&port);
	umad_get_ca_portguids(name, guids, UMAD_CA_MAX_PORTS);
	umad_get_issm_path(name, portnum, path, sizeof(path));
	umad_get_smi_gsi_pairs(pairs, COUNT(pairs));
	umad_get_smi_gsi_pair_by_ca_name(name, (uint8_t)portnum, pairs, 0);
	portid = umad_open_port(name, portnum);
	if (portid >= 0)
		umad_close_port(portid);
	portid = umad_open_smi_port(name, portnum);
	if (portid >= 0)
		umad_close_port(portid);
	if (portnum != 1) /* it says on standard error what it can't open */
		return;
	mad_port = mad_rpc_open_port((char *)name, portnum, classes, COUNT(classes));
	if (mad_port)
		mad_rpc_close_port(mad_port);
}

static void every_name_in_every_place(void **state)
{
	static const int ports[] = { 0, 1, -1, 255 };

	(void)state;
	for (content = 0; content < COUNT(names); content++) {
		for (size_t i = 0; i < COUNT(ports); i++) {
			ask(NULL, ports[i]);
			for (size_t name = 0; name < COUNT(names); name++)
				ask(names[name], ports[i]);
		}
		for (int i = 0; i < MAX_FDS; i++)
			assert_false(descriptors[i].open || directories[i].open);
	}
	assert_between(opened, 1000, INT32_MAX);
	assert_between(opened_devices, 1, INT32_MAX);
}

/* The check itself refuses what it is there for. */
static void check_refuses(void **state)
{
	(void)state;
	assert_false(is_canonical("/sys/class/infiniband/../x"));
	assert_false(is_canonical("/sys/class/infiniband//x"));
	assert_false(is_canonical("sys"));
	assert_false(is_canonical("/sys/class/infiniband/"));
	assert_true(is_canonical("/sys/class/infiniband/mlx5_0"));
	assert_false(is_place_of_devices("/sys/class/infiniband_x/mlx5_0"));
	assert_false(is_place_of_devices("/etc/passwd"));
	assert_false(is_node("umad64") || is_node("umad01") || is_node("umad1x") ||
		     is_node("issm0"));
	assert_true(is_node("umad0") && is_node("umad63"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_refuses),
		cmocka_unit_test(every_name_in_every_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
