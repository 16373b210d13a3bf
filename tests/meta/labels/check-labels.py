#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-labels.py SOURCE BUILD: each test has the labels of its folder; each folder in the table of
docs/testing.md has a test, and the folder and each label of a test are in it. The tests that
docs/differences.md names exist, and each pattern of long.tsv is that of a test. In changed.tsv each line
has a file and a test, and each file a line. And each C file of the tests is compiled by the build, since
CMake lists files and folders by name."""
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess
import sys


def load(path):
    """A script as a module."""
    loader = importlib.machinery.SourceFileLoader('script', str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader('script', loader))
    loader.exec_module(module)
    return module


def documented(path):
    """The folders of the table, and all labels that the document names."""
    text = path.read_text(encoding='utf-8')
    folders = set(re.findall(r'^\| (tests/[\w/]+) \| [^|]+ \|$', text, re.MULTILINE))
    names = {label for folder in folders for label in folder.split('/')[1:]}
    return folders, names | set(re.findall(r'\(label ([a-z]+)\)', text))


def labels_of(test):
    return {label for entry in test.get('properties', []) if entry['name'] == 'LABELS'
            for label in entry['value']}


def pinned(path):
    """The tests in the last column of differences.md: "unit test-io, test-port; wire" are three."""
    for row in re.findall(r'^\| .* \| ([^|]*) \|$', path.read_text(encoding='utf-8'), re.MULTILINE):
        for part in row.split(';') if row != 'pinned by' else ():
            label, _, names = part.strip().partition(' ')
            for name in names.split(',') if label != 'wire' else ['']:
                yield label.rstrip(','), '' if name == 'all trees' else name.strip(' `')


def long_set(path):
    """The patterns of the tests that scripts/test runs with --all only."""
    for line in path.read_text(encoding='utf-8').splitlines():
        if not line.startswith('#'):
            yield line.partition('\t')[0]


# Groups that a regular expression of ctest may have. ctest ignores an option with more.
MOST_GROUPS = 9


def changed(source, tests):
    """Complaints about changed.tsv; about files only in a clone, where git lists them."""
    files = subprocess.run(['git', '-C', source, 'ls-files'], stdout=subprocess.PIPE, text=True,
                           check=False).stdout.splitlines()
    lines = (source / 'tests/changed.tsv').read_text(encoding='utf-8').splitlines()
    rows = [line.split('\t') for line in lines if not line.startswith('#')]
    for path, pattern in rows:
        if files and not any(re.fullmatch(path, file) for file in files):
            yield f'tests/changed.tsv: {path} is no file'
        if not any(re.fullmatch(pattern, test['name']) for test in tests):
            yield f'tests/changed.tsv: {pattern} is no test'
    for file in files:
        if not any(re.fullmatch(path, file) for path, _ in rows):
            yield f'tests/changed.tsv: no line for {file}'


# discovery.hosts shows all hosts of this table.
HOSTS = 'tests/unit/discovery/hosts.tbl'

# Compiled by builds of their own, against an installation, and for a kernel.
ELSEWHERE = {'tests/robust/fuzz', 'tests/static/consumers', 'tests/kernel/hca'}


def not_compiled(source, build):
    """The C files of tests that no target compiles."""
    commands = json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
    compiled = {pathlib.Path(command['file']).resolve() for command in commands}
    for path in sorted((source / 'tests').rglob('*.c')):
        if path not in compiled and str(path.parent.relative_to(source)) not in ELSEWHERE:
            yield path.relative_to(source)


def main():
    source, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    script = load(source / 'scripts/test-targets')
    folders, named = documented(source / 'docs/testing.md')
    tests, graph = script.chosen_tests(build, [])
    failures, used, tested = [], set(), set()
    for test in tests:
        labels = labels_of(test)
        used |= labels
        for folder in set(script.defining_folders(test, graph, source)) - {pathlib.Path('tests')}:
            tested.add(str(folder))
            for label in set(folder.parts[1:]) - labels:
                failures.append(f'{test["name"]} of {folder} has no label {label}')
    failures += [f'{folder} is in the table, and no test is in it' for folder in sorted(folders - tested)]
    failures += [f'{folder} is not in the table' for folder in sorted(tested - folders)]
    failures += [f'-L {label} selects nothing' for label in sorted(named - used)]
    failures += [f'docs/testing.md does not name the label {label}'
                 for label in sorted(used - named)]
    for label, name in pinned(source / 'docs/differences.md'):
        begin = 'conformance.wire' if label == 'wire' else f'{label}.{name}'
        is_host = label == 'discovery' and f'\n{name}:\n' in (source / HOSTS).read_text(encoding='utf-8')
        if not is_host and not any(test['name'].startswith(begin) for test in tests):
            failures.append(f'docs/differences.md names {label} {name}, which is no test')
    failures += [f'tests/long.tsv: {pattern} is no test' for pattern in long_set(source / 'tests/long.tsv')
                 if not any(re.fullmatch(pattern, test['name']) for test in tests)]
    groups = 1 + sum(pattern.count('(') for pattern in long_set(source / 'tests/long.tsv'))
    if groups > MOST_GROUPS:
        failures.append(f'tests/long.tsv: {groups} groups "(...)"; ctest ignores more than {MOST_GROUPS}')
    failures += changed(source, tests)
    failures += [f'{path} is compiled by no target' for path in not_compiled(source, build)]
    for failure in sorted(failures):
        print(failure)
    print(f'{len(tests)} tests, {len(used)} labels, {len(tested)} folders')
    return 1 if failures or not tests else 0


if __name__ == '__main__':
    sys.exit(main())
