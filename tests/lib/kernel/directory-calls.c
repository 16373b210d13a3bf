/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The libc calls for directories that the fake kernel replaces. */
#include "internal.h"

#include <fcntl.h>

DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *dir);
int __real_closedir(DIR *dir);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);

DIR *__wrap_opendir(const char *path)
{
	if (!kernel.policy || !kernel_owns(path))
		return __real_opendir(path);
	if (kernel.policy->check_open)
		kernel.policy->check_open(path, O_DIRECTORY);
	return kernel_fails(KERNEL_OPENDIR, path) ? NULL : kernel_directory_open(path);
}

struct dirent *__wrap_readdir(DIR *dir)
{
	if (!kernel_directory_owns(dir))
		return __real_readdir(dir);
	pthread_testcancel();
	return kernel_fails(KERNEL_READDIR, NULL) ? NULL : kernel_directory_read(dir);
}

int __wrap_closedir(DIR *dir)
{
	if (!kernel_directory_owns(dir))
		return __real_closedir(dir);
	pthread_testcancel();
	kernel_directory_close(dir);
	return 0;
}
