#!/usr/bin/env python3
"""Tests the API reference: what the filter makes of a header, and that the check finds what is lost."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "reference"))
import check  # noqa: E402
from comments import describe  # noqa: E402
from filter import Header  # noqa: E402

HEADER = """// tact::sample: shows what is read.
#pragma once

#include <string>

namespace tact {
namespace detail {
struct hidden {};  // nobody sees it
}  // namespace detail

// Does one thing. And a second one.
class sample : public base<sample>, public detail::hidden, private other {
 public:
  // Starts it.
  explicit sample(int n) : n_{n}, text_("{") { start(n_); }
  sample(const sample&) = delete;

  // -- work. It takes time.

  // Works on `m`, not on <this>.
  template <class P, detail::small M, class problem = detail::problem_of<P, M>>
    requires(!detail::pill<M>) && detail::sendable<P, M>
  [[nodiscard]] detail::made<P> work(ref<P> on, M&& m = {}, call_site at = call_site::current()) {
    return on.take(m);
  }
  template <class P, class M, class problem = detail::problem_of<P, M>>
    requires(!detail::none<problem>)
  void work(ref<P> on, M&& m) = delete;
  template <class P>
  void work(P alone) requires detail::good<P>;

 private:
  int n_;  // never shown
};

}  // namespace tact
"""


def converted(body):
    return Header("// A header.\n#pragma once\nnamespace tact {\n" + body + "\n}  // namespace tact\n").convert()


class Comments(unittest.TestCase):
    def test_first_sentence_is_the_brief(self):
        self.assertEqual(describe(["Does a (e.g. this) thing. Then", "more."]),
                         ["@brief Does a (e.g. this) thing.", "", "Then more."])

    def test_nothing_is_a_command_or_a_tag(self):
        self.assertEqual(describe([r'Takes a@b, \n, <int> & "#12".']),
                         [r"@brief Takes a\@b, \\n, &lt;int&gt; &amp; &quot;\#12&quot;."])

    def test_backticks_are_code(self):
        self.assertEqual(describe(["Returns `a < b` of", "both."]), ["@brief Returns <code>a &lt; b</code> of both."])

    def test_lists(self):
        self.assertEqual(describe(["It:", "- does a", "  thing", "- ends"]),
                         ["@brief It:", "", "<ul>", "<li>does a thing</li>", "<li>ends</li>", "</ul>"])

    def test_indented_lines_are_an_example(self):
        self.assertEqual(describe(["Use it:", "", "  a();", "", "  b();", "", "Then go."]),
                         ["@brief Use it:", "", "@code", "a();", "", "b();", "@endcode", "", "Then go."])

    def test_code_that_comes_first_is_an_example(self):
        self.assertEqual(describe(["struct a : b {};", "Derive it."]),
                         ["@brief Derive it.", "", "@code", "struct a : b {};", "@endcode"])


class Filter(unittest.TestCase):
    def test_functions_lose_bodies_and_what_is_for_the_compiler(self):
        out = Header(HEADER).convert()
        self.assertIn("explicit sample(int n);\n", out)
        self.assertIn("template <class P, class M> auto work(ref<P> on, M&& m = {});\n", out)
        self.assertIn("template <class P> void work(P alone);\n", out)
        for lost in ("requires", "problem", "hidden", "other", "n_", "private other", "M&& m) = delete", "never"):
            self.assertNotIn(lost, out)

    def test_the_first_comment_is_that_of_the_file_and_of_its_class(self):
        out = Header(HEADER).convert()
        self.assertTrue(out.startswith("/// @file\n/// @brief tact::sample: shows what is read.\n"))
        self.assertIn("/// @brief Shows what is read.\n///\n/// Does one thing.\n", out)
        self.assertIn("class sample : public base<sample> {\n", out)

    def test_sections_are_groups(self):
        out = Header(HEADER).convert()
        self.assertIn("/// @name Work\n/// It takes time.\n/// @{\n", out)
        self.assertEqual(out.count("/// @}"), 1)

    def test_a_section_without_members_is_left_out(self):
        self.assertNotIn("@name", converted("class a {\n public:\n  // -- see b.\n\n  // -- see c.\n};"))

    def test_lines_keep_their_numbers(self):
        out = Header(HEADER).convert().split("\n")
        self.assertEqual(out.index("class sample : public base<sample> {"), HEADER.split("\n").index(
            "class sample : public base<sample>, public detail::hidden, private other {"))

    def test_comments_behind_members(self):
        out = converted("struct a {\n  int b = 0;  // how many,\n              // at most\n  int c;\n};")
        self.assertIn("/// @brief How many, at most.\nint b = 0;\n", out)
        self.assertTrue(out.replace("\n\n", "\n").endswith("int b = 0;\nint c;\n};\n}\n"))

    def test_enumerators(self):
        out = converted("// Kinds.\nenum class e : int {\n  a,  // the first\n  b,\n};")
        self.assertIn("enum class e : int {\n/// @brief The first.\na,\n", out)

    def test_a_comment_holds_for_what_stands_together(self):
        out = converted("// Counts.\nint first();\nint second();\n\nint third();")
        self.assertIn("/// @brief Counts.\nint second();\n", out)
        self.assertNotIn("/// @brief Counts.\nint third();\n", out)

    def test_no_comment_is_inherited_by_copies(self):
        out = converted("class a {\n public:\n  // An empty one.\n  a();\n  a(const a& other) : b(other.b) {}\n};")
        self.assertEqual(out.count("An empty one."), 1)

    def test_names_of_problems_and_forward_declarations(self):
        out = converted("class later;  // in later.hpp\ntemplate <class M>\nstruct lacks;  // it has no M")
        self.assertNotIn("later", out)
        self.assertIn("/// @brief It has no M.\ntemplate <class M> struct lacks {};\n", out)

    def test_a_comment_above_the_declaration_of_what_is_defined_below(self):
        out = converted("// A set.\nstruct p;\n\nclass q;\n\nstruct p {\n  int n;\n};")
        self.assertIn("/// @brief A set.\nstruct p {\n", out)
        self.assertNotIn("class q", out)

    def test_what_users_call_of_detail_is_shown(self):
        out = converted("namespace detail {\nstruct a {};\n// Sets.\nclass setter {\n public:\n  void set();\n};\n}")
        self.assertIn("namespace detail {\n/// @brief Sets.\nclass setter {\n", out.replace("\n\n", "\n"))
        self.assertNotIn("struct a", out)

    def test_a_parameter_that_can_have_one_type_has_it(self):
        self.assertIn("template <class P> void send(ref<P> to, poison_pill pill);\n",
                      converted("template <class P, detail::pill M>\nvoid send(ref<P> to, M&& pill) {\n}"))

    def test_of_an_if_the_first_branch_is_read(self):
        out = converted("#if defined(A)\nint a();\n#else\nint b();\n#endif\nint c();")
        self.assertIn("int a();", out)
        self.assertNotIn("int b();", out)
        self.assertIn("int c();", out)

    def test_what_cannot_be_read_is_an_error(self):
        with self.assertRaises(ValueError):
            converted("void f() {")


class Check(unittest.TestCase):
    MAIN = "<li>tact/sample.hpp: tact::sample."
    TEXT = "tact::sample: shows what is read. Does one thing. And a second one. work It takes time."

    def problems(self, text="", members=(), main=MAIN, name="tact::sample"):
        pages = {name: check.Page(text, members)}
        return "\n".join(check.find_problems({"tact/sample.hpp": HEADER}, pages, main))

    def test_accepts_a_reference_that_has_everything(self):
        members = [("sample", "Starts it."), ("work", "Works on m, not on <this>.")]
        self.assertEqual(self.problems(self.TEXT, members), "")

    def test_finds_lost_comments(self):
        found = self.problems(self.TEXT)
        self.assertIn("sample.hpp:14: the comment is not in the reference: Starts it.", found)
        self.assertIn("Works on `m`, not on <this>.", found)
        self.assertNotIn("nobody", found)
        self.assertNotIn("never", found)

    def test_finds_lost_classes(self):
        self.assertIn("sample.hpp:12: sample has no page", self.problems(name="tact::other"))

    def test_finds_headers_that_the_first_page_leaves_out(self):
        self.assertIn("tact/sample.hpp: main.dox lists each header once", self.problems(main=""))
        self.assertIn("tact/sample.hpp: main.dox lists each header once", self.problems(main=2 * self.MAIN))

    def test_finds_names_on_the_first_page_that_do_not_exist(self):
        main = self.MAIN + " @code tact::example @endcode tact::gone::work is new."
        self.assertIn("main.dox names tact::gone::work, which does not exist", self.problems(main=main))
        self.assertNotIn("example", self.problems(main=main))

    def test_finds_what_is_shown_of_detail(self):
        self.assertIn("tact::detail::x is no concern", self.problems(name="tact::detail::x"))

    def test_finds_functions_without_their_comments(self):
        pages = {"tact::timer": check.Page("", [("cancel", "Something else.")])}
        found = list(check.find_unknown(pages))
        self.assertIn("tact::timer::cancel does not say: Cancels the timer", found)
        self.assertIn("the page of tact::scope does not list spawn", found)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
