"""The planted faults: the table of docs/testing.md, and how many it says there are, against the code."""

import re

from source import cpp_files, line_of, split_cpp

FAULTS = "src/sync/fault.hpp"
TABLE = "docs/testing.md"
HEADING = "## Planted faults"
ROW = re.compile(r"^\| `(\w+)`( \*)? \|", re.MULTILINE)
COUNTS = re.compile(r"\b(\d+) of the (\d+) faults are branches of the\s+kernels", re.MULTILINE)
HUNTS = re.compile(r"\b(\d+) of the (\d+) hunts for a\s+planted fault", re.MULTILINE)


def declared(tree):
    """Name -> line of each fault of the header."""
    code = split_cpp(tree.get(FAULTS, ""))[0]
    names = {m[1]: line_of(code, m.start(1)) for m in re.finditer(r"^\s+(\w+),", code, re.MULTILINE)}
    names.pop("none", None)
    return names


def in_kernels(tree, names):
    """Those that the code of the library looks at; the others are planted in the tests."""
    used = set()
    for path, text in cpp_files(tree, "src", "include"):
        if path != FAULTS:
            used |= set(re.findall(r"\bfault::(\w+)", split_cpp(text)[0]))
    return used & set(names)


def hunts(tree):
    """What each hunt by chance in tests/schedule looks for, and how many hunts are exhaustive."""
    code = "\n".join(split_cpp(text)[0] for _, text in cpp_files(tree, "tests/schedule"))
    by_chance = re.findall(r"\b(?:TACT_REQUIRE_FOUND\(\s*|require_found<[^()]*>\(\s*(?:\w+::)*fault::)(\w+)", code)
    exhaustive = re.findall(r"\bTACT_REQUIRE_FOUND_WITHIN\(|\brequire_found_within<", code)
    return by_chance, len(exhaustive)


def faults(tree):
    """Each fault has a hunt and a row, each row a fault; a star means that the tests plant it; the counts are right."""
    names = declared(tree)
    if not names:
        return
    document = tree.get(TABLE, "")
    begin = document.find(HEADING)
    if begin < 0:
        yield TABLE, 1, f"has no heading `{HEADING}`"
        return
    kernels, rows = in_kernels(tree, names), {}
    hunted, exhaustive = hunts(tree)
    for m in ROW.finditer(document, begin):
        line = line_of(document, m.start())
        rows.setdefault(m[1], []).append((line, bool(m[2])))
        if m[1] not in names:
            yield TABLE, line, f"{FAULTS} has no fault `{m[1]}`"
        elif m[1] not in kernels and not m[2]:
            yield TABLE, line, f"`{m[1]}` is planted in the tests' own code: mark its row with a star"
    for name, line in names.items():
        if name not in hunted:
            yield FAULTS, line, f"no test in tests/schedule hunts for `{name}`: TACT_REQUIRE_FOUND({name}, SCENARIO)"
        if name not in rows:
            yield FAULTS, line, f"`{name}` has no row in the table of {TABLE}"
        elif name in kernels and all(star for _, star in rows[name]):
            yield TABLE, rows[name][0][0], f"`{name}` is a branch of a kernel: one row of it has no star"
    yield from wrong_count(document, COUNTS, (len(kernels), len(names)), "faults are branches of the kernels")
    yield from wrong_count(document, HUNTS, (exhaustive, len(hunted)), "hunts for a planted fault")


def wrong_count(document, pattern, counted, what):
    m = pattern.search(document)
    sentence = f"say \"{counted[0]} of the {counted[1]} {what}\""
    if not m:
        yield TABLE, 1, f"does not say how many there are: {sentence}"
    elif (int(m[1]), int(m[2])) != counted:
        yield TABLE, line_of(document, m.start()), f"the code has other numbers: {sentence}"
