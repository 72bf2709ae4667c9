#!/usr/bin/env python3
"""Checks the repository against its own rules: tidy.py [--only RULE]... [ROOT]. Ends with "N passed, N failed"."""

import argparse
import os
import sys

from documents import DOCUMENT_RULES
from drawings import drawings
from faults import faults
from laws import laws
from numbers_tried import NUMBER_RULES
from parts import PART_RULES
from rules import CODE_RULES
from source import read_tree
from structure import STRUCTURE_RULES

ALL = CODE_RULES + STRUCTURE_RULES + DOCUMENT_RULES + PART_RULES + NUMBER_RULES + (drawings, faults, laws)
RULES = {rule.__name__: rule for rule in ALL}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=RULES, help="check this rule; may be repeated")
    parser.add_argument("root", nargs="?", default=os.path.join(os.path.dirname(__file__), "..", ".."))
    options = parser.parse_args()

    tree = read_tree(options.root)
    failed = 0
    names = options.only or list(RULES)
    for name in names:
        problems = sorted(RULES[name](tree))
        failed += bool(problems)
        for path, line, message in problems:
            print(f"{path}:{line}: {name}: {message}")
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
