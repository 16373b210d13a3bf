#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# check-documented.py used LIST FILE...: the programs among the files have one test use_NAME for
# each function, variable and function type of LIST (functions.csv), no more and no less, and that
# test passes and refers to NAME, as the objects (*.o) among the files say, which are compiled
# without optimisation.
# check-documented.py declarations LIST: writes a C file that compiles only where the public headers
# declare all of LIST as LIST says, to standard output.
import csv
import os
import re
import subprocess
import sys

TESTED_TYPES = {'ib_mad_dump_fn'}   # other types are used by the functions' tests


def read_list(path):
    with open(path, encoding='utf-8') as file:
        lines = [line for line in file if not line.startswith('#')]
    return list(csv.DictReader(lines))


def wanted_tests(entries):
    return {entry['current'] for entry in entries
            if entry['kind'] != 'type' or entry['current'] in TESTED_TYPES}


def run_program(program):
    """Names of the tests that passed."""
    run = subprocess.run([program], capture_output=True, text=True, timeout=120, check=False)
    output = run.stdout + run.stderr
    if run.returncode:
        print(output)
        sys.exit(f'{os.path.basename(program)} failed with status {run.returncode}')
    return re.findall(r'^\[ +OK \] use_(\w+)$', output, re.MULTILINE)


def references(objects):
    """What each function of the objects refers to, by name."""
    run = subprocess.run(['objdump', '-d', '-r', '--no-show-raw-insn', *objects],
                         capture_output=True, text=True, check=True)
    found, name = {}, None
    for line in run.stdout.splitlines():
        title = re.match(r'[0-9a-f]+ <(.+)>:$', line)
        if title:
            name = title.group(1)
            found.setdefault(name, set())
        elif name:
            found[name].update(re.findall(r'<(\w+)(?:\+0x\w+)?>|\bR_\w+\s+(\w+)', line))
    return {name: {one or other for one, other in pairs} for name, pairs in found.items()}


def uses(calls, test, name):
    """Whether a test refers to a name, itself or through functions of the objects."""
    seen, waiting = set(), [test]
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            waiting.extend(calls.get(function, ()))
    return name in seen


def check_used(list_path, files):
    calls = references([file for file in files if file.endswith('.o')])
    wanted, found, failures = wanted_tests(read_list(list_path)), set(), []
    for program in (file for file in files if not file.endswith('.o')):
        for name in run_program(program):
            if name in found:
                failures.append(f'{name} has two tests')
            found.add(name)
            if name not in TESTED_TYPES and not uses(calls, f'use_{name}', name):
                failures.append(f'the test of {name} does not use it')
    failures += [f'{name} is documented, and has no test' for name in sorted(wanted - found)]
    failures += [f'{name} has a test, and is not documented' for name in sorted(found - wanted)]
    for failure in failures:
        print(failure)
    print(f'{len(wanted)} documented, {len(found)} used')
    return 1 if failures or not wanted else 0


def write_declarations(list_path):
    print('/* Made by check-documented.py; compiles where all is declared as it should be. */')
    print('#include <infiniband/mad.h>\n#include <infiniband/umad.h>\n')
    print('#define SAME(name, type) _Static_assert(__builtin_types_compatible_p( \\')
    print('\t__typeof__(name), type), #name " is declared otherwise")\n')
    for entry in read_list(list_path):
        name, declaration = entry['current'], entry['current_declaration']
        if entry['kind'] == 'type':
            print(f'extern {name} declared_{entry["documented"]};'
                  if name in TESTED_TYPES else
                  f'_Static_assert(sizeof({name}) > 0, "{name}");')
            continue
        before, after = re.split(rf'\b{name}\b', declaration)
        print(f'SAME({name}, __typeof__({before.strip()} {after.strip()}));'.replace(' )', ')'))
    return 0


def main():
    if len(sys.argv) >= 4 and sys.argv[1] == 'used':
        return check_used(sys.argv[2], sys.argv[3:])
    if len(sys.argv) == 3 and sys.argv[1] == 'declarations':
        return write_declarations(sys.argv[2])
    sys.exit('usage: check-documented.py used LIST FILE... | declarations LIST')


if __name__ == '__main__':
    sys.exit(main())
