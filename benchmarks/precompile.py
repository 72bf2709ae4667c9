#!/usr/bin/env python3
"""Compiles a header in advance, with the options with which a program of the build is compiled:
precompile.py BUILD PROGRAM HEADER COPY OUTPUT DEPFILE. COPY is for a compiler that does not take OUTPUT.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys

WITH_A_FILE = ("-o", "-c", "-MQ", "-MF", "-include")  # each is followed by one, which is the program's


def command_of(build, program):
    """The compiler and its options, without the files."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        made = f"benchmarks/{program}.p/"
        words = next(shlex.split(one["command"]) for one in json.load(file) if one["output"].startswith(made))
    kept = [word for at, word in enumerate(words) if word not in WITH_A_FILE and words[at - 1] not in WITH_A_FILE]
    return [word for word in kept if word != "-MD"]


def main():
    build, program, header, copy, output, depfile = sys.argv[1:]
    shutil.copyfile(header, copy)
    # The paths of Meson's commands begin at the build folder.
    own = ["-x", "c++-header", os.path.abspath(header), "-o", os.path.abspath(output), "-MD", "-MQ", output, "-MF",
           os.path.abspath(depfile)]
    return subprocess.run([*command_of(build, program), *own], cwd=build, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
