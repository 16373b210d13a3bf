# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""golden.py recorded|SEED LIBIBUMAD LIBIBMAD CLIENT...

Calls of a pair of libraries (golden-calls.c, which CLIENT runs) have results: those of golden.tsv.xz,
recorded with the distribution's pair, or those of the distribution's pair here for calls that follow from
SEED. A line of results is a call (its kind, then some columns) and its result, one or two columns.

known-differences.tsv lists functions that the distribution's pair does not have, and fields that it reads
in another place: kind, function or field ID, reason. Skipped (77) without the distribution's pair."""
import collections
import contextlib
import io
import lzma
import random
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TREE = HERE.parents[2]
COLUMNS = dict(dump=4, name=2, get=4, set=5, dec=3, val=3, field=3, attr=3, method=3, status=2)
ATTRIBUTE, SHOWN = 256, 384  # bytes
# Formatters of bytes as they come from the wire; others take a number from memory.
OF_BYTES = 'array string nodedesc sltovl vlarbitration portstates'.split()
# Names of CapabilityMask2 that only this project has, and fields that rdma-core reads in the wrong place.
NEW_NAMES = re.compile(r'\\n\\t\\t\\t\\tIs(ExtendedSpeeds2|LinkSpeedXDR)Supported')
CORRECTED = re.compile(r'(QP1Dropped|[HN]DRFECMode(Supported|Enabled)):.*?\\n')


def read_recorded():
    """The recorded calls and their results; the bits of each field in memory, and whether it is a text."""
    calls, expected, bits, texts = [], [], {}, set()
    for line in lzma.open(HERE / 'golden.tsv.xz', 'rt', encoding='ascii'):
        columns = line.rstrip('\n').split('\t')
        count = COLUMNS.get(columns[0], 2)
        calls.append(columns[:count])
        expected.append('\t'.join(columns[count:]))
        if columns[0] == 'get':
            bits[columns[1]] = 4 * len(expected[-1])
        elif columns[0] == 'val' and expected[-1].startswith("'"):
            texts.add(columns[1])
    return calls, expected, {field: (bits[field], field in texts) for field in bits}


CALLS, EXPECTED, FIELDS = read_recorded()


def number_size(function, size):
    """The bytes of the number that a formatter takes from memory; 0: it takes bytes."""
    kind = function.removeprefix('mad_dump_')
    if kind in OF_BYTES or size > 8:
        return 0
    return 4 if kind == 'bitfield' or 2 < size <= 4 else size if size <= 2 else 8


def requests(calls):
    """The lines of the client for calls."""
    latest = ''  # the attribute of the last "get", from which the "set" of an array takes its value
    for kind, *rest in calls:
        if kind == 'dump':
            rest.insert(2, str(number_size(rest[0], int(rest[1]))))
        elif kind in ('class', 'method', 'attr', 'status'):
            rest = ['0x' + number for number in rest]
        elif kind not in ('name', 'find'):
            bits = FIELDS[rest[0]][0]
            latest = rest[2] if kind == 'get' else latest
            if kind == 'set' and bits > 32 and bits != 64:
                rest[1], rest[3] = '0', latest
            rest.insert(1, str(bits))
        yield '\t'.join([kind, *rest])


def as_text(digits):
    """A text of the client, without what cannot be printed."""
    text = bytes.fromhex(digits).decode('latin-1').replace('\\', '\\\\')
    text = text.replace('\n', '\\n').replace('\t', '\\t')
    return re.sub('[^ -~]', lambda match: f'\\x{ord(match[0]):02x}', text)


def results(client, pair, calls):
    """The results of calls of a pair; ends the process if the pair cannot be loaded."""
    calls = list(calls)
    run = subprocess.run([*client, *pair], input='\n'.join([*requests(calls), '']), text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if run.returncode == 77:
        print(f'skipped: {" and ".join(pair)} cannot be loaded')
    if run.returncode:
        sys.exit(run.returncode)
    lines = run.stdout.split('\n')[:-1]
    if len(lines) != len(calls):
        sys.exit(f'{len(lines)} results of {len(calls)} calls')
    for (kind, *_), line in zip(calls, lines):
        if line != 'MISSING' and kind not in ('get', 'set', 'dec'):
            line = '\t'.join(map(as_text, line.split('\t')))
        yield line


def is_known(known, call, result, expected):
    """Whether a result has a reason to differ."""
    if (call[0], call[1]) not in known:
        return False
    if expected == 'MISSING' or call[0] in ('get', 'set', 'dec'):
        return True
    return CORRECTED.sub('', result) == CORRECTED.sub('', expected)


def compare(calls, expected, found, known):
    """Prints how many results of each kind are the same; returns the number of wrong ones."""
    made, excused, wrong, named = (collections.Counter() for _ in range(4))
    for call, result, wanted in zip(calls, found, expected):
        kind = call[0]
        made[kind] += 1
        if result != wanted and NEW_NAMES.sub('', result) == wanted:
            named[kind] += 1
        elif result != wanted and is_known(known, call, result, wanted):
            excused[kind, call[1]] += 1
        elif result != wanted:
            wrong[kind] += 1
            if sum(wrong.values()) <= 20:
                print(f'{" ".join(call)[:90]}:\n  expected {wanted[:200]}\n  got      {result[:200]}')
    for kind, count in made.items():
        print(f'{kind}: {count} results, {wrong[kind]} wrong')
    for about, count in excused.items():
        print(f'known to differ: {" ".join(about)}, {count} times: {known[about]}')
    total = sum(wrong.values())
    print(f'{sum(named.values())} results are the same but for names that only we have')
    print(f'{sum(made.values())} results, {total} wrong')
    return total


def digits(count):
    return random.randbytes(count).hex()


def text(count):
    """Printable characters with a NUL after them: the older library does not stop by itself."""
    length = random.randrange(count)
    return bytes(random.randrange(32, 127) if i < length else 0 for i in range(count)).hex()


def word():
    """A number of 4 bytes: any, or with few bits set, or small."""
    number = random.choice((random.getrandbits(32), random.randrange(64),
                            random.getrandbits(32) & random.getrandbits(32) & random.getrandbits(32)))
    return number.to_bytes(8, 'little').hex()


def dumps():
    """Calls of the functions that print a value, or an attribute."""
    header = (TREE / 'tests/lib/value-dumps.h').read_text()
    for function, reads in re.findall(r'^VALUE_DUMP\((\w+), (\w+)\)', header, re.M):
        for turn in range(80):
            if reads == 'NUMBER':
                size, value = 1 + turn % 8, digits(8)
            elif reads == 'WORD':
                size, value = 4, word()
            else:
                size = random.randrange(1, 65)
                value = text(64) if re.search('string|nodedesc', function) else digits(64)
            yield ['dump', function, str(size), value]
    header = (TREE / 'common/mad_attributes.h').read_text()
    for function in re.findall(r'^(?:DUMPED\(\w+, \w+, "\w*"|PART\((?=\w)),? ?(\w+)', header, re.M):
        for _ in range(10):
            yield ['dump', 'mad_dump_' + function, str(ATTRIBUTE), digits(ATTRIBUTE)]


def fields():
    """Calls about each field."""
    for field, (bits, is_text) in FIELDS.items():
        value = text if is_text else digits
        yield ['name', field]
        for turn in range(5):
            base = str(4 * (turn % 4) if bits <= 64 else 0)
            size = 4 if bits <= 32 else bits // 8
            yield ['get', field, base, digits(SHOWN)]
            yield ['set', field, base, str(turn % 2), digits(8)]
            yield ['dec', field, digits(SHOWN)]
            yield ['val', field, value(size)]
            yield ['field', field, value(size)]


def names():
    """Calls for names of classes, methods, attributes and statuses."""
    for _ in range(2000):
        yield ['class', digits(1)]
        yield ['method', digits(1), digits(1)]
        yield ['attr', digits(1), digits(2)]
        yield ['status', digits(2)]


def ask_distribution(client):
    """Calls, and the results of the distribution's pair. A field that it does not know must not be used:
    calls but for this one go where an older table's end happens to point."""
    pair = ['libibumad.so.3', 'libibmad.so.5']
    file, ours = results(client, pair, [['find', 'mad_get_field'], ['find', 'madrpc_lock']])
    if ours:
        print(f'skipped: {file} is of this project, and no oracle')
        sys.exit(77)
    print(f'calls of {file}')
    asked = [['val', field, ''] for field in FIELDS]
    unknown = {call[1] for call, result in zip(asked, results(client, pair, asked)) if result == 'MISSING'}
    made = [*dumps(), *(call for call in fields() if call[1] not in unknown), *names()]
    missing = [['name', field] for field in unknown]
    return made + missing, [*results(client, pair, made), *('MISSING' for _ in missing)]


source, *ours, client = sys.argv[1:4] + [sys.argv[4:]]
known = {}
for line in (HERE / 'known-differences.tsv').read_text().splitlines():
    if not line.startswith('#'):
        kind, about, reason = line.split('\t')
        known[kind, about] = reason
random.seed(source)
calls, expected = (CALLS, EXPECTED) if source == 'recorded' else ask_distribution(client)
found = list(results(client, ours, calls))
with contextlib.redirect_stdout(io.StringIO()):
    notices = compare(calls[:1], ['another'], found, known) == 1
sys.exit('a wrong result is not noticed' if not notices else compare(calls, expected, found, known) != 0)
