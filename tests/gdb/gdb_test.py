"""What gdb says of a program that stands still: gdb_test.py GDB PROGRAM SCRIPT LIBRARY. Skipped where gdb may not start
a program (ptrace)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


class Gdb:
    """Runs gdb for a program, in a folder of its own. No output may have a traceback of Python in it."""

    def __init__(self, gdb, program, script, library, folder):
        self.gdb = gdb
        self.folder = folder
        self.program = os.path.join(folder, "standstill")
        self.core = os.path.join(folder, "core")
        libraries = os.path.dirname(os.path.abspath(library))  # the copy of the program does not know where they are
        self.environment = dict(os.environ, LD_LIBRARY_PATH=f"{libraries}:{libraries}/inspect")
        shutil.copy(program, self.program)
        shutil.copy(script, self.program + "-gdb.py")  # gdb finds it by this name, as it does beside the library

    def run(self, *commands, program=None, core=False, is_safe=True):
        safe = ["-iex", f"add-auto-load-safe-path {self.folder}"] if is_safe else []
        # A command that fails ends a list of commands, but not a row of -ex.
        args = [word for c in commands for word in ("-ex", f"echo \\n>>> {c}\\n", "-ex", c)]
        files = [program or self.program] + ([self.core] if core else [])
        done = subprocess.run(
            [self.gdb, "-quiet", "-batch", "-nx", *safe, "-iex", "set width 0", *args, *files],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=240,
            env=self.environment,
        )
        for word in ("Traceback (most recent", "Python Exception", "Error while executing Python"):
            assert word not in done.stdout, done.stdout
        said = {}
        for part in done.stdout.split("\n>>> ")[1:]:
            command, _, text = part.partition("\n")
            said.setdefault(command, []).append(text.strip())
        return said, done.stdout


passed = 0


def has(text, *patterns):
    """Each pattern is found, behind the one before."""
    global passed
    at = 0
    for pattern in patterns:
        found = re.compile(pattern, re.MULTILINE).search(text, at)
        assert found, f"there is no {pattern!r} behind character {at} of:\n{text}"
        at = found.end()
    passed += 1


def lacks(text, *patterns):
    global passed
    for pattern in patterns:
        assert not re.search(pattern, text, re.MULTILINE), f"there is {pattern!r} in:\n{text}"
    passed += 1


def make_core(gdb, *settings):
    # The core file is smaller by what malloc keeps for each thread. What remains are guards of stacks.
    settings = ("set environment MALLOC_ARENA_MAX=1", *settings)
    said, everything = gdb.run(*settings, "break all_stand_still", "run", f"generate-core-file {gdb.core}", "kill")
    refusals = "ptrace: Operation not permitted|Could not trace the inferior|Couldn't get (registers|CS register)"
    if re.search(refusals, everything):
        print("skipped: this system does not allow gdb to start a program (ptrace)")
        sys.exit(SKIPPED)
    has(said["run"][0], "hit Breakpoint 1, all_stand_still")
    assert os.path.exists(gdb.core), everything


def address(actors, name):
    return re.search(rf"(@\w+#\d+)  .*\b{name}$", actors, re.MULTILINE)[1]


def check_actors(gdb):
    said, _ = gdb.run("info tact actors", "info tact actors -all", "info tact actors vault", core=True)
    actors = said["info tact actors"][0]
    has(actors, r"^engine 1: 7 actors, 4 workers$", r"address +type +state +messages +name$")
    has(actors, r"@\w+#1 +vault +handling +3 +the vault$")
    has(actors, r"@\w+#1 +vault +handling +2 +the safe$")
    has(actors, r"@\w+#1 +vault +handling +2 +the desk$")
    has(actors, r"@\w+#1 +answers +waiting +0 +right$")
    has(actors, r"@\w+#1 +answers +waiting +1 +left$")
    has(actors, r"@\w+#1 +clerk +idle +0$")
    has(actors, r"@\w+#1 +pings +idle +0 +rests$")
    lacks(actors, "guest", "ended$")
    every = said["info tact actors -all"][0]
    has(every, r"@\w+#1 +guest +ended$")
    has(every, r"answer to request<count>, asked by clerk +open +0$")
    for name in ("the safe", "the vault", "the desk"):
        has(said["info tact actors vault"][0], name)
    lacks(said["info tact actors vault"][0], "left", "right")
    return actors


def check_mailboxes(gdb, actors):
    answers = r"\(answers@\w+#1\)"
    by_address = f"tact mailbox {address(actors, 'left')}"
    said, _ = gdb.run("tact mailbox full", "tact mailbox 'the safe'", "tact mailbox 'the desk'", by_address,
                      "tact mailbox rests", "tact mailbox gone", "tact mailbox vault", "tact mailbox nosuch",
                      "tact mailbox", "tact mailbox 4096", core=True)
    has(said["tact mailbox full"][0], r"^the vault \(vault@\w+#1\) handles deposit, on worker \d$",
        r"^  deposit \{amount = 2\} \(from a thread outside\)$",
        r"^  deposit \{amount = 3\} \(from a thread outside\)$",
        r"^  withdraw \{amount = 4, reason = \"rent\"\}, number \d+\.\d+ \(from a thread outside\)\Z")
    # It has dropped the oldest, 11, and keeps two.
    has(said["tact mailbox 'the safe'"][0], r"handles deposit, on worker \d$",
        r"^  deposit \{amount = 12\} \(kept in the mailbox\)$",
        r"^  deposit \{amount = 13\} \(kept in the mailbox\)\Z")
    has(said["tact mailbox 'the desk'"][0], r"^  withdraw \{amount = 22, reason = \"\"\} \(kept in the mailbox\)$",
        r"^  deposit \{amount = 21\} \(kept in the mailbox\)\Z")
    has(said[by_address][0], rf"^left {answers} waits for the answer to request<count> from right {answers}$",
        r"^  request<count> \{.*, asked by clerk \(put aside\)\Z")
    has(said["tact mailbox rests"][0], r"^rests \(pings@\w+#1\)$", r"^  no message waits\Z")
    has(said["tact mailbox gone"][0], r"^guest@\w+#1 has ended$")
    has(said["tact mailbox vault"][0], r"^tact mailbox: 3 actors are called vault: give the address of one \(")
    has(said["tact mailbox nosuch"][0], r"^tact mailbox: nosuch is no address, no expression .*\Z")
    has(said["tact mailbox"][0], r"^tact mailbox: give one address")
    has(said["tact mailbox 4096"][0], r"^tact mailbox: the memory at 0x1000 is not there: .*\Z")


def check_workers(gdb):
    said, _ = gdb.run("tact workers", "info threads", core=True)
    workers = said["tact workers"][0]
    has(workers, r"^engine 1: 4 workers$", r"^  worker +thread +state +messages +handles$")
    has(workers, r"^  \d +\d +running +\d +deposit for the vault \(vault@\w+#1\)$")
    has(workers, r"running +\d +deposit for the safe \(vault@\w+#1\)$")
    has(workers, r"running +\d +deposit for the desk \(vault@\w+#1\)$")
    has(workers, r"^  \d +\d +asleep +0$")
    # Which worker owns a shard and which one runs it may differ.
    in_shards = re.findall(r"^  \d +\d +(?:running|asleep) +(\d)", workers, re.MULTILINE)
    assert sum(map(int, in_shards)) == 7, workers
    number = re.search(r"^  \d +(\d) +running", workers, re.MULTILINE)[1]
    has(said["info threads"][0], rf"^\*? +{number} +Thread ")


def check_waiting(gdb):
    said, _ = gdb.run("backtrace", "tact waiting", "tact frames left", "tact enter left", "backtrace 9",
                      "frame function bank::ask_the_right", "print page", "info locals", "print self", "tact leave",
                      "backtrace", "tact leave", "tact frames rests", "print self", "tact enter left 2", core=True)
    before, after = said["backtrace"]
    assert before == after, f"the frames of the thread are others afterwards:\n{after}"
    has(before, r"^#0 +all_stand_still", r"^#1 .* main \(")
    waiting = said["tact waiting"][0]
    answers, asks = r"\(answers@\w+#1\)", "waits for the answer to request<count> from"
    left = [rf"^left {answers} handling begin {asks} right {answers}$",
            r"^  #0 .* tact::fiber::fiber::(jump|switch_to)",
            r"bank::ask_the_right \(.*page=17\)", r"bank::left\("]
    right = [rf"^right {answers} handling request<count> {asks} clerk@\w+#1$",
             r"^  #0 .* tact::fiber::fiber::(jump|switch_to)", r"bank::ask_the_clerk \(", r"bank::right\("]
    has(waiting, r"^engine 1: 2 handlers wait$")
    has(waiting, *left)
    has(waiting, *right)
    lacks(waiting, r"main \(", "Backtrace stopped", r"\?\?", "interpreter", "run_messages")
    has(said["tact frames left"][0], *left)
    lacks(said["tact frames left"][0], "ask_the_clerk")
    has(said["tact enter left"][0], r"its newest frame is 1 now, until tact leave\Z")
    has(said["backtrace 9"][0], r"^#0 +all_stand_still", r"^#\d .*tact::transaction::ask")
    has(said["print page"][0], r"^\$\d+ = 17\Z")
    entered, over = said["print self"]
    has(entered, r"the transaction of left \(answers@\w+#1\)\Z")
    has(over, r"No symbol \"self\" in current context")
    has(said["tact enter left 2"][0], r"^tact enter: 1 handler of this actor waits\Z")
    has(said["tact leave"][1], r"^tact leave: no handler was entered\Z")
    has(said["tact frames rests"][0], r"^tact frames: no handler of rests \(pings@\w+#1\) waits\Z")


def check_lost_stacks(gdb):
    """Where addresses are limited a guard is a part of its stack's mapping, if the system can do that, and gdb leaves
    such a mapping out of the core file."""
    make_core(gdb, "set exec-wrapper prlimit --as=1500000000")
    said, _ = gdb.run("tact waiting", "tact frames left", "tact mailbox left", "info tact actors", core=True)
    waiting = said["tact waiting"][0]
    has(waiting, r"^engine 1: 2 handlers wait$")
    has(said["info tact actors"][0], r"@\w+#1 +answers +waiting +\d +left$")
    if "not in the core file" not in waiting:
        has(waiting, "bank::ask_the_right", "bank::ask_the_clerk")
        return
    has(waiting, *2 * ["^a handler waits, but its stack is not in the core file$"])
    has(said["tact frames left"][0], r"^tact frames: a handler of left .* waits, but its stack is not in .*\Z")
    has(said["tact mailbox left"][0], r"^left \(.*\) waits, but its stack is not .*, and so are messages .* put aside$")


def check_printers(gdb):
    names = ("engine", "why", "in", "full", "gone", "nobody")
    said, _ = gdb.run(*(f"print {name}" for name in names), core=True)
    for name, pattern in zip(names, (
        r"= .*engine 1 with 4 workers\Z",
        r"= .*handler threw: no coins; because of: a hole in the wall\Z",
        r"= .*context of trace 42\Z",
        r"= the vault \(vault@\w+#1\)\Z",
        r"= guest@\w+#1, which has ended\Z",
        r"= nobody\Z",
    )):
        has(said[f"print {name}"][0], pattern)


def check_live(gdb):
    said, _ = gdb.run("info tact actors", "break all_stand_still", "run", "info tact actors", "tact workers",
                      "tact frames right", "tact enter right", "stepi", "tact leave", "tact enter right",
                      "break it_goes_on", "continue", "tact leave", "backtrace", "kill", "tact waiting", "tact")
    before, stopped = said["info tact actors"]
    has(before, r"^info tact actors: there is no process and no core file: run the program, or give gdb a core file\Z")
    has(stopped, "^engine 1: 7 actors, 4 workers$")
    has(said["tact workers"][0], "asleep")
    has(said["tact frames right"][0], r"bank::ask_the_clerk \(")
    # The process goes on as if no handler had been entered.
    for text in said["tact leave"]:
        has(text, "no handler was entered")
    has(said["continue"][0], r"13 messages wait; handler threw: no coins", "hit Breakpoint 2, it_goes_on")
    lacks(said["backtrace"][0], "ask_the_clerk")
    has(said["tact waiting"][0], r"^tact waiting: there is no process and no core file")
    has(said["tact"][0], r"^tact: say what: mailbox")


def check_loading(gdb, library):
    said, _ = gdb.run("info auto-load python-scripts", "info tact actors", core=True)
    has(said["info auto-load python-scripts"][0], r"Yes +\S*standstill-gdb\.py *$")
    said, everything = gdb.run("info tact actors", core=True, is_safe=False)
    has(everything, "auto-loading has been declined")
    has(said["info tact actors"][0], "Undefined info command")
    if ".so" in library:
        gdb.folder = os.path.dirname(os.path.realpath(library))
        said, _ = gdb.run("info auto-load python-scripts", "info tact actors", program=os.path.realpath(library))
        has(said["info auto-load python-scripts"][0], r"Yes +\S*libtact\.so\.[\d.]+-gdb\.py *$")
        has(said["info tact actors"][0], "there is no process and no core file")


def check_without_types(gdb, library):
    """Without the program's own debug information the actors are shown, where the library has some."""
    strip = shutil.which("strip")
    assert strip, "there is no strip"
    look_at_all = ("info tact actors", "tact waiting", "tact mailbox left", "tact workers")
    subprocess.run([strip, "--strip-debug", gdb.program], check=True)
    said, _ = gdb.run(*look_at_all, core=True)
    if ".so" in library:
        has(said["info tact actors"][0], "^engine 1: 7 actors, 4 workers$")
        return
    for texts in said.values():
        has(texts[0], r": libtact has no debug information: install .*, or build it with .*debugoptimized\Z")
    subprocess.run([strip, "--strip-all", gdb.program], check=True)
    said, _ = gdb.run(*look_at_all, core=True)
    for texts in said.values():
        has(texts[0], r": there is no libtact in this program, or its symbols were stripped\Z")


def main(gdb, program, script, library):
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(program))) as folder:
        looks = Gdb(gdb, program, script, library, folder)
        make_core(looks)
        actors = check_actors(looks)
        check_mailboxes(looks, actors)
        check_workers(looks)
        check_waiting(looks)
        check_printers(looks)
        check_live(looks)
        check_loading(looks, library)
        check_without_types(Gdb(gdb, program, script, library, folder), library)
        check_lost_stacks(Gdb(gdb, program, script, library, folder))
    print(f"{passed} passed")


main(*sys.argv[1:])
