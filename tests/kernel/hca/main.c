// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nodes and cables, by the commands of the module parameters init (when it is loaded: commas for
 * blanks, semicolons between commands) and cmd (written to later):
 *
 *	add NAME ca|switch PORTS	a device, or a switch that is no device of this kernel
 *	add NAME ca PORTS SMI		an HCA that is two devices, as some whose ports have planes:
 *					NAME has port 1 without subnet management, SMI has all ports
 *					with that alone; their GUID is one
 *	del NAME
 *	link NAME PORT NAME PORT	a cable
 *	tap NAME PORT			a cable whose other end is /dev/vhca
 *	unplug NAME PORT
 *	fail NAME SENDS			so many sends complete with an error
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
static bool is_ready;

static char *init = "";
module_param(init, charp, 0444);
MODULE_PARM_DESC(init, "commands to start with");

static void free_node(struct vhca_node *node)
{
	kvfree(node->node.lft);
	kvfree(node->node.ports);
	kfree(node);
}

static struct vhca_node *make_node(const char *name, bool is_switch, int ports)
{
	struct vhca_node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return NULL;
	strscpy(node->name, name, sizeof(node->name));
	node->node.has_software = !is_switch;
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

static int add_node(const char *name, const char *type, int ports, const char *smi_name)
{
	bool is_switch = !strcmp(type, "switch");
	struct vhca_node *node;
	int number = 0, port, ret;

	if ((!is_switch && strcmp(type, "ca")) || ports < 1 || ports > FNODE_MAX_PORTS ||
	    strlen(name) >= sizeof(node->name) || strlen(smi_name) >= sizeof(node->smi_name) ||
	    (is_switch && *smi_name))
		return -EINVAL;
	if (find_node(name))
		return -EEXIST;
	while (number < VHCA_MAX_NODES && vhca_nodes[number])
		number++;
	if (number == VHCA_MAX_NODES)
		return -ENOSPC;
	node = make_node(name, is_switch, ports);
	if (!node)
		return -ENOMEM;
	spin_lock_irq(&vhca_lock);
	fnode_init(&node->node, &vhca_fabric, is_switch ? FNODE_SWITCH : FNODE_CA, ports,
		   GUID_BASE | (number + 1) << 8, name);
	strscpy(node->smi_name, smi_name, sizeof(node->smi_name));
	for (port = 2; *smi_name && port <= ports; port++)
		node->node.ports[port].guids[0] = node->node.ports[1].guids[0];
	node->node.number = number;
	vhca_nodes[number] = node;
	vhca_settle();
	spin_unlock_irq(&vhca_lock);
	ret = is_switch ? 0 : vhca_register(node);
	if (ret)
		remove_node(node);
	return ret;
}

static bool has_port(const struct vhca_node *node, int port)
{
	return port >= 1 && port <= node->node.number_of_ports;
}

/* A command about a node that there is. With vhca_lock. */
static int change_node(const char *verb, struct vhca_node *node, const char *arguments)
{
	int port = 0, peer_port = 0, count;
	struct vhca_node *peer;
	char name[64];

	count = sscanf(arguments, " %d %63s %d", &port, name, &peer_port);
	if (!strcmp(verb, "fail") && count == 1 && port >= 0) {
		node->failing_sends = port;
		return 0;
	}
	if (count < 1 || !has_port(node, port))
		return -EINVAL;
	if (!strcmp(verb, "link") && count == 3) {
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
	char verb[16], name[64], type[16], smi_name[64] = "";
	struct vhca_node *node;
	int ports, used, ret;

	if (sscanf(line, " %15s %63s%n", verb, name, &used) != 2)
		return -EINVAL;
	if (!strcmp(verb, "add"))
		return sscanf(line + used, " %15s %d %63s", type, &ports, smi_name) >= 2
			       ? add_node(name, type, ports, smi_name)
			       : -EINVAL;
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

static int commands(const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL), *rest = copy, *line;
	int ret = 0;

	if (!copy)
		return -ENOMEM;
	strreplace(copy, ',', ' ');
	mutex_lock(&command_lock);
	while (!ret && (line = strsep(&rest, ";\n")))
		if (*skip_spaces(line))
			ret = command(line);
	mutex_unlock(&command_lock);
	kfree(copy);
	return ret;
}

static int set_cmd(const char *text, const struct kernel_param *param)
{
	return is_ready ? commands(text) : -EAGAIN;
}
static const struct kernel_param_ops cmd_operations = { .set = set_cmd };
module_param_cb(cmd, &cmd_operations, NULL, 0200);
MODULE_PARM_DESC(cmd, "a command, see main.c");

static void remove_all(void)
{
	int i;

	for (i = 0; i < VHCA_MAX_NODES; i++)
		if (vhca_nodes[i])
			remove_node(vhca_nodes[i]);
	vhca_wire_close();
}

static int __init vhca_init(void)
{
	int ret = vhca_wire_open();

	if (ret)
		return ret;
	ret = commands(init);
	if (ret)
		remove_all();
	is_ready = !ret;
	return ret;
}

static void __exit vhca_exit(void)
{
	remove_all();
}

module_init(vhca_init);
module_exit(vhca_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Virtual InfiniBand HCAs, for tests of the MAD layer");
