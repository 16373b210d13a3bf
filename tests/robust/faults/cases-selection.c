/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* cases-selection.c - pairs, paths of nodes, and ports that are opened. */
#include "host-rules.h"

#include <string.h>

static const struct fault_rule rules[] = { RULES(ENODEV) };
static const struct fault_rule node_rules[] = { RULES(ENODEV, EINVAL) };
static const struct fault_rule open_rules[] = {
	{ FAULT_IOCTL, EINVAL, FAULT_LESS, { 0 } }, /* an old kernel */
	{ FAULT_IOCTL, ENOTTY, FAULT_LESS, { 0 } },
	RULES(ENODEV, EINVAL, EOPNOTSUPP),
};

/*
 * Pairs, and paths of nodes
 */

static bool is_device(const char *name)
{
	return !name[0] || !strncmp(name, "mlx5_", 5) || !strcmp(name, "rxe0");
}

/* What is not known to be shared looks like devices of their own, or like none. */
static bool other_pairs(const struct fault_run *run, const uint8_t *whole)
{
	const struct umad_ca_pair *pair = (const void *)run->output;

	(void)whole;
	return is_device(pair->smi_name) && is_device(pair->gsi_name) &&
	       (pair->smi_name[0] || pair->gsi_name[0] || !pair[1].gsi_name[0]);
}

static void get_pair(struct fault_run *run, const char *ca_name, uint8_t portnum)
{
	struct umad_ca_pair pair;

	memset(&pair, 0, sizeof(pair));
	fault_begin(run);
	fault_negative(run, umad_get_smi_gsi_pair_by_ca_name(ca_name, portnum, &pair, 1));
	if (!run->failed)
		memcpy(run->output, &pair, sizeof(pair));
}

static bool other_path(const struct fault_run *run, const uint8_t *whole)
{
	(void)whole;
	return !strncmp((const char *)run->output, "/dev/infiniband/issm", 20);
}

/*
 * Opening: what fails before there is a node is a negative errno, what fails then is -EIO.
 */

static void open_port(struct fault_run *run, int (*function)(const char *, int),
		      const char *ca_name, int portnum)
{
	int fd;

	host_expect_open();
	fault_begin(run);
	fd = fault_refused(run, function(ca_name, portnum), -EIO);
	if (!run->failed) {
		run->output[0] = (uint8_t)umad_size();
		FAULT_EXPECT(run, umad_close_port(fd) == 0);
	}
	host_forget_expected();
}

static bool short_header(const struct fault_run *run, const uint8_t *whole)
{
	return run->fault->call == FAULT_IOCTL ? run->output[0] == 56 : run->output[0] == whole[0];
}

FAULT(umad_get_smi_gsi_pairs, NULL, host_sysfs, FAULT_UNTOUCHED, FAULT_RULES(rules),
      .less = other_pairs)
{
	struct umad_ca_pair pairs[4];

	memset(pairs, 0, sizeof(pairs));
	fault_begin(run);
	fault_negative(run, umad_get_smi_gsi_pairs(pairs, 4));
	if (!run->failed)
		memcpy(run->output, pairs, sizeof(pairs));
}

FAULT_DO(get_pair(run, "mlx5_0", 1), umad_get_smi_gsi_pair_by_ca_name, NULL, host_sysfs,
	 FAULT_UNTOUCHED, FAULT_RULES(rules), .less = other_pairs)
FAULT_DO(get_pair(run, NULL, 0), umad_get_smi_gsi_pair_by_ca_name, "of any", host_sysfs,
	 FAULT_UNTOUCHED, FAULT_RULES(rules), .less = other_pairs)

FAULT(umad_get_issm_path, NULL, host_sysfs, FAULT_UNTOUCHED, FAULT_RULES(node_rules),
      .less = other_path, .also = &host_netlink)
{
	fault_begin(run);
	fault_negative(run, umad_get_issm_path(NULL, 0, (char *)run->output, 64));
}

FAULT_DO(open_port(run, umad_open_port, "mlx5_0", 2), umad_open_port, NULL, host_sysfs, 0,
	 FAULT_RULES(open_rules), .less = short_header)
FAULT_DO(open_port(run, umad_open_port, NULL, 0), umad_open_port, "the default one", host_sysfs, 0,
	 FAULT_RULES(open_rules), .less = short_header, .also = &host_netlink)
FAULT_DO(open_port(run, umad_open_smi_port, NULL, 0), umad_open_smi_port, NULL, host_sysfs, 0,
	 FAULT_RULES(open_rules), .less = short_header)
