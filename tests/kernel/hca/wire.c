// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/vhca, where a program is the other end of cables: each read() gives a frame, without
 * waiting, each write() takes one. And what follows a change: events and traps.
 */
#include "module.h"

#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>

enum { QUEUE = 8192 }; /* frames that nobody has read; more are lost */

struct queued {
	struct list_head list;
	struct vhca_frame frame;
};

static LIST_HEAD(queue);
static unsigned int queue_length;
static DECLARE_WAIT_QUEUE_HEAD(readers);

static void enqueue(struct fabric_place place, const struct vhca_frame *frame)
{
	struct queued *entry;

	if (queue_length == QUEUE)
		return;
	entry = kmalloc(sizeof(*entry), GFP_ATOMIC);
	if (!entry)
		return;
	entry->frame = *frame;
	entry->frame.dev = place.node->number;
	entry->frame.port = place.port;
	list_add_tail(&entry->list, &queue);
	queue_length++;
	wake_up_interruptible(&readers);
}

/* A frame has ended at a place. */
static void finish(enum fabric_end end, struct fabric_place place, const struct vhca_frame *frame)
{
	if (end == FABRIC_TO_SOFTWARE)
		vhca_pass(place, frame, true);
	else if (end == FABRIC_OUTSIDE)
		enqueue(place, frame);
}

void vhca_send(struct fabric_place place, struct vhca_frame *frame)
{
	enum fabric_end end = fabric_send(&place, frame);

	finish(end, place, frame);
}

/* The events of changes of a port, to one of the node's devices. */
static void dispatch(struct vhca_device *device, const struct fport *p, int port,
		     unsigned int changes)
{
	static const enum ib_event_type types[] = {
		/* by the bits of FPORT_... */
		IB_EVENT_LID_CHANGE,  IB_EVENT_SM_CHANGE,  IB_EVENT_CLIENT_REREGISTER,
		IB_EVENT_PKEY_CHANGE, IB_EVENT_GID_CHANGE, IB_EVENT_PORT_ERR,
	};
	struct ib_event event = { .element.port_num = port };
	unsigned int bit;

	if (!device || !port || port > device->ib.phys_port_cnt)
		return;
	event.device = &device->ib;
	for (bit = 0; bit < ARRAY_SIZE(types); bit++) {
		if (!(changes & (1 << bit)))
			continue;
		event.event = types[bit];
		if (1 << bit == FPORT_STATE_CHANGED && fport_state(p) == FPORT_ACTIVE)
			event.event = IB_EVENT_PORT_ACTIVE;
		ib_dispatch_event(&event);
	}
}

/* Events and traps of the nodes that have changed. */
static void report_changes(void)
{
	struct fabric_place place;
	struct vhca_frame frame;
	struct fnode *node;
	int i;

	while ((node = fabric_next_changed(&vhca_fabric))) {
		for (i = 0; i <= node->number_of_ports; i++) {
			struct fport *port = &node->ports[i];
			unsigned int changes = port->changes;

			port->changes = 0;
			dispatch(vhca_node_of(node)->device, port, i, changes);
			dispatch(vhca_node_of(node)->smi, port, i, changes);
		}
		for (place.node = node; fabric_next_trap(&place, &frame); place.node = node)
			vhca_send(place, &frame);
	}
}

void vhca_settle(void)
{
	do
		report_changes();
	while (vhca_pass_next());
}

static struct queued *dequeue(void)
{
	struct queued *entry;

	spin_lock_irq(&vhca_lock);
	entry = list_first_entry_or_null(&queue, struct queued, list);
	if (entry) {
		list_del(&entry->list);
		queue_length--;
	}
	spin_unlock_irq(&vhca_lock);
	return entry;
}

static ssize_t wire_read(struct file *file, char __user *to, size_t size, loff_t *position)
{
	struct queued *entry;
	ssize_t ret = sizeof(entry->frame);

	if (size < sizeof(entry->frame))
		return -EINVAL;
	entry = dequeue();
	if (!entry)
		return -EAGAIN;
	if (copy_to_user(to, &entry->frame, sizeof(entry->frame)))
		ret = -EFAULT;
	kfree(entry);
	return ret;
}

static ssize_t arrive(struct vhca_frame *frame)
{
	struct vhca_node *node = frame->dev < VHCA_MAX_NODES ? vhca_nodes[frame->dev] : NULL;
	struct fabric_place place;
	enum fabric_end end;

	if (!node)
		return -ENODEV;
	if (!frame->port || frame->port > node->node.number_of_ports ||
	    !node->node.ports[frame->port].outside)
		return -ENOLINK;
	place = (struct fabric_place){ &node->node, frame->port };
	end = fabric_arrive(&place, frame);
	finish(end, place, frame);
	vhca_settle();
	return sizeof(*frame);
}

static ssize_t wire_write(struct file *file, const char __user *from, size_t size, loff_t *position)
{
	struct vhca_frame *frame;
	ssize_t ret;

	if (size != sizeof(*frame))
		return -EINVAL;
	frame = memdup_user(from, size);
	if (IS_ERR(frame))
		return PTR_ERR(frame);
	spin_lock_irq(&vhca_lock);
	ret = arrive(frame);
	spin_unlock_irq(&vhca_lock);
	kfree(frame);
	return ret;
}

static __poll_t wire_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &readers, table);
	return EPOLLOUT | EPOLLWRNORM | (list_empty(&queue) ? 0 : EPOLLIN | EPOLLRDNORM);
}

static const struct file_operations wire_operations = {
	.owner = THIS_MODULE,
	.read = wire_read,
	.write = wire_write,
	.poll = wire_poll,
};

static struct miscdevice wire_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "vhca",
	.fops = &wire_operations,
};

int vhca_wire_open(void)
{
	return misc_register(&wire_device);
}

void vhca_wire_close(void)
{
	struct queued *entry, *next;

	misc_deregister(&wire_device);
	list_for_each_entry_safe(entry, next, &queue, list) kfree(entry);
}
