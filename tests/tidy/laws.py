#!/usr/bin/env python3
"""The tests that hold each law: laws.py [--write] prints or writes docs/laws.md from the tags [law1] to [law14]."""

import argparse
import os
import re

TABLE = "docs/laws.md"
LAWS = "docs/semantics.md"
CASE = re.compile(r'^(?:TEMPLATE_)?TEST_CASE\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:\[[^\]]*\])*)"', re.MULTILINE)
WAYS = {
    "stress": "real threads",
    "regression": "real threads",
    "scarce_memory": "real threads",
    "model": "random programs on real threads, and simulated",
    "schedule": "explored schedules",
    "simulation": "simulated orders",
    "unit": "single cases",
    "store": "files on disk",
    "gui": "real windows",
}
BEGINS = """# The laws and their tests

Which tests hold each of the [laws](semantics.md#the-laws). This page is written by `tests/tidy/laws.py --write` from
the tags of the tests; a rule compares. `./dev test --filter '[law5]'` runs the tests of law 5 that are no explored
schedules, and those of the patterns that rest on it, which are not listed here. How each kind of
test works: [testing](testing.md).
"""


def laws_of(tree):
    """Number -> title, as docs/semantics.md has them."""
    return {int(n): title for n, title in re.findall(r"^\*\*(\d+)\. ([^*]+?)\.\*\*", tree.get(LAWS, ""), re.MULTILINE)}


def cases(tree):
    """(law, way, file, name) of each test that has a tag of a law."""
    for path, text in sorted(tree.items()):
        folder = path.split("/")[1] if path.startswith("tests/") and path.endswith(".cpp") else None
        if folder in WAYS:
            for m in CASE.finditer(text):
                for law in re.findall(r"\[law(\d+)\]", m[2]):
                    yield int(law), WAYS[folder], path, m[1]


def page(tree):
    found = list(cases(tree))
    lines = [BEGINS]
    for law, title in sorted(laws_of(tree).items()):
        lines.append(f"## {law}. {title}\n\n| how | test | file |\n|---|---|---|")
        order = list(dict.fromkeys(WAYS.values()))
        rows = sorted((order.index(way), path, name) for n, way, path, name in found if n == law)
        for way, path, name in rows:
            text = name.replace("|", "\\|")
            lines.append(f"| {order[way]} | {text} | [{path.split('/')[-1]}](../{path}) |")
        lines.append("")
    return "\n".join(lines)


def laws(tree):
    """docs/laws.md is what the tags of the tests say, and each law has tests in more than one place."""
    titles = laws_of(tree)
    held = {}
    for law, way, path, name in cases(tree):
        held.setdefault(law, set()).add(path)
        if law not in titles:
            yield path, 1, f"{LAWS} has no law {law}, which the test \"{name}\" names"
    for law in titles:
        if not held.get(law):
            yield LAWS, 1, f"no test has the tag [law{law}]"
    if titles and tree.get(TABLE) != page(tree):
        yield TABLE, 1, "is not what the tags of the tests say: tests/tidy/laws.py --write"


def main():
    from source import read_tree

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {TABLE}")
    options = parser.parse_args()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    text = page(read_tree(root))
    if options.write:
        with open(os.path.join(root, TABLE), "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
