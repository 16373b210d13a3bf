// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nodes and cables, by the commands that are written to the module parameter cmd:
 *
 *	add NAME ca PORTS [SMI]		a device; with SMI, an HCA that is two devices, as some
 *					whose ports have planes: NAME has port 1 without
 *					subnet management, SMI has all ports with that alone;
 *					their GUID is one
 *	add NAME switch|host PORTS [GUID [DESCRIPTION]]
 *					a node that is no device of this kernel
 *	del NAME
 *	link NAME PORT NAME PORT	a cable
 *	tap NAME PORT			a cable whose other end is /dev/vhca
 *	unplug NAME PORT
 *	active NAME PORT LID SM_LID	makes a port Active, as a subnet manager does
 *	errors NAME PORT N		the symbol errors that a port counts
 *	fail NAME SENDS			so many sends complete with an error
 *
 * and those of faults.c.
 */
#include "module.h"

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#define GUID_BASE 0x0002ff0000000000ULL

DEFINE_SPINLOCK(vhca_lock);
struct fabric vhca_fabric;
struct vhca_node *vhca_nodes[VHCA_MAX_NODES];

static DEFINE_MUTEX(command_lock);

static void free_node(struct vhca_node *node)
{
	kvfree(node->node.lft);
	kvfree(node->node.ports);
	kfree(node);
}

static struct vhca_node *make_node(const char *name, bool is_switch, bool is_device, int ports)
{
	struct vhca_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return NULL;
	strscpy(node->name, name, sizeof(node->name));
	node->node.has_software = is_device;
	node->node.ports = kvcalloc(ports + 1, sizeof(*node->node.ports), GFP_KERNEL);
	node->node.lft = is_switch ? kvmalloc(FNODE_LFT, GFP_KERNEL) : NULL;
	if (node->node.ports && (node->node.lft || !is_switch))
		return node;
	free_node(node);
	return NULL;
}

static void remove_node(struct vhca_node *node)
{
	int port;

	spin_lock_irq(&vhca_lock);
	for (port = 1; port <= node->node.number_of_ports; port++)
		fabric_unplug(&node->node, port);
	vhca_settle();
	spin_unlock_irq(&vhca_lock);
	vhca_unregister(node);
	spin_lock_irq(&vhca_lock);
	vhca_settle(); /* no list has it any more */
	vhca_nodes[node->node.number] = NULL;
	spin_unlock_irq(&vhca_lock);
	free_node(node);
}

static struct vhca_node *find_node(const char *name)
{
	int i;

	for (i = 0; i < VHCA_MAX_NODES; i++)
		if (vhca_nodes[i] && !strcmp(vhca_nodes[i]->name, name))
			return vhca_nodes[i];
	return NULL;
}

/* The last two are the SMI of a device, or the GUID and the description of another node, or "". */
static int add_node(const char *name, const char *type, int ports, const char *word,
		    const char *description)
{
	bool is_switch = !strcmp(type, "switch"), is_device = !strcmp(type, "ca");
	const char *smi_name = is_device ? word : "";
	struct vhca_node *node;
	int number = 0, port, ret;
	u64 guid = 0;

	if ((!is_switch && !is_device && strcmp(type, "host")) || ports < 1 ||
	    ports > (is_device ? FNODE_MAX_PORTS : 254) || strlen(name) >= sizeof(node->name) ||
	    (!is_device && *word && kstrtou64(word, 0, &guid)))
		return -EINVAL;
	if (find_node(name))
		return -EEXIST;
	while (number < VHCA_MAX_NODES && vhca_nodes[number])
		number++;
	if (number == VHCA_MAX_NODES)
		return -ENOSPC;
	node = make_node(name, is_switch, is_device, ports);
	if (!node)
		return -ENOMEM;
	spin_lock_irq(&vhca_lock);
	fnode_init(&node->node, &vhca_fabric, is_switch ? FNODE_SWITCH : FNODE_CA, ports,
		   guid ?: GUID_BASE | (number + 1) << 8, *description ? description : name);
	strscpy(node->smi_name, smi_name, sizeof(node->smi_name));
	for (port = 2; *smi_name && port <= ports; port++)
		node->node.ports[port].guids[0] = node->node.ports[1].guids[0];
	node->node.number = number;
	vhca_nodes[number] = node;
	vhca_settle();
	spin_unlock_irq(&vhca_lock);
	ret = is_device ? vhca_register(node) : 0;
	if (ret)
		remove_node(node);
	return ret;
}

static bool has_port(const struct vhca_node *node, int port)
{
	return port >= 1 && port <= node->node.number_of_ports;
}

static void make_active(struct fnode *node, int port, u16 lid, u16 sm_lid)
{
	u8 *info = node->ports[port].info;

	be_put(info + PI_LID, 2, lid);
	be_put(info + PI_SM_LID, 2, sm_lid);
	info[PI_STATE] = (info[PI_STATE] & 0xf0) | FPORT_ACTIVE;
	fnode_change(node, port, FPORT_LID_CHANGED | FPORT_SM_CHANGED | FPORT_STATE_CHANGED);
}

/* A command about a node that exists. With vhca_lock. */
static int change_node(const char *verb, struct vhca_node *node, const char *arguments)
{
	int port = 0, peer_port = 0, count;
	struct vhca_node *peer;
	char name[64];
	u16 lid;

	count = sscanf(arguments, " %d %63s %d", &port, name, &peer_port);
	if (!strcmp(verb, "fail") && count == 1 && port >= 0) {
		node->failing_sends = port;
		return 0;
	}
	if (count < 1 || !has_port(node, port))
		return -EINVAL;
	if (!strcmp(verb, "errors") && count >= 2)
		return kstrtou32(name, 0, &node->node.ports[port].symbol_errors);
	if (!strcmp(verb, "active") && count == 3 && !kstrtou16(name, 0, &lid)) {
		make_active(&node->node, port, lid, peer_port);
	} else if (!strcmp(verb, "link") && count == 3) {
		peer = find_node(name);
		if (!peer || !has_port(peer, peer_port) || (peer == node && peer_port == port))
			return -EINVAL;
		fabric_plug(&node->node, port, &peer->node, peer_port);
	} else if (!strcmp(verb, "tap") && count == 1) {
		fabric_plug(&node->node, port, NULL, 0);
	} else if (!strcmp(verb, "unplug") && count == 1) {
		fabric_unplug(&node->node, port);
	} else {
		return -EINVAL;
	}
	vhca_settle();
	return 0;
}

static int command(const char *line)
{
	char verb[16], name[64], type[16], word[64] = "", description[64] = "";
	struct vhca_node *node;
	int ports, used, ret;

	if (sscanf(line, " %15s %63s%n", verb, name, &used) != 2)
		return -EINVAL;
	if (!strcmp(verb, "add"))
		return sscanf(line + used, " %15s %d %63s %63[^\n]", type, &ports, word,
			      description) >= 2
			       ? add_node(name, type, ports, word, description)
			       : -EINVAL;
	ret = vhca_fault(verb, name, line + used);
	if (ret != -ENOENT)
		return ret;
	node = find_node(name);
	if (!node)
		return -ENODEV;
	if (!strcmp(verb, "del")) {
		remove_node(node);
		return 0;
	}
	spin_lock_irq(&vhca_lock);
	ret = change_node(verb, node, line + used);
	spin_unlock_irq(&vhca_lock);
	return ret;
}

static int set_cmd(const char *line, const struct kernel_param *param)
{
	int ret;

	mutex_lock(&command_lock);
	ret = command(line);
	mutex_unlock(&command_lock);
	return ret;
}
static const struct kernel_param_ops cmd_operations = { .set = set_cmd };
module_param_cb(cmd, &cmd_operations, NULL, 0200);
MODULE_PARM_DESC(cmd, "a command, see main.c");

static int __init vhca_init(void)
{
	return vhca_wire_open();
}

static void __exit vhca_exit(void)
{
	int i;

	for (i = 0; i < VHCA_MAX_NODES; i++)
		if (vhca_nodes[i])
			remove_node(vhca_nodes[i]);
	vhca_faults_end();
	vhca_wire_close();
}

module_init(vhca_init);
module_exit(vhca_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Virtual InfiniBand HCAs, for tests of the MAD layer");
