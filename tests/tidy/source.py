"""The files of the repository as text, and C++ split into code and comments."""

import os
import re

SKIPPED_FOLDERS = {".git", ".cache", "build", "__pycache__"}
CPP = (".hpp", ".cpp")

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")
      | (?P<string>"(?:\\.|[^"\\\n])*")
      | (?P<char>(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*')""",
    re.VERBOSE | re.DOTALL,
)


def read_tree(root):
    """Path relative to the root -> text, for every file; none of what is not text, such as a picture."""
    tree = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS and not f.startswith("build-"))
        for name in sorted(set(names) - SKIPPED_FOLDERS):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                content = file.read()
            try:
                tree[os.path.relpath(path, root)] = content.decode("utf-8").replace("\r\n", "\n")
            except UnicodeDecodeError:
                tree[os.path.relpath(path, root)] = ""
    return tree


def cpp_files(tree, *folders):
    for path, text in tree.items():
        if path.endswith(CPP) and (not folders or path.startswith(tuple(f + "/" for f in folders))):
            yield path, text


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def unwrap(code):
    """A function that has the name of somebody's macro is declared with its name in parentheses; here without."""
    return re.sub(r"((?<=void)|(?<=>))\((\w+)\)(?=\()", r" \2 ", code)


def split_cpp(text):
    """Two texts of the same shape: one without comments and what strings hold, one with nothing but comments."""
    code, comments, at = [], [], 0
    for m in TOKEN.finditer(text):
        between = text[at : m.start()]
        code.append(between)
        comments.append(blank(between))
        is_comment = m.lastgroup == "comment"
        is_include = re.search(r"#\s*include\s*$", between)
        code.append(m[0] if is_include else blank(m[0]) if is_comment else '"' + blank(m[0][1:-1]) + '"')
        comments.append(m[0] if is_comment else blank(m[0]))
        at = m.end()
    return unwrap("".join(code) + text[at:]), "".join(comments) + blank(text[at:])


def includes(text):
    """(line number, what stands between the brackets or quotes, is it in quotes)"""
    for number, line in enumerate(text.split("\n"), 1):
        m = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if m:
            yield number, m[2], m[1] == '"'


def line_of(text, position):
    return text.count("\n", 0, position) + 1
