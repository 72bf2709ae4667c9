#!/usr/bin/env python3
"""Tests what `model` makes of the runs of models: machines, medians, tables, the picture, and what it says of mistakes."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import re
import stat
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
import measure  # noqa: E402
import modelled  # noqa: E402
import tables  # noqa: E402

loader = importlib.machinery.SourceFileLoader("model", os.path.join(HERE, "model"))
model = importlib.util.module_from_spec(importlib.util.spec_from_loader("model", loader))
loader.exec_module(model)


def told(**more):
    """What a model tells of a run."""
    ways = {way: {"lines": 0, "waited_ns": 0.0} for way in ("l2", *modelled.WAYS)}
    ways["same_l3"] = {"lines": 500, "waited_ns": 20_000.0}
    return {
        "seconds": 1e-3, "busy_seconds": 3e-3, "messages": 1000, "steals": 2, "adoptions": 3, "wakes": 4, "sleeps": 5,
        "pages_touched": 512, "published": 90, "chunks_published": 9, "transfers": ways,
        "lines": [{"name": "word<int<char>>::add (word.hpp:3)", "transfers": 500, "waited_ns": 2e4, "writers": 4}],
        "places": [{"name": "take (take.hpp:7)", "transfers": 100, "waited_ns": 1e3, "writers": 0}],
    } | more


def row(workers, ns, mib=4.0, name="a"):
    return {"name": name, "workers": workers} | modelled.figures(told(), {}, workers) | {"ns_per_message": ns, "mib": mib}


class Machine(unittest.TestCase):
    def test_its_processing_units_are_the_product_of_its_words(self):
        for words, units in (("package:2 l3:4 core:8 pu:1", 64), ("core:8 pu:2", 16), ("3", 3), ("l3:1", 1),
                             ("pack:2 [numa] l3:2(size=32MB) 4", 16)):
            self.assertEqual(modelled.units_of(words), units)

    def test_a_word_that_is_none_is_named(self):
        for words, named in (("core:8 pu:x", "pu:x"), ("core:0", "core:0"), ("core=8", "core=8"), ("", "at least one word")):
            with self.assertRaisesRegex(ValueError, re.escape(named)):
                modelled.units_of(words)

    def test_workers_are_powers_of_two_and_all_units(self):
        self.assertEqual(modelled.usual_workers(64), [1, 2, 4, 8, 16, 32, 64])
        self.assertEqual(modelled.usual_workers(6), [1, 2, 4, 6])
        self.assertEqual(modelled.usual_workers(1), [1])


class Figures(unittest.TestCase):
    def test_they_are_per_message_where_that_says_more(self):
        found = modelled.figures(told(), {}, 4)
        self.assertAlmostEqual(found["ns_per_message"], 1000)
        self.assertAlmostEqual(found["waited_ns"], 20)
        self.assertAlmostEqual(found["transfers"]["same_l3"], 0.5)
        self.assertAlmostEqual(found["idle"], 0.25)
        self.assertEqual((found["per_chunk"], found["mib"], found["steals"]), (10, 2, 2))

    def test_a_program_of_the_suite_counts_its_messages_itself(self):
        found = modelled.figures(told(), {"messages": 2000, "seconds": 4e-3}, 4)
        self.assertAlmostEqual(found["ns_per_message"], 2000)
        self.assertAlmostEqual(found["transfers"]["same_l3"], 0.25)

    def test_threads_outside_may_be_busy_beside_all_workers(self):
        self.assertEqual(modelled.figures(told(busy_seconds=2e-3), {}, 1)["idle"], 0)

    def test_without_messages_or_chunks_nothing_is_divided_by_them(self):
        self.assertIsNone(modelled.figures(told(chunks_published=0), {}, 1)["per_chunk"])
        with self.assertRaisesRegex(ValueError, "no message"):
            modelled.figures(told(messages=0), {}, 1)

    def test_medians_are_of_each_figure_and_the_middle_run_is_that_of_the_times(self):
        runs = [modelled.figures(told(seconds=s, wakes=w, chunks_published=c), {}, 4)
                for s, w, c in ((3e-3, 1, 0), (1e-3, 9, 9), (2e-3, 5, 18))]
        found = modelled.summary(runs)
        self.assertAlmostEqual(found["ns_per_message"], 2000)
        self.assertEqual((found["wakes"], found["per_chunk"]), (5, 7.5))
        self.assertAlmostEqual(found["transfers"]["same_l3"], 0.5)
        self.assertEqual(modelled.middle(runs), 2)

    def test_a_program_is_compared_with_its_run_on_one_worker(self):
        rows = modelled.compare([row(1, 100.0), row(4, 50.0, mib=10.0)])
        self.assertEqual([r["speed_up"] for r in rows], [1, 2])
        self.assertEqual(rows[1]["efficiency"], 0.5)
        self.assertEqual([r["mib_per_worker"] for r in rows], [None, 2])
        (alone,) = modelled.compare([row(4, 50.0)])
        self.assertIsNone(alone["speed_up"])


class Prediction(unittest.TestCase):
    def test_ratios_are_of_the_turns_and_those_outside_are_named(self):
        rows = [modelled.predicted("near", [[10, 20, 10], [12, 24, 99]], [[5, 5], [6, 7]]),
                modelled.predicted("off", [[10], [10]], [[10], [13]])]
        self.assertAlmostEqual(rows[0]["measured_ratio"], 1.2)
        self.assertAlmostEqual(rows[0]["modelled_ratio"], 1.3)
        self.assertEqual(rows[0]["measured"], [10, 24])
        self.assertEqual(modelled.outside(rows), ["off"])
        self.assertEqual(modelled.predicted_table(rows).lines[1][-1], "1.30")


class Tables(unittest.TestCase):
    ROWS = modelled.compare([row(1, 100.0), row(64, 4.0)]) + modelled.compare([row(1, 10.0, name="savina/b")])

    def test_every_line_has_the_cells_of_its_head(self):
        own = self.ROWS[:2]
        spots = modelled.hot_spots(told()["lines"], 1000, 3)
        for table in (modelled.times_table(own), modelled.transfers_table(own), modelled.scheduling_table(own),
                      modelled.suite_table(self.ROWS), modelled.spots_table("line", spots)):
            self.assertTrue(table.lines)
            for line in table.lines:
                self.assertEqual(len(line), len(table.head))

    def test_the_suite_has_a_line_for_each_program(self):
        first, second = modelled.suite_table(self.ROWS).lines
        self.assertEqual(first[:4], ["a", "100", "25.00", "4"])
        self.assertEqual(second[:3], ["savina/b", "10", "-"])

    def test_tact_stands_beside_the_plain_executor_where_there_is_such_a_row(self):
        rows = self.ROWS + modelled.compare([row(1, 50.0, name="a, plain"), row(64, 8.0, name="a, plain")])
        table = modelled.plain_table(rows)
        self.assertEqual(table.lines, [["a", "100", "50", "4", "8", "0.50", "2.00"]])
        self.assertEqual(len(table.head), len(table.lines[0]))
        self.assertEqual(modelled.plain_table(self.ROWS).lines, [])
        drawn = modelled.speed_ups(rows)
        for words in ("a, 1: 1, 64: 25", "a, plain, 1: 1, 64: 6.25", "a lock for each queue"):
            self.assertEqual(drawn.count(words), 1)
        self.assertNotIn("a lock for each queue", modelled.speed_ups(self.ROWS))

    def test_the_plain_executor_is_drawn_alone_where_tact_was_not_run(self):
        rows = modelled.compare([row(1, 50.0, name="a, plain"), row(64, 8.0, name="a, plain")])
        self.assertIn("a, plain, 1: 1, 64: 6.25", modelled.speed_ups(rows))

    def test_a_hot_spot_is_named_without_templates(self):
        (spot,) = modelled.hot_spots(told()["lines"], 1000, 3)
        self.assertEqual((spot["transfers"], spot["waited_ns"], spot["writers"]), (0.5, 20, 4))
        self.assertIn("word::add (word.hpp:3)", modelled.spots_table("line", [spot]).lines[0])
        self.assertEqual(modelled.hot_spots(told()["lines"], 1000, 0), [])

    def test_columns_stand_below_each_other(self):
        text = tables.columns(tables.Table(["a", "long head"], [["first", "1"], ["b", "20"]]))
        self.assertEqual(text, "a      long head\nfirst          1\nb             20")

    def test_the_picture_has_a_curve_for_each_program_with_several_workers(self):
        self.assertEqual(modelled.speed_ups(self.ROWS).count("1: 1, 64: 25"), 1)
        self.assertIsNone(modelled.speed_ups(self.ROWS[:1]))


class Arguments(unittest.TestCase):
    def refused(self, *arguments):
        with mock.patch("sys.stderr", io.StringIO()) as said, self.assertRaises(SystemExit):
            model.read_arguments(["--build", "build", *arguments])
        return said.getvalue()

    def test_what_makes_no_sense_is_refused_with_the_reason(self):
        for arguments, words in (
            ([], "say PROGRAM, --suite, --check or --report"),
            (["executor", "--suite"], "one of them"),
            (["executor", "--machine", "core:x"], "core:x is no word of a machine; write it as 'package:2"),
            (["executor", "--workers", "1,x"], "--workers is a list of numbers"),
            (["executor", "--seeds", "0"], "--seeds: a whole number from 1"),
            (["executor", "--lines", "-1"], "--lines is at least 0"),
            (["executor", "--costs", "gone"], "--costs gone: there is no such file"),
            (["--check", "--machine", "core:2"], "--check is about two workers"),
            (["--suite", "--filter", "gone"], "nothing is called gone"),
            (["--suite", "--", "--tiny"], "options behind -- are for one PROGRAM"),
        ):
            self.assertIn(words, self.refused(*arguments))

    def test_what_is_not_given_is_the_usual(self):
        options = model.read_arguments(["--build", "build", "executor", "--", "--rounds", "2"])
        self.assertEqual((options.machine, options.seeds, options.own), (model.MACHINE, 3, ["--rounds", "2"]))
        self.assertEqual(options.workers, [1, 2, 4, 8, 16, 32, 64])
        options = model.read_arguments(["--build", "build", "--check"])
        self.assertEqual((options.machine, options.seeds, options.runs), (model.TWO_CORES, 5, 5))

    def test_groups_of_the_executor_fit_every_number_of_workers(self):
        for one in (one for one in model.SUITE if "together" in one.name):
            given = dict(zip(one.options[::2], one.options[1::2]))
            self.assertEqual(int(given["--actors"]) // int(given["--set"]) % 64, 0)

    def test_who_is_compared_with_a_lock_for_each_queue_does_the_same(self):
        named = {one.name: one for one in model.SUITE}
        plain = [one for one in model.SUITE if one.name.endswith(modelled.PLAIN)]
        self.assertEqual({one.program for one in plain}, {"executor_plain", "random_plain", "balance_plain", "repeat_plain"})
        for one in plain:
            tact = named[one.name.removesuffix(modelled.PLAIN)]
            self.assertEqual((one.program, one.options), (tact.program + "_plain", tact.options))


class Runs(unittest.TestCase):
    """With programs that are scripts."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def program(self, code):
        path = os.path.join(self.folder.name, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!{sys.executable}\nimport json, os, sys\n{code}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def modelled(self, code, *arguments):
        """The rows that come out, and what is printed."""
        path = self.program(code)
        with mock.patch.object(model, "known_programs", lambda build: ["executor"]), \
                mock.patch.object(model.about, "facts", lambda build, runtimes: {}), \
                contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()) as progress:
            rows, _, status = model.model_one(model.read_arguments(["--build", "build", path, *arguments]))
        self.assertEqual(status, 0)
        return rows, said.getvalue(), progress.getvalue()

    TELLS = f"""
told = {told()!r}
told["seconds"] /= int(sys.argv[1]) if len(sys.argv) > 1 else 1
told["seconds"] += int(os.environ["TACT_MODEL_SEED"]) * 1e-9
assert os.environ["TACT_MODEL"] == "core:4"
json.dump(told, open(os.environ["TACT_MODEL_RESULT"], "w"))"""

    def test_the_number_of_workers_stands_where_the_options_name_it(self):
        rows, said, progress = self.modelled(self.TELLS, "--machine", "core:4", "--", "{workers}")
        self.assertEqual([r["workers"] for r in rows], [1, 2, 4])
        self.assertAlmostEqual(rows[2]["speed_up"], 4, places=2)
        for words in ("3 seeds, medians", "speed-up", "same_package", "word::add (word.hpp:3)", "take (take.hpp:7)", "4 workers"):
            self.assertIn(words, said)
        self.assertIn("run 9 of 9", progress)

    def test_without_it_the_whole_machine_is_taken(self):
        rows, said, _ = self.modelled(self.TELLS, "--machine", "core:4")
        self.assertEqual([r["workers"] for r in rows], [4])
        with self.assertRaisesRegex(measure.Failed, "--workers needs {workers} among the program's options"):
            self.modelled(self.TELLS, "--machine", "core:4", "--workers", "1,2")

    def test_a_program_that_fails_is_named_with_its_words(self):
        with self.assertRaisesRegex(measure.Failed, r"(?s)program 4: ended with 3: .*the reason"):
            self.modelled("sys.exit(print('the reason', file=sys.stderr) or 3)", "--machine", "core:4", "--", "{workers}")

    def test_a_program_without_a_model_is_told_what_to_link(self):
        with self.assertRaisesRegex(measure.Failed, "link it with tact_model_dep"):
            self.modelled("", "--machine", "core:4")

    def test_a_program_that_is_not_known_is_answered_with_those_that_are(self):
        with mock.patch.object(model, "known_programs", lambda build: ["executor", "random"]):
            with self.assertRaisesRegex(measure.Failed, r"(?s)no program gone.*executor random"):
                model.is_benchmark("gone", "build")

    def test_a_folder_without_models_is_told_how_it_gets_them(self):
        with self.assertRaisesRegex(measure.Failed, "-Dmodel=enabled"):
            model.known_programs(self.folder.name)


class Document(unittest.TestCase):
    def test_the_costs_are_those_of_the_header(self):
        with open(os.path.join(ROOT, "include", "tact", "model.hpp"), encoding="utf-8") as file:
            struct = re.search(r"struct model_costs \{(.*?)^\};", file.read(), re.DOTALL | re.MULTILINE)[1]
        costs = {name: value.replace("'", "") for name, value in re.findall(r"^  double (\w+) = ([\d.']+);", struct, re.MULTILINE)}
        with open(os.path.join(ROOT, "docs", "scaling.md"), encoding="utf-8") as file:
            rows = re.findall(r"^\| `(\w+)` \| ([\d.,]+)[^|]*\|", file.read(), re.MULTILINE)
        self.assertTrue(costs)
        self.assertEqual({name: value.replace(",", "") for name, value in rows}, costs)


if __name__ == "__main__":
    ended = unittest.main(exit=False).result
    failed = len(ended.failures) + len(ended.errors)
    print(f"{ended.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
