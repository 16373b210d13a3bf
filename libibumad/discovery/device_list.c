/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The lists of devices returned to callers: an array of names, or a linked list. Input: the class
 * directory and each device's node type.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_device_names names;
	int result, filled = 0;

	if (!cas && max > 0)
		return umad_state_finish(-EINVAL);
	umad_sys_clear_resource_error();
	result = umad_device_read_names(&source, &names);
	umad_device_sort_names(&names);
	for (size_t i = 0; i < names.count && filled < max; i++)
		if (umad_device_read_type(&source, names.device[i].name))
			memcpy(cas[filled++], names.device[i].name, UMAD_CA_NAME_LEN);
	umad_device_free_names(&names);
	umad_source_close(&source);
	return umad_state_finish(umad_sys_resource_error_or(result < 0 ? result : filled));
}

/* An entry, with its name in the same block of memory; NULL if out of memory. */
static struct umad_device_node *make_node(const char *name)
{
	size_t size = strlen(name) + 1;
	struct umad_device_node *node = malloc(sizeof(*node) + size);

	if (node)
		*node = (struct umad_device_node){ .ca_name = memcpy(node + 1, name, size) };
	return node;
}

struct umad_device_node *umad_get_ca_device_list(void)
{
	struct umad_source source = { .kind = UMAD_SOURCE_UNDECIDED };
	struct umad_device_node *head = NULL, **end = &head;
	struct umad_device_names names;
	int result;

	umad_sys_clear_resource_error();
	result = umad_device_read_names(&source, &names);
	for (size_t i = 0; !result && i < names.count; i++) {
		if (!umad_device_read_type(&source, names.device[i].name))
			continue;
		*end = make_node(names.device[i].name);
		if (*end)
			end = &(*end)->next;
		else
			result = -ENOMEM;
	}
	result = umad_sys_resource_error_or(result);
	umad_device_free_names(&names);
	umad_source_close(&source);
	if (result < 0) {
		umad_free_ca_device_list(head);
		head = NULL;
	}
	errno = -result;
	return head;
}

void umad_free_ca_device_list(struct umad_device_node *head)
{
	struct umad_device_node *next;

	for (; head; head = next) {
		next = head->next;
		free(head);
	}
}

int umad_sort_ca_device_list(struct umad_device_node **head, size_t size)
{
	struct umad_device_node *sorted = NULL, **place, *node, *next;
	size_t count = 0;

	if (!head)
		return EINVAL;
	for (node = *head; node; node = node->next)
		count++;
	if (size && size != count)
		return EINVAL;
	for (node = *head; node; node = next) {
		next = node->next;
		for (place = &sorted; *place; place = &(*place)->next)
			if (strcmp((*place)->ca_name, node->ca_name) > 0)
				break;
		node->next = *place;
		*place = node;
	}
	*head = sorted;
	return 0;
}
