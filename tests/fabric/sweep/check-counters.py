#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# check-counters.py CSV JSON [--port GUID:PORT PERFQUERY PERFQUERY-X] [--failed GUID:PORT]
# [--no-lids]: the counters of a fabric must have one line for each port that the topology
# (the sample fabric's) has, and every line all its values, but for the failed port, or for
# all when there are no LIDs. The line of --port must be what perfquery says of it.
import argparse
import csv
import json
import re
import sys

ABOUT = 9  # columns that identify the port
EXTENDED = ('PortXmitData', 'PortRcvData', 'PortXmitPkts', 'PortRcvPkts', 'PortUnicastXmitPkts',
            'PortUnicastRcvPkts', 'PortMulticastXmitPkts', 'PortMulticastRcvPkts')
# The agents of ibsim do not have these.
OPTIONAL = ('QP1Dropped', 'SyncHeaderErrorCounter', 'UnknownBlockCounter',
            'FECCorrectableBlockCounter', 'FECUncorrectableBlockCounter',
            'FECCorrectedSymbolCounter')


def fail(*what):
    print('FAILED:', *what)
    sys.exit(1)


def read_perfquery(name):
    with open(name, encoding='ascii') as file:
        return dict(re.findall(r'^(\w+):\.*(\d+)$', file.read(), re.MULTILINE))


def expected_ports(document):
    """Every port of a switch (that of 0, too: ibsim's are enhanced), the cabled ones of hosts."""
    ports = set()
    for node in document['nodes']:
        if node['type'] == 'switch':
            ports |= {f'{node["guid"]}:{port}' for port in range(node['number_of_ports'] + 1)}
        else:
            ports |= {f'{node["guid"]}:{port["port"]}' for port in node['ports']}
    return ports


def check_row(row, port, failed):
    values = [value for name, value in list(row.items())[ABOUT:-1] if name not in OPTIONAL]
    if failed:
        if any(values) or row['DataBits'] or not row['Error']:
            fail(f'{port} should have no counters, but an error:', row)
    elif row['DataBits'] != '64' or re.match('(?!PortExt)', row['Error'] or 'PortExt') or not all(v.isdecimal() for v in values):
        fail(f'{port} should have all counters:', row)


def check_port(row, perfquery, extended):
    """64-bit counters as perfquery -x has them, all others as perfquery without it."""
    wanted = {**read_perfquery(perfquery), **{
        name: value for name, value in read_perfquery(extended).items() if name in EXTENDED}}
    compared = 0
    for name, value in list(row.items())[ABOUT:-1]:
        if name not in OPTIONAL and wanted.get(name) != value:
            fail(f'{name} is {value}, and perfquery says {wanted.get(name)}')
        compared += value not in ('', '0')
    if compared < 6:
        fail(f'only {compared} counters that are not 0: nothing is shown by that')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('csv')
    parser.add_argument('json')
    parser.add_argument('--port', nargs=3)
    parser.add_argument('--failed')
    parser.add_argument('--no-lids', action='store_true')
    args = parser.parse_args()

    with open(args.csv, encoding='ascii', newline='') as file:
        rows = list(csv.DictReader(file, strict=True))
    found = {f'{row["NodeGUID"]}:{row["Port"]}': row for row in rows}
    with open(args.json, encoding='ascii') as file:
        wanted = expected_ports(json.load(file))
    if len(found) != len(rows) or set(found) != wanted or len(wanted) != 132:
        fail(f'{len(rows)} lines for {len(found)} ports, where {len(wanted)} are')
    for port, row in found.items():
        check_row(row, port, args.no_lids or port == args.failed)
    if args.failed and args.failed not in found:
        fail(f'no line of {args.failed}')
    if args.port:
        check_port(found[args.port[0]], *args.port[1:])
    print(f'{len(rows)} ports: good')


if __name__ == '__main__':
    main()
