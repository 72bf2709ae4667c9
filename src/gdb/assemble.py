#!/usr/bin/env python3
"""Puts the parts of the gdb script together: assemble.py OUTPUT PART... All names are those of one function, because
gdb runs each script in the same module as those of users."""

import sys


def main():
    output, parts = sys.argv[1], sys.argv[2:]
    lines = ["# How gdb shows the actors of tact: put together of the files in src/gdb.", "", "", "def load_tact():"]
    for part in parts:
        with open(part, encoding="utf-8") as file:
            lines += [("    " + line).rstrip() for line in file.read().splitlines()] + [""]
    lines += ["", "load_tact()", "del load_tact"]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
