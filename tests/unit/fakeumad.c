/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The script of fakeumad.h: expected writes, and the responses to them. */
#include "fakeumad-internal.h"
#include "../assert-between.h"

#include <endian.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static const char *const step_names[] = { "open", "ENABLE_PKEY", "REGISTER_AGENT",
					  "UNREGISTER_AGENT", "write" };

struct fakeumad_kernel fake = { .lock = PTHREAD_MUTEX_INITIALIZER };

int64_t fakeumad_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void fakeumad_clear_arrivals(int fd)
{
	struct arrival **place = &fake.arrivals;

	while (*place) {
		struct arrival *arrival = *place;

		if (fd < 0 || arrival->fd == fd) {
			*place = arrival->next;
			free(arrival);
		} else {
			place = &arrival->next;
		}
	}
}

static void make_ready(void)
{
	pthread_condattr_t attributes;

	if (fake.ready)
		return;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&fake.changed, &attributes);
	pthread_condattr_destroy(&attributes);
	fake.ready = true;
}

void fakeumad_restart(void)
{
	pthread_mutex_lock(&fake.lock);
	make_ready();
	fakeumad_clear_arrivals(-1);
	fake.gone = fake.poll_failures = fake.poll_error = 0;
	fake.step_count = fake.next_step = 0;
	fake.scripted = false;
	fake.answer = NULL;
	fake.context = NULL;
	fake.failure[0] = '\0';
	fake.writes = fake.polls = fake.reads = 0;
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_reset(void)
{
	fakeumad_restart();
	pthread_mutex_lock(&fake.lock);
	memset(fake.open, 0, sizeof(fake.open));
	memset(fake.agents, 0, sizeof(fake.agents));
	pthread_mutex_unlock(&fake.lock);
	fakeumad_sysfs_reset();
}

void fakeumad_check(void)
{
	char failure[sizeof(fake.failure)];
	int left;

	pthread_mutex_lock(&fake.lock);
	memcpy(failure, fake.failure, sizeof(failure));
	left = fake.step_count - fake.next_step;
	fakeumad_clear_arrivals(-1);
	pthread_mutex_unlock(&fake.lock);
	if (failure[0])
		fail_msg("fakeumad: %s", failure);
	if (left)
		fail_msg("fakeumad: %d steps of the script did not come, next a %s", left,
			 step_names[fake.steps[fake.next_step].kind]);
}

void fakeumad_finish(void)
{
	int devices = 0, files = fakeumad_sysfs_open_files();

	fakeumad_check();
	pthread_mutex_lock(&fake.lock);
	for (int i = 0; i < MAX_DEVICES; i++)
		devices += fake.open[i];
	pthread_mutex_unlock(&fake.lock);
	if (devices || files)
		fail_msg("fakeumad: %d devices and %d files are still open", devices, files);
}

static void put_be(uint8_t *bytes, uint64_t value, int size)
{
	for (int i = size - 1; i >= 0; i--, value >>= 8)
		bytes[i] = (uint8_t)value;
}

void fakeumad_build(uint8_t packet[FAKEUMAD_PACKET], const struct fakeumad_packet *what)
{
	struct ib_user_mad_hdr *header = (void *)packet;
	uint8_t *mad = packet + FAKEUMAD_HEADER;

	memset(packet, 0, FAKEUMAD_PACKET);
	header->id = (uint32_t)what->agent;
	header->timeout_ms = (uint32_t)what->timeout_ms;
	header->qpn = htobe32(what->qpn);
	header->qkey = htobe32(what->qkey);
	header->lid = htobe16(what->lid);
	header->sl = what->sl;
	header->pkey_index = what->pkey_index;
	if (what->gid) {
		header->grh_present = 1;
		header->hop_limit = 255;
		memcpy(header->gid, what->gid, sizeof(header->gid));
	}
	mad[0] = 1;
	mad[1] = what->mgmt_class;
	mad[2] = what->mgmt_class == 0x03 || what->mgmt_class == 0x21 ? 2 : 1;
	mad[3] = what->method;
	put_be(mad + 4, what->status, 2);
	put_be(mad + TID_OFFSET, what->tid, 8);
	put_be(mad + 16, what->attr_id, 2);
	put_be(mad + 20, what->attr_mod, 4);
	if (what->data)
		memcpy(mad + what->data_offset, what->data, what->data_size);
}

void fakeumad_pattern(void *data, size_t size, uint8_t start)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)data)[i] = (uint8_t)(start + i);
}

/* With the lock held: fakeumad_finish() reports the first error. */
void fakeumad_note_failure(const char *format, ...)
{
	va_list arguments;

	if (fake.failure[0])
		return;
	va_start(arguments, format);
	vsnprintf(fake.failure, sizeof(fake.failure), format, arguments);
	va_end(arguments);
}

static struct step *add_step(enum step_kind kind, int error)
{
	assert_true(fake.step_count < MAX_STEPS);
	struct step *step = &fake.steps[fake.step_count++];

	memset(step, 0, sizeof(*step));
	step->kind = kind;
	step->error = error;
	fake.scripted = true;
	return step;
}

void fakeumad_expect_open(const char *path, int error)
{
	pthread_mutex_lock(&fake.lock);
	snprintf(add_step(STEP_OPEN, error)->path, sizeof(fake.steps[0].path), "%s", path);
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_expect_enable_pkey(int error)
{
	pthread_mutex_lock(&fake.lock);
	add_step(STEP_ENABLE_PKEY, error);
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_expect_register(int mgmt_class, int version, int rmpp_version, uint32_t oui,
			      const long *method_mask, int agent, int error)
{
	pthread_mutex_lock(&fake.lock);
	struct step *step = add_step(STEP_REGISTER, error);
	struct ib_user_mad_reg_req *wanted = &step->registration;

	step->agent = agent;
	wanted->mgmt_class = (uint8_t)mgmt_class;
	wanted->mgmt_class_version = (uint8_t)version;
	wanted->rmpp_version = (uint8_t)rmpp_version;
	wanted->qpn = mgmt_class != 0x01 && mgmt_class != 0x81;
	wanted->oui[0] = (uint8_t)(oui >> 16);
	wanted->oui[1] = (uint8_t)(oui >> 8);
	wanted->oui[2] = (uint8_t)oui;
	if (method_mask)
		memcpy(wanted->method_mask, method_mask, sizeof(wanted->method_mask));
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_expect_unregister(int agent, int error)
{
	pthread_mutex_lock(&fake.lock);
	add_step(STEP_UNREGISTER, error)->agent = agent;
	pthread_mutex_unlock(&fake.lock);
}

static struct step *add_write(const void *packet, size_t size, int error)
{
	struct step *step = add_step(STEP_WRITE, error);

	assert_true(size <= sizeof(step->packet));
	step->any_packet = !packet;
	step->size = size;
	if (packet)
		memcpy(step->packet, packet, size);
	return step;
}

void fakeumad_expect_write(const void *packet, size_t size, const struct fakeumad_reply *replies,
			   int count)
{
	assert_true(count <= MAX_REPLIES);
	pthread_mutex_lock(&fake.lock);
	struct step *step = add_write(packet, size, 0);

	step->reply_count = count;
	if (count)
		memcpy(step->replies, replies, (size_t)count * sizeof(replies[0]));
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_expect_write_error(const void *packet, size_t size, int error)
{
	pthread_mutex_lock(&fake.lock);
	add_write(packet, size, error);
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_answer_with(fakeumad_answer_fn *answer, void *context)
{
	pthread_mutex_lock(&fake.lock);
	fake.answer = answer;
	fake.context = context;
	pthread_mutex_unlock(&fake.lock);
}

/* With the lock held: the next step, where it is of that kind; NULL where there is no script. */
struct step *fakeumad_take_step(enum step_kind kind, bool *wrong)
{
	*wrong = false;
	if (!fake.scripted || (kind == STEP_WRITE && fake.answer))
		return NULL;
	if (fake.next_step < fake.step_count && fake.steps[fake.next_step].kind == kind)
		return &fake.steps[fake.next_step++];
	*wrong = true;
	fakeumad_note_failure("%s came where %s was to come", step_names[kind],
			      fake.next_step < fake.step_count
				      ? step_names[fake.steps[fake.next_step].kind]
				      : "nothing");
	return NULL;
}

/* With the lock held. */
static void enqueue(int fd, int error, int delay_ms, const void *packet, size_t size)
{
	struct arrival *arrival = calloc(1, sizeof(*arrival) + size), **place = &fake.arrivals;

	if (!arrival)
		abort();
	arrival->fd = fd;
	arrival->error = error;
	arrival->due = fakeumad_now_ms() + delay_ms;
	arrival->size = size;
	if (size)
		memcpy(arrival->packet, packet, size);
	while (*place && (*place)->due <= arrival->due)
		place = &(*place)->next;
	arrival->next = *place;
	*place = arrival;
	pthread_cond_broadcast(&fake.changed);
}

static uint8_t response_to(uint8_t method)
{
	return method == 2 ? 0x81 : (uint8_t)(method | 0x80);
}

static void change_tid(uint8_t *mad, int change)
{
	uint32_t low = (uint32_t)mad[12] << 24 | (uint32_t)mad[13] << 16 | (uint32_t)mad[14] << 8 |
		       mad[15];

	low += (uint32_t)change;
	mad[12] = (uint8_t)(low >> 24);
	mad[13] = (uint8_t)(low >> 16);
	mad[14] = (uint8_t)(low >> 8);
	mad[15] = (uint8_t)low;
}

static void fill_reply(uint8_t *packet, size_t length, const struct fakeumad_reply *reply)
{
	struct ib_user_mad_hdr *header = (void *)packet;
	uint8_t *mad = packet + FAKEUMAD_HEADER;

	header->status = reply->umad_status;
	header->length = (uint32_t)(FAKEUMAD_HEADER + length);
	if (!reply->request) {
		mad[3] = reply->method ? reply->method : response_to(mad[3]);
		mad[4] = (uint8_t)(reply->status >> 8);
		mad[5] = (uint8_t)reply->status;
	}
	if (reply->base_version)
		mad[0] = reply->base_version;
	if (reply->mgmt_class)
		mad[1] = reply->mgmt_class;
	if (reply->attr_id) {
		mad[16] = (uint8_t)(reply->attr_id >> 8);
		mad[17] = (uint8_t)reply->attr_id;
	}
	change_tid(mad, reply->tid_change);
	if (reply->data)
		memcpy(mad + reply->data_offset, reply->data, reply->data_size);
}

static void reply_to(int fd, const uint8_t *request, size_t size,
		     const struct fakeumad_reply *reply)
{
	size_t length = reply->length ? reply->length : FAKEUMAD_MAD;
	size_t room = reply->data_offset + reply->data_size + FAKEUMAD_MAD + length;
	uint8_t *packet = calloc(1, FAKEUMAD_HEADER + room);

	if (!packet)
		abort();
	memcpy(packet, request, size);
	fill_reply(packet, length, reply);
	for (int i = 0; i < (reply->copies ? reply->copies : 1); i++)
		enqueue(fd, reply->error, reply->delay_ms, packet,
			reply->error ? 0 : FAKEUMAD_HEADER + length);
	free(packet);
}

static int last_device(void)
{
	for (int i = MAX_DEVICES - 1; i >= 0; i--)
		if (fake.open[i])
			return FIRST_FD + i;
	return -1;
}

void fakeumad_reply(const struct fakeumad_request *request, const struct fakeumad_reply *reply)
{
	pthread_mutex_lock(&fake.lock);
	reply_to(last_device(), request->packet, request->size, reply);
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_deliver(const void *packet, size_t size, int delay_ms)
{
	pthread_mutex_lock(&fake.lock);
	enqueue(last_device(), 0, delay_ms, packet, size);
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_remove_device(int error)
{
	pthread_mutex_lock(&fake.lock);
	fake.gone = error;
	pthread_cond_broadcast(&fake.changed);
	pthread_mutex_unlock(&fake.lock);
}

void fakeumad_fail_polls(int count, int error)
{
	pthread_mutex_lock(&fake.lock);
	fake.poll_failures = count;
	fake.poll_error = error;
	pthread_mutex_unlock(&fake.lock);
}

static int count_of(const int *counter)
{
	int value;

	pthread_mutex_lock(&fake.lock);
	value = *counter;
	pthread_mutex_unlock(&fake.lock);
	return value;
}

int fakeumad_writes(void)
{
	return count_of(&fake.writes);
}

int fakeumad_polls(void)
{
	return count_of(&fake.polls);
}

int fakeumad_reads(void)
{
	return count_of(&fake.reads);
}

const uint8_t *fakeumad_written(int number)
{
	assert_between(number, 1, FAKEUMAD_KEPT);
	assert_between(number, 1, fakeumad_writes());
	return fake.kept[number - 1];
}

size_t fakeumad_written_size(int number)
{
	assert_between(number, 1, FAKEUMAD_KEPT);
	return fake.kept_size[number - 1];
}

/* With the lock held: says where a packet differs from what was to come, its TID aside. */
static void compare_packet(const struct step *step, const uint8_t *packet, size_t size)
{
	if (step->any_packet)
		return;
	if (step->size != size) {
		fakeumad_note_failure("write %d has %zu bytes, not %zu", fake.writes, size,
				      step->size);
		return;
	}
	for (size_t i = 0; i < size; i++) {
		if (i >= FAKEUMAD_HEADER + TID_OFFSET && i < FAKEUMAD_HEADER + TID_OFFSET + 8)
			continue;
		if (packet[i] != step->packet[i]) {
			fakeumad_note_failure("write %d: byte %zu of the %s is 0x%02x, not 0x%02x",
					      fake.writes,
					      i < FAKEUMAD_HEADER ? i : i - FAKEUMAD_HEADER,
					      i < FAKEUMAD_HEADER ? "umad header" : "MAD",
					      packet[i], step->packet[i]);
			return;
		}
	}
}

/* With the lock held: what the script says about a write. */
int fakeumad_scripted_write(int fd, const uint8_t *packet, size_t size)
{
	bool wrong;
	struct step *step = fakeumad_take_step(STEP_WRITE, &wrong);

	if (wrong)
		return EBADMSG;
	if (!step)
		return 0;
	compare_packet(step, packet, size);
	for (int i = 0; i < step->reply_count; i++)
		reply_to(fd, packet, size, &step->replies[i]);
	return step->error;
}
