/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Two threads, one of which needs exclusive use for two requests. */
#include <infiniband/mad.h>
#include <pthread.h>
#include <stdio.h>

static void query(const char *who)
{
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 };

	if (!safe_smp_query(info, &self, IB_ATTR_NODE_INFO, 0, 0))
		perror(who);
}

static void *other_thread(void *unused)
{
	query("other"); /* waits while the lock is held */
	return unused;
}

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	pthread_t thread;

	madrpc_init(NULL, 0, classes, 1);
	if (pthread_create(&thread, NULL, other_thread, NULL))
		return 1;
	madrpc_lock();
	query("first");
	query("second"); /* no request of the other thread in between */
	madrpc_unlock();
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
