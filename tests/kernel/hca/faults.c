// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames that devices send and get, and the faults of these, by commands (main.c):
 *
 *	lose N		one frame of N is lost
 *	repeat N	comes twice
 *	hold N		waits until the next frame has passed
 *	forge N		comes behind a copy with another transaction ID, if it is a response
 *	delay MS	every frame
 *	only smp|gmp|all	the frames that have faults
 *
 * Chance chooses the frames, as follows from the seed of "lose N SEED" and so on; N 0 ends a fault.
 * Reading the parameter report gives the frames since it was read last, the time from the first to
 * the last of them, and all faults.
 */
#include "module.h"

#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

enum fault { LOSE, REPEAT, HOLD, FORGE, FAULTS };

static const char *const fault_names[FAULTS] = { "lose", "repeat", "hold", "forge" };

/* A frame on its way to a device, or from one. */
struct passing {
	struct list_head list;
	unsigned long due; /* in jiffies */
	int number, port;  /* of the device's node */
	bool arrives;
	struct vhca_frame frame;
};

/* With vhca_lock. */
static struct {
	unsigned int every[FAULTS]; /* 0: never */
	u32 random[FAULTS];
	unsigned long done[FAULTS];
	unsigned long frames; /* since the last report */
	u64 first_ns, last_ns;
	unsigned int delay_ms;
	bool spares_smps, spares_gmps;
	struct passing *held;
} faults;
static LIST_HEAD(queue); /* by time */

static void pass_late(struct work_struct *work);
static DECLARE_DELAYED_WORK(late, pass_late);

static int get_report(char *text, const struct kernel_param *param)
{
	int length, fault;

	spin_lock_irq(&vhca_lock);
	length = sprintf(text, "frames %lu in %llu us", faults.frames,
			 (faults.last_ns - faults.first_ns) / NSEC_PER_USEC);
	for (fault = 0; fault < FAULTS; fault++)
		length +=
			sprintf(text + length, ", %s %lu", fault_names[fault], faults.done[fault]);
	faults.frames = 0;
	spin_unlock_irq(&vhca_lock);
	return length + sprintf(text + length, "\n");
}
static const struct kernel_param_ops report_operations = { .get = get_report };
module_param_cb(report, &report_operations, NULL, 0444);
MODULE_PARM_DESC(report, "frames, and their faults, see faults.c");

static int set_fault(const char *verb, const char *value, const char *more)
{
	unsigned int number, seed = 0;
	int fault = 0;

	while (fault < FAULTS && strcmp(fault_names[fault], verb))
		fault++;
	if (!strcmp(verb, "only")) {
		faults.spares_smps = !strcmp(value, "gmp");
		faults.spares_gmps = !strcmp(value, "smp");
		return faults.spares_smps || faults.spares_gmps || !strcmp(value, "all") ? 0
											 : -EINVAL;
	}
	if (fault == FAULTS && strcmp(verb, "delay"))
		return -ENOENT;
	if (kstrtouint(value, 10, &number) || (*more && kstrtouint(more, 10, &seed)))
		return -EINVAL;
	if (fault == FAULTS) {
		faults.delay_ms = number;
		return 0;
	}
	faults.every[fault] = number;
	faults.random[fault] = 2463534242U + seed;
	return 0;
}

int vhca_fault(const char *verb, const char *value, const char *more)
{
	int ret;

	spin_lock_irq(&vhca_lock);
	ret = set_fault(verb, value, skip_spaces(more));
	spin_unlock_irq(&vhca_lock);
	return ret;
}

/* Whether a fault concerns this frame: one of N, by chance, since what is sent again in rounds
 * would meet the same loss in each. */
static bool concerns(enum fault fault)
{
	u32 *random = &faults.random[fault];

	if (!faults.every[fault])
		return false;
	*random ^= *random << 13; /* xorshift */
	*random ^= *random >> 17;
	*random ^= *random << 5;
	if (*random % faults.every[fault])
		return false;
	faults.done[fault]++;
	return true;
}

static void enqueue(struct passing *entry)
{
	struct passing *before;

	list_for_each_entry_reverse(before, &queue,
				    list) if (!time_after(before->due, entry->due)) break;
	list_add(&entry->list, &before->list);
}

/* The copy of a frame is before it, or behind it. */
static void enqueue_copy(const struct passing *entry, u8 forged)
{
	struct passing *copy = kmemdup(entry, sizeof(*entry), GFP_ATOMIC);

	if (!copy)
		return;
	copy->frame.mad[12] ^= forged; /* no request has a TID like that */
	enqueue(copy);
}

static void enqueue_with_faults(struct passing *entry)
{
	struct passing *released = faults.held;

	faults.held = NULL;
	if (concerns(LOSE)) {
		kfree(entry);
	} else if (!released && concerns(HOLD)) {
		faults.held = entry;
	} else {
		if (entry->frame.mad[3] & MAD_RESPONSE && concerns(FORGE))
			enqueue_copy(entry, 0x40);
		enqueue(entry);
		if (concerns(REPEAT))
			enqueue_copy(entry, 0);
	}
	if (released) {
		released->due = jiffies + msecs_to_jiffies(faults.delay_ms);
		enqueue(released);
	}
}

void vhca_pass(struct fabric_place place, const struct vhca_frame *frame, bool arrives)
{
	struct passing *entry = kmalloc(sizeof(*entry), GFP_ATOMIC);
	bool is_spared = frame->dqpn ? faults.spares_gmps : faults.spares_smps;

	if (!entry)
		return;
	entry->due = jiffies + (is_spared ? 0 : msecs_to_jiffies(faults.delay_ms));
	entry->number = place.node->number;
	entry->port = place.port;
	entry->arrives = arrives;
	entry->frame = *frame;
	faults.last_ns = ktime_get_ns();
	if (!faults.frames++)
		faults.first_ns = faults.last_ns;
	if (is_spared)
		enqueue(entry);
	else
		enqueue_with_faults(entry);
}

static void go_on(struct passing *entry)
{
	struct vhca_node *node = vhca_nodes[entry->number];
	struct fabric_place place;

	if (!node || entry->port > node->node.number_of_ports) /* removed */
		return;
	place = (struct fabric_place){ &node->node, entry->port };
	if (entry->arrives)
		vhca_deliver(place, &entry->frame);
	else
		vhca_send(place, &entry->frame);
}

bool vhca_pass_next(void)
{
	struct passing *entry = list_first_entry_or_null(&queue, struct passing, list);

	if (!entry)
		return false;
	if (time_after(entry->due, jiffies)) {
		schedule_delayed_work(&late, entry->due - jiffies);
		return false;
	}
	list_del(&entry->list);
	go_on(entry);
	kfree(entry);
	return true;
}

static void pass_late(struct work_struct *work)
{
	spin_lock_irq(&vhca_lock);
	vhca_settle();
	spin_unlock_irq(&vhca_lock);
}

void vhca_faults_end(void)
{
	struct passing *entry, *next;

	cancel_delayed_work_sync(&late);
	list_for_each_entry_safe(entry, next, &queue, list) kfree(entry);
	kfree(faults.held);
}
