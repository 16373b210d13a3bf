/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Writes the outputs. A file is replaced as a whole: a reader finds the old one or the new one, and
 * where the new one can't be written, the old one stays.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep.h"

#define DEFAULT_MODE 0666

static sweep_writer *const writers[OUTPUTS] = {
	[OUTPUT_TEXT] = text_write, [OUTPUT_SUMMARY] = summary_write,
	[OUTPUT_JSON] = json_write, [OUTPUT_CSV] = csv_write,
	[OUTPUT_DOT] = dot_write,   [OUTPUT_PROMETHEUS] = prometheus_write,
	[OUTPUT_SVG] = svg_write,
};

/* Devices and pipes are written to, and not replaced. */
static bool is_replaced(const char *path)
{
	struct stat status;

	return stat(path, &status) || S_ISREG(status.st_mode);
}

static int check_writable(const char *path)
{
	char *copy;
	struct stat status;
	int result;

	if (!stat(path, &status) && S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (!is_replaced(path))
		return access(path, W_OK);
	copy = strdup(path);
	result = copy ? access(dirname(copy), W_OK | X_OK) : -1;
	free(copy);
	return result;
}

static void complain_of(const struct options *options, enum output output)
{
	complain("%s: %s: %s", options_output_name(output), options->files[output],
		 strerror(errno));
}

/* Names that differ may still be of one file: links, ./a and a. */
static bool check_same(const struct options *options, char *const *paths, enum output output)
{
	for (enum output i = 0; i < output; i++)
		if (paths[i] && !strcmp(paths[i], paths[output]) && is_replaced(paths[i])) {
			complain("%s and %s are the same file: %s", options_output_name(i),
				 options_output_name(output), options->files[output]);
			return false;
		}
	return true;
}

bool outputs_check(const struct options *options)
{
	char *paths[OUTPUTS] = { 0 };
	bool good = !options->files[OUTPUT_SVG] || !system("command -v dot >/dev/null");

	if (!good)
		complain("--svg: dot is not installed: it is a program of Graphviz");
	for (enum output i = 0; good && i < OUTPUTS; i++) {
		if (!options->files[i] || !strcmp(options->files[i], "-"))
			continue;
		paths[i] = file_resolve(options->files[i]);
		good = paths[i] && !check_writable(paths[i]);
		if (!good)
			complain_of(options, i);
		else
			good = check_same(options, paths, i);
		if (good && is_replaced(paths[i]))
			file_remove_leftovers(paths[i]);
	}
	for (enum output i = 0; i < OUTPUTS; i++)
		free(paths[i]);
	return good;
}

/* A new file gets the owner and the permissions of the file that it replaces. */
static void copy_access(const char *path, int fd)
{
	struct stat status;
	mode_t mask = umask(0);

	umask(mask);
	if (stat(path, &status)) {
		fchmod(fd, DEFAULT_MODE & ~mask);
		return;
	}
	if (fchown(fd, status.st_uid, status.st_gid)) /* root's may be given away, others not */
		status.st_mode &= 0777;
	fchmod(fd, status.st_mode & 07777);
}

/* Writes to a stream and closes it; 0, or -1 with errno. */
static int write_and_close(const struct sweep *sweep, const struct options *options,
			   enum output output, FILE *file, bool is_file)
{
	int error = 0;

	errno = 0;
	if (!writers[output](sweep, options, file) || fflush(file) || ferror(file) ||
	    (is_file && fsync(fileno(file))))
		error = errno ? errno : EIO;
	if (file == stdout)
		clearerr(file); /* the caller says what is wrong */
	else if (fclose(file) && !error)
		error = errno;
	errno = error;
	return error ? -1 : 0;
}

/* The new name has to be on the disk, too. */
static void sync_folder(char *path)
{
	int fd = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int replace(const struct sweep *sweep, const struct options *options, enum output output,
		   char *path)
{
	char *temporary = NULL;
	FILE *file = NULL;
	int fd = file_create_temporary(path, &temporary), error;

	if (fd >= 0) {
		copy_access(path, fd);
		file = fdopen(fd, "w");
	}
	if (file && !write_and_close(sweep, options, output, file, true) &&
	    !rename(temporary, path)) {
		free(temporary);
		sync_folder(path);
		return 0;
	}
	error = errno;
	if (fd >= 0)
		unlink(temporary);
	if (fd >= 0 && !file)
		close(fd);
	free(temporary);
	errno = error;
	return -1;
}

static int write_output(const struct sweep *sweep, const struct options *options,
			enum output output)
{
	char *path;
	FILE *file;
	int result;

	if (!strcmp(options->files[output], "-"))
		return write_and_close(sweep, options, output, stdout, false);
	path = file_resolve(options->files[output]);
	if (!path)
		return -1;
	if (is_replaced(path)) {
		result = replace(sweep, options, output, path);
	} else {
		file = fopen(path, "we");
		result = file ? write_and_close(sweep, options, output, file, false) : -1;
	}
	free(path);
	return result;
}

/* A sweep from a port without a link is no fabric that others could be compared with. */
static bool is_kept(const struct sweep *sweep, const struct options *options, enum output output)
{
	const char *name = options->files[output];

	if (output != OUTPUT_JSON || mad_fabric_get_info(sweep->fabric)->error != ENETDOWN ||
	    (sweep->state && sweep->state->fabric &&
	     mad_fabric_get_info(sweep->state->fabric)->out_of_reach) ||
	    !strcmp(name, "-") || access(name, F_OK) || !is_replaced(name))
		return false;
	complain("%s: %s stays as it was", options_output_name(output), name);
	return true;
}

bool outputs_write(const struct sweep *sweep, const struct options *options)
{
	bool good = true;

	for (enum output i = 0; i < OUTPUTS; i++)
		if (options->files[i] && (sweep->fabric || i == OUTPUT_PROMETHEUS) &&
		    !(sweep->fabric && is_kept(sweep, options, i)) &&
		    write_output(sweep, options, i)) {
			complain_of(options, i);
			good = false;
		}
	return good;
}
