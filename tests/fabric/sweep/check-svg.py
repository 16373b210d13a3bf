#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# check-svg.py --svg FILE --boxes N --links N [--silent N] [--a3] LABEL...: a picture has so many boxes and
# links, and boxes of these labels, each of which is drawn below those before it. No box covers
# another or leaves the page, every text fits into its box, and there are a title and a legend. --a3:
# the page is A3, and no text is smaller than 2.4 mm (7 points).
import argparse
import sys
import xml.etree.ElementTree

SVG = '{http://www.w3.org/2000/svg}'
CHARACTER = 0.6  # width of one, in heights: that of DejaVu Sans is 0.55 on the average


def number(element, name):
    return float(element.get(name))


def boxes_of(root):
    for group in root.iter(f'{SVG}g'):
        rect, text = group.find(f'{SVG}rect'), group.find(f'{SVG}text')
        yield (group.get('class'), text.text, number(rect, 'x'), number(rect, 'y'),
               number(rect, 'width'), number(rect, 'height'))


def check_boxes(boxes, page, font):
    wrong = []
    for index, (_, label, x, y, width, height) in enumerate(boxes):
        if x < 0 or y < 0 or x + width > page[0] or y + height > page[1]:
            wrong.append(f'{label} is not on the page')
        if len(label) * font * CHARACTER > width:
            wrong.append(f'{label} does not fit into its box')
        for _, other, x2, y2, width2, height2 in boxes[index + 1:]:
            if x < x2 + width2 and x2 < x + width and y < y2 + height2 and y2 < y + height:
                wrong.append(f'{label} covers {other}')
    return wrong


def count_links(root):
    """A line stands for the links that its title counts."""
    titles = [path.find(f'{SVG}title').text for path in root.iter(f'{SVG}path')
              if path.get('class') == 'link']
    return sum(int(title.rsplit('(', 1)[1].split()[0]) for title in titles)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--svg', required=True)
    parser.add_argument('--boxes', type=int, required=True)
    parser.add_argument('--links', type=int, required=True)
    parser.add_argument('--silent', type=int, default=0)
    parser.add_argument('--a3', action='store_true')
    parser.add_argument('labels', nargs='*')
    args = parser.parse_args()

    root = xml.etree.ElementTree.parse(args.svg).getroot()
    page = tuple(float(value) for value in root.get('viewBox').split()[2:])
    font = float(root.find(f'{SVG}style').text.split('font-size:')[1].split('px')[0])
    boxes, links = list(boxes_of(root)), count_links(root)
    wrong = check_boxes(boxes, page, font)
    silent = sum(box[0] == 'silent' for box in boxes)
    if (len(boxes), links, silent) != (args.boxes, args.links, args.silent):
        wrong.append(f'{len(boxes)} boxes, {silent} of them silent, and {links} links')
    if args.a3 and (page != (420, 297) or font < 2.4):
        wrong.append(f'the page is {page}, the font {font} mm')
    heights = {box[1]: box[3] for box in boxes}
    order = [heights.get(label, -1) for label in args.labels]
    if order != sorted(set(order)) or -1 in order:
        wrong.append(f'heights of {args.labels}: {order}')
    texts = ' '.join(text.text or '' for text in root.iter(f'{SVG}text'))
    wrong += [f'no {text}' for text in ('InfiniBand fabric: ', 'legend', '20') if text not in texts]
    if wrong:
        sys.exit('\n'.join(wrong[:20]))
    print(f'{len(boxes)} boxes, {links} links on {page[0]:.0f} x {page[1]:.0f} mm')


if __name__ == '__main__':
    main()
