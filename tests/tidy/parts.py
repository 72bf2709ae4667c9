"""The rules for the parts of tact/patterns. Each takes the tree and yields (path, line, what is wrong)."""

import re

from source import cpp_files, line_of, split_cpp

PATTERNS = "include/tact/patterns/"
TABLE = "tests/patterns/limited_parts_test.cpp"
# Private messages of public protocols that programs send by a call: they are no own words of the actor.
SENT_BY_CALLS = ("request<detail::await_name>",)


def limited_parts(tree):
    """Each header of tact/patterns is tried with a mailbox_limit, or said to have no actor that could have one."""
    rows = set(re.findall(r'"(?:\.\./)?(\w+\.hpp)"', tree.get(TABLE, "")))
    for path in tree:
        name = path.removeprefix(PATTERNS)
        if name != path and "/" not in name and name not in rows:
            yield path, 1, f"no row of {TABLE} tries its actors with a limit; if it has none, `without_tags` there says so"


def own_words(tree):
    """What an actor of the library tells itself passes every limit: its protocol says so by detail::own_words."""
    for path, text in cpp_files(tree, "include"):
        code = split_cpp(text)[0]
        for m in re.finditer(r"\bprotocol<", code):
            listed = code[m.end() : closing(code, m.end())]
            while (at := listed.find("own_words<")) >= 0:
                listed = listed[:at] + listed[closing(listed, at + len("own_words<")) + 1 :]
            for known in SENT_BY_CALLS:
                listed = listed.replace(known, "")
            for word in re.findall(r"\bdetail::\w+|\b(?:ended|done)\b", listed):
                yield path, line_of(text, m.start()), f"{word} may be lost for want of room: list it in detail::own_words"


def closing(code, at):
    """Where the bracket closes that was opened before `at`."""
    depth = 1
    while at < len(code):
        depth += (code[at] == "<") - (code[at] == ">")
        if depth == 0:
            return at
        at += 1
    return at


PART_RULES = (limited_parts, own_words)
