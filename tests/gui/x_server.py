"""X servers for tests, which nobody sees."""

import os
import shutil
import signal
import subprocess

MISSING = "skipped: there is no display, because Xvfb is not installed (Debian: xvfb)"
SKIPPED = 77  # by which Meson knows it


def is_installed():
    return shutil.which("Xvfb") is not None


class XServer:
    """With one of these as `server` there is a display, and `server.name` is what DISPLAY calls it."""

    def __enter__(self):
        number_out, number_in = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(number_in), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[number_in], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(number_in)
        with os.fdopen(number_out) as file:
            number = file.readline().strip()
        if not number:
            self.end()
            raise RuntimeError("Xvfb gave no display")
        self.name = ":" + number
        return self

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait()

    def __exit__(self, *_):
        self.end()
