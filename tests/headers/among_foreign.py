#!/usr/bin/env python3
"""Writes a source that is all examples of a folder, beside foreign macros and foreign names.

usage: among_foreign.py <source to write> <folder>

Each example lies in a namespace of its own, where its own names hide the foreign ones. What tact's headers contain is
warned of as in any program; that the example's own names shadow, and that its main returns nothing, is not of interest.
"""
import pathlib
import re
import sys


def main():
    written, folder = map(pathlib.Path, sys.argv[1:])
    included, bodies = {}, []
    for path in sorted(folder.glob("*.cpp")):
        text = path.read_text()
        # `check` is a macro of macOS; a specialization of tact's templates cannot stand in a namespace of its own.
        if ".check(" in text or re.search(r"^template <>$", text, re.M):
            continue
        included |= dict.fromkeys(re.findall(r"^#include .*$", text, re.M))
        before, main_function = re.split(r"^(?=int main\()", re.sub(r"^#include .*$", "", text, flags=re.M), flags=re.M)
        bodies.append(
            f"\nnamespace example_{path.stem} {{\n{before}"
            f'#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wreturn-type"\n{main_function}'
            "#pragma GCC diagnostic pop\n}\n"
        )
    text = "\n".join(['#include "foreign_macros.hpp"', '#include "foreign_names.hpp"', *included])
    text += '\n#pragma GCC diagnostic ignored "-Wshadow"\n' + "".join(bodies)
    if not written.exists() or written.read_text() != text:
        written.write_text(text)


if __name__ == "__main__":
    main()
