"""The rule for numbers and times of the API: each is tried with the extremes of its type."""

import re

from source import line_of, split_cpp

TABLES = (
    "tests/patterns/extreme_numbers_test.cpp",
    "tests/patterns/extreme_times_test.cpp",
    "tests/simulation/extreme_numbers_test.cpp",
    "tests/inspect/extreme_numbers_test.cpp",
    "tests/store/extreme_numbers_test.cpp",
    "tests/store/extreme_times_test.cpp",
    "tests/codec/limits_test.cpp",
)
NUMBER = (
    r"(?:unsigned|double|std::size_t|std::u?int\d+_t|std::optional<double>"
    r"|(?:std::optional<)?std::chrono::(?:duration<[^()]*?>|nanoseconds|milliseconds|time_point<[^()]*?>)>?)"
)
FIELD = re.compile(r"^  (?:" + NUMBER + r") (\w+)(?: = [^;]*|\{[^;]*\})?;", re.MULTILINE)
FUNCTION = re.compile(r"(?:^|[ *&])(\w+)\((?:[^()]*[ ,(])?" + NUMBER + r" \w+(?:[^()]|\([^()]*\))*\)", re.MULTILINE)
# The name with which a row of the tables begins.
ROW = re.compile(r'[({]\s*"(\w+(?:::\w+)?)[^"\n]*",')
# Their calls are in the tables by the name of the function alone.
CALLS = ("transaction::", "self::", "loop::", "by_key::")
# Public types of which the library makes the objects, and those that a program asks only about what it has.
TOLD = """alive_actors dead_letter dead_letter_count dropped_messages failure failure_report mailbox_depth placement_plan pumped seat statistics steal_view
type_statistics worker_statistics sequence_gap out_of_sequence missed_messages exploration queued_work round_robin stash model_result model_hot_spot
model_transfers event store_changed thread_description type_metrics kept_request late_handler scope_description structure
supervised_description timer_description topic_description stack_frame decode_error""".split()
# Headers that need a machine of their own, or a window: their tests are beside them. The last one has an old name only.
APART = ("include/tact/model.hpp", "include/tact/gui/", "include/tact/patterns/rate_gate.hpp")


def numbers_tried(tree):
    rows = set()
    for table in TABLES:
        rows |= set(ROW.findall(tree.get(table, "")))
    for path, text in tree.items():
        if not path.startswith("include/tact/") or "/detail/" in path or path.startswith(APART):
            continue
        code = without_detail(split_cpp(text)[0])
        for name, line in numbers_of(code):
            is_tried = name in rows or any(r.startswith(name + "::") for r in rows)
            if not is_tried and not (name.startswith(CALLS) and name.split("::")[-1] in rows):
                yield path, line_of(text, line), f"{name} takes a number or a time: try its extremes in {TABLES[0]}"


def numbers_of(code):
    """(name, where it stands), of fields of public structs and of public functions."""
    outside = code
    for m in re.finditer(r"^(struct|class) (?:\[\[[^\]]*\]\] )?(\w+)[^;{]*\{", code, re.MULTILINE):
        end = closing(code, m.end())
        body = code[m.end() : end]
        outside = outside[: m.start()] + re.sub(r"[^\n]", " ", code[m.start() : end]) + outside[end:]
        public = re.split(r"^ (?:private|protected):", body, flags=re.MULTILINE)[0]
        if m[2] in TOLD:
            continue
        for kind in (FIELD, FUNCTION):
            for n in kind.finditer(public):
                yield (m[2] if n[1] == m[2] else f"{m[2]}::{n[1]}"), m.end() + n.start(1)
    for n in FUNCTION.finditer(outside):
        yield n[1], n.start(1)


def closing(code, at):
    """Where the brace closes that was opened before `at`."""
    depth = 1
    while depth and at < len(code):
        depth += (code[at] == "{") - (code[at] == "}")
        at += 1
    return at - 1


def without_detail(code):
    """The same text without what lies in namespace detail."""
    for m in re.finditer(r"^namespace (?:tact::)?detail(?:::\w+)? \{$", code, re.MULTILINE):
        end = closing(code, m.end())
        code = code[: m.start()] + re.sub(r"[^\n]", " ", code[m.start() : end]) + code[end:]
    return code


NUMBER_RULES = (numbers_tried,)
