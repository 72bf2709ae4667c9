"""The messages that wait for actors, wherever they lie."""

COPY_QUEUE = "tact::mailbox::copy_queue"
CHUNK = "tact::mailbox::chunk"
SHARD = "tact::mailbox::shard"
OFFICE = "tact::mailbox::office"
LANE_STACK = "tact::actors::lane_stack"
MESSAGE_TYPE = "tact::detail::message_type"
BODY = "tact::mailbox::out_of_line_body"

# The header of an envelope: src/mailbox/envelope.hpp.
TYPE_MASK = (1 << 48) - 1
SLOTS_SHIFT = 48
INDIRECT = 1 << 50
OUT_OF_LINE = 1 << 54
ATTEMPTS_SHIFT = 60
SLOT_BYTES = 32
HEAD_BYTES = 16

# The word of a shard or office has three bits beside a chunk, that of an open chunk the slots above it.
WORD_BITS = 7
OPEN_SLOTS_SHIFT = 57

# The number of a recorded message has two parts: src/inspect/packed_event.hpp.
NUMBER_BITS = 55
NUMBER_LOW_BITS = 43


# Cells lie in regions and slabs, behind the routes of those of the slab: src/actors/cells/cell_region.hpp.
REGION_BYTES = 2 * 1024 * 1024
SLAB_BYTES = 64 * 1024
LINE_BYTES = 64


class Message:
    """A message that waits: the constant that describes its type, its out-of-line body or 0, and where it lies."""

    def __init__(self, image, description, body, message):
        self.image = image
        self.type = description
        self.body = body
        self.message = message
        self.attempts = 0

    @property
    def type_name(self):
        return self.image.view(self.type + self.image.offset(MESSAGE_TYPE, "name"))

    @property
    def role(self):
        of = self.image.value(self.type, MESSAGE_TYPE)["role"]
        return enumerators("tact::detail::message_type::role_")[int(of)]

    @property
    def number(self):
        """The number by which it is recorded, "3.17"; empty: it has none."""
        if not self.body:
            return ""
        numbers = self.image.member(self.body, BODY, "numbers")
        return number_text(numbers & ((1 << NUMBER_BITS) - 1))

    def content(self):
        """The message as a value of C++, on one line; empty where its type is not known."""
        return content_at(self.type, self.message)

    def customer(self):
        """The address to which the answer of this request goes; 0: it is no request, or that is not known."""
        if self.image.member(self.type, MESSAGE_TYPE, "customer") == 0:
            return 0
        return self.image.word(self.message)  # the first member of a tact::request


def envelope(image, address):
    """The message of the envelope at the address."""
    header = image.word(address)
    body = image.word(address + HEAD_BYTES) if header & OUT_OF_LINE else 0
    payload = body + image.offset(BODY, "payload") if body else address + HEAD_BYTES
    found = Message(image, header & TYPE_MASK, body, image.word(payload) if header & INDIRECT else payload)
    found.attempts = header >> ATTEMPTS_SHIFT
    return found


def kept(image, record):
    """The message of a kept_messages::kept."""
    description, body = int(record["type"]), int(record["body"])
    payload = body + image.offset(BODY, "payload")
    is_indirect = bool(image.value(description, MESSAGE_TYPE)["indirect"])
    return Message(image, description, body, image.word(payload) if is_indirect else payload)


def number_text(number):
    return f"{(number >> NUMBER_LOW_BITS) + 1}.{number & ((1 << NUMBER_LOW_BITS) - 1)}" if number else ""


def content_at(description, message):
    """The message at the address, whose type has the constant `description`: "{amount = 3}"."""
    of = gdb.execute(f"info symbol {description:#x}", to_string=True)
    found = re.match(r"tact::detail::message_type_(?:of|by_reference)<(.*)>(?: \+ 0)? in ", of)
    if not found:
        return ""
    try:
        value = gdb.Value(message).cast(gdb.lookup_type(found[1].strip()).pointer()).dereference()
        if not value.type.fields():
            return ""
        return value.format_string(pretty_structs=False, max_elements=16, max_depth=3)
    except (gdb.error, TypeError):
        return ""


def messages_between(image, start, end):
    """The envelopes from one place in a chunk to another."""
    if not start or end <= start or end - start > PAGE_BYTES:
        return
    data = image.bytes(start, end - start)
    at = 0
    while at < len(data):
        header, target = struct.unpack_from("<QQ", data, at)
        yield start + at, target
        at += SLOT_BYTES * (header >> SLOTS_SHIFT & 3 or 1)


def messages_in_queue(image, queue):
    """(address, target) of each message in a copy_queue that was not stepped over."""
    head, tail, read, write = (image.member(queue, COPY_QUEUE, m) for m in ("head_", "tail_", "read_", "write"))
    at, start = head, read
    while at:
        end = write if at == tail else image.member(at, CHUNK, "filled")
        yield from messages_between(image, start, end)
        if at == tail:
            return
        at = image.member(at, CHUNK, "next")
        start = at + image.offset(CHUNK, "slots")


def messages_in_word(image, word, open_chunks=()):
    """(address, target) of what was pushed to a word and not taken yet, the oldest first."""
    chunks, at = [], word & ~WORD_BITS
    while at:
        chunks.append(at)
        at = image.member(at, CHUNK, "next")
    slots = image.offset(CHUNK, "slots")
    ends = {w & ((1 << OPEN_SLOTS_SHIFT) - 1) & ~WORD_BITS: w >> OPEN_SLOTS_SHIFT for w in open_chunks if w}
    for chunk in reversed(chunks):
        end = image.member(chunk, CHUNK, "filled")
        if chunk in ends:
            end = chunk + slots + ends[chunk] * SLOT_BYTES
        yield from messages_between(image, chunk + slots, end)


def messages_in_shard(image, shard):
    """(address, target, where) of what waits in a shard, the oldest first."""
    at = lambda path: shard + image.offset(SHARD, path)
    for message in messages_in_queue(image, at("lane")):
        yield *message, "in the lane"
    for message in messages_in_word(image, image.word(at("word.word_"))):
        yield *message, "sent to the shard"
    for message in messages_in_queue(image, at("outside.queue_")):
        yield *message, "from a thread outside"


def messages_in_office(image, office):
    at = lambda path: office + image.offset(OFFICE, path)
    for message in messages_in_queue(image, at("waiting")):
        yield *message, "in an office"
    places = find_member(image.type(OFFICE), "open")[1]
    first, count, size = elements(image.value_of(at("open"), places))
    open_words = [image.word(first + i * size) for i in range(count)]
    for message in messages_in_word(image, image.word(at("word.word_")), open_words):
        yield *message, "sent to an office"


def messages_in_outboxes(run):
    """What a thread has sent, and has not published yet."""
    image = run.engine.image
    boxes = run.context["outboxes_"]
    outbox = boxes["boxes_"].type.strip_typedefs().template_argument(0)
    first = int(boxes["boxes_"]["pages_"]["first_"])
    numbers, count, size = elements(boxes["open_"])
    data = image.bytes(numbers, count * size) if count else b""
    queue = find_member(outbox, "queue")[0]
    for i in range(count):
        number = int.from_bytes(data[i * size : (i + 1) * size], "little")
        for message in messages_in_queue(image, first + number * outbox.sizeof + queue):
            yield *message, f"in an outbox of {run.name}"


class Mail:
    """All messages of an engine that wait, by actor; those that are handled now are not among them."""

    def __init__(self, engine):
        self.engine = engine
        self.by_actor = {}  # port -> [(message, where)]
        self.by_shard = {}  # number -> how many
        self.tokens = {}  # type of a message -> it is that of tokens
        image, runs = engine.image, engine.runs()
        self.handled = {run.message() for run in runs}
        self.staged = set().union(*(run.staged() for run in runs))
        for number, shard in enumerate(engine.shards()):
            self.add(messages_in_shard(image, shard), number)
        for office in engine.offices():
            self.add(messages_in_office(image, office))
        for run in runs:
            self.add(messages_in_outboxes(run))
        for cell in engine.cells():
            if cell.has_actor and cell.waits:
                self.add(put_aside(engine, cell))

    def add(self, messages, shard=None):
        for address, target, where in messages:
            if address in self.handled:
                continue
            if address in self.staged:
                where += ", not committed yet"
            self.by_actor.setdefault(without_index(target), []).append((address, where))
            if shard is not None:
                self.by_shard[shard] = self.by_shard.get(shard, 0) + 1

    def of(self, port):
        """(message, where) of each message for the actor. A token stands for a message that its mailbox keeps."""
        image = self.engine.image
        found = [(envelope(image, address), where) for address, where in self.by_actor.get(without_index(port), [])]
        if not any(message.role == "token" for message, _ in found):
            return found
        kept = [(message, "kept in the mailbox") for message in kept_messages(self.engine, port)]
        return kept + [(message, where) for message, where in found if message.role != "token"]

    def count(self, port):
        found = self.by_actor.get(without_index(port), [])
        image = self.engine.image
        types = {image.word(address) & TYPE_MASK for address, _ in found}
        self.tokens.update((t, Message(image, t, 0, 0).role == "token") for t in types if t not in self.tokens)
        return len(self.of(port)) if any(self.tokens[t] for t in types) else len(found)


def kept_messages(engine, port):
    """What lies in a mailbox that has an order, or drops its oldest when it is full."""
    image = engine.image
    mailbox = limited_mailbox(image, port & CELL_MASK)
    if mailbox == 0:
        return
    records = image.value(mailbox, "tact::actors::limited_mailbox")["kept"]
    if without_index(int(records["whose_"])) != without_index(port):
        return
    queue = records["in_turn_"]
    block, at = queue["first_"], queue["read_"]
    for _ in range(int(queue["size_"])):
        items = block.dereference()["items"]
        if int(at) == address_of(items) + items.type.sizeof:
            block = block.dereference()["next"]
            at = block.dereference()["items"][0].address
        yield kept(image, at.dereference())
        at += 1
    for record in values_of_map(records["ranked_"]["all_"]):
        yield kept(image, record)


def values_of_map(tree):
    """The values of a std::map of libstdc++, by its links: libstdc++'s printer cannot show each."""
    if find_member(tree.type, "_M_t") is None:
        raise Unknown("mailboxes with an order are shown where tact was built with libstdc++")
    impl = tree["_M_t"]["_M_impl"]
    key, value = (tree.type.strip_typedefs().template_argument(i) for i in (0, 1))
    header = impl["_M_header"]
    behind_node = header.type.sizeof + key.sizeof

    def visit(node):
        if int(node):
            yield from visit(node["_M_left"])
            yield gdb.Value(int(node) + behind_node).cast(value.pointer()).dereference()
            yield from visit(node["_M_right"])

    yield from visit(header["_M_parent"])


def limited_mailbox(image, cell):
    """The address of the limited_mailbox of a cell; 0: it has none."""
    region, slab = cell & ~(REGION_BYTES - 1), cell % REGION_BYTES // SLAB_BYTES
    offset, annexes = find_member(image.type(REGION), "annexes")
    annex = annexes.strip_typedefs().target()
    table = image.word(region + offset + slab * annex.sizeof + find_member(annex, "mailboxes")[0])
    if table == 0:
        return 0
    rows = image.size("tact::actors::mailbox_table")  # behind that base class: a pointer for each cell
    number = cell % SLAB_BYTES // LINE_BYTES - SLAB_BYTES // LINE_BYTES * 8 // LINE_BYTES
    return image.word(table + rows + number * 8)


def put_aside(engine, cell):
    """What came for an actor whose handler waits, or that rests."""
    record = "tact::actors::resting" if rests(engine, cell) else LANE_STACK
    queue = cell.behind + engine.image.offset(record, "put_aside")
    for message in messages_in_queue(engine.image, queue):
        yield *message, "put aside"


def rests(engine, cell):
    """The actor is about to be made anew, or to go on, when its rest is over."""
    if not cell.waits:
        return False
    of = engine.image.word(cell.behind)  # the record of a handler that waits has no type
    return of != 0 and engine.names.behavior(of).name == "an actor that rests"
