#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# check-svg.py SVG NODES LINKS NAME...: a picture has so many nodes and links, and nodes of
# these names, each of which is drawn below those before it.
import sys
import xml.etree.ElementTree

SVG = '{http://www.w3.org/2000/svg}'


def main():
    file, nodes, links, names = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    found = {'node': 0, 'edge': 0}
    heights = {}
    for group in xml.etree.ElementTree.parse(file).iter(f'{SVG}g'):
        title = group.find(f'{SVG}title')
        if group.get('class') not in found or title.text.startswith('level '):
            continue # levels have titles and invisible links of their own
        found[group.get('class')] += 1
        for text in group.findall(f'.//{SVG}text') if group.get('class') == 'node' else ():
            heights[text.text] = float(text.get('y'))
    if (found['node'], found['edge']) != (nodes, links):
        sys.exit(f'{file}: {found}, not {nodes} nodes and {links} links')
    order = [heights[name] for name in names]
    if order != sorted(set(order)):
        sys.exit(f'{file}: heights of {names}: {order}')
    print(f'{file.rsplit("/", 1)[-1]}: {found}')


if __name__ == '__main__':
    main()
