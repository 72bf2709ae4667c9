"""Builds of the library in which some words of a header are others: for measurements that ask "what if". The sources stay
as they are, and so do the library's options: the compiler finds a changed copy of the header before the original."""

import os
import subprocess
from collections import namedtuple

import measure

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# header: below src/, as the sources include it. old: must stand there exactly once.
Edit = namedtuple("Edit", "header old new")


def read_header(header):
    with open(os.path.join(ROOT, "src", header), encoding="utf-8") as file:
        return file.read()


def apply(edits):
    """header -> its changed text."""
    texts = {}
    for edit in edits:
        text = texts.get(edit.header) or read_header(edit.header)
        if text.count(edit.old) != 1:
            raise measure.Failed(f"src/{edit.header} says {text.count(edit.old)} times, not once: {edit.old}")
        texts[edit.header] = text.replace(edit.old, edit.new)
    return texts


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def build(built, folder, edits, programs):
    """A folder in which these programs of the suite are as in the build folder `built`, but for the library: it is built
    anew, in the release build type. They see nothing of its headers below src/, so it is enough to link them again."""
    folder = os.path.abspath(folder)
    headers = os.path.join(folder, "headers")
    for header, text in apply(edits).items():
        write(os.path.join(headers, header), text)
    tree = os.path.join(folder, "tree")
    if not os.path.exists(os.path.join(tree, "build.ninja")):
        measure.run(["meson", "setup", tree, ROOT, "--buildtype=release", "-Dtests=disabled", "-Dexamples=disabled",
              "-Dbenchmarks=disabled", f"-Dcpp_args=-iquote{headers}"])
    measure.run(["ninja", "-C", tree, LIBRARY], timeout_s=3600)
    check_used(tree, headers, {edit.header for edit in edits})
    for name in programs:
        link(built, os.path.join(tree, LIBRARY), os.path.join("benchmarks", f"{name}_tact"), folder)
    return folder


LIBRARY = "src/libtact.a"


def link(built, library, program, folder):
    """The program of `built`, with this library, at the same place below `folder`."""
    *_, command = measure.run(["ninja", "-C", built, "-t", "commands", program]).stdout.strip().split("\n")
    words = command.split()
    if words.count(LIBRARY) != 1 or words.count(program) != 1:
        raise measure.Failed(f"{program} is not linked with {LIBRARY}: {command}")
    target = os.path.join(folder, program)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    words[words.index(LIBRARY)], words[words.index(program)] = library, target
    done = subprocess.run(words, cwd=built, capture_output=True, text=True)
    if done.returncode != 0:
        raise measure.Failed(f"{' '.join(words)}:\n{done.stderr[-3000:]}")


def check_used(tree, headers, changed):
    """Every object that has such a header has the changed one."""
    found = {line.strip() for line in measure.run(["ninja", "-C", tree, "-t", "deps"]).stdout.split("\n")}
    found = {os.path.realpath(os.path.join(tree, path)) for path in found if path.endswith(".hpp")}
    for header in changed:
        if os.path.realpath(os.path.join(headers, header)) not in found:
            raise measure.Failed(f"{tree}: the changed {header} was not used")
        if os.path.realpath(os.path.join(ROOT, "src", header)) in found:
            raise measure.Failed(f"{tree}: the original {header} was used")
