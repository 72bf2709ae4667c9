"""The names that a program can use: what the public headers declare in namespace tact and tact::gui, without old names."""

import re

from source import split_cpp

MARK = re.compile(r"namespace\s+([\w:]*)\s*\{|[{};]")
NAMED = (
    re.compile(r"\b(?:class|struct|enum class|concept)\s+(?:\[\[[^\]]*\]\]\s+)?(\w+)(?!\w|::)"),
    re.compile(r"\busing\s+(\w+)\s*="),
    re.compile(r"(?<![\w:])(?!decltype|noexcept|requires)(\w+)\s*\((?!auto)"),
    re.compile(r"\bconst(?:expr)?\b[^(=]*?\b(\w+)\s*(?:=|$)"),
)
ASIDE = re.compile(r"\[\[deprecated\b|\boperator\b|= delete|\bdetail::\w+(?:<[\w<>, ]*>)?::|\bvoid detail::|\bdetail::creation_options&|\bdetail::customer_of\b")


def declarations(text):
    """What stands directly in the namespace, up to the brace or the semicolon; bodies are left out."""
    code = re.sub(r"(?m)^\s*#.*$", "", split_cpp(text)[0])
    inside, begin = [], 0
    for m in MARK.finditer(code):
        if m[0].startswith("namespace"):
            inside.append(m[1])
        else:
            if m[0] != "}" and inside and set(inside) <= {"tact", "gui", "tact::gui"}:
                yield " ".join(code[begin : m.start()].split())
            if m[0] == "{":
                inside.append("{")
            elif m[0] == "}" and inside:
                inside.pop()
        begin = m.end()


def name_in(declaration):
    if not declaration or ASIDE.search(declaration):
        return None
    declared = re.sub(r"^template <.*?> (?=class|struct|requires|\[\[|inline|behavior|void|decltype|ref|concept)", "", declaration)
    for pattern in NAMED:
        m = pattern.search(declared)
        if m:
            return m[1]
    return None


def public_names(tree):
    """Name -> the headers that declare it."""
    found = {}
    for path, text in tree.items():
        if re.fullmatch(r"include/tact/((codec|data|gui|patterns|store)/)?\w+\.hpp", path):
            for declaration in declarations(text):
                name = name_in(declaration)
                if name:
                    found.setdefault(name, set()).add(path)
    return found
