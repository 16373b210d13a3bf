/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * See kernel.h. A kernel holds the TID of a request that expects a response until a moment after
 * that is readable, or its own timer is over, refuses (EINVAL) another request with a TID that it
 * holds, and returns requests without a response, but those whose sending fails. Its timers run up
 * to an eighth late in Linux 6.1, and less in 7.2: a seed may have either at each request. From
 * Linux 6.17 on it holds back the requests of an agent beyond a limit, until another of them is
 * returned or has its response: a request leaves, and its timeout begins, only then.
 *
 * That no more than 200,000 received MADs wait to be read cannot be met here, as a run has at most
 * some hundreds. What a response must have beside TID and class is left to the fabric.
 */
#include "kernel.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <string.h>

#include "fabric.h"
#include "invariants.h"
#include "memory.h"
#include "requests.h"
#include "scheduler.h"
#include "world.h"

enum { FIRST_FD = 1200, FILES = 16, LATE_MS = 95, LONGEST_PACKET = 8192, SENDER_LID = 0xbffe };

/* ns after a response is readable, at most, until its TID is free. */
#define FREED_LATE (SIM_MS / 20)

static struct sim_file files[FILES];
bool sim_kernel_is_removed;

void sim_kernel_clear(void)
{
	memset(files, 0, sizeof(files));
	sim_kernel_is_removed = false;
}

int sim_kernel_open_files(void)
{
	int count = 0;

	for (int i = 0; i < FILES; i++)
		count += files[i].open;
	return count;
}

struct sim_file *sim_kernel_file(int fd)
{
	struct sim_file *file = &files[fd - FIRST_FD];

	return fd >= FIRST_FD && fd < FIRST_FD + FILES && file->open ? file : NULL;
}

static size_t header_size(void)
{
	return sim_world.short_header ? sizeof(struct ib_user_mad_hdr_old)
				      : sizeof(struct ib_user_mad_hdr);
}

/* Descriptors are not used again in a run, so that late events find the right file. */
int sim_kernel_open(const char *number)
{
	if (strcmp(number, "0") != 0)
		return -ENOENT;
	for (int i = 0; i < FILES; i++) {
		if (files[i].open || files[i].gone)
			continue;
		files[i].open = true;
		sim_log("opens umad%s as %d", number, FIRST_FD + i);
		return FIRST_FD + i;
	}
	return -EMFILE;
}

/* The kernel returns none of the requests that it holds for the file, or for an agent of it. */
static void forget_held(struct sim_file *file, int agent)
{
	for (struct sim_packet *held = file->held; held; held = held->next_held)
		held->over |= agent < 0 || held->agent == agent;
}

int sim_kernel_close(int fd)
{
	struct sim_file *file = sim_kernel_file(fd);

	if (!file)
		return -EBADF;
	sim_log("closes %d", fd);
	file->open = false;
	file->gone = true;
	forget_held(file, -1);
	return 0;
}

static int register_agent(struct sim_file *file, struct ib_user_mad_reg_req *request)
{
	int agent = umad_rules_agent(file->agents);

	if (agent < 0)
		return agent;
	file->agents |= UINT32_C(1) << agent;
	request->id = (uint32_t)agent;
	if (!agent)
		file->first_class = request->mgmt_class;
	if (agent == file->agent_count)
		file->agent_count++;
	if (request->method_mask[0])
		sim_fabric_server_begins(file, request->mgmt_class);
	return 0;
}

static int unregister_agent(struct sim_file *file, uint32_t agent)
{
	if (agent >= UMAD_RULES_AGENTS || !(file->agents >> agent & 1))
		return -EINVAL;
	file->agents &= ~(UINT32_C(1) << agent);
	forget_held(file, (int)agent);
	return 0;
}

int sim_kernel_ioctl(int fd, unsigned long request, void *argument)
{
	struct sim_file *file = sim_kernel_file(fd);

	if (!file)
		return -EBADF;
	if (file->gone && umad_rules_removed_ioctl(request))
		return -umad_rules_removed_ioctl(request);
	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
		return register_agent(file, argument);
	case IB_USER_MAD_UNREGISTER_AGENT:
		return unregister_agent(file, *(uint32_t *)argument);
	case IB_USER_MAD_ENABLE_PKEY:
		return sim_world.short_header ? -EINVAL : 0;
	default:
		return -ENOTTY;
	}
}

/* Readable MADs */

struct sim_packet *sim_packet_new(struct sim_file *file, size_t length)
{
	struct sim_packet *packet = sim_world_alloc(sizeof(*packet) + length);

	packet->file = file;
	packet->length = length;
	return packet;
}

uint32_t sim_token_of(const uint8_t *mad)
{
	return mad_get_be32(mad + MAD_MODIFIER_AT);
}

static struct sim_packet *find_held(const struct sim_packet *packet)
{
	struct sim_packet *held = packet->file->held;

	while (held && (held->over || held->agent != packet->agent ||
			held->mad[MAD_CLASS_AT] != packet->mad[MAD_CLASS_AT] ||
			memcmp(held->mad + MAD_TID_LOW_AT, packet->mad + MAD_TID_LOW_AT, 4) != 0))
		held = held->next_held;
	return held;
}

static void make_readable(struct sim_packet *packet)
{
	struct sim_file *file = packet->file;

	packet->readable_at = sim.now;
	*(file->first ? &file->last->next : &file->first) = packet;
	file->last = packet;
	sim_request_is_readable(packet);
}

/* How late the kernel's timer is, in ns: never later than the library documents. */
static int64_t lateness(int64_t timeout)
{
	switch (sim_chance(4)) {
	case 0:
		return sim_chance_between(0, 8 * SIM_MS);
	case 1:
		return sim_chance_between(0, timeout / 8);
	case 2:
		return timeout / 8 + sim_chance_between(0, LATE_MS * SIM_MS);
	default:
		return sim_chance_between(0, SIM_MS / 10);
	}
}

unsigned sim_kernel_limit(uint8_t mgmt_class)
{
	return sim_world.kernel == SIM_KERNEL_SIMULATOR
		       ? 0
		       : umad_rules_limit(mgmt_class, sim_world.receive_queue);
}

static unsigned count_out(const struct sim_file *file, int agent)
{
	unsigned count = 0;

	for (const struct sim_packet *held = file->held; held; held = held->next_held)
		count += held->agent == agent && !held->over && !held->answered && !held->is_back;
	return count;
}

/* The library counts what the kernel still holds, whatever has become of it, and what it has
 * reserved for a request that is sent again. That may find its place taken by one that nobody waits
 * for, and be held longer than the library can know. Nor does the library know what its parent
 * sends after a fork. */
static void check_held_back(const struct sim_packet *held, unsigned limit)
{
	uint32_t bit = UINT32_C(1) << held->agent;

	held->request->was_held_back = true;
	if ((held->attempt > 1 || held->request->was_refused) && held->file->has_sent_only & bit)
		held->file->miscounted |= bit;
	if (sim_world.kernel == SIM_KERNEL_REAL && !sim.is_child && !(held->file->miscounted & bit))
		sim_broken("held-back", "request 0x%x of class 0x%02x goes beyond %u in flight",
			   held->request->token, held->mad[MAD_CLASS_AT], limit);
}

static void reach_fabric(const struct sim_packet *sent)
{
	if (sim_world.has_cases)
		sim_cases_keep(sent);
	else
		sim_fabric_take_request(sent);
}

static void return_request(void *subject);

/* The request leaves the host: only now does the kernel count its timeout. */
static void leave(struct sim_packet *held)
{
	int64_t timeout = (int64_t)held->timeout_ms * (held->retries + 1) * SIM_MS;

	held->is_back = false;
	sim_at(sim.now + timeout + lateness(timeout), return_request, held);
	reach_fabric(held);
}

/* The oldest that the kernel holds back for the agent of this one, which is out no longer. */
static void send_next(const struct sim_packet *ended)
{
	struct sim_packet *oldest = NULL;

	for (struct sim_packet *held = ended->file->held; held; held = held->next_held)
		if (held->is_back && !held->over && held->agent == ended->agent)
			oldest = held;
	if (!oldest)
		return;
	sim_log("(request 0x%x leaves)", sim_token_of(oldest->mad));
	leave(oldest);
}

static void free_tid(void *subject)
{
	((struct sim_packet *)subject)->over = true;
}

static void arrive(void *subject)
{
	struct sim_packet *packet = subject, *held;

	if (!packet->file->open || packet->file->gone)
		return;
	held = find_held(packet);
	if (held && (held->answered || held->is_back))
		held = NULL;
	if (packet->loses && !held) {
		sim_log("(the kernel drops a response that comes too late)");
		return;
	}
	make_readable(packet);
	if (!held)
		return;
	held->answered = true;
	sim_at(sim.now + sim_random_between(&sim_world.sends, 0, FREED_LATE), free_tid, held);
	send_next(held);
}

void sim_packet_send(struct sim_packet *packet, int64_t delay)
{
	sim_at(sim.now + delay, arrive, packet);
}

static void return_request(void *subject)
{
	struct sim_packet *held = subject;
	size_t most = sim_world.returns_whole ? SIM_MAD : UMAD_RULES_RETURNED;

	if (held->over || held->answered)
		return;
	held->over = true;
	send_next(held);
	held->returned = true;
	if (held->length > most)
		held->length = most;
	make_readable(held);
}

static ssize_t copy_packet(const struct sim_packet *packet, void *buffer, size_t size)
{
	static uint8_t whole[LONGEST_PACKET];
	uint8_t mgmt_class = packet->mad[MAD_CLASS_AT];
	struct ib_user_mad_hdr header = {
		.id = (uint32_t)packet->agent,
		.length = (uint32_t)(header_size() + packet->length),
		.qpn = htobe32(mgmt_class != 0x01 && mgmt_class != 0x81),
		.lid = htobe16(packet->lid),
	};

	if (packet->returned)
		header = *packet->header;
	if (packet->returned && packet->length > UMAD_RULES_RETURNED)
		header.lid = htobe16(SENDER_LID);
	memcpy(whole, &header, header_size());
	if (packet->returned)
		umad_rules_return(whole, header_size());
	memcpy(whole + header_size(), packet->mad, packet->length);
	return umad_rules_read(whole, header_size() + packet->length, header_size(), buffer, size);
}

static void log_packet(const char *does, const struct sim_packet *packet)
{
	const uint8_t *mad = packet->mad;

	sim_log("%s: class 0x%02x method 0x%02x attribute 0x%02x%02x token 0x%x TID 0x%x LID %u",
		does, mad[MAD_CLASS_AT], mad[MAD_METHOD_AT], mad[MAD_ATTRIBUTE_AT],
		mad[MAD_ATTRIBUTE_AT + 1], sim_token_of(mad), mad_get_be32(mad + MAD_TID_LOW_AT),
		packet->lid);
}

ssize_t sim_kernel_read(int fd, void *buffer, size_t size)
{
	struct sim_file *file = sim_kernel_file(fd);
	struct sim_packet *packet;
	ssize_t count;

	if (!file)
		return -EBADF;
	if (size < header_size())
		return -EINVAL;
	if (file->gone)
		return -EIO;
	packet = file->first;
	if (!packet || sim_chance_once_in(sim_world.empty_read_once_in))
		return -EAGAIN;
	count = copy_packet(packet, buffer, size);
	if (count < 0)
		return count;
	packet->was_read = true;
	file->first = packet->next;
	log_packet(packet->returned ? "reads a returned request" : "reads", packet);
	sim_request_was_read(packet);
	file->reads += !packet->returned;
	file->responses_read += !packet->returned && packet->mad[MAD_METHOD_AT] & 0x80;
	file->strays_read += packet->is_stray;
	return count;
}

short sim_kernel_events(int fd)
{
	struct sim_file *file = sim_kernel_file(fd);

	return file ? umad_rules_events(file->gone, file->first) : POLLNVAL;
}

/* Writing */

/* The kernel waits for a response from now on, or later, where it holds the request back. */
static void hold(struct sim_packet *sent)
{
	struct sim_file *file = sent->file;
	unsigned limit = sim_kernel_limit(sent->mad[MAD_CLASS_AT]);

	sent->is_back = limit && count_out(file, sent->agent) >= limit;
	sent->next_held = file->held;
	file->held = sent;
	if (!sent->request || sent->request->kind == SIM_REQUEST_SENT_ONLY)
		file->has_sent_only |= UINT32_C(1) << sent->agent;
	else if (sent->is_back)
		check_held_back(sent, limit);
	if (sent->is_back)
		sim_log("(the kernel holds it back)");
	else
		leave(sent);
}

/* A request, which the kernel may refuse. */
static int write_request(struct sim_packet *sent)
{
	struct sim_request *request = sent->request;

	if (sim_world.kernel != SIM_KERNEL_SIMULATOR && find_held(sent)) {
		log_packet("is refused, the TID is held", sent);
		if (request)
			sim_request_write_was_refused(request, sent->lid);
		return -EINVAL;
	}
	if (sim_chance_once_in(sim_world.write_fails_once_in)) {
		int error = sim_chance_once_in(2) ? ENOMEM : EIO;

		log_packet("fails to write", sent);
		if (request)
			sim_request_write_failed(request, sent->lid, error);
		return -error;
	}
	log_packet("writes", sent);
	sent->file->writes++;
	if (request && request->kind == SIM_REQUEST_SENT_ONLY)
		sim_fabric_check_sent_message(sent->mad, sent->length);
	if (request)
		sent->attempt = sim_request_was_written(sent);
	if (sim_random_once_in(&sim_world.sends, sim_world.send_fails_once_in))
		sim_log("(it is not sent, and will not be returned)");
	else if (sent->timeout_ms && sim_world.kernel != SIM_KERNEL_SIMULATOR)
		hold(sent);
	else
		reach_fabric(sent);
	return 0;
}

static int write_packet(struct sim_packet *sent)
{
	if (!(sent->mad[MAD_METHOD_AT] & 0x80))
		return write_request(sent);
	log_packet("responds", sent);
	sent->file->writes++;
	sim_fabric_take_response(sent->mad, sent->length);
	return 0;
}

ssize_t sim_kernel_write(int fd, const void *buffer, size_t size)
{
	struct sim_file *file = sim_kernel_file(fd);
	struct ib_user_mad_hdr *header;
	struct sim_packet *sent;
	int error;

	if (!file)
		return -EBADF;
	error = umad_rules_write(buffer, size, header_size(), file->agents, file->gone);
	if (error)
		return -error;
	sent = sim_packet_new(file, size - header_size());
	header = sim_world_alloc(sizeof(*header));
	memcpy(header, buffer, header_size());
	sent->header = header;
	sent->timeout_ms = header->timeout_ms;
	sent->retries = header->retries;
	memcpy(sent->mad, (const uint8_t *)buffer + header_size(), sent->length);
	sent->agent = (int)header->id;
	sent->lid = be16toh(header->lid);
	sent->request = sim_request_find(sim_token_of(sent->mad));
	error = write_packet(sent);
	return error ? error : (ssize_t)size;
}

static void remove_device(UNUSED void *subject)
{
	sim_log("(the device is removed)");
	for (int i = 0; i < FILES; i++) {
		sim_kernel_is_removed |= files[i].open;
		files[i].gone = true;
		forget_held(&files[i], -1);
	}
}

void sim_kernel_plan_removal(int64_t when)
{
	if (when != SIM_NEVER)
		sim_at(sim.now + when, remove_device, NULL);
}
