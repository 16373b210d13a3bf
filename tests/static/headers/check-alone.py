#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-alone.py --compiler C --language L --include DIR

Programs include one public header and use what it brings in besides its own declarations. For each
header a program with this single #include uses something of every header that it must include.
"""
import sys

import compilecheck

STANDARDS = {
    "c": ["gnu89", "gnu99", "gnu11", "gnu17"],
    "c++": ["gnu++98", "gnu++11", "gnu++17", "gnu++20"],
}

# The headers that each public header must include, in the same folder or in the system's.
INCLUDES = {
    "umad.h": ["arpa/inet.h", "endian.h", "linux/types.h", "stdint.h", "stdlib.h", "string.h"],
    "umad_types.h": ["umad.h"],
    "umad_str.h": ["umad.h"],
    "umad_sa.h": ["umad_types.h"],
    "umad_sm.h": ["umad_types.h"],
    "umad_cm.h": ["umad_types.h"],
    "umad_sa_mcm.h": ["umad_types.h", "umad_sa.h"],
    "umad_monitor.h": ["umad.h", "umad_port_states.h"],
    "umad_port_states.h": [],
    "umad_capture.h": [],
    "mad_osd.h": ["arpa/inet.h", "byteswap.h", "errno.h", "inttypes.h", "stdint.h", "stdio.h",
                  "stdlib.h", "string.h", "sys/types.h", "unistd.h"],
    "mad.h": ["mad_osd.h", "umad.h"],
    "mad_sa.h": ["mad.h"],
    "mad_async.h": ["mad.h"],
    "mad_keys.h": ["mad.h"],
    "mad_address.h": ["mad.h"],
    "mad_message.h": ["mad.h"],
    "mad_fabric.h": ["mad.h", "umad_port_states.h"],
    "mad_fabric_changes.h": ["mad_fabric.h"],
    "mad_fabric_counters.h": ["mad_fabric.h"],
}

# A statement that needs each of them.
USES = {
    "arpa/inet.h": 'char text[INET6_ADDRSTRLEN]; unsigned char gid[16] = { 0 };'
                   'if (!inet_ntop(AF_INET6, gid, text, sizeof(text)) || htonl(1) == 2) return 1;',
    "byteswap.h": "if (bswap_16(1) == 1 || bswap_32(1) == 1 || bswap_64(1) == 1) return 1;",
    "endian.h": "if (be64toh(htobe64(5)) != 5 || be16toh(htobe16(5)) != 5) return 1;",
    "errno.h": "errno = EINVAL;",
    "inttypes.h": 'static const char format[] = "%" PRIx64 " %" SCNu32; uintmax_t n = strtoumax('
                  '"1", NULL, 0); if (format[0] != \'%\' || n != 1) return 1;',
    "linux/types.h": "__be16 a = 0; __be32 b = 0; __be64 c = 0; __u8 d = 0;"
                     "if (a || b || c || d) return 1;",
    "stdint.h": "uint8_t a = 0; uint16_t b = UINT16_MAX; uint64_t c = UINT64_MAX;"
                "if (a == b && b == c) return 1;",
    "stdio.h": "FILE *file = stdout; fprintf(file, \"%d\", (int)BUFSIZ); perror(NULL);",
    "stdlib.h": "void *p = calloc(1, 1); free(p); if (strtoul(\"1\", NULL, 0) != 1) exit(1);",
    "string.h": "char a[2], b[2]; memset(a, 0, sizeof(a)); memcpy(b, a, sizeof(b));"
                "if (strlen(b) || strcmp(a, b)) return 1;",
    "sys/types.h": "ssize_t a = -1; pid_t b = 0; off_t c = 0; if (a == b && b == c) return 1;",
    "unistd.h": "if (getpid() == 0 || close(-1) == 0) return 1;",
    "umad.h": "struct umad_reg_attr a; umad_port_t b; a.flags = UMAD_USER_RMPP; b.portnum = 0;"
              "if (ntohll(htonll(1)) != 1 || a.flags == 0 || b.portnum) return 1;",
    "umad_types.h": "struct umad_hdr a; a.base_version = UMAD_BASE_VERSION;"
                    "if (a.base_version == 0) return 1;",
    "umad_str.h": "if (!umad_class_str(1)) return 1;",
    "umad_sm.h": "struct umad_smp a; a.hop_cnt = 0; if (a.hop_cnt) return 1;",
    "umad_sa.h": "struct umad_sa_packet a; a.comp_mask = 0; if (a.comp_mask) return 1;",
    "umad_sa_mcm.h": "if (umad_sa_mcm_set_scope_state(2, 1) != 0x21) return 1;",
    "umad_cm.h": "if (UMAD_CM_ATTR_REQ == 0) return 1;",
    "umad_monitor.h": "struct umad_monitor *a = NULL; if (a) return 1;",
    "umad_port_states.h": "if (UMAD_PORT_ACTIVE != 4 || UMAD_PHYS_LINK_UP != 5) return 1;",
    "umad_capture.h": "if (umad_capture_start(\"name\", 0)) return 1;",
    "mad_osd.h": "",
    "mad.h": "ib_portid_t a; ibmad_gid_t b = { 0 }; ib_portid_set(&a, 1, 1, 0); IBWARN(\"text\");"
             "if (ntohll(htonll(1)) != 1 || b[0] || mad_get_field(b, 0, IB_GID_PREFIX_F)) return 1;",
    "mad_sa.h": "struct mad_sa_request a; a.method = 0; if (a.method) return 1;",
    "mad_async.h": "struct mad_async *a = NULL; if (a || MAD_ASYNC_DEFAULT_WINDOW == 0) return 1;",
    "mad_message.h": "struct mad_message a; struct iovec b; b.iov_len = 0; a.error = 0;"
                     "if (a.error || b.iov_len) return 1;",
    "mad_address.h": "if (mad_pkey_index(NULL, 1, NULL) >= 0) return 1;",
    "mad_keys.h": "struct mad_keys *a = NULL; if (a || MAD_KEY_M == 0) return 1;",
    "mad_fabric.h": "struct mad_fabric *a = NULL; if (a || MAD_FABRIC_MAX_HOPS == 0) return 1;",
    "mad_fabric_changes.h": "struct mad_fabric_changes *a = NULL; if (a) return 1;",
    "mad_fabric_counters.h": "struct mad_fabric_counters *a = NULL; if (a) return 1;",
}


def brought_in(header):
    """Returns the header and all that it includes."""
    found = [header]
    for other in INCLUDES.get(header, []):
        found += [name for name in brought_in(other) if name not in found]
    return found


def program(header, names):
    blocks = "".join("\t{ %s } /* %s */\n" % (USES[name], name) for name in names)
    return "#include <infiniband/%s>\nint main(void);\nint main(void)\n{\n%s\treturn 0;\n}\n" % (
        header, blocks)


def main():
    options = compilecheck.arguments(__doc__)
    public = compilecheck.headers(options.include)
    if sorted(INCLUDES) != public:
        sys.exit("not the public headers: %s" % sorted(set(INCLUDES) ^ set(public)))
    flags = compilecheck.STRICT
    if not compilecheck.compiles(options, program("umad_capture.h", ["byteswap.h"]), *flags):
        sys.exit("what is not declared was accepted: this check no longer finds anything")

    failed = 0
    for header in public:
        for standard in STANDARDS[options.language]:
            complaints = compilecheck.compiles(
                options, program(header, brought_in(header)), "-std=" + standard, *flags)
            if complaints:
                print("%s alone, as %s:\n%s" % (header, standard, complaints))
                failed += 1
    print(options.compiler, "%d headers" % len(public))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
