#!/usr/bin/env python3
"""Tests what the suite makes of its runs: who takes turns, ratios, tables, what ./dev bench runs, and headers with other words."""

import functools
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bench  # noqa: E402
import charts  # noqa: E402
import measure  # noqa: E402
import overlay  # noqa: E402
import tables  # noqa: E402
from cases import CASES, case, groups_of, suits  # noqa: E402


@functools.cache
def script(name):
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(HERE, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def names(groups):
    return [[one.name for one in group] for group in groups]


def one_run(seconds, messages, cpu=None):
    return {"seconds": seconds, "cpu_seconds": cpu or seconds, "messages": messages}


class Groups(unittest.TestCase):
    def test_who_names_another_takes_turns_with_it(self):
        cases = [case("a"), case("b", beside=["c"]), case("c"), case("d"), case("e", beside=["a", "b"])]
        self.assertEqual(names(groups_of(cases)), [["a", "b", "c", "e"], ["d"]])

    def test_a_name_that_was_filtered_out_is_no_harm(self):
        self.assertEqual(names(groups_of([case("a", beside=["gone"]), case("b")])), [["a"], ["b"]])

    def test_every_case_is_in_one_group_and_knows_whom_it_names(self):
        known = [one.name for one in CASES]
        self.assertEqual(len(known), len(set(known)))
        self.assertCountEqual([name for group in names(groups_of(CASES)) for name in group], known)
        for one in CASES:
            self.assertLessEqual(set(one.beside), set(known) - {one.name})

    def test_a_case_has_its_numbers_of_threads(self):
        one = case("a", threads_min=2, threads_max=4)
        self.assertEqual([n for n in (1, 2, 3, 4, 5) if suits(one, n)], [2, 3, 4])


class Ratios(unittest.TestCase):
    def test_a_ratio_is_the_median_of_the_turns_and_per_message(self):
        a, b = case("a", beside=["b"]), case("b")
        runs = {
            ("a", "tact"): [one_run(2, 10), one_run(90, 10), one_run(4, 10)],
            ("a", "floor"): [one_run(1, 1)] * 3,
            ("b", "tact"): [one_run(2, 20), one_run(6, 20), one_run(8, 20, cpu=4)],
            ("b", "floor"): [one_run(1, 1)] * 3,
        }
        self.assertEqual(script("run").beside(a, runs), {"b": {"seconds": 2.0, "cpu_seconds": 2.0}})
        self.assertEqual(script("run").beside(b, runs), {})

    def test_of_a_whole_program_the_times_are_compared_however_many_messages_it_took(self):
        a, b = case("savina/a", beside=["savina/b"]), case("savina/b")
        runs = {("savina/a", "tact"): [one_run(6, 1)], ("savina/b", "tact"): [one_run(2, 1000)]}
        self.assertEqual(script("run").beside(a, runs), {"savina/b": {"seconds": 3.0, "cpu_seconds": 3.0}})


class Interval(unittest.TestCase):
    def test_a_confidence_interval_is_students(self):
        self.assertIsNone(script("run").confidence([1.0]))
        self.assertEqual(script("run").confidence([2.0, 2.0, 2.0]), 0)
        # Five values around 10 with a standard deviation of 1: 2.776 / sqrt(5).
        found = script("run").confidence([10 - 1.265, 10 - 0.633, 10, 10 + 0.633, 10 + 1.265])
        self.assertAlmostEqual(found, 1.2415, places=3)


def row(name, runtime, threads, seconds, **more):
    return {"name": name, "runtime": runtime, "threads": threads, "parameters": "", "seconds": seconds, "messages": 1000,
            "ns_per_message": seconds * 1e6, "cpu_seconds": seconds, "peak_rss_mib": 5.0, "valid": True, "runs": 3} | more


class Tables(unittest.TestCase):
    ROWS = [
        row("a", "tact", 2, 1, parameters="k=1 worst_runs=4 line=87ns near", beside={"b": {"seconds": 1.5, "cpu_seconds": 1.25}}),
        row("b", "floor", 2, 1, parameters="worst_runs=9"),
    ]
    WHOLE = [
        row("savina/a", "tact", 1, 0.010, seconds_ci95=0.001),
        row("savina/a", "caf", 1, 0.050),
        row("savina/a", "floor", 1, 0.005),
        row("savina/a", "tact", 2, 0.008),
    ]

    def test_comparisons_and_figures_are_shown(self):
        self.assertEqual(tables.comparisons(self.ROWS).lines, [["a", "b", "2", "1.50", "1.25"]])
        (figures,) = tables.figures(self.ROWS).lines
        self.assertEqual(figures[:3], ["a", "2", "4"])
        self.assertEqual(set(figures[3:]), {"-"})

    def test_whole_times_stand_beside_peers_and_the_time_without_a_runtime(self):
        ((name, tact, caf, times, floor, over, speedup, *_),) = tables.whole(self.WHOLE, 1).lines
        self.assertEqual((name, tact, caf, times), ("savina/a", "10.0 ± 1.0", "50.0", "5.00"))
        self.assertEqual((floor, over, speedup), ("5.0", "2.00", "-"))
        ((_, tact, caf, _, _, _, speedup, *_),) = tables.whole(self.WHOLE, 2).lines
        self.assertEqual((tact, caf, speedup), ("8.0", "-", "1.25"))

    def test_the_plain_executor_has_a_column_where_it_was_run(self):
        rows = [row("a", "tact", 1, 2), row("a", "plain", 1, 1), row("b", "tact", 2, 1)]
        for threads, cells in ((1, ["**1,000,000**", "0.50"]), (2, ["-", "-"])):
            table = tables.per_message(rows, threads)
            ((_, *line),) = table.lines
            shown = dict(zip(table.head[1:], line))
            self.assertEqual([shown["plain"], shown["plain / tact"]], cells)
        self.assertNotIn("plain", tables.per_message(rows[:1], 1).head)

    def test_missed_gulps_have_a_column_where_a_program_says_them(self):
        rows = [row("a", "tact", 2, 1, parameters="missed_per_1000=0.52"), row("b", "tact", 2, 1)]
        table = tables.per_message(rows, 2)
        at = table.head.index("missed of 1,000 gulps")
        self.assertEqual([line[at] for line in table.lines], ["0.52", "-"])
        self.assertNotIn("missed of 1,000 gulps", tables.per_message(rows[1:], 2).head)

    def test_every_line_of_a_table_has_the_cells_of_its_head(self):
        for table in (tables.whole(self.WHOLE, 1), tables.per_message(self.WHOLE, 1), tables.figures(self.ROWS)):
            self.assertTrue(table.lines)
            for line in table.lines:
                self.assertEqual(len(line), len(table.head))
            self.assertEqual(tables.markdown(table).count("\n"), len(table.lines) + 1)


class Report(unittest.TestCase):
    def results(self, folder, rows, about=None):
        path = os.path.join(folder, "mine.json")
        for name, content in ((path, rows), (path + ".about.json", about)):
            if content:
                with open(name, "w", encoding="utf-8") as file:
                    json.dump(content, file)
        return script("report").Results(path)

    def test_blocks_of_the_document_are_replaced_and_the_words_around_them_stay(self):
        report = script("report")
        text = "before\n<!-- report: whole mine 1 -->\nold\n<!-- end of report -->\nafter\n"
        with tempfile.TemporaryDirectory() as folder:
            filled = report.fill(text, {"mine": self.results(folder, Tables.WHOLE)})
        self.assertTrue(filled.startswith("before\n<!-- report: whole mine 1 -->\n| program |"))
        self.assertTrue(filled.endswith("<!-- end of report -->\nafter\n"))
        self.assertNotIn("old", filled)

    def test_a_block_that_cannot_be_filled_is_an_error_that_names_it(self):
        report = script("report")
        for words in ("whole gone 1", "nothing mine"):
            with tempfile.TemporaryDirectory() as folder, self.assertRaises(report.Failed) as raised:
                report.fill(f"<!-- report: {words} -->\n<!-- end of report -->", {"mine": self.results(folder, Tables.WHOLE)})
            self.assertIn(words, str(raised.exception))

    def test_wrong_results_are_not_shown(self):
        report = script("report")
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(report.Failed):
            self.results(folder, [row("a", "tact", 1, 1, valid=False)])

    def test_a_page_has_everything_in_it(self):
        about = {"machine": "M <1>", "processing_units": 2, "system": "S", "compiler": "C", "build_type": "release",
                 "commit": "abc", "date": "2000-01-01T", "runtimes": {"tact": "tact", "caf": "CAF 1"}}
        with tempfile.TemporaryDirectory() as folder:
            page = script("report").page([self.results(folder, Tables.WHOLE, about)])
        for words in ("M &lt;1&gt;", "commit abc", "CAF 1", "10.0 ± 1.0", "<svg", "1 thread", "2 threads"):
            self.assertIn(words, page)
        for words in ("<script", "<link", "<img", "url(", "src="):
            self.assertNotIn(words, page)

    def test_a_bar_says_from_where_to_where_its_runs_go(self):
        rows = [row("a", "tact", 1, 2, seconds_min=1, seconds_max=4), row("a", "caf", 1, 3, seconds_min=3, seconds_max=3)]
        picture = charts.times(rows, 1)
        self.assertIn("a, tact: 2000000, runs from 1000000 to 4000000", picture)
        self.assertEqual(picture.count("<path"), 1)
        self.assertEqual(charts.against_caf(rows).count("<path"), 0)  # a ratio of medians is no time of a run

    def test_a_sweep_is_drawn_from_the_programs_that_have_all_values(self):
        rows = [{"factor": "k", "value": v, "program": p, "threads": 2, "wall_ratio": r}
                for v, p, r in ((1, "a", 1.2), (3, "a", 1), (1, "b", 0.8), (3, "b", 1), (1, "c", 5))]
        rows = [r | {"cpu_ratio": 1, "mib_ratio": 2} for r in rows]
        self.assertIn(["k = 1", "1.687", "1.000", "2.000", "c 5.00", "b 0.80"], tables.swept(rows).lines)
        self.assertIn("mean of 2 programs", charts.sweep(rows, "k"))
        self.assertIsNone(charts.sweep(rows, "budget"))

    def test_the_documents_are_what_the_kept_results_say(self):
        report = script("report")
        for path in report.DOCUMENTS:
            with self.subTest(path), open(path, encoding="utf-8") as file:
                document = file.read()
                names = {found["words"].split()[1] for found in report.BLOCK.finditer(document)}
                kept = {name: report.Results(os.path.join(report.RESULTS, name + ".json")) for name in names}
                self.assertTrue(kept)
                self.assertEqual(document, report.fill(document, kept), "run ./dev bench --report")


def says(text, status=0):
    """A command that writes the text and ends with the status."""
    return [sys.executable, "-c", f"import sys; print({text!r}); sys.exit({status})"]


class Measure(unittest.TestCase):
    RESULT = json.dumps({"seconds": 2.0, "cpu_seconds": 1.0, "messages": 1000, "parameters": "k=3 quick line=87ns"})

    def test_in_each_turn_every_candidate_runs_once_in_the_same_order(self):
        order = []

        def run_one(candidate):
            order.append(candidate)
            return len(order)

        self.assertEqual(measure.turns(3, ["a", "b"], run_one), {"a": [1, 3, 5], "b": [2, 4, 6]})
        self.assertEqual(order, ["a", "b"] * 3)

    def test_a_ratio_is_the_median_of_the_ratios_of_the_turns(self):
        own, others = ([{"wall": v} for v in values] for values in ((2, 90, 4), (1, 30, 8)))
        self.assertEqual(measure.median_ratio(own, others, "wall"), 2)
        self.assertEqual(measure.median(own, "wall"), 4)

    def test_a_result_is_read_from_what_the_program_prints(self):
        result = measure.result_of(says(self.RESULT))
        self.assertEqual(measure.said(result), {"k": "3", "line": "87ns"})
        self.assertEqual(measure.ns_per_message(result), {"wall": 2e6, "cpu": 1e6})

    def test_a_program_that_fails_is_named_with_its_status_and_its_words(self):
        for command, words in ((says("the reason", 3), ("ended with 3", "the reason")),
                               (["/no/such/program"], ("program", "No such file"))):
            with self.assertRaises(measure.Failed) as raised:
                measure.run(command)
            for word in words:
                self.assertIn(word, str(raised.exception))
        with self.assertRaises(measure.Failed) as raised:
            measure.result_of(says("no result"))
        self.assertIn("without a result", str(raised.exception))
        with self.assertRaises(measure.Failed) as raised:
            measure.run([sys.executable, "-c", "import time; time.sleep(60)"], timeout_s=0.2)
        self.assertIn("did not end within 0.2 s", str(raised.exception))

    def test_results_are_written_with_what_they_were_measured_on(self):
        with tempfile.TemporaryDirectory() as folder:
            for about in (None, {"machine": "M"}):
                path = os.path.join(folder, f"{about is None}.json")
                measure.write_json(path, [1, 2], about)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(json.load(file), [1, 2])
                self.assertEqual(os.path.exists(path + ".about.json"), about is not None)

    def test_a_command_line_that_means_nothing_is_refused_with_the_reason(self):
        for arguments, word in ((["gone", "--runs", "0"], "--runs: a whole number from 1"), (["gone"], "build them first")):
            with mock.patch("sys.argv", ["driver", *arguments]), mock.patch("sys.stderr", io.StringIO()) as said:
                with self.assertRaises(SystemExit):
                    measure.parse(measure.parser_of("driver", "", "", runs=3), "send_tact")
                self.assertIn(word, said.getvalue())


class Bench(unittest.TestCase):
    def refused(self, *arguments):
        with mock.patch("sys.stderr", io.StringIO()) as said, self.assertRaises(SystemExit):
            bench.read_arguments(arguments)
        return said.getvalue()

    def drivers(self, *arguments):
        """The drivers that run, with their options behind the folder."""
        commands = bench.commands(bench.read_arguments(arguments), "at")
        return [[os.path.basename(command[0]), *command[2:]] for command in commands]

    def test_an_option_that_a_mode_does_not_know_is_refused(self):
        self.assertIn("--sweep takes no --filter", self.refused("--sweep", "--filter", "x"))
        self.assertIn("one of these at a time: micro, windows", self.refused("--micro", "--windows"))

    def test_a_mode_gets_the_options_that_were_given(self):
        self.assertEqual(self.drivers("--defaults", "--filter", "x", "--runs", "2"), [["defaults", "--runs", "2", "--filter", "x"]])
        self.assertEqual(self.drivers("--micro", "send")[0], ["report", "--filter", "send", "--json", "at/micro.json"])

    def test_without_a_filter_the_suite_compiles_too_and_in_brief_all_else_runs(self):
        self.assertEqual(self.drivers("--filter", "x", "--peers"), [["run", "--filter", "x", "--peers"]])
        self.assertEqual([name for name, *_ in self.drivers()], ["run", "compile_time"])
        ran = [name for name, *_ in self.drivers("--brief")]
        self.assertTrue({"run", "compile_time", *bench.IN_BRIEF, "report", "changes"} <= set(ran))


class Defaults(unittest.TestCase):
    def test_every_constant_that_is_swept_is_found_and_its_default_is_among_the_values(self):
        defaults = script("defaults")
        for name, factor in defaults.FACTORS.items():
            self.assertIn(defaults.default_of(name), factor.values)
            if factor.header:
                edit = defaults.edit_of(name, factor.values[0])
                self.assertIn(edit.new, overlay.apply([edit])[factor.header])


class Overlay(unittest.TestCase):
    def test_words_that_are_not_there_once_are_refused(self):
        for words in ("no such words", "the"):
            with self.assertRaises(measure.Failed):
                overlay.apply([overlay.Edit("actors/cells/home_stay.hpp", words, "")])

    def test_several_edits_of_a_header_add_up(self):
        sweep = script("sweep")
        ((header, text),) = overlay.apply([sweep.edit_of("few", 77), sweep.edit_of("most", 55)]).items()
        self.assertEqual(header, "actors/cells/home_stay.hpp")
        self.assertIn("unsigned few = 77;", text)
        self.assertIn("unsigned most = 55;", text)
        self.assertNotIn(f"unsigned few = {sweep.constant('few')};", text)

    def test_the_check_of_generations_is_where_it_is_looked_for(self):
        generation = script("generation")
        (text,) = overlay.apply([generation.EDIT]).values()
        self.assertIn(generation.EDIT.new, text)


if __name__ == "__main__":
    ended = unittest.main(exit=False).result
    failed = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
