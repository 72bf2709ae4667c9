"""How gdb prints the objects that users hold."""


class Printer:
    """Prints an object as one line. An object that cannot be read is said to be so, and its members are left out."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return self.text()
        except Unknown as why:
            return f"<{str(why).partition(':')[0]}>"  # without the remedy: a backtrace has many of them
        except (gdb.error, gdb.MemoryError, KeyError, TypeError, ValueError, IndexError, struct.error, AttributeError):
            return f"<a {self.value.type} that was not made yet, or has ended>"


def actor_text(port):
    """The actor at the port, and whether it has ended. Without the types of libtact its address alone."""
    if port <= INDEX_MASK:
        return "nobody"
    try:
        names = Names(Image())
        cell = names.cell(port)
        text = names.of_port(port)
        is_alive = cell.port == without_index(port) and cell.has_actor
        return text if is_alive else f"{text}, which has ended"
    except Unknown:
        return address_text(port)


class RefPrinter(Printer):
    def text(self):
        return actor_text(int(self.value["port_"]))


class FailurePrinter(Printer):
    def text(self):
        reason = enumerators("tact::failure_reason").get(int(self.value["reason"]), "unknown reason")
        text, what = reason.replace("_", " "), string(self.value["what"])
        text += f": {what}" if what else ""
        first, count, size = elements(self.value["causes"])
        of = self.value["causes"].type.strip_typedefs().template_argument(0)
        for i in range(min(count, 16)):
            text += "; because of: " + string(gdb.Value(first + i * size).cast(of.pointer()).dereference())
        return text


class EndedPrinter(Printer):
    def text(self):
        reason = enumerators("tact::end_reason").get(int(self.value["reason"]), "unknown reason").replace("_", " ")
        what = string(self.value["what"])
        return f"{string(self.value['actor'])} has ended: {reason}" + (f": {what}" if what else "")


class EnginePrinter(Printer):
    """It looks at no actor: gdb prints engines in backtraces, and there may be very many actors."""

    def text(self):
        image = Image()
        engine = Engine(image, None, address_of(self.value["core_"].referenced_value()))
        return f"engine {engine.number} with {counted(engine.worker_count, 'worker')}"


class ContextPrinter(Printer):
    def text(self):
        node = self.value["node_"]
        if int(node) == 0:
            return "an empty context"
        top, values = node.dereference(), 0
        parts = []
        if int(top["trace"]):
            parts.append(f"trace {int(top['trace'])}")
        until = int(gdb.Value(address_of(top["until"])).cast(gdb.lookup_type("long").pointer()).dereference())
        if until != (1 << 63) - 1:
            parts.append(f"deadline at {until / 1e9:.6f} s of steady_clock")
        if int(top["flag"]):
            state = gdb.Value(gdb.Value(address_of(top["flag"].dereference()["state"])).cast(
                gdb.lookup_type("tact::detail::cancel_state").pointer().pointer()).dereference()).dereference()
            parts.append("a flag that is set" if loaded(state["set"]) else "a flag that is not set")
        while int(node):
            values += int(node["key"]) != 0
            node = node["around"]
        parts += [counted(values, "value")] if values else []
        return "context of " + (", ".join(parts) if parts else "nothing")


class CancelFlagPrinter(Printer):
    def text(self):
        state = gdb.Value(address_of(self.value["state_"])).cast(
            gdb.lookup_type("tact::detail::cancel_state").pointer().pointer()).dereference()
        if int(state) == 0:
            return "a flag that was moved from"
        return "a flag that is set" if loaded(state.dereference()["set"]) else "a flag that is not set"


class TransactionPrinter(Printer):
    """The `self` of a handler."""

    def text(self):
        actor = actor_of_transaction(Image(), self.value)
        return "the transaction of " + actor_text(actor) if actor else "a transaction that is over, or waits"


def actor_of_transaction(image, value):
    """The actor whose handler has this transaction on its stack; 0: it is not known. While a handler waits, the run to
    which its transaction leads is busy with others."""
    at = address_of(value)
    wait = waiting_stack.wait
    if wait is not None and wait.bottom <= at < wait.bottom + wait.bytes:
        return wait.actor
    run = int(value["run_"]["run_"])
    if run == 0:
        return 0
    threads = image.value(run - find_base(image.type(TRANSACTOR), RUN), TRANSACTOR)
    stacks = [int(threads["parker_"]["stacks_"]["current_"]), int(threads["at_"]["resumed_"])]
    stacks = [image.value(stack, LANE_STACK)["memory"] for stack in stacks if stack]
    is_here = any(int(s["bottom"]) <= at < int(s["bottom"]) + int(s["bytes"]) for s in stacks)
    return without_index(loaded(threads["handling"])) if is_here or not stacks else 0


class BehaviorPrinter(Printer):
    def text(self):
        closure = int(self.value["closure_"])
        if closure == 0:
            return "no behaviour"
        image = Image()
        return "behaviour of " + Names(image).behavior(image.word(closure)).name


class MonitorPrinter(Printer):
    def text(self):
        watcher = self.value["watcher_"]
        if int(watcher) == 0:
            return "a monitor of nobody"
        return f"{actor_text(int(watcher['to']))} is told when {actor_text(int(watcher['target']))} ends"


def add_printers():
    all_of_tact = gdb.printing.RegexpCollectionPrettyPrinter("tact")
    for name, pattern, printer in (
        ("ref", r"^tact::ref<.*>$", RefPrinter),
        ("failure", r"^tact::failure$", FailurePrinter),
        ("ended", r"^tact::ended$", EndedPrinter),
        ("engine", r"^tact::engine$", EnginePrinter),
        ("context", r"^tact::context$", ContextPrinter),
        ("cancel_flag", r"^tact::cancel_flag$", CancelFlagPrinter),
        ("self", r"^tact::(self<.*>|transaction)$", TransactionPrinter),
        ("behavior", r"^tact::behavior<.*>$", BehaviorPrinter),
        ("monitor", r"^tact::monitor$", MonitorPrinter),
    ):
        all_of_tact.add_printer(name, pattern, printer)
    gdb.printing.register_pretty_printer(gdb.current_objfile(), all_of_tact, replace=True)


add_printers()
