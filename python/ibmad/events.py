# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Events: devices and ports of this host that come, go and change."""
from ibmad.libraries import check, ffi, text, umad


class Event:
    """An event: the members of struct umad_event, names as str."""

    def __init__(self, event):
        for name, _ in ffi.typeof("struct umad_event").fields:
            value = getattr(event, name)
            setattr(self, name, value if isinstance(value, int) else text(value))

    def __str__(self):
        port = f" port {self.port_number}" if self.port_number else ""
        return f"{self.ca_name}{port}: {text(umad.umad_event_str(self.type))}"


class Monitor:
    """Reports changes from now on; with present, first the existing devices. For select and poll, too."""

    def __init__(self, present=False):
        flags = umad.UMAD_MONITOR_REPORT_PRESENT if present else 0
        self.monitor = ffi.gc(check(umad.umad_monitor_open(flags)), umad.umad_monitor_close)

    def fileno(self):
        """The descriptor that is readable while there may be events."""
        return check(umad.umad_monitor_get_fd(self.monitor))

    def read(self, timeout_ms=-1):
        """The next event; None where there is none in time (below 0: without limit)."""
        event = ffi.new("struct umad_event *")
        there = check(umad.umad_monitor_read_sized(self.monitor, event, ffi.sizeof(event[0]), timeout_ms))
        return Event(event) if there else None

    def close(self):
        """Closes the monitor; later calls fail with EINVAL."""
        if self.monitor:
            ffi.release(self.monitor)
        self.monitor = ffi.NULL

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
