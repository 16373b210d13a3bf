/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * wire-client CASE: runs one case of the calls of libibmad on the fake kernel and prints what the
 * library wrote and what the caller saw. `list` prints the names of the cases, `libraries` the
 * files that were loaded.
 */
#include "wire.h"

#include <dlfcn.h>

struct ibmad_port *wire_port(void)
{
	static int classes[] = { 0x01, 0x81, 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 8);

	if (!port) {
		perror("mad_rpc_open_port");
		exit(1);
	}
	errno = 0;
	return port;
}

/* The name of an errno that differences.txt may show, else its number. */
static const char *errno_name(int error)
{
	static char number[32];

	switch (error) {
#define NAME(error) \
	case error: \
		return #error
		NAME(EAGAIN);
		NAME(EBADF);
		NAME(ECONNABORTED);
		NAME(EEXIST);
		NAME(EINVAL);
		NAME(EIO);
		NAME(ELOOP);
		NAME(ENODEV);
		NAME(ENOENT);
		NAME(ENOSPC);
		NAME(ENOTTY);
		NAME(ETIMEDOUT);
#undef NAME
	default:
		snprintf(number, sizeof(number), "%d", error);
		return number;
	}
}

void show_int(const char *call, long result)
{
	int error = errno;

	printf("%s: %ld", call, result);
	if (result < 0)
		printf(" errno %s", errno_name(error));
	putchar('\n');
	errno = 0;
}

void show_success(const char *call, bool success)
{
	int error = errno;

	printf("%s: %s%s\n", call, success ? "succeeds" : "fails with ",
	       success ? "" : errno_name(error));
	errno = 0;
}

void show_portid(const char *name, const ib_portid_t *portid)
{
	printf("  %s: lid %d cnt %d drslid %#x drdlid %#x grh %d qp %u qkey %08x sl %u pkey_idx "
	       "%u path",
	       name, portid->lid, portid->drpath.cnt, portid->drpath.drslid, portid->drpath.drdlid,
	       portid->grh_present, portid->qp, portid->qkey, portid->sl, portid->pkey_idx);
	for (int i = 0; i < 8; i++)
		printf(" %u", portid->drpath.p[i]);
	printf(" gid ");
	for (int i = 0; i < 16; i++)
		printf("%02x", portid->gid[i]);
	putchar('\n');
}

void show_rpc(const ib_rpc_t *rpc)
{
	printf("  rpc: rstatus %#x trid %s recsz %u timeout %d dataoffs %d datasz %d\n",
	       rpc->rstatus, rpc->trid ? "set" : "0", rpc->recsz, rpc->timeout, rpc->dataoffs,
	       rpc->datasz);
	if (rpc->mgtclass & IB_MAD_RPC_VERSION1)
		printf("  rpc: error %s\n", errno_name(((const ib_rpc_v1_t *)rpc)->error));
}

void show_rmpp(const ib_rmpp_hdr_t *rmpp)
{
	printf("  rmpp: type %d flags %d status %d d1 %#x d2 %#x\n", rmpp->type, rmpp->flags,
	       rmpp->status, rmpp->d1.u, rmpp->d2.u);
}

/* The file that holds a function. */
static void print_file_of(const char *function)
{
	void *address = dlsym(RTLD_DEFAULT, function);
	Dl_info info = { 0 };

	printf("%s\n", address && dladdr(address, &info) ? info.dli_fname : "none");
}

static int run(const char *name)
{
	for (const struct test *test = test_list; test; test = test->next) {
		if (strcmp(test->name, name))
			continue;
		test->run(NULL);
		return 0;
	}
	if (rows_run(name))
		return 0;
	fprintf(stderr, "wire-client: no case %s\n", name);
	return 2;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	fakekernel_start();
	if (argc != 2) {
		fprintf(stderr, "usage: wire-client CASE|list|libraries\n");
		return 2;
	}
	if (!strcmp(argv[1], "list")) {
		for (const struct test *test = test_list; test; test = test->next)
			puts(test->name);
		rows_list();
	} else if (!strcmp(argv[1], "libraries")) {
		print_file_of("umad_init");
		print_file_of("mad_rpc");
	} else {
		return run(argv[1]);
	}
	return 0;
}
