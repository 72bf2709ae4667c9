#!/usr/bin/env python3
"""Tests what the suite makes of its runs: who takes turns, ratios, tables, and headers with other words."""

import importlib.machinery
import importlib.util
import os
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import overlay  # noqa: E402
from cases import CASES, case, groups_of, suits  # noqa: E402


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


class Tables(unittest.TestCase):
    ROWS = [
        {"name": "a", "runtime": "tact", "threads": 2, "parameters": "k=1 worst_runs=4 line=87ns near",
         "beside": {"b": {"seconds": 1.5, "cpu_seconds": 1.25}}},
        {"name": "b", "runtime": "floor", "threads": 2, "parameters": "worst_runs=9"},
    ]

    def test_comparisons_and_figures_are_shown(self):
        table = script("table")
        self.assertEqual(list(table.comparisons(self.ROWS)), [["a", "b", "2", "1.50", "1.25"]])
        (figures,) = table.figures(self.ROWS)
        self.assertEqual(figures[:3], ["a", "2", "4"])
        self.assertEqual(set(figures[3:]), {"-"})


class Overlay(unittest.TestCase):
    def test_words_that_are_not_there_once_are_refused(self):
        for words in ("no such words", "the"):
            with self.assertRaises(overlay.Failed):
                overlay.apply([overlay.Edit("actor/home_stay.hpp", words, "")])

    def test_several_edits_of_a_header_add_up(self):
        sweep = script("sweep")
        ((header, text),) = overlay.apply([sweep.edit_of("few", 77), sweep.edit_of("most", 55)]).items()
        self.assertEqual(header, "actor/home_stay.hpp")
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
