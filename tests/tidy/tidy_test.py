#!/usr/bin/env python3
"""Plants a violation of every rule and sees it caught; a clean tree passes. Ends with "N passed, N failed"."""

import sys

from drawings import DRAWINGS
from laws import page
from structure import CLASS_FUNCTIONS_MAX
from tidy import RULES

CLEAN = {
    "meson.build": (
        "files('src/fiber/a.cpp', 'tests/unit/a.cpp', 'tests/schedule/a.cpp', 'include/tact/a.hpp',\n"
        "  'examples/first/a.cpp', 'include/tact/patterns/b.hpp', 'tests/patterns/limited_parts_test.cpp')\n"
    ),
    "include/tact/a.hpp": (
        "// A header.\n#include \"tact/detail/begin.hpp\"  // first\n#pragma once\n#include <string>\n#include \"tact/b.hpp\"\n"
        "namespace tact {\nnamespace detail {\nstruct inside {};\n}\n"
        "template <class P>\nclass a {\n  struct part {};\n};\n"
        "inline constexpr int most = 3;\n[[nodiscard]] int make(const a<int>& of, int n = {}) noexcept;\n}\n"
        '#include "tact/detail/end.hpp"  // last\n'
    ),
    "docs/api.md": (
        "# Names\n\n| [`a`](../include/tact/a.hpp) | it |\n| [`most`](../include/tact/a.hpp) | it |\n"
        "| [`make`](../include/tact/a.hpp) | it |\n| [`b`](../include/tact/patterns/b.hpp) | it |\n"
    ),
    "src/fiber/a.cpp": (
        "// A source.\n#include <boost/context/fiber.hpp>\n#include \"fiber/a.hpp\"\n"
        "// release: the reader sees what was written before.  pairs: fiber.done\n"
        "void f() { word.store(1, std::memory_order_release); }\n\n"
        "// acquire: sees what the writer wrote.  pairs: fiber.done\n"
        "int g() { return word.load(std::memory_order_acquire); }\n\n"
        "int h() { return word.load(std::memory_order_relaxed); }  // hint: looked at again under the lock\n"
        "bool k() { return planted(fault::left); }\n"
    ),
    "include/tact/patterns/b.hpp": (
        "// A part.\n#include \"tact/detail/begin.hpp\"  // first\n#pragma once\nnamespace tact {\nnamespace detail {\nstruct end {};\nstruct mine {};\n}\n"
        "template <class Q>\nstruct b : protocol<request<Q>, detail::own_words<request<detail::end>, detail::mine>> {};\n}\n"
        '#include "tact/detail/end.hpp"  // last\n'
    ),
    "tests/patterns/limited_parts_test.cpp": '// The table.\nrow all[] = {{"b.hpp"}};\n',
    "src/tact.map": "{\n  global:\n      tact::detail::send*;\n      tact::detail::park[^e]*;\n  local:\n    *;\n};\n",
    "src/fiber/kept.hpp": "// A class.\n#pragma once\nnamespace tact::detail {\n\nclass parker {\n};\n\n}\n",
    "src/tools/explorer/a.hpp": "// A tool.\n#pragma once\n#include \"fiber/a.hpp\"\n#include \"tools/explorer/b.hpp\"\n",
    "src/dispatch/holding/a.hpp": "// A layer.\n#pragma once\n#include \"dispatch/exchange/b.hpp\"\n",
    "src/sync/fault.hpp": "// The faults.\n#pragma once\nenum class fault {\n  none,\n  left,  // stays\n  late,\n};\n",
    "tests/schedule/a.cpp": (
        "// Schedules.\nvoid f() {\n  TACT_REQUIRE_FOUND(left, a);\n  TACT_REQUIRE_FOUND_WITHIN(1, 0, left, a);\n"
        "  support::require_found<a>(sync::fault::late, name);\n}\n"
    ),
    "tests/unit/a.cpp": '// A test.\nTEST_CASE("fiber: ends once", "[fiber][law1]") { CHECK(f() == 1); }\n',
    "docs/memory_model.md": "# Memory model\n\n| tag | meaning |\n|---|---|\n| `fiber.done` | the end |\n",
    "docs/README.md": (
        "# Documents\n\nSee [the table](memory_model.md#memory-model), [`unit::f`](../src/fiber/a.cpp),\n"
        "[`a.hpp`](../include/tact/a.hpp) and [`h()`](../src/fiber/a.cpp).\n"
        "```\n[`k`](../src/fiber/a.cpp)\n```\n"
    ),
    "docs/testing.md": (
        "# Testing\n\n1 of the 2 hunts for a planted fault\n\n## Planted faults\n\n"
        "1 of the 2 faults are branches of the\nkernels.\n\n| fault | |\n|---|---|\n| `left` | a |\n| `late` * | b |\n"
    ),
    "docs/semantics.md": "# Semantics\n\n## The laws\n\n**1. Ends.** It ends.\n",
    "docs/decisions/0001-a.md": "# 0001: a is done so\n",
    "docs/decisions/0002-b.md": "# 0002: b is done so\n",
    "docs/decisions/README.md": "# Decisions\n\n| [0001](0001-a.md) | A. | holds | `fiber::g` in `src/fiber/a.cpp`; `a.hpp`. |\n"
    "| [0002](0002-b.md) | B. | gone | no `fence` in `src`. |\n",
    "README.md": "# A\n\n```cpp\nint main() {}\n```\n\n```cpp\nf();\n```\n",
    "examples/first/a.cpp": "// The first program.\nint main() {}\n",
    "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n### Added\n- A thing.\n\n## [0.1.0] - 2001-02-03\n### Fixed\n- It.\n",
}

CLEAN["docs/laws.md"] = page(CLEAN)
CLEAN.update({f"docs/pictures/{name}": draw() for name, draw in DRAWINGS.items()})

# A class that has as many functions as it may, beside what does not count.
CLEAN["src/fiber/keeper.hpp"] = '// A unit.\n#pragma once\n#include "fiber/kept.hpp"\n'
CLEAN["src/fiber/full.hpp"] = (
    "// A class.\n#pragma once\nnamespace tact::fiber {\ntemplate <class T>\nclass alignas(64) full final : public some<T, int(int)> {\n"
    " public:\n  explicit full(int a) noexcept : a_{a}, b_(a) {}\n  full(const full&) = delete;\n  void g(int) = delete;\n"
    "  struct part {\n    part() = default;\n    int f() const { return 1; }\n  };\n"
    "  using call = int (*)(int);\n  friend void f(full& x);\n  static_assert(sizeof(int) == 4);\n"
    "  ~full();\n  T& operator=(T&& other) noexcept { return other; }\n  bool operator<(const T&) const = default;\n"
    "  template <class U>\n    requires(sizeof(U) == 1)\n  [[nodiscard]] auto h(U n = {}) const -> int { return n; }\n"
    + "".join(f"  void f(part& of, int n = {i}) noexcept;\n" for i in range(CLASS_FUNCTIONS_MAX - 4))
    + " private:\n  std::function<void(int)> told_;\n  int n_ = f(3);\n  alignas(sizeof(int)) int a_{1};\n  void (*b_)(int);\n};\n}\n"
)

TABLE = "docs/decisions/README.md"
A_CPP, A_TEST, A_HPP, DOCS, LOG = "src/fiber/a.cpp", "tests/unit/a.cpp", "include/tact/a.hpp", "docs/README.md", "CHANGELOG.md"
A_TOOL, A_LAYER = "src/tools/explorer/a.hpp", "src/dispatch/holding/a.hpp"
FAULTS, TESTING = "src/sync/fault.hpp", "docs/testing.md"

# Rule, file, text to replace ("" appends), replacement.
PLANTS = (
    ("faults", FAULTS, "  late,\n", "  late,\n  lost,\n"),
    ("faults", FAULTS, "  late,\n", ""),
    ("faults", TESTING, "| `late` * | b |\n", ""),
    ("faults", TESTING, "`late` *", "`late`"),
    ("faults", TESTING, "`left` |", "`left` * |"),
    ("faults", TESTING, "1 of the 2 faults", "2 of the 2 faults"),
    ("faults", TESTING, "1 of the 2 hunts", "1 of the 3 hunts"),
    ("faults", TESTING, "2 hunts", "two hunts"),
    ("faults", TESTING, "## Planted faults", "## Faults"),
    ("faults", "tests/schedule/a.cpp", "TACT_REQUIRE_FOUND(left", "TACT_REQUIRE_FOUND(late"),
    ("faults", "tests/schedule/a.cpp", "  TACT_REQUIRE_FOUND_WITHIN(1, 0, left, a);\n", ""),
    ("faults", A_CPP, "fault::left", "fault::late"),
    ("drawings", "docs/pictures/gulp.svg", "before", "behind"),
    ("laws", "docs/laws.md", "ends once", "ends twice"),
    ("laws", A_TEST, "[fiber][law1]", "[fiber][law1][law2]"),
    ("laws", A_TEST, "[law1]", ""),
    ("laws", "docs/semantics.md", "", "\n**2. More.** It holds more.\n"),
    ("public_names_listed", "docs/api.md", "`most`", "`least`"),
    ("public_names_listed", "docs/api.md", "| [`most`](../include/tact/a.hpp) | it |\n", ""),
    ("public_names_listed", "docs/api.md", "", "| [`a`](../include/tact/a.hpp) | it |\n"),
    ("public_names_listed", A_HPP, "int make(", "int made("),
    ("quoted", "README.md", "int main() {}", "int main() { return 1; }"),
    ("quoted", "README.md", "int main() {}", "f();"),
    ("layering", A_CPP, "fiber/a.hpp", "mailbox/a.hpp"),
    ("layering", A_CPP, "fiber/a.hpp", "a.hpp"),
    ("layering", A_CPP, "fiber/a.hpp", "tools/explorer/a.hpp"),
    ("layering", A_TOOL, "fiber/a.hpp", "mailbox/a.hpp"),
    ("layering", A_TOOL, "tools/explorer/b.hpp", "tools/modelled/b.hpp"),
    ("layering", A_LAYER, "exchange/b.hpp", "visitors/b.hpp"),
    ("layering", A_LAYER, "exchange/b.hpp", "b.hpp"),
    ("layering", A_CPP, "boost/context/fiber.hpp", "hwloc.h"),
    ("layering", A_CPP, "boost/context/fiber.hpp", "boost/lockfree/queue.hpp"),
    ("layering", A_CPP, "boost/context/fiber.hpp", "boost/asio.hpp"),
    ("layering", A_HPP, "tact/b.hpp", "base/b.hpp"),
    ("layering", A_HPP, "tact/b.hpp", "tact/patterns/b.hpp"),
    ("layering", A_HPP, "<string>", "<hwloc.h>"),
    ("enclosed", A_HPP, "detail/begin.hpp", "c.hpp"),
    ("enclosed", A_HPP, "detail/end.hpp", "c.hpp"),
    ("atomics", A_CPP, "", "std::atomic<int> x;\n"),
    ("atomics", A_CPP, "", "#include <atomic>\n"),
    ("orders", A_CPP, "// hint: looked at again under the lock", ""),
    ("orders", A_CPP, "// hint: looked at again under the lock", "// hint"),
    ("orders", A_CPP, "sees what the writer wrote.  pairs: fiber.done", "sees what the writer wrote"),
    ("orders", A_CPP, "acquire: sees what the writer wrote.  pairs", "pairs"),
    ("orders", A_CPP, "", "\n\n\n\nint i() { return word.load(std::memory_order::acquire); }\n"),
    ("pairs", A_CPP, "wrote.  pairs: fiber.done", "wrote.  pairs: fiber.start"),
    ("pairs", A_CPP, "fiber.done", "fiber.start"),
    ("pairs", "docs/memory_model.md", "", "| `fiber.gone` | nothing |\n"),
    ("file_length", A_CPP, "", "int x;\n" * 500),
    ("function_length", A_CPP, "", "void k(int n) {\n" + "  if (n) {\n  }\n" * 30 + "}\n"),
    ("function_length", A_CPP, "", "struct s {\n  s() noexcept : x{} {\n" + "    x();\n" * 60 + "  }\n};\n"),
    ("banned", A_CPP, "", "// TO" + "DO: later\n"),
    ("banned", A_TEST, "", "void w() { std::this_thread::sleep_for(1s); }\n"),
    ("banned", A_TEST, "f() == 1", "true"),
    ("banned", DOCS, "", "See /ho" + "me/somebody/notes.\n"),
    ("openings", A_CPP, "// A source.\n", ""),
    ("openings", A_HPP, "#pragma once\n", ""),
    ("listed", "meson.build", "'src/fiber/a.cpp', ", ""),
    ("listed", "meson.build", ", 'include/tact/a.hpp'", ""),
    ("exports", "src/fiber/kept.hpp", "class parker {", "class sender final : public parker {"),
    ("exports", "src/tact.map", "park[^e]*", "park*"),
    ("printable", A_HPP, "", "enum class when : unsigned char { now };\n"),
    ("printable", A_HPP, "", "struct a_report {};\n"),
    ("test_names", A_TEST, "fiber: ends once", "ends once"),
    ("test_names", A_TEST, "", 'TEST_CASE("fiber: ends once", "[fiber][law1]") {}\n'),
    ("named_in_links", DOCS, "unit::f", "f::unit"),
    ("named_in_links", DOCS, "unit::f", "unit::loa"),
    ("named_in_links", DOCS, "`h()`", "`source()`"),
    ("named_in_links", A_CPP, "int h()", "int k()"),
    ("limited_parts", "tests/patterns/limited_parts_test.cpp", "b.hpp", "c.hpp"),
    ("own_words", "include/tact/patterns/b.hpp", ", detail::mine>>", ">, detail::mine>"),
    ("own_words", "include/tact/patterns/b.hpp", "request<Q>", "ended"),
    ("numbers_tried", "include/tact/patterns/b.hpp", "", "[[nodiscard]] int f(int, std::size_t n);\n"),
    ("numbers_tried", "include/tact/patterns/b.hpp", "", "struct c {\n  double d = 1;\n};\n"),
    ("headings", DOCS, "", "# Another\n"),
    ("headings", DOCS, "# Documents\n", ""),
    ("links", DOCS, "memory_model.md#", "memory.md#"),
    ("links", DOCS, "#memory-model", "#memories"),
    ("changelog", LOG, "## [Unreleased]", "## Unreleased"),
    ("changelog", LOG, "### Added", "### New"),
    ("changelog", LOG, "- A thing.", "A thing."),
    ("changelog", LOG, "", "\n## [0.2.0] - 2001-02-03\n"),
    ("decisions", TABLE, "| [0002](0002-b.md) | B. | gone | no `fence` in `src`. |\n", ""),
    ("decisions", TABLE, "[0002](0002-b.md)", "[0002](0001-a.md)"),
    ("decisions", "docs/decisions/0002-b.md", "# 0002: ", "# "),
    ("named_in_decisions", TABLE, "fiber::g", "fiber::gone"),
    ("named_in_decisions", TABLE, "`src/fiber/a.cpp`", "`src/fiber/g.cpp`"),
    ("named_in_decisions", TABLE, "`a.hpp`", "`g.hpp`"),
    ("named_in_decisions", TABLE, "no `fence`", "`fence`"),
    ("unit_cycles", "src/fiber/kept.hpp", "#pragma once\n", '#pragma once\n#include "fiber/keeper.hpp"\n'),
    ("class_functions", "src/fiber/full.hpp", " private:\n", " private:\n  int& one_more(const part& of) const;\n"),
    ("class_functions", "src/fiber/full.hpp", "void g(int) = delete", "void g(int)"),
)


def main():
    passed = failed = 0

    def check(holds, sentence):
        nonlocal passed, failed
        passed, failed = passed + holds, failed + (not holds)
        if not holds:
            print("failed:", sentence)

    for name, rule in RULES.items():
        check(not list(rule(CLEAN)), f"{name} accepts a clean tree: {list(rule(CLEAN))}")
        check(any(p[0] == name for p in PLANTS), f"{name} has a planted violation")
    for name, path, old, new in PLANTS:
        text = CLEAN[path].replace(old, new) if old else CLEAN[path] + new
        assert text != CLEAN[path], (name, old)
        caught = list(RULES[name]({**CLEAN, path: text}))
        check(bool(caught), f"{name} catches {new.strip()[:60]!r} in {path}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
