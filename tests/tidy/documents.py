"""The rules for Markdown files. Each takes the tree and yields (path, line, what is wrong)."""

import os
import re

from names import public_names

CHANGES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def markdown(tree):
    return ((path, text) for path, text in tree.items() if path.endswith(".md"))


def prose(text):
    """The lines, those of code blocks left empty."""
    inside = False
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        yield "" if inside or fence else line
        inside ^= fence


def headings(tree):
    for path, text in markdown(tree):
        h1 = [n for n, line in enumerate(prose(text), 1) if line.startswith("# ")]
        if h1 != [1]:
            yield path, h1[1] if len(h1) > 1 else 1, "a document has one h1, its first line"


def anchors(text):
    slugs = set()
    for line in prose(text):
        m = re.match(r"#+\s+(.*?)\s*#*$", line)
        if m:
            slugs.add(re.sub(r"[^\w\- ]", "", m[1].lower()).replace(" ", "-"))
    return slugs


def links(tree):
    folders = {os.path.dirname(p) for p in tree}
    folders |= {parent for f in folders for parent in (f.rsplit("/", n)[0] for n in range(f.count("/") + 1))}
    for path, text in markdown(tree):
        for number, line in enumerate(prose(text), 1):
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
                if file not in tree and file not in folders:
                    yield path, number, f"the link to {target} leads nowhere"
                elif anchor and anchor not in anchors(tree.get(file, "")):
                    yield path, number, f"{file} has no heading #{anchor}"


def changelog(tree):
    path = "CHANGELOG.md"
    if path not in tree:
        yield path, 1, "is missing"
        return
    versions, section = [], None
    for number, line in enumerate(tree[path].split("\n"), 1):
        if line.startswith("## "):
            versions.append(line[3:])
            section = None
            if not re.fullmatch(r"\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", line[3:]):
                yield path, number, "a version is `## [Unreleased]` or `## [1.2.3] - 2001-02-03`"
        elif line.startswith("### "):
            section = line[4:]
            if section not in CHANGES:
                yield path, number, f"a section is one of {', '.join(CHANGES)}"
        elif versions and line and not re.match(r"- \S|  \S|\[", line):
            yield path, number, "an entry begins with `- `"
        elif line.startswith("- ") and section is None:
            yield path, number, "an entry stands under a section"
    if not versions or versions[0] != "[Unreleased]":
        yield path, 1, "the first version is [Unreleased]"
    dated = [tuple(map(int, re.findall(r"\d+", v)[:3])) for v in versions[1:]]
    if dated != sorted(dated, reverse=True):
        yield path, 1, "the newest version comes first"


def decisions(tree):
    folder = "docs/decisions/"
    table = folder + "README.md"
    records = sorted(p[len(folder):] for p in tree if re.fullmatch(folder + r"\d{4}-[^/]+\.md", p))
    for name in records:
        if not tree[folder + name].startswith(f"# {name[:4]}: "):
            yield folder + name, 1, f"the title begins with `# {name[:4]}: `"
    rows = re.findall(r"^\| \[\d{4}\]\(([^)]+)\) \|", tree.get(table, ""), re.MULTILINE)
    if rows != records:
        yield table, 1, "the table has one row for each decision, the newest last"


def named_in_decisions(tree):
    """What the table of decisions names in backticks, to say where a decision shows, is still there."""
    table = "docs/decisions/README.md"
    searched = {p: t for p, t in tree.items() if p.startswith(("src/", "include/", "tests/", "benchmarks/")) and not p.endswith(".md")}
    known = set(tree) | {os.path.basename(path) for path in searched}
    known |= {path.rsplit("/", n)[0] for path in tree for n in range(1, path.count("/") + 1)}
    words = [set(re.findall(r"\w+", text)) for text in searched.values()]
    for number, line in enumerate(tree.get(table, "").split("\n"), 1):
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if not re.match(r"\[\d{4}\]\(", cells[0]):
            continue
        shown = re.sub(r"\bno `[^`]*`", "", cells[3]) if len(cells) > 3 else ""
        for name in re.findall(r"`([^`]+)`", shown):
            parts = set(re.findall(r"\w+", name))
            is_path = "/" in name or re.search(r"\.([hc]pp|py|bash|build)$", name)
            if name not in known and (is_path or not any(parts <= some for some in words)):
                yield table, number, f"`{name}` is nowhere in the code: say where the decision shows now"


def quoted(tree):
    """A whole program in the README is one of examples/first, without the comment that opens it."""
    programs = {text.split("\n", 1)[1] for path, text in tree.items() if path.startswith("examples/first/") and path.endswith(".cpp")}
    found = set()
    for m in re.finditer(r"^```cpp\n(.*?)^```$", tree.get("README.md", ""), re.MULTILINE | re.DOTALL):
        if "int main" not in m[1]:
            continue
        found.add(m[1])
        if m[1] not in programs:
            yield "README.md", tree["README.md"].count("\n", 0, m.start()) + 1, "this program is none of examples/first"
    if programs - found:
        yield "README.md", 1, "a program of examples/first is not quoted"


def public_names_listed(tree):
    """docs/api.md has each public name once, with a header that declares it."""
    table = "docs/api.md"
    declared = public_names(tree)
    rows = re.findall(r"^\| \[`(\w+)`\]\(\.\./([^)]+)\) \|", tree.get(table, ""), re.MULTILINE)
    for name in sorted(set(declared) - {name for name, _ in rows}):
        yield sorted(declared[name])[0], 1, f"`{name}` is public, and missing in {table}"
    for name, header in rows:
        if header not in declared.get(name, ()):
            yield table, 1, f"{header} declares no public `{name}`"
    if len(rows) != len({name for name, _ in rows}):
        yield table, 1, "a name stands there twice"


DOCUMENT_RULES = (headings, links, changelog, decisions, named_in_decisions, quoted, public_names_listed)
