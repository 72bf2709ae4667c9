"""Engines, their workers and shards, and their actors."""

CORE = "tact::detail::core"
RUN_STATE = "tact::actors::run_state"
REGION = "tact::actors::cell_region"
PAGE_BYTES = 4096


RUN = "tact::detail::run"
TRANSACTOR = "tact::actors::transactor"


class Run:
    """The run of one thread: a worker, a helper, or the thread of a blocking actor."""

    def __init__(self, engine, address):
        image = engine.image
        self.engine = engine
        self.address = address
        self.state = image.value(address, RUN_STATE)
        self.context = image.value(int(self.state["worker_"]), "tact::dispatch::worker_context")
        self.handling = loaded(self.state["handling"])
        self.index = int(self.context["index_"])
        kinds = enumerators("tact::dispatch::thread_context::kind")
        self.kind = kinds[int(self.context["kind_"])]

    @property
    def name(self):
        words = {
            "worker": f"worker {self.index}" if self.engine.worker_count else "the thread that pumps",
            "helper": "a thread that helps",
            "blocking": "the thread of a blocking actor",
            "loop": "the thread of a loop",
        }
        return words[self.kind]

    def message(self):
        """The address of the envelope that is handled now; 0: none is, as far as that is known."""
        at = self.state["at_"]
        if self.handling == 0 or int(at["shard_"]) == 0:
            return 0
        resumed = int(at["resumed_"])
        if resumed:
            return int(self.engine.image.value(resumed, LANE_STACK)["message"])
        queue = int(at["effects_"])
        if queue == 0:
            queue = address_of(at["shard_"].dereference()["lane"])
        front = self.engine.image.member(queue, COPY_QUEUE, "read_")
        if front == 0 or not self.is_in_chunk(queue, front):
            return 0
        return front if self.engine.image.word(front + 8) == self.handling else 0

    def is_in_chunk(self, queue, front):
        return front != self.engine.image.member(queue, COPY_QUEUE, "write")

    def message_name(self):
        special = loaded(self.state["special_"])
        image = self.engine.image
        if special:
            return image.view(special + image.offset("tact::detail::message_type", "name"))
        cell = self.engine.names.cell(self.handling)
        if cell.type == 0:
            return "a message"
        return self.engine.names.behavior(cell.type).message_name(image, self.handling & INDEX_MASK)

    def staged(self):
        """Where the handler that runs now has written messages that it has not committed yet."""
        if not self.message():
            return set()
        note = self.engine.image.size("tact::detail::queue_note")
        first, after = int(self.state["first_note"]), int(self.state["next_note"])
        count = (after - first) // note
        if not 0 < count < 1 << 20:
            return set()
        data = self.engine.image.bytes(first, count * note)
        return {struct.unpack_from("<Q", data, i * note + 8)[0] for i in range(count)}


NOT_THERE = "its stack is not in the core file"


class Wait:
    """A handler that waits on a stack of its own. The record of that lies on the stack itself."""

    def __init__(self, engine, customer, address):
        self.engine = engine
        self.customer = customer  # the cell to which the answer comes
        stack = engine.image.value(address, LANE_STACK) if address else None
        # gdb writes zeros into a core file for stacks whose guard is a part of their mapping.
        self.is_there = stack is not None and without_index(int(stack["customer"])) == customer.port
        if not self.is_there:
            self.actor = 0
            return
        self.actor = without_index(int(stack["target"]))
        self.asked = int(stack["asked"])
        self.message = int(stack["message"])
        self.context = int(stack["fiber"]["context_"])
        self.bottom = int(stack["memory"]["bottom"])
        self.bytes = int(stack["memory"]["bytes"])

    def what(self):
        """"waits for the answer to request<load> from cache@7f3a40#2"."""
        if self.asked == 0:
            return "waits for its commit"
        names = self.engine.names
        of = names.behavior(self.customer.type) if self.customer.type else None
        request = f"the answer to {of.name}" if of and of.is_of_ask else "an answer"
        return f"waits for {request} from {names.of_port(self.asked)}"

    def line(self):
        image, names = self.engine.image, self.engine.names
        if not self.is_there:
            return f"a handler waits, but {NOT_THERE}"
        message = envelope(image, self.message).type_name if self.message else "a message"
        return f"{names.of_port(self.actor)} handling {message} {self.what()}"


class Engine:
    """One engine of the process. What it has found is kept, so it is good as long as the process stands still."""

    def __init__(self, image, names, address):
        self.image = image
        self.names = names
        self.core = image.value(address, CORE)
        self.number = int(self.core["identity_"]["number_"])
        self.dispatcher = self.core["dispatcher_"]
        self.found_waits = None

    @property
    def worker_count(self):
        """How many workers have a thread. An engine without workers has one worker for the threads that pump it."""
        return loaded(self.dispatcher["numbers_"]["threads_"]) if int(self.core["options_"]["workers"]) else 0

    @property
    def running_count(self):
        return min(self.worker_count, loaded(self.dispatcher["numbers_"]["running_"]))

    def shards(self):
        return owned(self.image, self.dispatcher["mail_"]["shards_"])

    def offices(self):
        return owned(self.image, self.dispatcher["mail_"]["offices_"])

    def workers(self):
        return owned(self.image, self.dispatcher["workers_"])

    def runs(self):
        found, at = [], loaded(self.core["runs_"]["first_"])
        while at:
            found.append(Run(self, at))
            at = loaded(found[-1].state["next_in_roll_"])
        return found

    def cells(self):
        """Copies of all cells whose pages are in use."""
        size = self.names.cell_size
        for book in owned(self.image, self.core["cells_"]["regions_"]["books_"]):
            book = gdb.Value(book).cast(self.core["cells_"]["regions_"]["books_"].type.strip_typedefs()
                                        .template_argument(0)).dereference()
            region, pages = int(book["region_"]), book["pages_"]
            first, entry = address_of(pages), pages.type.strip_typedefs().template_argument(0)
            count = pages.type.sizeof // entry.sizeof
            is_open = find_member(entry, "is_open")[0]
            table = self.image.bytes(first, count * entry.sizeof)
            for page in range(count):
                if not table[page * entry.sizeof + is_open]:
                    continue
                at = region + page * PAGE_BYTES
                data = self.image.bytes(at, PAGE_BYTES)
                for i in range(0, PAGE_BYTES, size):
                    yield Cell(self.names, at + i, data[i : i + size])

    def waits(self):
        """The handlers that wait, in the order of the cells to which their answers come."""
        if self.found_waits is None:
            self.found_waits = []
            for cell in self.cells():
                if not cell.has_actor or self.names.behavior(cell.type).kind != "waiter":
                    continue
                stack = self.image.member(cell.behind, "tact::detail::waiter", "parked")
                self.found_waits.append(Wait(self, cell, stack))
        return self.found_waits


def list_of_engines():
    """The address of what knows all engines of the process: actors/engine/process_engines.cpp."""
    try:
        found = gdb.parse_and_eval("&'_ZZN4tact6actors12_GLOBAL__N_13allEvE4only'")
        return int(found.cast(gdb.lookup_type("unsigned long").pointer()).dereference())
    except gdb.MemoryError:
        raise Unknown("the memory of libtact is not there: the core file may have been cut") from None
    except gdb.error:
        pass
    try:
        gdb.parse_and_eval("&'tact::detail::finish(tact::detail::core&)'")
    except gdb.error:
        raise Unknown("there is no libtact in this program, or its symbols were stripped") from None
    raise Unknown(NO_TYPES)


def engines(image):
    """All engines of the process, the oldest first."""
    listed = list_of_engines()
    names = Names(image)
    if listed == 0:
        return []
    # Behind the mutex: the vector of those that are alive, each with its identity and its actors::shutdown.
    first, end = (image.word(listed + image.size("std::mutex") + at) for at in (0, 8))
    shutdowns = [image.word(at + 8) for at in range(first, end, 16)]
    return [Engine(image, names, at - image.offset(CORE, "shutdown_")) for at in shutdowns]
