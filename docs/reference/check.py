#!/usr/bin/env python3
"""check.py XML: looks whether the reference that doxygen wrote has what the public headers say.

It reads the headers in its own way, so that it finds what filter.py loses. Ends with "N passed, N failed"."""

import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHOWN_DETAIL = {"tact::detail::setter"}
FIRST_LINES = 3  # of the first comment of a header

# Functions that every program uses, and words of their comments.
KNOWN = (
    ("tact::engine", "engine", "Starts the workers"),
    ("tact::engine", "send", "inside a handler it leaves at the commit"),
    ("tact::engine", "ask", "waits for its answer"),
    ("tact::engine", "wait_idle", "nothing is in flight"),
    ("tact::engine", "drain", "Handles everything that is in flight"),
    ("tact::creator", "create", "Makes an actor with the behaviour"),
    ("tact::creator", "spawn", "Makes a classic actor in storage of the engine"),
    ("tact::transaction", "send", "a message of P, by value"),
    ("tact::transaction", "reply", "Answers a request"),
    ("tact::transaction", "beta", "a customer made on the spot"),
    ("tact::self", "become", "Sets the actor's next behaviour"),
    ("tact::detail::setter", "send_after", "has passed from now on"),
    ("tact::timer", "cancel", "Cancels the timer"),
    ("tact::scope", "wait", "until no member is left"),
    ("tact::simulation", "advance", "Runs everything that happens within"),
    ("tact::context", "with_deadline", "Of two deadlines the earlier holds"),
    ("tact", "operator|", "Sends a message"),
)
# Classes, and functions that they have from a base: each is listed on the page of the class too.
INHERITED = (
    ("tact::engine", "create spawn attach send_after send_every set_workers try_send send_for run pump quit"),
    ("tact::transaction", "create spawn attach send_after send_at send_every"),
    ("tact::self", "send ask reply beta monitor context create send_after"),
    ("tact::scope", "create create_group spawn attach"),
)


class Page:
    """What the reference says of a class, a namespace or a file."""

    def __init__(self, text, members=(), listed=()):
        self.text = text
        self.members = list(members)  # (name, what it says)
        self.listed = set(listed)  # the names of all members, those of bases included


def text_of(element):
    return "" if element is None else " ".join("".join(element.itertext()).split())


def described(element):
    return text_of(element.find("briefdescription")) + " " + text_of(element.find("detaileddescription"))


def read_pages(folder):
    pages = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.xml"))):
        for compound in ElementTree.parse(path).getroot().findall("compounddef"):
            members = [(m.findtext("name"), described(m)) for m in compound.iter("memberdef")]
            members += [(v.findtext("name"), described(v)) for v in compound.iter("enumvalue")]
            sections = " ".join(text_of(s.find("header")) + " " + text_of(s.find("description"))
                                for s in compound.findall("sectiondef"))
            listed = [m.findtext("name") for m in compound.iter("member")]
            pages[compound.findtext("compoundname")] = Page(described(compound) + " " + sections, members, listed)
    return pages


def letters(text):
    """So that only the words are compared."""
    return re.sub(r"\W", "", text).lower()


def public_lines(text):
    """(number, line): the first comment, and what is in namespaces other than detail, public in its class."""
    spaces, depth, hidden = [], 0, False  # spaces: (name, depth of what is in it)
    for number, line in enumerate(text.split("\n"), 1):
        code = re.sub(r'"[^"]*"|\'.\'|//.*', "", line)
        m = re.match(r"namespace ([\w:]+) \{", line)
        depth += code.count("{") - code.count("}")
        if m:
            spaces.append((m[1], depth))
        while spaces and depth < spaces[-1][1]:
            spaces.pop()
        if re.match(r" \w+:$", line):
            hidden = line != " public:"
        elif line.startswith("}"):
            hidden = False
        is_first_comment = text.startswith("//") and line.startswith("//") and number <= FIRST_LINES
        is_public = bool(spaces) and not hidden and not any("detail" in name.split("::") for name, _ in spaces)
        if is_first_comment or is_public:
            yield number, line


def classes(text):
    """(number, name) of each public class that is defined."""
    for number, line in public_lines(text):
        m = re.match(r"(?:class|struct) (\w+)\b(?!<)[^;]*\{", line)
        if m:
            yield number, m[1]


def comments(text):
    """(number, words) of each line of the comments that belong to declarations."""
    block, before, all_lines = [], 0, [*text.split("\n"), "", ""]
    for number, line in [*public_lines(text), (0, "")]:
        m = re.match(r" {0,2}//\s?(.*)$", line)
        if m and block and number == before + 1:
            block.append((number, m[1]))
        elif m:
            block = [(number, m[1])]
        elif block:
            is_hook = any(re.match(r"\w+ detail::", f) for f in all_lines[before : before + 2])
            if (line.strip() and not is_hook) or block[0][0] == 1:
                yield from block
            block = []
        before = number
        m = re.match(r" {0,2}\S.*[,;}]\s+// (?!NOLINT|in \w+\.hpp|the same$)(.*)$", line)
        if m and not re.match(r"(#|namespace|  return|.*= delete;)", line):
            yield number, m[1]


def find_problems(headers, pages, main):
    """Sentences that say what is missing. `headers`: path below include -> text; `main`: the first page."""
    everything = letters(" ".join(p.text + " ".join(f"{n} {t}" for n, t in p.members) for p in pages.values()))
    names = {name.split("::")[-1] for name in pages}
    for path, text in sorted(headers.items()):
        for number, name in classes(text):
            if name not in names:
                yield f"{path}:{number}: {name} has no page"
        for number, line in comments(text):
            if any(letters(words) not in everything for words in re.split(r"[.?!]\s", line)):
                yield f"{path}:{number}: the comment is not in the reference: {line}"
        if len(re.findall(rf"<li>{re.escape(path)}:", main)) != 1 and path != "tact/tact.hpp":
            yield f"{path}: main.dox lists each header once"
    known = set(pages) | {f"{owner}::{name}" for owner, page in pages.items() for name, _ in page.members}
    for name in sorted(set(re.findall(r"\btact(?:::\w+)+", re.sub(r"(?s)@code.*?@endcode", "", main))) - known):
        yield f"main.dox names {name}, which does not exist"
    for name in sorted(pages):
        if "::detail" in name and name not in SHOWN_DETAIL and name != "tact::detail":
            yield f"{name} is no concern of users"


def find_unknown(pages):
    for owner, name, words in KNOWN:
        told = [text for n, text in pages[owner].members if n == name] if owner in pages else []
        if not any(words in text for text in told):
            yield f"{owner}::{name} does not say: {words}"
    for owner, inherited in INHERITED:
        for name in inherited.split():
            if owner not in pages or name not in pages[owner].listed:
                yield f"the page of {owner} does not list {name}"


def main():
    include = os.path.join(ROOT, "include")
    headers = {}
    for path in glob.glob(os.path.join(include, "**", "*.hpp"), recursive=True):
        name = os.path.relpath(path, include)
        if "/detail/" not in name:
            with open(path, encoding="utf-8") as file:
                headers[name] = file.read()
    with open(os.path.join(ROOT, "docs", "reference", "main.dox"), encoding="utf-8") as file:
        first_page = file.read()
    pages = read_pages(sys.argv[1])
    problems = [*find_problems(headers, pages, first_page), *find_unknown(pages)]
    print("\n".join(problems + [f"{len(headers) - bool(problems)} passed, {bool(problems):d} failed"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
