"""The rules of structure: units without cycles, classes with few functions. Each takes the tree and yields (path, line,
what is wrong)."""

import re

from source import blank, cpp_files, line_of, split_cpp

CLASS_FUNCTIONS_MAX = 40


def unit_of(path):
    """A header, its source and what it has inline are one unit."""
    return re.sub(r"(_inline)?\.[hc]pp$", "", path.split("/", 1)[1])


def unit_graph(tree):
    """Unit -> the units that it includes, and unit -> a file of it."""
    files = {path.split("/", 1)[1]: path for path, _ in cpp_files(tree, "src", "include")}
    graph, place = {}, {}
    for path, text in cpp_files(tree, "src", "include"):
        unit = unit_of(path)
        place.setdefault(unit, path)
        named = re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE)
        graph.setdefault(unit, set()).update(unit_of(files[name]) for name in named if name in files)
        graph[unit].discard(unit)
    return graph, place


def knots(graph):
    """The largest sets of nodes, of two or more, each of which reaches all of its set (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def enter(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        return node, iter(sorted(graph[node]))

    for root in sorted(graph):
        path = [enter(root)] if root not in number else []
        while path:
            node, rest = path[-1]
            following = next(rest, None)
            if following is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == number[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(sorted(stack[at:]))
                    del stack[at:]
            elif following not in number:
                path.append(enter(following))
            elif following in stack:
                low[node] = min(low[node], number[following])
    return found


def unit_cycles(tree):
    graph, place = unit_graph(tree)
    for knot in knots(graph):
        yield place[knot[0]], 1, f"these units include each other in circles: {' '.join(knot)}"


# -- functions of classes

OPERATOR = re.compile(r"\boperator\s*(\(\)|\[\]|[^\s\w(]+)")
ASIDE = re.compile(r"^(using|typedef|friend|static_assert|enum|public|protected|private|extern)\b")
MARK = re.compile(r"[;{()\[\]]")
BRACE = re.compile(r"[{}]")
HEAD = re.compile(r"\b(?:class|struct|union)\s+((?:\w+::)*\w+)(?:\s+final)?\s*(?::(?!:)|$)")


def without_directives(code):
    return re.sub(r"^[ \t]*#(?:\\.|[^\\\n])*", lambda m: blank(m[0]), code, flags=re.MULTILINE | re.DOTALL)


def without_brackets(text, opening, closing):
    """What lies between such brackets is left out, and so are they."""
    kept, depth = [], 0
    for c in text:
        depth += c == opening
        if depth == 0:
            kept.append(c)
        depth -= c == closing and depth > 0
    return "".join(kept)


def shape(declaration):
    """Without access labels, attributes, templates' arguments, and what else has parentheses but is no parameter list."""
    text = re.sub(r"\b(public|protected|private)\s*:(?!:)", " ", declaration)
    text = re.sub(r"\[\[.*?\]\]", " ", text, flags=re.DOTALL)
    text = OPERATOR.sub("operator_", text).replace("->", "  ")
    text = without_brackets(text, "<", ">")
    for word in ("alignas", "requires", "explicit", "decltype", "noexcept"):
        while m := re.search(rf"\b{word}\s*\(", text):
            depth, at = 1, m.end()
            while at < len(text) and depth:
                depth += (text[at] == "(") - (text[at] == ")")
                at += 1
            text = text[: m.start()] + " " + text[at:]
    return " ".join(text.split()).removeprefix("template ")


def function_name(declaration, of_class):
    """Of a member function that is counted, else None."""
    text = shape(declaration)
    m = re.search(r"(~?\w+)\s*\(", text)
    if not m or ASIDE.match(text) or "=" in text[: m.start()] or re.match(r"\(\s*(\w+::)*\*", text[m.end() - 1 :]):
        return None
    if m[1] == of_class or re.search(r"=\s*delete\b", text):
        return None
    return m[1]


def pieces(code, at, end):
    """(begin, brace, after) of each declaration; brace is where its body begins, or None."""
    begin, depth, skipped = at, 0, at
    for m in MARK.finditer(code, at, end):
        at = m.start()
        if at < skipped:
            continue
        if m[0] == ";" and depth == 0:
            yield begin, None, at
            begin = at + 1
        elif m[0] == "{":
            skipped = closing_brace(code, at, end) + 1
            is_part = depth > 0 or re.match(r"[\w>]", code[at - 1]) or code[begin:at].rstrip().endswith("=")
            if not is_part:  # of a declaration that goes on: a default, or what a member begins with
                yield begin, at, skipped - 1
                begin = skipped
        else:
            depth += (m[0] in "([") - (m[0] in ")]")


def closing_brace(code, at, end):
    depth = 0
    for m in BRACE.finditer(code, at, end):
        depth += 1 if m[0] == "{" else -1
        if depth == 0:
            return m.start()
    return end


def classes(code, at=0, end=None, within=""):
    """(name, position, its functions that are counted) of each class that is no local one."""
    end = len(code) if end is None else end
    for begin, brace, after in pieces(code, at, end):
        if brace is None:
            continue
        head = code[begin:brace]
        if re.search(r"\bnamespace\b[^()]*$", head) or re.search(r'\bextern\s*"[^"]*"\s*$', head):
            yield from classes(code, brace + 1, after)
            continue
        m = HEAD.search(shape(head)) if "(" not in shape(head) else None
        if not m or re.search(r"\benum\b", head):
            continue
        name = m[1].rpartition("::")[2]
        own = [function_name(code[b : (w if w is not None else e)], name) for b, w, e in pieces(code, brace + 1, after)]
        yield within + name, begin + len(head) - len(head.lstrip()), [function for function in own if function]
        yield from classes(code, brace + 1, after, within + name + "::")


def class_functions(tree):
    for path, text in cpp_files(tree, "src", "include"):
        for name, position, own in classes(without_directives(split_cpp(text)[0])):
            if len(own) > CLASS_FUNCTIONS_MAX:
                problem = f"{name} has {len(own)} functions; at most {CLASS_FUNCTIONS_MAX}: cut it along a noun"
                yield path, line_of(text, position), problem


STRUCTURE_RULES = (unit_cycles, class_functions)
