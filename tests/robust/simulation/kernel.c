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

/* A request whose response the kernel waits for. */
struct sim_held {
	struct sim_held *next;
	struct ib_user_mad_hdr header; /* as it was written */
	bool answered;
	bool over;    /* the TID is free */
	bool is_back; /* the kernel holds it back: not sent yet */
	struct sim_file *file;
	struct sim_request *request;
	unsigned attempt;
	int agent;
	uint16_t lid;
	size_t length;
	uint8_t mad[];
};

/* ns after a response is readable, at most, until its TID is free. */
#define FREED_LATE (SIM_MS / 20)

static struct sim_file files[FILES];

void sim_kernel_clear(void)
{
	memset(files, 0, sizeof(files));
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
	if (fd < FIRST_FD || fd >= FIRST_FD + FILES || !files[fd - FIRST_FD].open)
		return NULL;
	return &files[fd - FIRST_FD];
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
		if (files[i].open || files[i].agent_count || files[i].gone)
			continue;
		files[i].open = true;
		sim_log("opens umad%s as %d", number, FIRST_FD + i);
		return FIRST_FD + i;
	}
	return -EMFILE;
}

int sim_kernel_close(int fd)
{
	struct sim_file *file = sim_kernel_file(fd);

	if (!file)
		return -EBADF;
	sim_log("closes %d", fd);
	file->open = false;
	file->gone = true;
	for (struct sim_held *held = file->held; held; held = held->next)
		held->over = true;
	return 0;
}

int sim_kernel_agent(const struct sim_file *file, uint8_t mgmt_class)
{
	for (int i = 0; i < file->agent_count; i++)
		if (file->agent_class[i] == mgmt_class)
			return i;
	return -1;
}

static int register_agent(struct sim_file *file, struct ib_user_mad_reg_req *request)
{
	int agent = umad_rules_agent(file->agents);

	if (agent < 0)
		return agent;
	file->agents |= UINT32_C(1) << agent;
	file->agent_class[agent] = request->mgmt_class;
	request->id = (uint32_t)agent;
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
	for (struct sim_held *held = file->held; held; held = held->next)
		held->over |= held->agent == (int)agent;
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

static struct sim_held *find_held(const struct sim_file *file, int agent, const uint8_t *mad)
{
	struct sim_held *held = file->held;

	for (; held; held = held->next)
		if (!held->over && held->agent == agent &&
		    held->mad[MAD_CLASS_AT] == mad[MAD_CLASS_AT] &&
		    !memcmp(held->mad + MAD_TID_LOW_AT, mad + MAD_TID_LOW_AT, 4))
			return held;
	return NULL;
}

static void make_readable(struct sim_packet *packet)
{
	struct sim_file *file = packet->file;

	packet->readable_at = sim.now;
	packet->next = NULL;
	if (file->last)
		file->last->next = packet;
	else
		file->first = packet;
	file->last = packet;
	if (packet->request && packet->must_be_taken)
		sim_request_response_is_readable(packet->request, packet->lid);
	if (packet->request && packet->redirects)
		sim_request_redirect_is_readable(packet->request, packet->lid);
}

/* How late the kernel's timer is, in ns: never later than the library documents. */
static int64_t lateness(int64_t timeout)
{
	switch (sim_random_below(&sim_world.chances, 4)) {
	case 0:
		return sim_random_between(&sim_world.chances, 0, 8 * SIM_MS);
	case 1:
		return sim_random_between(&sim_world.chances, 0, timeout / 8);
	case 2:
		return timeout / 8 + sim_random_between(&sim_world.chances, 0, LATE_MS * SIM_MS);
	default:
		return sim_random_between(&sim_world.chances, 0, SIM_MS / 10);
	}
}

static void return_request(void *subject);

static bool is_smp(const uint8_t *mad)
{
	return mad[MAD_CLASS_AT] == 0x01 || mad[MAD_CLASS_AT] == 0x81;
}

unsigned sim_kernel_limit(const uint8_t *mad)
{
	return sim_world.kernel == SIM_KERNEL_SIMULATOR
		       ? 0
		       : umad_rules_limit(mad[MAD_CLASS_AT], sim_world.receive_queue);
}

static unsigned count_out(const struct sim_file *file, int agent)
{
	unsigned count = 0;

	for (const struct sim_held *held = file->held; held; held = held->next)
		count += held->agent == agent && !held->over && !held->answered && !held->is_back;
	return count;
}

/* The library counts what the kernel still holds, whatever has become of it, and what it has
 * reserved for a request that is sent again. That may find its place taken by one that nobody waits
 * for, and be held longer than the library can know. Nor does the library know what its parent
 * sends after a fork. */
static void check_held_back(const struct sim_held *held, unsigned limit)
{
	uint32_t bit = UINT32_C(1) << held->agent;

	held->request->was_held_back = true;
	if ((held->attempt > 1 || held->request->was_refused) && held->file->has_sent_only & bit)
		held->file->miscounted |= bit;
	if (sim_world.kernel == SIM_KERNEL_REAL && !sim.is_child && !(held->file->miscounted & bit))
		sim_broken("held-back", "request 0x%x of class 0x%02x goes beyond %u in flight",
			   held->request->token, held->mad[MAD_CLASS_AT], limit);
}

static void reach_fabric(struct sim_file *file, struct sim_request *request, unsigned attempt,
			 const struct ib_user_mad_hdr *header, const uint8_t *mad, size_t length)
{
	int agent = (int)header->id;
	uint16_t lid = be16toh(header->lid);

	if (sim_world.has_cases)
		sim_cases_keep(file, header, mad, length);
	else
		sim_fabric_take_request(file, request, attempt, agent, lid,
					header->timeout_ms * SIM_MS, mad);
}

/* The request leaves the host: only now does the kernel count its timeout. */
static void leave(struct sim_held *held)
{
	int64_t timeout = (int64_t)held->header.timeout_ms * (held->header.retries + 1) * SIM_MS;

	held->is_back = false;
	sim_at(sim.now + timeout + lateness(timeout), return_request, held);
	reach_fabric(held->file, held->request, held->attempt, &held->header, held->mad,
		     held->length);
}

/* The oldest that the kernel holds back for the agent of this one, which is out no longer. */
static void send_next(const struct sim_held *ended)
{
	struct sim_held *oldest = NULL;

	for (struct sim_held *held = ended->file->held; held; held = held->next)
		if (held->is_back && !held->over && held->agent == ended->agent)
			oldest = held;
	if (!oldest)
		return;
	sim_log("(request 0x%x leaves)", oldest->request ? oldest->request->token : 0);
	leave(oldest);
}

static void free_tid(void *subject)
{
	((struct sim_held *)subject)->over = true;
}

static void arrive(void *subject)
{
	struct sim_packet *packet = subject;
	struct sim_file *file = packet->file;
	struct sim_held *held;

	if (!file->open || file->gone)
		return;
	held = find_held(file, packet->agent, packet->mad);
	if (packet->loses && (!held || held->answered || held->is_back)) {
		sim_log("(the kernel drops a response that comes too late)");
		return;
	}
	make_readable(packet);
	if (held && !held->answered && !held->is_back) {
		held->answered = true;
		sim_at(sim.now + sim_random_between(&sim_world.sends, 0, FREED_LATE), free_tid,
		       held);
		send_next(held);
	}
}

void sim_packet_send(struct sim_packet *packet, int64_t delay)
{
	sim_at(sim.now + delay, arrive, packet);
}

static void return_request(void *subject)
{
	struct sim_held *held = subject;
	struct sim_packet *packet;
	size_t length = !sim_world.returns_whole ? UMAD_RULES_RETURNED
			: held->length < SIM_MAD ? held->length
						 : SIM_MAD;

	if (held->over || held->answered)
		return;
	held->over = true;
	send_next(held);
	packet = sim_packet_new(held->file, length);
	packet->request = held->request;
	packet->attempt = held->attempt;
	packet->returned = true;
	packet->written = &held->header;
	packet->agent = held->agent;
	packet->lid = held->lid;
	memcpy(packet->mad, held->mad, length);
	make_readable(packet);
}

static void fill_header(uint8_t *buffer, const struct sim_packet *packet)
{
	struct ib_user_mad_hdr header = {
		.id = (uint32_t)packet->agent,
		.length = (uint32_t)(header_size() + packet->length),
		.qpn = htobe32(!is_smp(packet->mad)),
		.lid = htobe16(packet->lid),
	};

	if (packet->returned)
		header = *packet->written;
	if (packet->returned && packet->length > UMAD_RULES_RETURNED)
		header.lid = htobe16(SENDER_LID);
	memcpy(buffer, &header, header_size());
	if (packet->returned)
		umad_rules_return(buffer, header_size());
}

/* As umad_rules_read(). */
static ssize_t copy_packet(const struct sim_packet *packet, void *buffer, size_t size)
{
	static uint8_t whole[LONGEST_PACKET];

	fill_header(whole, packet);
	memcpy(whole + header_size(), packet->mad, packet->length);
	return umad_rules_read(whole, header_size() + packet->length, header_size(), buffer, size);
}

static void log_packet(const char *does, const uint8_t *mad, unsigned lid, const char *what)
{
	sim_log("%s%s: class 0x%02x method 0x%02x attribute 0x%02x%02x token 0x%x TID 0x%x LID %u",
		does, what, mad[MAD_CLASS_AT], mad[MAD_METHOD_AT], mad[MAD_ATTRIBUTE_AT],
		mad[MAD_ATTRIBUTE_AT + 1], mad_get_be32(mad + MAD_MODIFIER_AT),
		mad_get_be32(mad + MAD_TID_LOW_AT), lid);
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
	if (!packet || sim_random_once_in(&sim_world.chances, sim_world.empty_read_once_in))
		return -EAGAIN;
	count = copy_packet(packet, buffer, size);
	if (count < 0)
		return count;
	packet->was_read = true;
	file->first = packet->next;
	if (!file->first)
		file->last = NULL;
	log_packet("reads", packet->mad, packet->lid,
		   packet->returned ? " a returned request" : "");
	if (packet->request && !packet->returned)
		sim_busy_note_read(packet->request, packet->is_busy);
	if (packet->returned && packet->request)
		sim_request_return_was_read(packet->request, packet->attempt);
	if (packet->request && (packet->returned || packet->must_be_taken))
		sim_request_was_read_for_receivers(packet->request);
	file->reads += !packet->returned;
	file->responses_read += !packet->returned && packet->mad[MAD_METHOD_AT] & 0x80;
	file->strays_read += packet->is_stray;
	return count;
}

bool sim_kernel_has_unread(int fd, int64_t since)
{
	const struct sim_file *file = sim_kernel_file(fd);

	return file && file->first && file->first->readable_at <= since;
}

short sim_kernel_events(int fd)
{
	struct sim_file *file = sim_kernel_file(fd);

	if (!file)
		return POLLNVAL;
	return umad_rules_events(file->gone, file->first);
}

/* Writing */

/* The kernel waits for a response from now on, or later, where it holds the request back. */
static void hold(struct sim_file *file, struct sim_request *request, unsigned attempt, int agent,
		 const uint8_t *mad, size_t length, const struct ib_user_mad_hdr *header)
{
	struct sim_held *held = sim_world_alloc(sizeof(*held) + length);
	unsigned limit = sim_kernel_limit(mad);

	held->header = *header;
	held->file = file;
	held->request = request;
	held->attempt = attempt;
	held->agent = agent;
	held->lid = be16toh(header->lid);
	held->length = length;
	memcpy(held->mad, mad, length);
	held->is_back = limit && count_out(file, agent) >= limit;
	held->next = file->held;
	file->held = held;
	if (!request || sim_request_is_sent_only(request))
		file->has_sent_only |= UINT32_C(1) << agent;
	else if (held->is_back)
		check_held_back(held, limit);
	if (held->is_back)
		sim_log("(the kernel holds it back)");
	else
		leave(held);
}

/* A request, which the kernel may refuse. */
static int write_request(struct sim_file *file, const struct ib_user_mad_hdr *header,
			 const uint8_t *mad, size_t length)
{
	struct sim_request *request = sim_request_find(mad_get_be32(mad + MAD_MODIFIER_AT));
	int agent = (int)header->id;
	unsigned attempt;

	if (sim_world.kernel != SIM_KERNEL_SIMULATOR && find_held(file, agent, mad)) {
		log_packet("is refused", mad, be16toh(header->lid), ", the TID is held");
		if (request)
			sim_request_write_was_refused(request, be16toh(header->lid));
		return -EINVAL;
	}
	if (sim_random_once_in(&sim_world.chances, sim_world.write_fails_once_in)) {
		int error = sim_random_once_in(&sim_world.chances, 2) ? ENOMEM : EIO;

		log_packet("fails to write", mad, be16toh(header->lid), "");
		if (request)
			sim_request_write_failed(request, be16toh(header->lid), error);
		return -error;
	}
	log_packet("writes", mad, be16toh(header->lid), "");
	file->writes++;
	if (request)
		sim_request_check_written(request, mad_get_be32(mad + MAD_TID_LOW_AT),
					  header->timeout_ms, header->retries);
	if (request && sim_request_is_sent_only(request))
		sim_fabric_check_sent_message(mad, length);
	if (request)
		sim_busy_check_written(request);
	attempt = request ? sim_request_was_written(request, be16toh(header->lid)) : 0;
	if (request)
		sim_queue_note_written(request, mad[MAD_CLASS_AT]);
	if (sim_random_once_in(&sim_world.sends, sim_world.send_fails_once_in)) {
		sim_log("(it is not sent, and will not be returned)");
		return 0;
	}
	if (header->timeout_ms && sim_world.kernel != SIM_KERNEL_SIMULATOR)
		hold(file, request, attempt, agent, mad, length, header);
	else
		reach_fabric(file, request, attempt, header, mad, length);
	return 0;
}

static int write_mad(struct sim_file *file, const struct ib_user_mad_hdr *header,
		     const uint8_t *mad, size_t length)
{
	if (!(mad[MAD_METHOD_AT] & 0x80))
		return write_request(file, header, mad, length);
	log_packet("responds", mad, be16toh(header->lid), "");
	file->writes++;
	sim_fabric_take_response(mad, length);
	return 0;
}

ssize_t sim_kernel_write(int fd, const void *buffer, size_t size)
{
	struct sim_file *file = sim_kernel_file(fd);
	struct ib_user_mad_hdr header = { 0 };
	int error;

	if (!file)
		return -EBADF;
	error = umad_rules_write(buffer, size, header_size(), file->agents, file->gone);
	if (error)
		return -error;
	memcpy(&header, buffer, header_size());
	error = write_mad(file, &header, (const uint8_t *)buffer + header_size(),
			  size - header_size());
	return error ? error : (ssize_t)size;
}

static void remove_device(void *subject)
{
	(void)subject;
	sim_log("(the device is removed)");
	for (int i = 0; i < FILES; i++) {
		files[i].gone = true;
		for (struct sim_held *held = files[i].held; held; held = held->next)
			held->over = true;
	}
}

void sim_kernel_plan_removal(int64_t when)
{
	if (when != SIM_NEVER)
		sim_at(sim.now + when, remove_device, NULL);
}

bool sim_kernel_is_removed(void)
{
	for (int i = 0; i < FILES; i++)
		if (files[i].open && files[i].gone)
			return true;
	return false;
}
