/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The script of fakeumad.h: what tests expect, and whether it comes. */
#include "fakeumad-internal.h"
#include "test.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

static struct step *add_step(const char *call, int error)
{
	assert_true(fake.step_count < MAX_STEPS);
	struct step *step = &fake.steps[fake.step_count++];

	*step = (struct step){ .error = error };
	snprintf(step->call, sizeof(step->call), "%s", call);
	fake.scripted = true;
	return step;
}

void fakeumad_expect_open(const char *path, int error)
{
	char call[CALL_SIZE];

	snprintf(call, sizeof(call), "open of %s", path);
	KERNEL_LOCKED;
	add_step(call, error);
}

void fakeumad_expect_enable_pkey(int error)
{
	KERNEL_LOCKED;
	add_step("ENABLE_PKEY", error);
}

/* Other classes than those of vendor range 2 ignore the OUI. */
static void describe_registration(char call[CALL_SIZE], const struct ib_user_mad_reg_req *request)
{
	bool has_oui = request->mgmt_class >= 0x30 && request->mgmt_class <= 0x4f;
	uint64_t mask[2];

	memcpy(mask, request->method_mask, sizeof(mask));
	snprintf(call, CALL_SIZE,
		 "REGISTER_AGENT of class 0x%x version %u rmpp %u mask %" PRIx64 " %" PRIx64
		 " qpn %u oui 0x%06x",
		 request->mgmt_class, request->mgmt_class_version, request->rmpp_version, mask[0],
		 mask[1], request->qpn,
		 has_oui ? request->oui[0] << 16 | request->oui[1] << 8 | request->oui[2] : 0);
}

void fakeumad_expect_register(int mgmt_class, int version, int rmpp_version, uint32_t oui,
			      const long *method_mask, int agent, int error)
{
	struct ib_user_mad_reg_req wanted = {
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version = (uint8_t)version,
		.rmpp_version = (uint8_t)rmpp_version,
		.qpn = mgmt_class != 0x01 && mgmt_class != 0x81,
		.oui = { (uint8_t)(oui >> 16), (uint8_t)(oui >> 8), (uint8_t)oui },
	};
	char call[CALL_SIZE];

	if (method_mask)
		memcpy(wanted.method_mask, method_mask, sizeof(wanted.method_mask));
	describe_registration(call, &wanted);
	KERNEL_LOCKED;
	add_step(call, error)->agent = agent;
}

static struct step *add_write(const void *packet, size_t size, int error)
{
	struct step *step = add_step("write", error);

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
	KERNEL_LOCKED;
	struct step *step = add_write(packet, size, 0);

	step->reply_count = count;
	if (count)
		memcpy(step->replies, replies, (size_t)count * sizeof(replies[0]));
}

void fakeumad_expect_write_error(const void *packet, size_t size, int error)
{
	KERNEL_LOCKED;
	add_write(packet, size, error);
}

struct step *fakeumad_take_step(const char *call, bool *wrong)
{
	struct step *step = fake.next_step < fake.step_count ? &fake.steps[fake.next_step] : NULL;

	*wrong = fake.scripted && (!step || strcmp(step->call, call) != 0);
	if (*wrong)
		fakeumad_note_failure("%s came where %s was to come", call,
				      step ? step->call : "nothing");
	if (!fake.scripted || *wrong)
		return NULL;
	fake.next_step++;
	return step;
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
	bool wrong = false;
	struct step *step = fake.response ? NULL : fakeumad_take_step("write", &wrong);

	if (!step)
		return wrong ? EBADMSG : 0;
	compare_packet(step, packet, size);
	for (int i = 0; i < step->reply_count; i++)
		fakeumad_reply_to(device, packet, size, &step->replies[i]);
	return step->error;
}

bool fakeumad_follow_ioctl(unsigned long request, void *argument, int *error)
{
	char call[CALL_SIZE] = "ENABLE_PKEY";
	struct step *step;
	bool wrong;

	if (request == IB_USER_MAD_REGISTER_AGENT)
		describe_registration(call, argument);
	else if (request == IB_USER_MAD_UNREGISTER_AGENT)
		strcpy(call, "UNREGISTER_AGENT");
	else if (request != IB_USER_MAD_ENABLE_PKEY)
		return false;
	step = fakeumad_take_step(call, &wrong);
	*error = wrong ? EBADMSG : step ? step->error : 0;
	if (step && request == IB_USER_MAD_REGISTER_AGENT)
		((struct ib_user_mad_reg_req *)argument)->id = (uint32_t)step->agent;
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
			 fake.steps[fake.next_step].call);
}
