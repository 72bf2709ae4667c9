#!/usr/bin/env python3
"""Runs the program as its users do: program_test.py LOUDNESS LOUDNESS_SIGNALS. Ends with "N passed, N failed"."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

LOUDNESS, SIGNALS = (os.path.abspath(path) for path in sys.argv[1:3])

# LUFS and LU as EBU Tech 3341 and 3342 require them, None where they require nothing.
EXPECTED = {
    "3341-1.wav": (-23.0, None),
    "3341-1-44100.wav": (-23.0, None),
    "3341-2.wav": (-33.0, None),
    "3341-3.wav": (-23.0, None),
    "3341-4.wav": (-23.0, None),
    "3341-5.wav": (-23.0, None),
    "3342-1.wav": (None, 10.0),
    "3342-2.wav": (None, 5.0),
    "3342-3.wav": (None, 20.0),
    "3342-4.wav": (None, 15.0),
}


def run(*arguments, **more):
    return subprocess.run([LOUDNESS, *arguments], capture_output=True, text=True, timeout=120, **more)


def files_of(*arguments):
    """The files in the JSON report, by name."""
    report = json.loads(run("--json", *arguments).stdout)
    return {os.path.basename(file["path"]): file for file in report["files"]}


class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="loudness-")
        cls.signals = os.path.join(cls.folder, "signals")
        cls.pieces = os.path.join(cls.folder, "pieces")
        subprocess.run([SIGNALS, cls.signals], check=True)
        subprocess.run([SIGNALS, os.path.join(cls.pieces, "inner"), "4", "3"], check=True)
        subprocess.run([SIGNALS, cls.pieces, "3", "1"], check=True)
        # Little of everything, for what need not be long.
        cls.mixed = os.path.join(cls.folder, "mixed")
        shutil.copytree(cls.pieces, cls.mixed)
        for name in ["clip-0.2s.wav", "clip-1s.wav", "silence.wav", "broken.wav"]:
            shutil.copy(os.path.join(cls.signals, name), cls.mixed)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def signal(self, name):
        return os.path.join(self.signals, name)

    def test_figures_are_those_of_the_standard(self):
        files = files_of(self.signals)
        for name, (loudness, range_lu) in EXPECTED.items():
            with self.subTest(name):
                if loudness is not None:
                    self.assertAlmostEqual(files[name]["integrated_lufs"], loudness, delta=0.1)
                if range_lu is not None:
                    self.assertAlmostEqual(files[name]["range_lu"], range_lu, delta=0.1)

    def cut(self, name):
        """The first half of a signal."""
        path = os.path.join(self.folder, "cut-" + name)
        with open(self.signal(name), "rb") as whole, open(path, "wb") as half:
            half.write(whole.read()[:os.path.getsize(self.signal(name)) // 2])
        return path

    def test_a_file_that_was_cut_says_how_much_of_it_is_there(self):
        done = run("--progress", self.cut("clip-1s.wav"), self.signal("clip-1s.wav"))
        self.assertRegex(done.stdout, r"cut short: .*/cut-clip-1s\.wav: header says 0:01\.0, file has 0:00\.5\n")
        self.assertRegex(done.stdout, r"\n2 files measured, 0:01\.5; 1 cut short\n")

    def test_what_has_no_figure_says_why(self):
        files = files_of(self.signals)
        self.assertEqual(files["clip-0.2s.wav"]["integrated_missing"], "too short")
        self.assertEqual(files["clip-1s.wav"]["range_missing"], "too short")
        self.assertEqual(files["silence.wav"]["integrated_missing"], "silent")
        self.assertIsNone(files["silence.wav"]["true_peak_dbtp"])
        table = run(self.signal("clip-0.2s.wav"), self.signal("silence.wav")).stdout
        self.assertRegex(table, r"too short +too short +-23\.0 .*clip-0\.2s\.wav")
        self.assertRegex(table, r"silent +silent +silent .*silence\.wav")

    def test_an_unreadable_file_is_explained_and_does_not_stop_the_others(self):
        done = run(self.signals)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"not measured: .*broken\.wav: cannot be decoded: ")
        self.assertIn(f"{len(EXPECTED) + 3} files measured", done.stdout)
        self.assertNotIn("loudness: ", done.stderr)

    def test_exit_status_tells_how_it_went(self):
        empty = os.path.join(self.folder, "empty")
        os.makedirs(empty, exist_ok=True)
        for status, arguments in [
            (0, [self.signal("3341-1.wav")]),
            (0, ["--help"]),
            (1, [self.signal("3341-1.wav"), self.signal("broken.wav")]),
            (1, [self.cut("clip-1s.wav")]),
            (2, []),
            (2, [empty]),
            (2, ["--frobnicate", self.signals]),
            (2, ["--workers", "none", self.signals]),
            (2, [self.signal("missing.wav")]),
        ]:
            with self.subTest(arguments=arguments):
                done = run(*arguments)
                self.assertEqual(done.returncode, status)
                self.assertEqual(status == 2, done.stderr.startswith("loudness: "))

    def test_folders_are_searched_through(self):
        paths = [file["path"] for file in json.loads(run("--json", self.pieces).stdout)["files"]]
        inner = [os.path.join(self.pieces, "inner", f"piece-{i}.{e}") for i, e in
                 [(1, "wav"), (2, "wav"), (3, "flac"), (4, "wav")]]
        outer = [os.path.join(self.pieces, f"piece-{i}.{e}") for i, e in [(1, "wav"), (2, "wav"), (3, "flac")]]
        self.assertEqual(paths, inner + outer)

    def test_what_is_given_twice_is_measured_once(self):
        inner = os.path.join(self.pieces, "inner")
        done = run("--progress", self.pieces, self.pieces, inner, inner + "/./piece-1.wav")
        self.assertIn("\n7 files measured", done.stdout)
        self.assertNotIn("of 8 files", done.stderr)

    def test_paths_are_shown_as_given(self):
        done = run("--json", ".", cwd=os.path.join(self.pieces, "inner"))
        self.assertEqual(json.loads(done.stdout)["files"][0]["path"], "piece-1.wav")

    def test_a_link_that_leads_back_up_ends(self):
        folder = os.path.join(self.folder, "loop")
        os.makedirs(folder)
        os.symlink("..", os.path.join(folder, "up"))
        shutil.copy(self.signal("clip-1s.wav"), folder)
        self.assertEqual(list(files_of(folder)), ["clip-1s.wav"])

    def test_a_folder_that_cannot_be_searched_is_explained(self):
        if os.geteuid() == 0:
            self.skipTest("nothing is forbidden to root")
        folder = os.path.join(self.folder, "closed")
        os.makedirs(os.path.join(folder, "inner"))
        os.chmod(os.path.join(folder, "inner"), 0)
        done = run(folder)
        os.chmod(os.path.join(folder, "inner"), 0o700)
        self.assertEqual(done.returncode, 1)
        self.assertIn("inner: cannot be searched: Permission denied", done.stdout)

    def test_sorting_puts_the_highest_first_and_what_has_no_figure_last(self):
        for key, name in [("loudness", "integrated_lufs"), ("range", "range_lu"), ("peak", "true_peak_dbtp")]:
            with self.subTest(key):
                files = json.loads(run("--json", "--sort", key, self.mixed).stdout)["files"]
                values = [file.get(name) for file in files]
                present = [value for value in values if value is not None]
                self.assertEqual(present, sorted(present, reverse=True))
                self.assertGreater(len(present), 1)
                self.assertEqual(values, present + [None] * (len(values) - len(present)))
        paths = [file["path"] for file in json.loads(run("--json", self.mixed).stdout)["files"]]
        self.assertEqual(paths, sorted(paths))

    def test_any_number_of_workers_gives_the_same_report(self):
        reports = {run("--json", "--workers", workers, self.mixed).stdout for workers in ["1", "2", "8"] * 5}
        self.assertEqual(len(reports), 1)
        self.assertEqual(len(json.loads(reports.pop())["files"]), 11)

    def test_strange_file_names_leave_the_json_well_formed(self):
        folder = os.path.join(os.fsencode(self.folder), b"names")
        os.makedirs(folder)
        for name in [b'quote".wav', b"back\\slash.wav", b"line\nfeed.wav", b"latin-\xe4.wav", "ä€.WAV".encode()]:
            shutil.copy(os.fsencode(self.signal("clip-1s.wav")), os.path.join(folder, name))
        names = set(files_of(os.fsdecode(folder)))
        self.assertEqual(names, {'quote".wav', "back\\slash.wav", "line\nfeed.wav", "latin-\ufffd.wav", "ä€.WAV"})

    def test_progress_and_statistics_go_to_stderr(self):
        done = run("--json", "--progress", "--stats", self.pieces)
        json.loads(done.stdout)
        self.assertRegex(done.stderr, r"\d+ of \d+ files, \d+ %")
        self.assertRegex(done.stderr, r"elapsed .* s with \d+ worker")
        self.assertNotIn(" files, ", run("--json", self.pieces).stderr)

    def test_its_engine_is_shown_in_the_browser_where_that_is_built(self):
        done = run("--json", "--inspect", self.pieces, stdin=subprocess.DEVNULL)
        if "built without tact-inspect" in done.stderr:
            self.assertEqual(done.returncode, 1)
            return
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"look at http://127\.0\.0\.1:\d+/#[0-9a-f]{32}, ")
        json.loads(done.stdout)

    def test_results_are_kept_where_that_is_built(self):
        store = os.path.join(self.folder, "a.store")
        done = run("--store", store, self.signal("clip-1s.wav"))
        if "built without tact-store" in done.stderr:
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("liblmdb-dev", done.stderr)
            self.assertIn("built without tact-store", run("--browse", store).stderr)
            return
        self.assertEqual(done.returncode, 0)
        self.assertTrue(os.path.exists(store))

    def test_a_report_that_cannot_be_written_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([LOUDNESS, self.signal("clip-1s.wav")], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not be written", done.stderr)


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Program))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
