#!/usr/bin/env python3
"""Sums up a run of meson test: count.py TESTLOG.JSON. Says what failed, then "N passed, N failed".

Test programs end with such a line themselves, counted in test cases; one that does not counts as one test.
"""

import json
import os
import re
import sys

COUNT = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
LINES_MAX = 60  # of one program


def around_failures(lines):
    """What Catch2 says of each failed assertion: the case it is in, and the expansion."""
    wanted = set()
    for at, line in enumerate(lines):
        if "FAILED:" in line:
            wanted.update(range(max(0, at - 7), min(len(lines), at + 9)))
    return [lines[at] for at in sorted(wanted)]


def excerpt(test):
    """The lines that tell most of why it failed."""
    out = (test.get("stdout") or "").splitlines()
    err = (test.get("stderr") or "").splitlines()
    names = [line for line in out if line.startswith("failed: ")]
    told = around_failures(out) or out[-20:]
    room = LINES_MAX - min(len(names), 10)
    return names[:10] + told[: room - min(len(err), room // 2)] + err[: room // 2]


def main(path):
    passed = failed = 0
    if os.path.exists(path):
        with open(path) as log:
            for test in map(json.loads, log):
                if test["result"] == "SKIP":
                    continue
                ok = test["result"] in ("OK", "EXPECTEDFAIL")
                counted = COUNT.findall(test.get("stdout") or "")
                p, f = map(int, counted[-1]) if counted else (int(ok), int(not ok))
                passed, failed = passed + p, failed + (f or int(not ok))
                if not ok:
                    print(f"FAILED {test['name']} ({test['result'].lower()})")
                    print("\n".join("    " + line for line in excerpt(test)))
    if passed + failed == 0:
        print("no test ran")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
