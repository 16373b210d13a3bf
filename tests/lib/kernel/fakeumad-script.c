/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The script of fakeumad.h: what tests expect, and whether it comes. */
#include "fakeumad-internal.h"
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const step_names[] = { "open", "ENABLE_PKEY", "REGISTER_AGENT",
					  "UNREGISTER_AGENT", "write" };

/* With the lock held: fakeumad_finish() reports what goes wrong first. */
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
	kernel_lock();
	snprintf(add_step(STEP_OPEN, error)->path, sizeof(fake.steps[0].path), "%s", path);
	kernel_unlock();
}

void fakeumad_expect_enable_pkey(int error)
{
	kernel_lock();
	add_step(STEP_ENABLE_PKEY, error);
	kernel_unlock();
}

void fakeumad_expect_register(int mgmt_class, int version, int rmpp_version, uint32_t oui,
			      const long *method_mask, int agent, int error)
{
	kernel_lock();
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
	kernel_unlock();
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
	kernel_lock();
	struct step *step = add_write(packet, size, 0);

	step->reply_count = count;
	if (count)
		memcpy(step->replies, replies, (size_t)count * sizeof(replies[0]));
	kernel_unlock();
}

void fakeumad_expect_write_error(const void *packet, size_t size, int error)
{
	kernel_lock();
	add_write(packet, size, error);
	kernel_unlock();
}

/* With the lock held: the next step, where it is of that kind; NULL where there is no script. */
struct step *fakeumad_take_step(enum step_kind kind, bool *wrong)
{
	*wrong = false;
	if (!fake.scripted || (kind == STEP_WRITE && fake.response))
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
int fakeumad_follow_write(int device, const uint8_t *packet, size_t size)
{
	bool wrong;
	struct step *step = fakeumad_take_step(STEP_WRITE, &wrong);

	if (wrong)
		return EBADMSG;
	if (!step)
		return 0;
	compare_packet(step, packet, size);
	for (int i = 0; i < step->reply_count; i++)
		fakeumad_reply_to(device, packet, size, &step->replies[i]);
	return step->error;
}

/* With the lock held. */
static void compare_registration(const struct step *step, const struct ib_user_mad_reg_req *request)
{
	struct ib_user_mad_reg_req asked = *request;

	asked.id = 0;
	if (asked.mgmt_class < 0x30 || asked.mgmt_class > 0x4f)
		memset(asked.oui, 0, sizeof(asked.oui)); /* other classes ignore the OUI */
	if (memcmp(&asked, &step->registration,
		   offsetof(struct ib_user_mad_reg_req, rmpp_version) + 1))
		fakeumad_note_failure(
			"registration of class 0x%x version %u rmpp %u mask %lx %lx qpn %u came "
			"where class 0x%x was to come, or its details are others",
			request->mgmt_class, request->mgmt_class_version, request->rmpp_version,
			request->method_mask[0], request->method_mask[1], request->qpn,
			step->registration.mgmt_class);
}

bool fakeumad_follow_ioctl(enum step_kind kind, void *argument, int *error)
{
	bool wrong;
	struct step *step = fakeumad_take_step(kind, &wrong);

	*error = wrong ? EBADMSG : step ? step->error : 0;
	if (step && kind == STEP_REGISTER) {
		compare_registration(step, argument);
		((struct ib_user_mad_reg_req *)argument)->id = (uint32_t)step->agent;
	}
	return step || wrong;
}

void fakeumad_check(void)
{
	char failure[sizeof(fake.failure)];
	int left;

	kernel_lock();
	memcpy(failure, fake.failure, sizeof(failure));
	left = fake.step_count - fake.next_step;
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++)
		kernel_clear_device(i);
	kernel_unlock();
	if (failure[0])
		fail_msg("fakeumad: %s", failure);
	if (left)
		fail_msg("fakeumad: %d steps of the script did not come, next a %s", left,
			 step_names[fake.steps[fake.next_step].kind]);
}
