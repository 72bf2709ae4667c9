#!/usr/bin/env python3
"""Checks that each program beside this file is refused, with a short message for the line that it marks.

usage: run.py <compiler> <include directory> [file.cpp ...]

`// error: <regex>` lines at the top must each match the output; `// here` marks the line that the message must name.
A message is short when what it asks for comes within its first lines, and the first error is on the marked line; the
sentence of a static_assert or of an #error stands in a header, so there the marked line must only be named.
The whole output has at most MOST_LINES lines.
`// flags: <option ...>` is added to the command, and `// once` says that nothing else may be complained of: the output
has as many errors as there are `// error:` lines.

`account.hpp`, which nearly all include first, is precompiled for them, and two programs are looked at at a time.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FIRST_LINES = 12
MOST_LINES = 30
here = pathlib.Path(__file__).resolve().parent


class Compiler:
    """Compiles a program without making anything of it."""

    def __init__(self, program, include, folder):
        # Clang would instantiate what the header does not need once more for each program.
        options = ["-fdiagnostics-color=never"]
        if "clang" in program:
            options = ["-fno-color-diagnostics", "-fpch-instantiate-templates"]
        self.start = [program, "-std=c++20", *options, f"-I{include}", f"-I{here}"]
        self.precompiled = []
        ready = os.path.join(folder, "account.hpp.gch")
        # With -fsyntax-only GCC would write nothing.
        make = self.start + ["-x", "c++-header", str(here / "account.hpp"), "-o", ready]
        if subprocess.run(make, stderr=subprocess.DEVNULL).returncode == 0:
            self.precompiled = ["-include-pch", ready] if "clang" in program else [f"-I{folder}", "-include", "account.hpp"]

    def run(self, source, text):
        options = " ".join(re.findall(r"^// flags: (.*)$", text, re.M)).split()
        ready = self.precompiled if not options and '#include "account.hpp"' in text else []
        command = self.start[:1] + ready + self.start[1:] + ["-fsyntax-only", str(source)] + options
        return subprocess.run(command, capture_output=True, text=True)


def complaints(compiler, source):
    text = source.read_text()
    wanted = re.findall(r"^// error: (.*)$", text, re.M)
    marked = [n for n, line in enumerate(text.splitlines(), 1) if line.endswith("// here")]
    if not wanted or len(marked) != 1:
        return ["needs `// error:` lines and one `// here`"]
    done = compiler.run(source, text)
    output = re.sub(r"[‘’]", "'", done.stderr)
    if done.returncode == 0:
        return ["compiles"]
    errors = [line for line in output.splitlines() if re.search(r":\d+:\d+: (fatal )?error: ", line)]
    own_line = f"{source.name}:{marked[0]}:"
    asserted = any(re.search(r"static assertion failed|static_assert failed|language\.hpp", e) for e in errors)
    found = []
    start = next((i for i, line in enumerate(output.splitlines()) if own_line in line), None)
    if start is None:
        found.append(f"line {marked[0]} is not named")
    elif not asserted and own_line not in errors[0]:
        found.append("the first error is elsewhere: " + errors[0])
    first = "\n".join(output.splitlines() if asserted else output.splitlines()[start or 0:][:FIRST_LINES])
    found += [f"does not say: {w}" for w in wanted if not re.search(w, first)]
    if len(output.splitlines()) > MOST_LINES:
        found.append(f"has {len(output.splitlines())} lines")
    if re.search(r"^// once$", text, re.M) and len(errors) != len(wanted):
        found.append(f"has {len(errors)} errors")
    return [c + "\n" + output if i == 0 else c for i, c in enumerate(found)]


def main():
    program, include = sys.argv[1:3]
    sources = [pathlib.Path(f).resolve() for f in sys.argv[3:]] or sorted(here.glob("*.cpp"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as two:
        compiler = Compiler(program, include, folder)
        found = list(two.map(lambda source: complaints(compiler, source), sources))
    for source, wrong in zip(sources, found):
        failed += bool(wrong)
        print(("FAILED " if wrong else "ok     ") + source.name)
        for w in wrong:
            print("  " + w.replace("\n", "\n    "))
    print(f"{len(sources) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
