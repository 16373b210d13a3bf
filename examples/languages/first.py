# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
import ibmad
from ibmad import mad

with ibmad.Port(classes=[mad.IB_SMI_DIRECT_CLASS]) as port:
    info = port.smp(ibmad.local(), mad.IB_ATTR_NODE_INFO)
    name = port.smp(ibmad.local(), mad.IB_ATTR_NODE_DESC)
    print(ibmad.text(name.rstrip(b"\0")), "has", ibmad.field(info, mad.IB_NODE_NPORTS_F), "ports")
