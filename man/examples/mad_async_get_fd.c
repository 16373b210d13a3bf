/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A thread that runs the callbacks, until the other end of its pipe is closed. */
#include <infiniband/mad_async.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static struct mad_async *async;
static int ends[2];
static sem_t responses;

static void *run_callbacks(void *unused)
{
	struct pollfd inputs[] = { { mad_async_get_fd(async), POLLIN, 0 }, { ends[0], POLLIN, 0 } };

	while (!inputs[1].revents)
		if (poll(inputs, 2, -1) > 0)
			mad_async_dispatch(async, 0, 0);
	return unused;
}

static void count(struct mad_async *unused, const struct mad_async_result *result, void *context)
{
	(void)unused;
	printf("%s\n", result->error ? "failed" : "responded");
	sem_post(context);
}

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, classes, 1);
	ib_portid_t self = { 0 };
	struct mad_async_request req = { .to = &self, .callback = count, .context = &responses };
	pthread_t thread;

	async = mad_async_create(port, NULL);
	if (!async || pipe(ends) || sem_init(&responses, 0, 0) ||
	    pthread_create(&thread, NULL, run_callbacks, NULL))
		return 1;
	if (mad_async_smp(async, &req, IB_ATTR_NODE_INFO, 0, NULL) > 0)
		sem_wait(&responses);
	close(ends[1]);
	pthread_join(thread, NULL);
	mad_async_free(async);
	mad_rpc_close_port(port);
	return 0;
}
