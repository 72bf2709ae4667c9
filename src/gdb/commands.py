"""The commands of gdb."""


class Look:
    """What a command has found in the process."""

    def __init__(self):
        self.image = Image()
        self.engines = engines(self.image)
        if not self.engines:
            raise Unknown("there is no tact::engine in this process now")
        self.names = self.engines[0].names

    def actor(self, text):
        """The port of the actor that is meant by an address as tact prints it, an expression, or a name."""
        printed = re.search(r"@?\b([0-9a-f]+)#(\d+)\W*$", text)
        if printed:
            return int(printed[1], 16) << INDEX_BITS | int(printed[2]) << GENERATION_SHIFT
        if text.startswith("@"):
            return self.names.cell(int(text[1:], 16) << INDEX_BITS).port
        port = port_of_expression(text)
        if port is None:
            return self.actor_called(text)
        return without_index(port) if port >> GENERATION_SHIFT else self.names.cell(port).port

    def actor_called(self, text):
        found = [c for e in self.engines for c in e.cells() if c.has_actor and text in (
            self.names.given_name(c), self.names.type_name(c))]
        if len(found) > 1:
            some = ", ".join(self.names.of_cell(c) for c in found[:4])
            raise Unknown(f"{len(found)} actors are called {text}: give the address of one ({some})")
        if not found:
            raise Unknown(f"{text} is no address, no expression for one, and no name or type of an actor that is alive")
        return found[0].port

    def engine_of(self, port):
        number = self.names.cell(port).route >> 32 & 0xFFFF
        for engine in self.engines:
            if engine.number == number:
                return engine
        raise Unknown(f"the engine of {address_text(port)} has ended")

    def wait_of(self, text):
        port = self.actor(text)
        engine = self.engine_of(port)
        waits = [w for w in engine.waits() if w.actor == port]
        if not waits and is_lost(engine, self.names.cell(port)):
            raise Unknown(f"a handler of {self.names.of_port(port)} waits, but {NOT_THERE}")
        if not waits:
            raise Unknown(f"no handler of {self.names.of_port(port)} waits")
        return waits


def port_of_expression(text):
    """The port of a tact::ref, or of a number, by an expression; None: it is neither."""
    try:
        value = gdb.parse_and_eval(text)
        if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.referenced_value()
        of = value.type.strip_typedefs()
        if of.code == gdb.TYPE_CODE_INT:
            return int(value) & (1 << 64) - 1
        if of.code == gdb.TYPE_CODE_STRUCT and find_member(of, "port_"):
            return int(value["port_"])
    except (gdb.error, gdb.MemoryError):
        pass
    return None


class Command(gdb.Command):
    """A command that fails by one sentence."""

    def __init__(self, name, prefix=False):
        self.__doc__ = inspect.cleandoc(type(self).__doc__)
        self.words = name
        super().__init__(name, gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, prefix)

    def invoke(self, argument, from_tty):
        try:
            self.run(gdb.string_to_argv(argument))
        except Unknown as why:
            raise gdb.GdbError(f"{self.words}: {why}") from None
        except (gdb.error, gdb.MemoryError) as why:
            raise gdb.GdbError(f"{self.words}: gdb says: {why}") from None
        except (KeyError, TypeError, ValueError, IndexError, struct.error, AttributeError) as why:
            text = f"what lies in the memory is not what libtact keeps there ({type(why).__name__}: {why})"
            raise gdb.GdbError(f"{self.words}: {text}") from None

    def one(self, words, what):
        if len(words) != 1:
            raise Unknown(f"give one {what}: {self.words} {what.upper()}")
        return words[0]


class Tact(Command):
    """Looks at the actors of tact: mailboxes, workers, and handlers that wait."""

    def run(self, words):
        raise Unknown("say what: mailbox, workers, waiting, frames, enter or leave; info tact actors lists the actors")


class InfoTact(Command):
    """Lists what there is of tact in this process."""

    def run(self, words):
        raise Unknown("say what: info tact actors")


class Actors(Command):
    """The actors that are alive: info tact actors [-all] [TEXT]

    For each its address, type, state, the messages that wait for it, and its name. With TEXT only those whose type or
    name has this text in it. With -all also those that have ended and are still known, and the customers of asks.

    idle      no message waits for it
    queued    messages wait for it
    handling  its handler runs now
    waiting   its handler waits for an answer, on a stack of its own
    resting   it has failed, and is made anew when its rest is over
    ended     it has ended
    open      it is the customer of an ask that has no answer yet"""

    def run(self, words):
        with_all = "-all" in words
        texts = [w for w in words if w != "-all"]
        look = Look()
        for engine in look.engines:
            for line in self.of_engine(engine, with_all, texts[0] if texts else ""):
                print(line)

    def of_engine(self, engine, with_all, text):
        mail, names = Mail(engine), engine.names
        handling = {without_index(run.handling) for run in engine.runs() if run.message()}
        waiting = [w.actor for w in engine.waits()]
        rows, left_out, alive = [("address", "type", "state", "messages", "name")], 0, 0
        for cell in engine.cells():
            if not (cell.has_actor or cell.has_ended_actor):
                continue
            is_user = names.behavior(cell.type).kind in USERS
            if not is_user and not cell.has_actor:
                continue
            alive += is_user and cell.has_actor
            kind, given = names.type_name(cell), names.given_name(cell)
            if text not in kind and text not in given:
                continue
            if not (is_user and cell.has_actor) and not with_all:
                left_out += 1
                continue
            messages = str(mail.count(cell.port)) if cell.has_actor else ""
            state = state_of(engine, cell, mail, handling, waiting)
            rows.append((address_text(cell.port), kind, state, messages, given))
        yield f"engine {engine.number}: {counted(alive, 'actor')}, {counted(engine.worker_count, 'worker')}"
        yield from ("  " + line for line in columns(rows) if len(rows) > 1)
        if left_out:
            yield f"  {left_out:,} more have ended or are customers of asks: info tact actors -all"


def is_lost(engine, cell):
    """A handler of this exclusive actor waits on a stack that is not in the core file."""
    waits = cell.has_actor and cell.waits and not rests(engine, cell)
    return waits and cell.port not in [w.actor for w in engine.waits()]


USERS = ("transactional", "classic", "join")


def state_of(engine, cell, mail, handling, waiting):
    if not cell.has_actor:
        return "ended"
    if cell.port in handling:
        return "handling"
    if engine.names.behavior(cell.type).kind not in USERS:
        return "open"
    if cell.waits and rests(engine, cell):
        return "resting"
    waits = waiting.count(cell.port)
    if waits > 1:
        return f"waiting ({waits} handlers)"
    if cell.waits or waits:
        return "waiting"
    return "queued" if mail.count(cell.port) else "idle"


class Mailbox(Command):
    """The messages that wait for an actor: tact mailbox ADDRESS

    ADDRESS is as tact prints it, account@7f3a40#12 or @7f3a40#12, an expression that is a tact::ref, or the name or
    type of one actor. Of each message its type and contents, the number by which it is recorded, who asks for an
    answer, and where it lies. The first one is handled first, among those that lie at one place."""

    def run(self, words):
        look = Look()
        port = look.actor(self.one(words, "address"))
        engine = look.engine_of(port)
        cell = look.names.cell(port)
        print(f"{look.names.of_port(port)}{self.head(look, engine, cell, port)}")
        for line in self.lines(look, engine, Mail(engine).of(port)):
            print("  " + line)

    def head(self, look, engine, cell, port):
        if cell.port != without_index(port) or not cell.has_actor:
            return " has ended"
        for run in engine.runs():
            if without_index(run.handling) == cell.port and run.message():
                return f" handles {run.message_name()}, on {run.name}"
        for wait in engine.waits():
            if wait.actor == cell.port:
                return f" {wait.what()}"
        return f" waits, but {NOT_THERE}, and so are messages that were put aside" if is_lost(engine, cell) else ""

    def lines(self, look, engine, messages):
        if not messages:
            yield "no message waits"
        for e, where in messages:
            text = e.type_name + (" " + e.content() if e.content() else "")
            text += f", number {e.number}" if e.number else ""
            text += f", tried {counted(e.attempts, 'time')}" if e.attempts else ""
            asker = asker_of(look, engine, e)
            yield f"{text}{', asked by ' + asker if asker else ''} ({where})"


def asker_of(look, engine, message):
    """Who waits for the answer of a request; empty: it is no request, or that is not known."""
    customer = message.customer()
    if customer <= INDEX_MASK:
        return ""
    for wait in engine.waits():
        if wait.customer.port == without_index(customer):
            return look.names.of_port(wait.actor)
    cell = look.names.cell(customer)
    if cell.port != without_index(customer) or cell.type == 0:
        return ""
    kind = look.names.behavior(cell.type).kind
    if kind == "asker":
        return "a thread outside"
    return look.names.behavior(cell.link - 1).name if cell.link & 1 else look.names.of_cell(cell)


class Workers(Command):
    """What each worker does now: tact workers

    running    it handles a message, or looks for the next one
    searching  it has nothing to run, and looks for work
    asleep     it has nothing to run, and sleeps until it is woken
    resting    it leaves the work to others, because fewer workers handle more messages

    The messages are those that lie in the shards that the worker owns; what lies in offices and outboxes is counted
    below. Threads that help and those of blocking actors follow, while they handle a message."""

    def run(self, words):
        for engine in Look().engines:
            for line in self.of_engine(engine):
                print(line)

    def of_engine(self, engine):
        mail = Mail(engine)
        owners = {}
        for number, shard in enumerate(engine.shards()):
            owner = struct.unpack("<I", engine.image.bytes(shard + engine.image.offset(SHARD, "owner"), 4))[0]
            owners[number] = owner
        runs = engine.runs()
        running, count = engine.running_count, engine.worker_count
        mail_of_shards = engine.dispatcher["mail_"]["size_"]
        reserved = int(mail_of_shards["shards"]) + int(mail_of_shards["heavy_shards"])
        rows = [("worker", "thread", "state", "messages", "handles")]
        for run in (r for r in runs if r.kind == "worker"):
            waiting = sum(n for s, n in mail.by_shard.items() if s < reserved and owners[s] == run.index)
            name = str(run.index) if count else "pump"
            state = self.state(engine, run, running)
            rows.append((name, thread_of(engine, run), state, str(waiting), handles(engine, run)))
        resting = f", {count - running} of them to rest" if count > running else ""
        yield f"engine {engine.number}: {counted(count, 'worker')}{resting}"
        yield from ("  " + line for line in columns(rows) if len(rows) > 1)
        for run in runs:
            if run.kind != "worker" and run.message():
                yield f"  {run.name} handles {handles(engine, run)}"
        elsewhere = sum(w.startswith(("in an", "sent to an")) for m in mail.by_actor.values() for _, w in m)
        if elsewhere:
            yield f"  {counted(elsewhere, 'message')} in offices and outboxes"

    def state(self, engine, run, running):
        status = owned(engine.image, engine.dispatcher["status_"])[run.index]
        status = engine.image.value(status, "tact::dispatch::worker_status")
        if run.message():
            return "running"
        if run.index >= running > 0:
            return "resting"
        if loaded(status["stamp_"]["value_"]) != NO_STAMP:
            return "running"
        return "asleep" if loaded(status["wakeups_"]["word_"]) & 1 else "searching"


NO_STAMP = (1 << 64) - 1


def handles(engine, run):
    return f"{run.message_name()} for {engine.names.of_port(run.handling)}" if run.message() else ""


def thread_of(engine, run):
    """The number of the worker's thread in gdb; empty where gdb does not know it."""
    worker = engine.image.value(engine.workers()[run.index], "tact::dispatch::worker")
    try:
        thread = gdb.selected_inferior().thread_from_handle(worker["thread_"]["real_"])
        return str(thread.num) if thread else ""
    except gdb.error:
        return ""


class Waiting(Command):
    """The handlers that wait for an answer, each with its frames: tact waiting

    Of each the actor, the message that it handles, the actor that it has asked, and the frames of the stack on which it
    waits, the newest first."""

    def run(self, words):
        look = Look()
        for engine in look.engines:
            waits = engine.waits()
            print(f"engine {engine.number}: {counted(len(waits), 'handler')} {'waits' if len(waits) == 1 else 'wait'}")
            for wait in waits:
                print_frames(look, wait)


class Frames(Command):
    """The frames of a handler that waits: tact frames ADDRESS"""

    def run(self, words):
        look = Look()
        for wait in look.wait_of(self.one(words, "address")):
            print_frames(look, wait)


def print_frames(look, wait):
    print(wait.line())
    if wait.is_there:
        for line in frames_of(look.image, wait):
            print("  " + line)


class Enter(Command):
    """Shows a handler that waits to all commands of gdb: tact enter ADDRESS [NUMBER]

    With NUMBER the one that tact frames shows at that place, from 1: several handlers of a parallel actor may wait.
    From now on the frames of the handler are the callers of the newest frame of the selected thread, so that backtrace,
    up, info locals and print work there. tact leave ends that, and so does the process when it goes on."""

    def run(self, words):
        look = Look()
        number = int(words.pop()) if len(words) == 2 and words[1].isdigit() else 1
        waits = look.wait_of(self.one(words, "address"))
        if not 1 <= number <= len(waits):
            raise Unknown(f"{counted(len(waits), 'handler')} of this actor {'waits' if len(waits) == 1 else 'wait'}")
        wait = waits[number - 1]
        waiting_stack.leave()
        with_level = enter(look.image, wait)
        print(f"{wait.line()}; its newest frame is {with_level} now, until tact leave")


class Leave(Command):
    """The frames of the selected thread are its own again: tact leave"""

    def run(self, words):
        if not waiting_stack.leave():
            raise Unknown("no handler was entered")
        gdb.newest_frame().select()


def add_commands():
    gdb.unwinder.register_unwinder(None, waiting_stack, replace=True)
    gdb.events.cont.connect(forget_entered)
    gdb.events.exited.connect(forget_entered)
    Tact("tact", True)
    InfoTact("info tact", True)
    Actors("info tact actors")
    for name in (Mailbox, Workers, Waiting, Frames, Enter, Leave):
        name(f"tact {name.__name__.lower()}")


add_commands()
