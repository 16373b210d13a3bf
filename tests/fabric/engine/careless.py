# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""A careless program: what it does wrong is an exception, and the interpreter goes on."""
import errno
import gc
import os
import sys

import ibmad
import ibmad.events
import ibmad.fabric
from ibmad import mad


def raises(kind, call, *given, **options):
    """Ends the program unless the call raises an exception whose type or errno is kind."""
    try:
        call(*given, **options)
    except Exception as error:  # whichever: its kind is compared
        assert kind in (type(error), getattr(error, "errno", None)), repr(error)
    else:
        sys.exit(f"{call.__name__}{given} raises nothing")


def requests(count):
    """As many requests for the NodeInfo of the local node."""
    return ((ibmad.local(), mad.IB_ATTR_NODE_INFO, 0, i) for i in range(count))


info = bytes(range(64))
raises(ValueError, ibmad.field, b"", mad.IB_NODE_PORT_GUID_F)
raises(ValueError, ibmad.field, info[:19], mad.IB_NODE_PORT_GUID_F)
raises(ValueError, ibmad.field, info, mad.IB_NODE_PORT_GUID_F, -1)
raises(ValueError, ibmad.field, info, mad.IB_NODE_PORT_GUID_F, 45)
raises(ValueError, ibmad.field, info, mad.IB_PORT_EXT_LAST_F)
raises(ValueError, ibmad.field, info, 1 << 30)
assert ibmad.field(info[:20], mad.IB_NODE_GUID_F) == 0x0c0d0e0f10111213
assert ibmad.field(memoryview(info), mad.IB_NODE_GUID_F, 44) == 0x38393a3b3c3d3e3f

port = ibmad.Port()
running, dropped = port.smps(requests(500)), port.smps(requests(500))
assert [next(running).error, next(dropped).error] == [0, 0]
del dropped
gc.collect()
assert len(list(port.smps(requests(500)))) == 500
with ibmad.Port() as other:
    assert len(list(other.smps(requests(1)))) == 1
port.close()
raises(errno.ECANCELED, list, running)
port.close()
for call, given in ((port.smp, (ibmad.local(), mad.IB_ATTR_NODE_INFO)), (list, (port.smps([]),)),
                    (port.sa_records, (mad.IB_SA_ATTR_NODERECORD,)),
                    (port.perf, (ibmad.local(), mad.IB_GSI_PORT_COUNTERS, 1)),
                    (ibmad.fabric.discover, (port,))):
    raises(errno.EINVAL, call, *given)

monitor = ibmad.events.Monitor()
monitor.close()
monitor.close()
raises(errno.EINVAL, monitor.read)
raises(errno.EINVAL, monitor.fileno)
before = len(os.listdir("/proc/self/fd"))
forgotten = [ibmad.Port(), ibmad.events.Monitor()]
del forgotten
gc.collect()
assert len(os.listdir("/proc/self/fd")) == before
print("careless: all is an exception")
