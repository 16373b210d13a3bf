/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Lists the devices, and for a quarter of a second the changes. */
#include <infiniband/umad_monitor.h>
#include <stdio.h>

int main(void)
{
	struct umad_monitor *monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	struct umad_event event;
	int ret;

	if (!monitor) {
		perror("umad_monitor_open");
		return 1;
	}
	while ((ret = umad_monitor_read(monitor, &event, 250)) > 0) {
		printf("%s: %s", umad_event_str(event.type), event.ca_name);
		if (event.type == UMAD_EVENT_UMAD_ADDED)
			printf(" port %u is %s", event.port_number, event.node);
		if (event.type == UMAD_EVENT_PORT_CHANGED)
			printf(" port %u is in state %u", event.port_number, event.state);
		putchar('\n');
	}
	if (umad_monitor_rescan(monitor) < 0 || ret < 0)
		perror("umad_monitor_read");
	printf("descriptor to wait for: %s\n",
	       umad_monitor_get_fd(monitor) >= 0 ? "there" : "none");
	umad_monitor_close(monitor);
	return ret < 0;
}
