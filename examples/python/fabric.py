# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Lists the nodes of a fabric, asks all of them for their PortInfo at the same time, and compares with
what the SA knows."""
import os

import ibmad
import ibmad.events
import ibmad.fabric
from ibmad import mad

with ibmad.events.Monitor(present=True) as monitor:
    while (event := monitor.read(timeout_ms=0)) is not None:
        print("event", event)
for device in ibmad.devices():
    print("device", device.name, "ports", [port.number for port in device.ports])
with ibmad.Port() as port:
    fabric = ibmad.fabric.discover(port)
    requests = [(node.route, mad.IB_ATTR_PORT_INFO, 0, node) for node in fabric.nodes.values()]
    for result in port.smps(requests):
        print(result.context.name, os.strerror(result.error) if result.error else
              f"lid {ibmad.field(result.data, mad.IB_PORT_LID_F)}")
    info = port.smp(ibmad.local(), mad.IB_ATTR_NODE_INFO)
    print("local node", ibmad.field(info, mad.IB_NODE_NPORTS_F), "ports")
    lid = ibmad.field(port.smp(ibmad.local(), mad.IB_ATTR_PORT_INFO), mad.IB_PORT_LID_F)
    for record in port.sa_records(mad.IB_SA_ATTR_NODERECORD, mask=1, match=lid.to_bytes(2, "big")):
        print("the SA says", ibmad.text(record[44:108].rstrip(b"\0")))  # NodeDescription
