#!/usr/bin/env python3
"""What is kept, and what a second process sees of it: store_test.py LOUDNESS LOUDNESS_SIGNALS. Ends with "N passed, N failed"."""

import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom

LOUDNESS, SIGNALS = (os.path.abspath(path) for path in sys.argv[1:3])
PATIENCE_S = 60


def run(*arguments, **more):
    return subprocess.run([LOUDNESS, *arguments], capture_output=True, text=True, timeout=120, **more)


def write_silence(path, gigabytes):
    """A sound that takes many seconds to measure, and no room on the disk."""
    size = gigabytes << 30
    with open(path, "wb") as out:
        out.write(b"RIFF" + struct.pack("<I", size + 36) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 48000, 96000, 2, 16))
        out.write(b"data" + struct.pack("<I", size))
        out.truncate(size + 44)


class Store(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp(prefix="loudness-")
        subprocess.run([SIGNALS, os.path.join(cls.made, "a"), "3", "4"], check=True)
        subprocess.run([SIGNALS, os.path.join(cls.made, "b"), "2", "4", "4"], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="loudness-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.sounds = os.path.join(self.folder, "sounds")
        self.store = os.path.join(self.folder, "results.store")
        shutil.copytree(self.made, self.sounds)

    def sound(self, *name):
        return os.path.join(self.sounds, *name)

    def last_line(self, *arguments):
        done = run("--store", self.store, *(arguments or [self.sounds]))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()[-1]

    def browse(self, *arguments):
        done = run("--browse", self.store, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def names(self, *arguments):
        return [os.path.basename(file["path"]) for file in json.loads(self.browse("--json", *arguments))["files"]]

    def test_what_has_not_changed_is_not_measured_again(self):
        self.assertRegex(self.last_line(), r"^5 files measured, 0:")
        self.assertRegex(self.last_line(), r"^0 files measured, 5 known, 0:")
        report = lambda *more: json.loads(run("--json", *more, self.sounds).stdout)["files"]
        known = report("--store", self.store)
        self.assertTrue(all(file.pop("known") for file in known))
        self.assertEqual(known, report())

    def test_what_has_changed_is_measured(self):
        self.last_line()
        shutil.copy(self.sound("b", "piece-4.wav"), self.sound("a", "piece-1.wav"))
        with open(self.sound("a", "piece-2.wav"), "r+b") as file:  # as large as before
            file.seek(1000)
            file.write(b"\1\2\3\4")
        self.assertRegex(self.last_line(), r"^1 file measured, 4 known")
        self.assertRegex(self.last_line(), r"^0 files measured, 5 known")

    def test_what_was_only_touched_moved_or_copied_is_known(self):
        self.last_line()
        os.utime(self.sound("a", "piece-1.wav"))
        os.rename(self.sound("a", "piece-2.wav"), self.sound("b", "other.wav"))
        shutil.copy(self.sound("b", "piece-4.wav"), self.sound("b", "copy.wav"))
        self.assertRegex(self.last_line(), r"^0 files measured, 6 known")
        self.assertIn("other.wav", self.names())

    def test_what_could_not_be_measured_is_tried_again(self):
        with open(self.sound("broken.wav"), "w") as out:
            out.write("This is a text, whatever its name says.\n")
        for known in ("", "5 known, "):
            done = run("--store", self.store, self.sounds)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, r"not measured: .*broken\.wav: cannot be decoded")
            self.assertRegex(done.stdout, known + r"0:.*; 1 not measured\n$")

    def test_what_is_gone_stays_until_it_is_forgotten(self):
        self.last_line()
        os.remove(self.sound("a", "piece-1.wav"))
        os.remove(self.sound("b", "piece-4.wav"))
        self.assertRegex(self.last_line(), r"^0 files measured, 3 known")
        self.assertEqual(len(self.names()), 5)
        done = run("--store", self.store, "--forget", self.sound("a"))
        self.assertEqual(done.stderr, "loudness: 1 file forgotten\n")
        self.assertEqual(self.names(), ["piece-2.wav", "piece-3.flac", "piece-4.wav", "piece-5.wav"])
        done = run("--store", self.store, "--forget")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "loudness: 1 file forgotten\n", 0))
        self.assertEqual(self.names(), ["piece-2.wav", "piece-3.flac", "piece-5.wav"])
        shutil.copy(os.path.join(self.made, "a", "piece-1.wav"), self.sound("a"))
        self.assertRegex(self.last_line(), r"^1 file measured, 3 known")  # its sound was forgotten, too

    def waits_until_kept(self, count):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            done = run("--browse", self.store, "--json")
            if done.returncode == 0 and len(json.loads(done.stdout)["files"]) == count:
                return True
        return False

    def test_a_second_process_browses_meanwhile_and_a_program_that_is_killed_has_kept_what_it_had_told(self):
        write_silence(self.sound("long.wav"), 3)
        command = [LOUDNESS, "--store", self.store, "--workers", "2", self.sounds]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as program:
            self.assertTrue(self.waits_until_kept(5))
            other = run("--store", self.store, self.sound("a"))
            self.assertEqual(other.returncode, 1)
            self.assertRegex(other.stderr, r"^loudness: .*results\.store: ")  # one process writes at a time
            self.assertIsNone(program.poll())
            program.send_signal(signal.SIGKILL)
        self.assertEqual(len(self.names()), 5)
        os.remove(self.sound("long.wav"))
        self.assertRegex(self.last_line(), r"^0 files measured, 5 known")

    def test_all_is_browsed_without_the_sound_files(self):
        self.last_line()
        measured = json.loads(run("--json", self.sounds).stdout)["files"]
        shutil.rmtree(self.sounds)
        self.assertEqual(json.loads(self.browse("--json"))["files"], measured)
        self.assertEqual(self.names("--find", "PIECE-2"), ["piece-2.wav"])
        self.assertEqual(self.names("--find", "none"), [])
        for key, name in [("ratio", "peak_to_loudness_lu"), ("duration", "duration_s"), ("loudness", "integrated_lufs")]:
            values = [file[name] for file in json.loads(self.browse("--json", "--sort", key))["files"]]
            self.assertEqual(values, sorted(values, reverse=True))
        self.assertRegex(self.browse(), r"\n5 files, 0:\d\d\.\d\n$")
        groups = json.loads(self.browse("--json", "--group"))["folders"]
        self.assertEqual([(group["folder"], len(group["files"])) for group in groups], [(self.sound("a"), 3), (self.sound("b"), 2)])
        self.assertRegex(self.browse("--group"), r"sounds/b: 2 files, 0:[^\n]*\n[^\n]*PLR[^\n]*\n[^\n]*\n[^\n]*  piece-4\.wav\n")

    def test_the_histogram_counts_each_file_once(self):
        self.last_line()
        bins = json.loads(self.browse("--json", "--histogram"))
        self.assertEqual((bins["files"], bins["without"], sum(each["files"] for each in bins["bins"])), (5, 0, 5))
        self.assertRegex(self.browse("--histogram"), r"(?s)^peak-to-loudness ratio, LU\n.*#\n5 files, median \d+\.\d\n$")
        self.assertEqual(run("--histogram", self.sounds).stdout, self.browse("--histogram"))

    def test_curves_are_shown_without_the_sound_file(self):
        self.last_line()
        path = self.sound("a", "piece-3.flac")
        measured = json.loads(run("--json", path).stdout)["files"][0]
        os.remove(path)
        curves = json.loads(self.browse("--curves", path, "--json"))
        self.assertEqual(curves["path"], path)
        tenths = int(measured["duration_s"] * 10 + 0.01)
        self.assertEqual(len(curves["momentary_lufs"]), tenths - 3)
        self.assertEqual(len(curves["short_term_lufs"]), tenths - 29)
        self.assertAlmostEqual(curves["integrated_lufs"][-1], measured["integrated_lufs"], delta=0.1)
        self.assertEqual(self.browse("--curves", path).splitlines()[0], "seconds\tmomentary\tshort-term\tintegrated")
        self.assertEqual(len(xml.dom.minidom.parseString(self.browse("--curves", path, "--svg")).getElementsByTagName("polyline")), 3)

    def test_what_cannot_be_opened_says_why(self):
        for arguments, text in [
            (["--browse", self.store], "results.store: "),
            (["--store", os.path.join(self.folder, "none", "a.store"), self.sounds], r"none/a\.store"),
            (["--store", self.sound("a", "piece-1.wav"), self.sounds], "piece-1.wav: "),
        ]:
            with self.subTest(arguments=arguments):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(done.stderr, "^loudness: .*" + text)
        self.last_line()
        done = run("--browse", self.store, "--curves", "none.wav")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^loudness: '/.*none\.wav' is not in '.*results\.store'; --browse without")

    def test_a_path_that_is_longer_than_a_key_is_kept(self):
        folder = self.sounds
        for letter in "abc":
            folder = os.path.join(folder, letter * 200)
        os.makedirs(folder)
        for name in ["1.wav", "2.wav"]:
            shutil.copy(self.sound("a", "piece-1.wav"), os.path.join(folder, name))
        self.assertRegex(self.last_line(folder), r"^[12] files? measured")  # both at the same time, or one behind the other
        self.assertRegex(self.last_line(folder), r"^0 files measured, 2 known")
        self.assertEqual(self.names(), ["1.wav", "2.wav"])


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Store))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
