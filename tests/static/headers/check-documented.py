#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# check-documented.py used LIST FOLDER...: each function and variable of LIST (documented.csv) is
# used by a test: its name is in the code of a C file in one of the folders.
# check-documented.py declarations LIST: writes a C file that compiles only where the public headers
# declare all of LIST as LIST says, to standard output.
import csv
import pathlib
import re
import sys


def read_list(path):
    with open(path, encoding='utf-8') as file:
        lines = [line for line in file if not line.startswith('#')]
    return list(csv.DictReader(lines))


def identifiers(path):
    """The identifiers of a C file outside its comments and strings."""
    text = path.read_text(encoding='utf-8')
    text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', ' ', text, flags=re.DOTALL)
    return set(re.findall(r'[A-Za-z_]\w*', text))


def check_used(list_path, folders):
    used = set()
    for folder in folders:
        for path in pathlib.Path(folder).glob('*.c'):
            used |= identifiers(path)
    wanted = {entry['current'] for entry in read_list(list_path) if entry['kind'] != 'type'}
    for name in sorted(wanted - used):
        print(f'{name} is documented, and no test uses it')
    print(f'{len(wanted)} documented, {len(wanted & used)} used')
    return 1 if wanted - used or not wanted else 0


def write_declarations(list_path):
    print('/* Made by check-documented.py; compiles where all is declared as it should be. */')
    print('#include <infiniband/mad.h>\n#include <infiniband/umad.h>\n')
    print('#define SAME(name, type) _Static_assert(__builtin_types_compatible_p( \\')
    print('\t__typeof__(name), type), #name " is declared otherwise")\n')
    for entry in read_list(list_path):
        name, declaration = entry['current'], entry['current_declaration']
        if entry['kind'] == 'type':
            print(f'extern {name} declared_{entry["documented"]};' if name.endswith('_fn')
                  else f'_Static_assert(sizeof({name}) > 0, "{name}");')
            continue
        before, after = re.split(rf'\b{name}\b', declaration)
        print(f'SAME({name}, __typeof__({before.strip()} {after.strip()}));'.replace(' )', ')'))
    return 0


def main():
    if len(sys.argv) >= 4 and sys.argv[1] == 'used':
        return check_used(sys.argv[2], sys.argv[3:])
    if len(sys.argv) == 3 and sys.argv[1] == 'declarations':
        return write_declarations(sys.argv[2])
    sys.exit('usage: check-documented.py used LIST FOLDER... | declarations LIST')


if __name__ == '__main__':
    sys.exit(main())
