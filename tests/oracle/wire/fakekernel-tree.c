/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The sysfs of the fake kernel: one CA with one port, as files in a folder that goes with it. */
#include "fakekernel-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYSFS_PREFIX "/sys/class/infiniband"

static const struct {
	const char *path;
	const char *text;
} tree[] = {
	{ "/infiniband_mad/abi_version", "5\n" },
	{ "/infiniband_mad/umad0/ibdev", "mlx5_0\n" },
	{ "/infiniband_mad/umad0/port", "1\n" },
	{ "/infiniband_mad/issm0/ibdev", "mlx5_0\n" },
	{ "/infiniband_mad/issm0/port", "1\n" },
	{ "/infiniband/mlx5_0/node_type", "1: CA\n" },
	{ "/infiniband/mlx5_0/fw_ver", "16.35.2000\n" },
	{ "/infiniband/mlx5_0/hw_rev", "0\n" },
	{ "/infiniband/mlx5_0/hca_type", "MT4119\n" },
	{ "/infiniband/mlx5_0/node_guid", "0002:c903:0000:0000\n" },
	{ "/infiniband/mlx5_0/sys_image_guid", "0002:c903:0000:0003\n" },
	{ "/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n" },
	{ "/infiniband/mlx5_0/ports/1/phys_state", "5: LinkUp\n" },
	{ "/infiniband/mlx5_0/ports/1/lid", "0x1\n" },
	{ "/infiniband/mlx5_0/ports/1/sm_lid", "0x1\n" },
	{ "/infiniband/mlx5_0/ports/1/lid_mask_count", "0\n" },
	{ "/infiniband/mlx5_0/ports/1/sm_sl", "0\n" },
	{ "/infiniband/mlx5_0/ports/1/cap_mask", "0x2651e848\n" },
	{ "/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n" },
	{ "/infiniband/mlx5_0/ports/1/gids/0", "fe80:0000:0000:0000:0002:c903:0000:0001\n" },
	{ "/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n" },
	{ "/infiniband/mlx5_0/ports/1/pkeys/0", "0xffff\n" },
};

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0700);
		*slash = '/';
	}
}

static void make_tree(void)
{
	char path[512];

	snprintf(fakekernel.root, sizeof(fakekernel.root), "%s/wire.XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : P_tmpdir);
	if (!mkdtemp(fakekernel.root)) {
		perror("fakekernel: mkdtemp");
		exit(99);
	}
	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", fakekernel.root, tree[i].path);
		make_parents(path);
		int fd = NEXT(open)(path, O_WRONLY | O_CREAT, 0600);

		if (fd < 0 || NEXT(write)(fd, tree[i].text, strlen(tree[i].text)) < 0)
			exit(99);
		NEXT(close)(fd);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

__attribute__((destructor)) static void remove_tree(void)
{
	if (fakekernel.root[0])
		nftw(fakekernel.root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	fakekernel.root[0] = '\0';
}

bool fakekernel_redirects(const char *path, char *out, size_t size)
{
	if (strncmp(path, SYSFS_PREFIX, strlen(SYSFS_PREFIX)))
		return false;
	pthread_mutex_lock(&fakekernel.lock);
	if (!fakekernel.root[0])
		make_tree();
	pthread_mutex_unlock(&fakekernel.lock);
	snprintf(out, size, "%s%s", fakekernel.root, path + strlen("/sys/class"));
	return true;
}
