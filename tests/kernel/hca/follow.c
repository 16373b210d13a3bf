/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* follow: prints the events of a monitor, which reads the ports each 100 ms, until a signal ends
 * it. */
#include <infiniband/umad_monitor.h>
#include <stdio.h>

#define INTERVAL_MS 100

int main(void)
{
	struct umad_monitor *monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	struct umad_event event;

	if (!monitor || umad_monitor_set_interval(monitor, INTERVAL_MS)) {
		perror("monitor");
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (umad_monitor_read(monitor, &event, -1) == 1)
		printf("%s %s %u state %u lid %u\n", umad_event_str(event.type), event.ca_name,
		       event.port_number, event.state, event.base_lid);
	perror("monitor");
	umad_monitor_close(monitor);
	return 1;
}
