#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# compare.py --nodes N --links N IBNETDISCOVER TEXT JSON: three descriptions of a fabric,
# by ibnetdiscover and by fabric-sweep, must have the same nodes (GUID, type, number of
# ports, name) and links (GUID and port of both ends, width and speed), and as many as said.
import argparse
import json
import re
import sys

NODE = re.compile(r'(Switch|Ca|Rt)\t(\d+) "[SHR]-([0-9a-f]{16})"\s+# "(.*)"')
LINK = re.compile(r'\[(\d+)\](?:\(([0-9a-f]+)\))?\s+"[SHR]-([0-9a-f]{16})"\[(\d+)\]'
                  r'(?:\(([0-9a-f]+)\))?\s+# (?:lid \d+ lmc \d+ )?".*" lid \d+ (\S+)$')
UNKNOWN_RATE = '?????'  # of a port that does not report it; its peer may
TYPES = {'Switch': 'switch', 'Ca': 'CA', 'Rt': 'router'}


class Fabric:
    def __init__(self):
        self.nodes = {}
        self.links = {}
        self.half_links = []
        self.port_guids = {}

    def add_link(self, one, other, rate):
        self.half_links.append((one, other))
        link = (min(one, other), max(one, other))
        if rate != UNKNOWN_RATE or link not in self.links:
            self.links[link] = rate

    def check(self, name):
        """Every link must be listed at both ends."""
        reported = set(self.half_links)
        for one, other in self.half_links:
            if (other, one) not in reported:
                sys.exit(f'{name}: {one} is cabled to {other}, and not the other way round')


def unescape(text):
    return re.sub(r'\\x([0-9a-f]{2})', lambda byte: chr(int(byte[1], 16)), text)


def read_text(name, escaped):
    """ibnetdiscover prints names as they are, fabric-sweep escapes what is not plain."""
    fabric = Fabric()
    guid = None
    for line in open(name, encoding='ascii'):
        line = line.rstrip()
        if node := NODE.match(line):
            guid = node[3]
            if guid in fabric.nodes:
                sys.exit(f'{name}: {guid} is there twice')
            fabric.nodes[guid] = (TYPES[node[1]], int(node[2]),
                                  unescape(node[4]) if escaped else node[4])
        elif link := LINK.match(line):
            one = (guid, int(link[1]))
            other = (link[3], int(link[4]))
            fabric.add_link(one, other, link[6])
            for port, port_guid in ((one, link[2]), (other, link[5])):
                if port_guid:
                    fabric.port_guids[port] = int(port_guid, 16)
        elif line.startswith(('[', 'Switch', 'Ca', 'Rt')):
            sys.exit(f'{name}: this line makes no sense: {line}')
    return fabric


def read_json(name):
    fabric = Fabric()
    with open(name, encoding='ascii') as file:
        document = json.load(file)
    for node in document['nodes']:
        guid = node['guid'][2:]
        fabric.nodes[guid] = (node['type'], node['number_of_ports'], node['name'])
        for port in node['ports']:
            end = (guid, port['port'])
            if node['type'] != 'switch' and 'guid' in port:
                fabric.port_guids[end] = int(port['guid'], 16)
            if peer := port.get('peer'):
                fabric.add_link(end, (peer['guid'][2:], peer['port']),
                                port['width'] + port['speed'] if 'width' in port else UNKNOWN_RATE)
    # The list of links says the same once more.
    listed = [((link['from']['guid'][2:], link['from']['port']),
               (link['to']['guid'][2:], link['to']['port'])) for link in document['links']]
    listed = sorted((min(link), max(link)) for link in listed)
    if listed != sorted(fabric.links):
        sys.exit(f'{name}: the list of links and those of the ports differ')
    return fabric


def same(what, wanted, found):
    if wanted == found:
        return True
    wanted, found = set(wanted.items()), set(found.items())
    for sign, items in (('missing', wanted - found), ('too much', found - wanted)):
        for item in sorted(items)[:10]:
            print(f'{what} {sign}: {item}')
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--nodes', type=int, required=True)
    parser.add_argument('--links', type=int, required=True)
    parser.add_argument('ibnetdiscover')
    parser.add_argument('text')
    parser.add_argument('json')
    args = parser.parse_args()

    wanted = read_text(args.ibnetdiscover, escaped=False)
    wanted.check(args.ibnetdiscover)
    good = len(wanted.nodes) == args.nodes and len(wanted.links) == args.links
    if not good:
        print(f'ibnetdiscover: {len(wanted.nodes)} nodes and {len(wanted.links)} links, '
              f'not {args.nodes} and {args.links}')
    for name, found in ((args.text, read_text(args.text, escaped=True)),
                        (args.json, read_json(args.json))):
        found.check(name)
        good &= same(f'{name}: node', wanted.nodes, found.nodes)
        good &= same(f'{name}: link', wanted.links, found.links)
        good &= same(f'{name}: port GUID', wanted.port_guids, found.port_guids)
    if good:
        print(f'equal: {len(wanted.nodes)} nodes, {len(wanted.links)} links')
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
