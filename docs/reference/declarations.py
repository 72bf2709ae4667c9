"""Cuts the text of a header into declarations and the comments that belong to them."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "tidy"))
from source import line_of, split_cpp, unwrap  # noqa: E402

CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
SCOPE = re.compile(r"(?:inline\s+)?(namespace|class|struct|union|enum|extern)\b")
ACCESS = re.compile(r"(public|protected|private)\s*:(?!:)")
OPERATOR = re.compile(r"operator\s*(\(\)|\[\]|[^\s\w(]+|\w+)")


class Declaration:
    """`head` has no body, comment or requires clause; `template` is the text between its brackets, or None."""

    def __init__(self, source, start, head_end, body, end):
        self.line = line_of(source.text, start)
        self.body = body  # (begin, end) between the braces, or None
        self.start, self.end = start, end
        self.above = []  # lines of the comment that stands directly above
        self.behind = ""  # the comment behind it, on its last line
        self.is_adjacent = False  # no empty line, and no comment, between it and the declaration before
        self.template, self.head = take_apart(source.bare[start:head_end])
        scope = SCOPE.match(self.head) if body else None
        self.scope = scope[1] if scope else None

    @property
    def name(self):
        """Of a class, function, variable, alias or enumeration."""
        m = re.match(r"(?:namespace|class|struct|union|enum(?:\s+class)?)\s+(?:\[\[.*?\]\]\s*)?([\w:]+)", self.head)
        if m:
            return m[1]
        m = re.match(r"using\s+([\w:]+)", self.head)
        if m:
            return m[1]
        m = OPERATOR.search(self.head)
        if m:
            return m[0]
        head = re.split(r"[({=;]", self.head)[0].rstrip()
        while "<" in head:
            head, before = re.sub(r"<[^<>]*>", "", head), head
            if head == before:
                break
        m = re.search(r"(~?[\w:]+)$", head)
        return m[1] if m else ""

    @property
    def is_function(self):
        head = re.sub(r"\[\[.*?\]\]", "", self.head)
        before, found, _ = OPERATOR.sub("operator", head).partition("(")
        return bool(found) and not re.search(r"=|^using\b", before)

    @property
    def is_type(self):
        return bool(re.match(r"(class|struct|union|enum)\b", self.head))


class Section:
    """A comment `-- title` between declarations."""

    def __init__(self, lines):
        self.lines = lines


class Access:
    def __init__(self, name):
        self.name = name


class Source:
    """The text of a header, with one branch of each #if: the first one."""

    def __init__(self, text):
        self.text = unwrap(first_branches(text))
        self.code, self.comments = split_cpp(self.text)
        self.bare = "".join(t if c.isspace() else (" " if t != "\n" else t) for t, c in zip(self.text, self.comments))

    def match(self, at):
        """Where the bracket at `at` is closed."""
        opening, closing, depth = self.code[at], CLOSING[self.code[at]], 0
        for i in range(at, len(self.code)):
            depth += (self.code[i] == opening) - (self.code[i] == closing)
            if depth == 0:
                return i
        raise ValueError(f"line {line_of(self.text, at)}: {opening} is not closed")

    def items(self, start, end):
        """The declarations, access labels and sections between two positions, in their order."""
        found, at, last = [], start, None
        while True:
            m = re.compile(r"\S").search(self.code, at, end)
            between = Gap(self, at, m.start() if m else end, last)
            found += [Section(lines) for lines in between.sections]
            if not m:
                return found
            access = ACCESS.match(self.code, m.start(), end)
            if access:
                found.append(Access(access[1]))
                at, last = access.end(), None
                continue
            last = self.declaration(m.start(), end)
            last.above, last.is_adjacent = between.above, between.is_adjacent
            if not last.head:
                raise ValueError(f"line {last.line}: what is this?")
            found.append(last)
            at = last.end

    def declaration(self, start, end):
        i, seen_parameters, seen_value = start, False, False
        template = re.compile(r"template\s*<").match(self.code, start)
        if template:
            i = self.match(template.end() - 1) + 1
        while i < end:
            c = self.code[i]
            operator = OPERATOR.match(self.code, i) if c == "o" and not re.match(r"\w", self.code[i - 1]) else None
            if operator:
                i = operator.end()
            elif c in "([":
                seen_parameters |= c == "(" and not re.search(r"\b(requires|alignas)\s*$", self.code[start:i])
                i = self.match(i) + 1
            elif c == ";":
                return Declaration(self, start, i, None, i + 1)
            elif c == "{":
                closed = self.match(i)
                is_scope = SCOPE.match(take_apart(self.bare[start:i])[1])
                if is_scope and not seen_value:
                    semicolon = re.compile(r"\s*;").match(self.code, closed + 1)
                    after = semicolon.end() if semicolon else closed + 1
                    return Declaration(self, start, i, (i + 1, closed), after)
                if seen_parameters and not seen_value and self.code[i - 1].isspace():
                    return Declaration(self, start, i, (i + 1, closed), closed + 1)
                i = closed + 1
            else:
                seen_value |= c == "=" and self.code[i - 1] == " " and self.code[i + 1] in " \n"
                i += 1
        return Declaration(self, start, end, None, end)


class Gap:
    """What stands between two declarations: the comment behind the first one, sections, the one above the second."""

    def __init__(self, source, start, end, before):
        self.sections, self.above, self.is_adjacent = [], [], before is not None
        block, column = [], None
        for n, text in enumerate(source.text[start:end].split("\n")):
            comment = re.match(r"\s*//\s?(.*)$", text)
            if n == 0:
                if comment and before is not None:
                    behind = text.index("//") + start - source.text.rfind("\n", 0, start) - 1
                    before.behind, column = comment[1].strip(), behind
                continue
            if comment and column is not None and text.index("//") == column and not block:
                before.behind += " " + comment[1].strip()
                continue
            column = None
            if comment:
                block.append(comment[1].rstrip())
            elif text.strip() == "" and n < source.text.count("\n", start, end):
                self.is_adjacent = False
                self.end_block(block, True)
                block = []
        self.end_block(block, False)
        self.is_adjacent = self.is_adjacent and not self.above and not self.sections

    def end_block(self, lines, before_empty_line):
        """A section reaches to the empty line; directly above a declaration only to its first full stop."""
        if lines and lines[0].startswith("-- "):
            n = len(lines)
            if not before_empty_line:
                n = next((k for k, line in enumerate(lines, 1) if line.endswith(".")), 1)
            self.sections.append([lines[0][3:], *lines[1:n]])
            lines = lines[n:]
        self.above = [] if before_empty_line else lines


def first_branches(text):
    """Without directives, and without what is in an #else or #elif."""
    out, left_out = [], []
    for line in text.split("\n"):
        m = re.match(r"\s*#\s*(\w+)", line)
        if m and m[1].startswith("if"):
            left_out.append(False)
        elif m and m[1].startswith("el"):
            left_out[-1] = True
        elif m and m[1] == "endif":
            left_out.pop()
        out.append("" if m or any(left_out) else line)
    return "\n".join(out)


def close(text, at):
    """The position behind the bracket that closes the one at `at`."""
    opening, closing, depth = text[at], CLOSING[text[at]], 0
    for i in range(at, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i + 1
    return len(text)


def without_requires(text):
    """The same without its requires clauses; what a concept or a requires expression says is left alone."""
    while True:
        m = re.search(r"\brequires\b", text)
        if not m or re.match(r"concept\b", text):
            return text
        i = m.end()
        while True:
            i += re.match(r"\s*!?\s*", text[i:]).end()
            if i < len(text) and text[i] == "(":
                i = close(text, i)
            else:
                i += re.match(r"[\w:]*", text[i:]).end()
                if i < len(text) and text[i] == "<":
                    i = close(text, i)
            more = re.match(r"\s*(&&|\|\|)", text[i:])
            if not more:
                break
            i += more.end()
        text = text[: m.start()].rstrip() + " " + text[i:].lstrip()


def take_apart(text):
    """What stands in the brackets of `template <...>`, or None; and the declaration in one line."""
    template, text = None, text.strip()
    m = re.match(r"template\s*<", text)
    if m:
        end = close(text, m.end() - 1)
        template, text = re.sub(r"\s+", " ", text[m.end() : end - 1]).strip(), text[end:].lstrip()
    return template, re.sub(r"\s+", " ", without_requires(text)).strip()


def split_list(text):
    """The parts of a list of parameters or bases."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}" or (c == ">" and text[i - 1] != "-"))
        if c == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return [p for p in [*parts, text[begin:].strip()] if p]
