#!/usr/bin/env python3
"""filter.py FOLDER OUT: writes to OUT what doxygen is to read instead of the public headers, whose comments are plain.

README.md, in this folder, says what becomes of what."""

import os
import re
import sys

from comments import describe, escape, inline, sentence
from declarations import Access, Section, Source, split_list, without_requires

# Classes of tact::detail that are shown: public bases with calls for users.
SHOWN_DETAIL = {"setter"}
NAMESPACES = {"tact", "tact::gui", "gui", "tact::inspect"}
DETAIL = r"detail::\w+"
# Concepts of tact::detail that only one type satisfies.
ONE_TYPE = {"detail::pill": "poison_pill"}
TYPES_OF_VALUES = r"(std::size_t|bool|unsigned|int)\b"


def starts_detail(type_name):
    return re.match(DETAIL, type_name) and type_name.split("::")[1].split("<")[0] not in SHOWN_DETAIL


def clean_template(parameters, inside_detail):
    """The parameters of a template without concepts of tact::detail, and without the one that names a problem."""
    kept = []
    for p in split_list(parameters):
        if re.search(r"\bproblem\b", p.split("=")[0]):
            continue
        p = re.sub(r"\s*=\s*(detail::.*|absent)$", "", p)
        constraint = re.match(r"(.+?)(\.\.\.)?\s+\w+$", p)
        is_plain = re.match(r"(class|typename|template|std::)|" + TYPES_OF_VALUES, p)
        if constraint and not is_plain and (inside_detail or starts_detail(p)):
            p = "class" + (constraint[2] or "") + p[constraint.end(2) if constraint[2] else constraint.end(1) :]
        kept.append(p)
    return ", ".join(kept)


def close_parameters(head):
    """Where the parameters of a function begin and end."""
    m = re.search(r"\boperator\s*(\(\)|[^\s\w(]+|\w+)", head)
    begin = head.index("(", m.end() if m else 0)
    depth = 0
    for i in range(begin, len(head)):
        depth += (head[i] == "(") - (head[i] == ")")
        if depth == 0:
            return begin, i
    raise ValueError(head)


def clean_function(head):
    """Without attributes, the initialization of members, the place of a call, and types of tact::detail."""
    begin, end = close_parameters(head)
    before, after = head[:begin], head[end + 1 :]
    after = re.split(r"\s:\s", without_requires(after + " "))[0].rstrip()
    parameters = [p for p in split_list(head[begin + 1 : end]) if not re.match(r"(detail::)?call_site\b", p)]
    result = re.match(r"((?:static|constexpr|inline|friend)\s+)*(detail::\w+(<.*>)?)(?=[\s&]+[\w~]+$)", before)
    if result:
        before = before[: result.start(2)] + "auto" + before[result.end(2) :]
    before = re.sub(r"\b(inline|static_assert)\s+", "", before)
    return f"{before}({', '.join(parameters)}){after}"


def with_one_type(function, template):
    """Names the type where a parameter of the template can be but one."""
    for concept, only in ONE_TYPE.items():
        m = re.search(rf"{concept} (\w+)", template)
        if m:
            function = re.sub(rf"(, class {m[1]}\b|class {m[1]}, )", "", function)
            function = re.sub(rf"\b{m[1]}&&", only, function)
    return function


def clean_bases(head):
    """The head of a class with the bases that users see."""
    name, colon, bases = re.sub(r"\s+final\b", "", head).partition(" : ")
    shown = [b for b in split_list(bases) if not b.startswith("private") and not starts_detail(b.split()[-1])]
    return name + (" : " + ", ".join(shown) if colon and shown else "")


class Header:
    def __init__(self, text):
        self.source = Source(text)
        self.out = []
        self.kept_comments = {}  # of classes that are declared before they are defined
        # What a header includes for its users.
        self.exports = re.findall(r'^(#include "tact/[\w/]+\.hpp").*IWYU pragma: export', text, re.MULTILINE)

    def convert(self):
        first = re.match(r"(//[^\n]*\n)+", self.source.text)
        items = self.source.items(first.end() if first else 0, len(self.source.text))
        self.subject = None  # what the header is about, when its first comment begins with a name and a colon
        if first:
            lines = [line[3:] for line in first[0].rstrip("\n").split("\n")]
            named = re.match(r"tact::(\w+): ", lines[0])
            self.about_file = ["@file", *describe(lines)]
            self.comment(self.about_file)
            if named:
                self.subject = named[1]
                brief = describe([lines[0][named.end() :], *lines[1:]])[0].removeprefix("@brief ")
                self.about_file[1] = "@brief " + brief[:1].upper() + brief[1:]
        self.out += self.exports
        for item in items:
            if getattr(item, "scope", None) == "namespace":
                self.namespace(item)
        return "\n".join(self.out) + "\n"

    def comment(self, lines):
        self.out += ["/// " + line if line else "///" for line in lines]

    # -- scopes

    def namespace(self, declaration):
        name, shown = declaration.name, None
        items = self.source.items(*declaration.body)
        is_detail = "detail" in name.split("::")
        if is_detail:
            items = [i for i in items if getattr(i, "scope", None) and i.name in SHOWN_DETAIL]
            if not items:
                return
        elif name not in NAMESPACES:
            return
        self.out.append(f"namespace {name} {{")
        self.scope(items, "detail" if is_detail else "namespace")
        self.out.append("}")

    def scope(self, items, kind):
        """The declarations of a namespace or class, each with its comment."""
        before, access, group = None, "private" if kind == "class" else "public", Group(self)
        for item in items:
            if isinstance(item, Access):
                access, before = item.name, None
                group.end()
                self.out.append(access + ":")
            elif isinstance(item, Section):
                before = None
                group.end()
                group.begin(item.lines)
            elif item.scope == "namespace":
                self.namespace(item)
                before = None
            elif access != "private":
                item.text = self.comment_of(item, before)
                if self.is_shown(item, kind, access):
                    if item.text or item.behind:
                        group.write()
                    self.declaration(item, kind)
                before = item
        group.end()

    def comment_of(self, item, before):
        """Its own comment, or that of the declaration before it, with which it stands together."""
        own = item.above
        if item.is_type and item.body is None:
            pass
        elif item.is_type and not own:
            own = self.kept_comments.get(item.name, [])
        if not own and before is not None and shares_comment(item, before):
            own = before.text
        if item.is_type and item.body is None and own:
            self.kept_comments[item.name] = own
        return own

    def is_shown(self, item, kind, access):
        head = item.head
        if re.match(r"(static_assert|friend (struct|class)|concept)\b|using [\w:]+$", head):
            return False
        if item.is_type and item.body is None:  # the name of a problem, unless it is defined here or elsewhere
            is_defined = re.search(rf"\b(class|struct) {item.name}\b[^;{{]*{{", self.source.code)
            is_elsewhere = re.match(r"in [\w.]+\.hpp$|the same$", item.behind)
            return bool(item.text or item.behind) and not is_defined and not is_elsewhere
        if item.template is not None and re.search(r"=\s*delete$", head):
            return False  # for the text of an error only
        if item.body and re.match(r"\s*static_assert\(sizeof\(\w+\) == 0", self.source.code[slice(*item.body)]):
            return False  # the same
        if item.name.startswith("~") and not item.text:
            return False
        if access == "protected" and ("detail::" in head or item.name.endswith("_") or not item.is_function):
            return False
        if kind == "namespace" and (item.template == "" or item.name.startswith("detail::")):
            return False  # a specialization
        if kind == "namespace" and re.search(r"\(.*\bdetail::\w+&", head):
            return False  # a hook of the library
        if kind == "namespace" and item.is_function and not item.body and not item.text and item.template is not None:
            return False  # declared here to be defined elsewhere
        return not re.search(r"\bdetail::\w+(<[^(]*>)?::[^(]*$", head.partition("(")[0] if item.is_function else "")

    # -- declarations

    def declaration(self, item, kind):
        behind = "" if item.behind.startswith("NOLINT") else item.behind
        lines = describe(item.text)
        if item.is_type and item.name in (self.subject, f"{self.subject}_t"):
            lines = self.about_file[1:2] + [""] + [line.removeprefix("@brief ") for line in lines]
        if behind:
            lines = ["@brief " + inline(sentence(behind)), *([""] if lines else []), *lines]
            lines[2:3] = [line.removeprefix("@brief ") for line in lines[2:3]]
        self.out += [""] * (item.line - 1 - len(lines) - len(self.out))  # so that lines are counted as in the header
        self.comment(lines)
        head = re.sub(r"\[\[.*?\]\]\s*|\binline ", "", item.head)
        template = ""
        if item.template is not None:
            parameters = clean_template(item.template, kind == "detail")
            template = f"template <{parameters}> " if parameters or item.template == "" else ""
        if item.scope == "enum":
            self.enumeration(head, item)
        elif item.is_type and item.body:
            self.out.append(template + clean_bases(head) + " {")
            inner = "class" if head.startswith("class") else "struct"
            self.scope(self.source.items(*item.body), "detail" if kind == "detail" else inner)
            self.out.append("};")
        elif item.is_type:
            self.out.append(template + head + " {};")
        elif item.is_function:
            self.out.append(with_one_type(template + clean_function(head), item.template or "") + ";")
        else:
            self.out.append(template + head + ";")

    def enumeration(self, head, item):
        self.out.append(head + " {")
        begin, end = item.body
        pending, last, column = [], None, None
        found = []
        text = self.source.text[begin:end].split("\n")
        for line in text:
            code, mark, comment = line.partition("//")
            names = [n.strip() for n in code.split(",") if n.strip()]
            if names:
                found += [[n, ""] for n in names]
                last, column = found[-1], len(code)
                last[1] = comment.strip() if mark else " ".join(pending)
                pending = []
            elif mark and last is not None and column == len(code):
                last[1] += " " + comment.strip()
            elif mark:
                pending.append(comment.strip())
        for name, comment in found:
            self.comment(["@brief " + (inline(sentence(comment)) if comment else "&nbsp;")])  # so that it is listed
            self.out.append(f"{name},")
        self.out.append("};")


def shares_comment(item, before):
    """Without a comment of its own, does it stand under that of the declaration before it?"""
    if item.behind and not item.is_type:
        return False
    if item.is_function and before.is_function:
        return not is_special(item) and (item.is_adjacent or item.name == before.name)
    if not item.is_adjacent or item.is_function:
        return False
    if item.is_type:
        return before.is_type and not item.body and not before.body
    if before.is_type:  # a tag, and its type
        return bool(re.search(rf"\b{before.name}\b", item.head))
    return item.head.split()[0] == before.head.split()[0] and not before.behind


def is_special(function):
    """A destructor, an assignment, a constructor that copies or moves, or what the compiler writes or forbids."""
    copied = re.match(r"(explicit )?(\w+)\((const )?\2( other|&)", function.head)
    written = re.search(r"=\s*(delete|default)$", function.head) and "friend" not in function.head
    return bool(copied or (written and function.template is None) or re.match(r"~|operator=$", function.name))


class Group:
    """The members of a section. What has no members is not written."""

    def __init__(self, header):
        self.header, self.lines, self.is_open = header, None, False

    def begin(self, lines):
        self.lines = lines

    def write(self):
        if self.lines is None:
            return
        text = " ".join(line.strip() for line in self.lines)
        title, _, rest = text.partition(". ")
        title = title.rstrip(".")
        self.header.comment([f"@name {escape(title[:1].upper() + title[1:])}", *([inline(rest)] if rest else []), "@{"])
        self.header.out.append("")
        self.lines, self.is_open = None, True

    def end(self):
        if self.is_open:
            self.header.out.append("/// @}")
        self.lines, self.is_open = None, False


def main():
    include, out = sys.argv[1:]
    for folder, folders, names in os.walk(include):
        folders[:] = sorted(f for f in folders if f != "detail")
        for name in sorted(n for n in names if n.endswith(".hpp")):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            to = os.path.join(out, os.path.relpath(path, include))
            os.makedirs(os.path.dirname(to), exist_ok=True)
            try:
                shown = Header(text).convert()
            except ValueError as error:
                sys.exit(f"{path}: {error}")
            with open(to, "w", encoding="utf-8") as file:
                file.write(shown)


if __name__ == "__main__":
    main()
