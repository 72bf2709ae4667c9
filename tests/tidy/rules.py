"""The rules that hold everywhere in tact. Each takes the tree and yields (path, line, what is wrong)."""

import fnmatch
import os
import re

from documents import markdown, prose
from laws import TABLE as LAWS_TABLE
from source import cpp_files, includes, line_of, split_cpp

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 60

# Module -> what it may include beside itself: the table of docs/architecture.md.
MODULES = {
    "base": "",
    "sync": "base",
    "topology": "base",
    "fiber": "base",
    "mailbox": "base sync",
    "dispatch": "base sync topology fiber mailbox",
    "transactions": "base mailbox",
    "actors": "base sync topology fiber mailbox dispatch transactions",
    "inspect": "base sync",
    "store": "base sync",
    "tools/simulated": "base sync fiber",
    "tools/modelled": "base sync topology fiber",
    "tools/explorer": "base sync fiber",
}
GROUPS = {"tools"}  # folders of modules
# Module -> its folders, each of which may include those before it; the files beside them may include all.
FOLDERS = {
    "dispatch": "policy exchange holding workers visitors".split(),
    "actors": "printing common counts trace cells failure wait pressure intake time staging figures sending life run engine api".split(),
}
# Public headers for programs that use another library as well -> what its headers begin with.
GUESTS = {
    "include/tact/gui/fltk.hpp": "FL/",
    "include/tact/gui/fltk_display.hpp": "FL/",
    "include/tact/gui/qt.hpp": "Qt",
    "include/tact/inspect/prometheus.hpp": "prometheus/",
}
# What public headers need, and no user names: of the core, and of what the core does not include.
DETAILS = ("include/tact/detail/", "include/tact/data/detail/", "include/tact/codec/detail/", "include/tact/patterns/detail/", "include/tact/inspect/detail/", "include/tact/store/detail/")
ALL_PATTERNS = "include/tact/patterns.hpp"
# Foreign headers -> the one module that may include them.
FOREIGN = {"hwloc": "topology", "boost/context/": "fiber", "boost/lockfree/": "mailbox", "lmdb.h": "store", "boost/asio/": "inspect", "boost/beast/": "inspect", "boost/stacktrace/": "inspect", "boost/": None}

WEAK_ORDER = re.compile(r"\bmemory_order(?:_|::)(relaxed|acquire|release|acq_rel|consume)\b")
TAG = re.compile(r"pairs:\s*((?:[a-z_]\w*\.\w+(?:\s*,\s*)?)+)")
RELAXED_REASONS = ("hint", "owner-only", "private until published", "re-checked by the next CAS", "counter")
MEMORY_MODEL = "docs/memory_model.md"
# In a document: a name in backticks, of which the last part is looked for, as a link to a C++ file.
NAME_LINK = re.compile(r"\[`(?:\w+::)*~?(\w+)(?:\(\))?`\]\(([^)\s:#]+\.[hc]pp)\)")

# What is banned, where, and what to do instead.
BANNED = (
    (r"\bTODO\b|\bFIXME\b|\bXXX\b", "", "finish it, or open an issue"),
    (r"(?<!\bsim\.)(?<!simulation::)(?<!\x22)\b(sleep_for|sleep_until|usleep|nanosleep)\b", "tests/", "wait for the event itself"),
    (r"\b(REQUIRE|CHECK)\(true\)", "tests/", "check something that can fail"),
    (r"(?<![\w.<>$}*\])])/(home|work|tmp|root|mnt|opt)/", "", "use a path relative to the repository"),
)
BANNED_EXEMPT = (
    "tests/tidy/",  # names the words
    "tests/modelled/nap.hpp",  # sleeps in virtual time, and looks how long it was
)


def module_of(path):
    """The module of a file, by its path below src/."""
    folders = path.split("/")[:-1]
    return "/".join(folders[: 2 if GROUPS & {*folders[:1]} else 1])


def height_in(module, path):
    """How high in its module a file lies, a path below src: in which of the folders, or above them."""
    folders = FOLDERS.get(module, [])
    folder = path.removeprefix(module + "/").split("/")[0]
    return folders.index(folder) if folder in folders else len(folders)


def layering(tree):
    for path, text in cpp_files(tree, "src"):
        module = module_of(path.removeprefix("src/"))
        allowed = {module, "tact", *MODULES.get(module, "").split()}
        for line, name, quoted in includes(text):
            if quoted and module_of(name) not in allowed:
                yield path, line, f"{module} may not include {name}; it may use: {' '.join(sorted(allowed))}"
            if quoted and module_of(name) == module and height_in(module, name) > height_in(module, path[4:]):
                yield path, line, f"{name} lies above this file: see FOLDERS in tests/tidy/rules.py"
            owner = next((m for prefix, m in FOREIGN.items() if name.startswith(prefix)), module)
            if not quoted and owner != module:
                yield path, line, f"<{name}> may be included by {owner or 'nobody'} only"
    for path, text in cpp_files(tree, "include"):
        guest = GUESTS.get(path)
        is_core = path.startswith("include/tact/") and path.count("/") == 2 + path.startswith(DETAILS[0]) and path != ALL_PATTERNS
        for line, name, quoted in includes(text):
            if is_core and name.startswith("tact/patterns/"):
                yield path, line, f"the core knows no pattern, such as {name}"
            if guest and not quoted and name.startswith(guest):
                continue
            if (quoted and not name.startswith("tact/")) or (not quoted and re.search(r"[./]", name)):
                yield path, line, f"a public header includes tact/ and the standard library only, not {name}"


def enclosed(tree):
    """A header that a user may include lies between begin.hpp and end.hpp: see there."""
    for path, text in cpp_files(tree, "include"):
        if path.startswith(DETAILS):
            continue
        own = [line for line in split_cpp(text)[0].split("\n") if line.strip()]
        if own[0].rstrip() != '#include "tact/detail/begin.hpp"':
            yield path, 1, 'the first line of code is `#include "tact/detail/begin.hpp"  // first`'
        if own[-1].rstrip() != '#include "tact/detail/end.hpp"':
            yield path, text.count("\n"), 'the last line is `#include "tact/detail/end.hpp"  // last`'


def atomics(tree):
    for path, text in cpp_files(tree, "src", "include"):
        if path.startswith(("src/sync/", *DETAILS)):
            continue
        for number, line in enumerate(split_cpp(text)[0].split("\n"), 1):
            if re.search(r"\bstd::atomic|#\s*include\s*<atomic>", line):
                yield path, number, "std::atomic is named in src/sync and the folders detail of include only; use a sync policy"


def explanation(code, comments, number):
    """The comments on the line and within three lines above it, with all of a block that reaches in."""
    first = number
    while first > 1:
        above_code, above_comment = code[first - 2].strip(), comments[first - 2].strip()
        outside = number - first >= 3 and (above_code or not comments[first - 1].strip())
        if outside or not (above_code or above_comment):
            break
        first -= 1
    return " ".join(line.strip(" /*") for line in comments[first - 1 : number] if line.strip())


def orders(tree):
    for path, text in cpp_files(tree, "src", "include"):
        code, comments = (part.split("\n") for part in split_cpp(text))
        for number, line in enumerate(code, 1):
            weak = set(WEAK_ORDER.findall(line))
            if not weak:
                continue
            words = explanation(code, comments, number)
            has_tag = TAG.search(words) and len(TAG.sub("", words).split()) >= 3
            has_reason = any(r.lower() in words.lower() for r in RELAXED_REASONS) and len(words.split()) >= 3
            if weak - {"relaxed"} and not has_tag:
                yield path, number, "say what this order publishes or observes, with its tag `pairs: module.event`"
            elif weak == {"relaxed"} and not (has_reason or has_tag):
                yield path, number, "relaxed needs one of its reasons: " + ", ".join(RELAXED_REASONS)


def pairs(tree):
    sites = {}
    for path, text in cpp_files(tree, "src", "include"):
        comments = split_cpp(text)[1]
        for m in TAG.finditer(comments):
            for tag in re.findall(r"[a-z_]\w*\.\w+", m[1]):
                sites.setdefault(tag, []).append((path, line_of(comments, m.start())))
    rows = {}
    for number, line in enumerate(tree.get(MEMORY_MODEL, "").split("\n"), 1):
        m = re.match(r"\|\s*`?([a-z_]\w*\.\w+)`?\s*\|", line)
        if m:
            rows[m[1]] = number
    for tag, places in sorted(sites.items()):
        if len(places) < 2:
            yield *places[0], f"the other side of `pairs: {tag}` is missing"
        if tag not in rows:
            yield *places[0], f"`{tag}` is not a row of {MEMORY_MODEL}"
    for tag in sorted(rows.keys() - sites.keys()):
        yield MEMORY_MODEL, rows[tag], f"no code carries `pairs: {tag}`"


def file_length(tree):
    for path, text in tree.items():
        lines = text.count("\n")
        is_generated = path.startswith("benchmarks/results/") or path.endswith((".html", "package-lock.json"))
        is_generated = is_generated or path == LAWS_TABLE
        if lines > FILE_LINES_MAX and not is_generated:
            yield path, lines, f"{lines} lines; at most {FILE_LINES_MAX}: cut it along a noun"


def functions(code):
    """(first line, lines) of every outermost function body, by its braces."""
    stack, start = [], 0
    for m in re.finditer(r"[{};]", code):
        if m[0] == "{":
            head = re.sub(r"\balignas\((?:[^()]|\([^()]*\))*\)", "", code[start : m.start()])
            if re.search(r"[\w>]$", head):  # member{value}: still the same head
                stack.append(None)
                continue
            scope = re.search(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$", head)
            inside = any(opened is not None for opened in stack)
            is_function = ")" in head and not scope and not re.search(r"=\s*$", head) and not inside
            stack.append(m.start() if is_function else None)
        elif m[0] == "}" and stack:
            opened = stack.pop()
            if opened is not None:
                yield line_of(code, opened), code.count("\n", opened, m.start()) + 1
            elif re.match(r"\s*[,{]", code[m.end() :]):
                continue
        start = m.end()


def function_length(tree):
    for path, text in cpp_files(tree):
        for line, lines in functions(split_cpp(text)[0]):
            if lines > FUNCTION_LINES_MAX:
                yield path, line, f"a function of {lines} lines; at most {FUNCTION_LINES_MAX}"


def banned(tree):
    for path, text in tree.items():
        if path.startswith(BANNED_EXEMPT):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            for pattern, where, instead in BANNED:
                m = re.search(pattern, line)
                if m and path.startswith(where) and not line.startswith("#!"):
                    yield path, number, f"`{m[0]}`: {instead}"


def openings(tree):
    for path, text in cpp_files(tree):
        own_header = re.match(r'#include "[\w/]*\b' + os.path.basename(path)[:-4] + r'\.hpp"', text)
        if not text.startswith("//") and not own_header:
            yield path, 1, "begin with a comment of one to three lines that says what the file is"
        if "/precompiled/" in path:
            continue  # GCC warns of the line below in a header that is compiled by itself
        has_no_guard = path in ("include/tact/detail/begin.hpp", "include/tact/detail/end.hpp")
        if path.endswith(".hpp") and not has_no_guard and not re.search(r"^#pragma once$", text, re.MULTILINE):
            yield path, 1, "a header says `#pragma once`"


def listed(tree):
    """A source that no meson.build names is not built, or built by accident."""
    builds = {p.removesuffix("meson.build"): t for p, t in tree.items() if p.endswith("meson.build")}
    for path, _ in cpp_files(tree, "src", "include/tact", "tests", "benchmarks", "examples"):
        if path.startswith("tests/compile_fail/") or (path.endswith(".hpp") and not path.startswith("include/")):
            continue  # those that must not compile are found by their runner
        if not any(path.startswith(at) and f"'{path[len(at):]}'" in text for at, text in builds.items()):
            yield path, 1, "no meson.build names this file"


def exports(tree):
    """A pattern of the exported functions that a class of the library's own matches would export all that the class has."""
    written = re.findall(r"^\s*tact::detail::([^:;]+);", tree.get("src/tact.map", ""), re.MULTILINE)
    patterns = [pattern.replace("[^", "[!") for pattern in written]
    for path, text in cpp_files(tree, "src"):
        code = split_cpp(text)[0]
        for inside in re.finditer(r"^namespace tact::detail \{(.*?)^\}", code, re.MULTILINE | re.DOTALL):
            for m in re.finditer(r"^(?:class|struct) (?:alignas\(\d+\) |\[\[[^\]]*\]\] )?(\w+)[^;{]*\{", inside[1], re.MULTILINE):
                for pattern in patterns:
                    if fnmatch.fnmatchcase(m[1] + "::", pattern):
                        line = line_of(text, inside.start(1) + m.start())
                        yield path, line, f"`{m[1]}` would be exported by {pattern} of src/tact.map: give it another name"


def printable(tree):
    """What a program is told by the library, or tells it, has an operator<<: reasons, reports, statistics, options."""
    told = r"\w*(?:options|limits?|reports?|statistics|reason|policy|result|depth|plan|verdict|costs|exploration)"
    for path, text in cpp_files(tree, "include"):
        if path.startswith(DETAILS):
            continue
        code = re.sub(r"^namespace detail \{.*?^\}", lambda m: "\n" * m[0].count("\n"), split_cpp(text)[0], flags=re.MULTILINE | re.DOTALL)
        for m in re.finditer(rf"^(?:struct ({told})|enum class (\w+))\b(?=[^;{{]*\{{)", code, re.MULTILINE):
            name = m[1] or m[2]
            is_template = code[: m.start()].rstrip("\n").rpartition("\n")[2].startswith("template")
            if not is_template and not re.search(rf"operator<<\(std::ostream&(?: \w+)?, (?:const )?{name}\b", code):
                yield path, line_of(code, m.start()), f"`{name}` has no operator<<: declare it behind, and name it in printing_test.cpp"


def test_names(tree):
    seen = {}
    for path, text in cpp_files(tree, "tests"):
        for m in re.finditer(r'^(?:TEMPLATE_)?TEST_CASE\(\s*"([^"]*)"(?:\s*"([^"]*)")?', text, re.MULTILINE):
            name, line = m[1] + (m[2] or ""), line_of(text, m.start())
            if not re.match(r"[^:]+: \S", name):
                yield path, line, f'"{name}": name the unit, a colon, and what it guarantees'
            if name in seen:
                yield path, line, f'"{name}" is also in {seen[name]}'
            seen[name] = path


def named_in_links(tree):
    """A link such as [`inbox::put`](../src/mailbox/inbox.hpp) must name something that the code of the file has."""
    words = {}
    for path, text in markdown(tree):
        for number, line in enumerate(prose(text), 1):
            for name, target in NAME_LINK.findall(line):
                file = os.path.normpath(os.path.join(os.path.dirname(path), target))
                if file not in tree:
                    continue  # the rule `links` says so
                if file not in words:
                    words[file] = set(re.findall(r"\w+", split_cpp(tree[file])[0]))
                if name not in words[file]:
                    yield path, number, f"the code of {file} has no `{name}`: link the file in which it is"


CODE_RULES = (
    layering,
    enclosed,
    atomics,
    orders,
    pairs,
    file_length,
    function_length,
    banned,
    openings,
    listed,
    exports,
    printable,
    test_names,
    named_in_links,
)
