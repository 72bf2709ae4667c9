#!/usr/bin/env python3
"""Writes a header in which each name of tact's headers is a global constant of somebody else.

usage: foreign_names.py <header to write> <folder of tact's headers>

A parameter or local variable of tact's shadows such a constant, whatever its name is. Left out is only what the headers
of C have for themselves, and to_string, which the examples call without saying that it is tact's.
"""
import pathlib
import re
import sys

KEYWORDS = """
alignas alignof asm auto bool break case catch char char16_t char32_t char8_t class co_await co_return co_yield concept const const_cast consteval
constexpr constinit continue decltype default defined delete do double dynamic_cast else enum explicit export extern
false float for friend goto if inline int long main mutable namespace new noexcept not nullptr operator or private
protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct
switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
xor std tact
""".split()
IN_C = """
abort abs access advance bind ceil clock close div exit exp fclose fflush fileno fopen fprintf fputs fread free getenv index
int16_t int32_t int64_t int8_t intmax_t kill link listen log malloc malloc_trim max_align_t memcmp memcpy memset mode_t
open pause pid_t pipe pow printf ptrdiff_t raise random read remove round send setenv shutdown sigaction signal sin sqrt
size_t sleep socket ssize_t stat stderr strlen sync system time time_t timer_t trunc truncate uint16_t uint32_t uint64_t
uint8_t uintptr_t unlink wait write
""".split()


def names(text):
    code = re.sub(r'//.*|^\s*#.*|"(?:\\.|[^"\\])*"', " ", text, flags=re.M)
    return set(re.findall(r"\b[a-z](?:\w*[a-zA-Z0-9])?\b", code))


def main():
    written, folder = map(pathlib.Path, sys.argv[1:])
    found = set().union(*(names(f.read_text()) for f in folder.rglob("*.hpp")))
    found -= {*KEYWORDS, *IN_C, "to_string"}
    text = "#pragma once\n" + "".join(f"extern const int {name};\n" for name in sorted(found))
    if not written.exists() or written.read_text() != text:
        written.write_text(text)


if __name__ == "__main__":
    main()
