"""Addresses of actors, what is in their cells, and how actors are named."""

INDEX_BITS = 6
INDEX_MASK = (1 << INDEX_BITS) - 1
CELL_MASK = 0x0000_FFFF_FFFF_FFFF & ~INDEX_MASK
GENERATION_SHIFT = 48

# The bits of a cell's word: src/actors/cells/cell_word.hpp.
HOME, ENDED, SHUT = 1, 2, 4
TAGS = HOME | ENDED | SHUT

CELL = "tact::actors::cell"
BEHAVIOR_TYPE = "tact::detail::behavior_type"


def without_index(port):
    return port & ~INDEX_MASK


def address_text(port):
    """As tact prints it: the number of the cell, and which of the actors there it is."""
    return f"@{(port & CELL_MASK) >> INDEX_BITS:x}#{port >> GENERATION_SHIFT}"


def with_address(name, address):
    """"account@7"; "answer@7 to request<load>", because the address stands behind the noun."""
    found = re.match(r"answers?(?= to )", name)
    return found[0] + address + name[found.end() :] if found else name + address


class Behavior:
    """A constant of detail::behavior_type."""

    def __init__(self, image, address):
        of = image.value(address, BEHAVIOR_TYPE)
        self.address = address
        self.name = image.view(address_of(of["name"]))
        self.kind = enumerators("tact::detail::actor_kind").get(int(of["kind"]), "unknown")
        self.is_of_ask = bool(of["is_of_ask"])
        self.messages = int(of["entry_count"])
        self.message_names = int(of["message_names"])

    def message_name(self, image, index):
        if index >= self.messages or self.message_names == 0:
            return "a message"
        return image.view(self.message_names + index * gdb.lookup_type("std::string_view").sizeof)


class Cell:
    """A copy of one cell."""

    def __init__(self, names, address, data):
        offset = names.cell_offsets
        read = lambda path: struct.unpack_from("<Q", data, offset[path])[0]
        self.address = address
        self.word = read("word.word_")
        self.name = read("name_")
        self.type = read("type_")
        self.papers = read("metadata_")
        self.link = read("link_")
        self.route = read("route_")

    @property
    def is_ended(self):
        return self.word & (SHUT | ENDED) == ENDED

    @property
    def has_actor(self):
        return not self.is_ended and self.word & ~TAGS != 0 and self.type != 0

    @property
    def has_ended_actor(self):
        """An actor was here, and none has come since."""
        return self.is_ended and self.type != 0 and self.name >> GENERATION_SHIFT > 1

    @property
    def waits(self):
        return self.word & TAGS == SHUT

    @property
    def behind(self):
        """The closure; or, while the actor waits, the record of that."""
        return self.word & ~TAGS

    @property
    def port(self):
        now = without_index(self.name)
        return now - (1 << GENERATION_SHIFT) if self.is_ended else now

    @property
    def shard(self):
        return self.route & 0xFFFFFF

    @property
    def is_exclusive(self):
        return self.route >> 48 & 1 != 0


class Names:
    """How actors, their types and messages are named, in one image."""

    def __init__(self, image):
        self.image = image
        self.behaviors = {}
        self.cell_size = image.size(CELL)
        members = ("word.word_", "name_", "type_", "metadata_", "link_", "route_")
        self.cell_offsets = {path: image.offset(CELL, path) for path in members}

    def cell(self, port):
        address = port & CELL_MASK
        if address == 0:
            raise Unknown("this is the address of no actor")
        return Cell(self, address, self.image.bytes(address, self.cell_size))

    def behavior(self, address):
        if address not in self.behaviors:
            self.behaviors[address] = Behavior(self.image, address)
        return self.behaviors[address]

    def type_name(self, cell):
        """"account"; of the customer of an ask "answer to request<load>, asked by cache"."""
        if cell.type == 0:
            return "nobody"
        of = self.behavior(cell.type)
        if not of.is_of_ask:
            return of.name
        text = ("answers" if of.kind == "join" else "answer") + " to " + of.name
        if of.kind == "asker":
            return text + ", asked by a thread outside"
        return text + ", asked by " + self.behavior(cell.link - 1).name if cell.link & 1 else text

    def given_name(self, cell):
        """The name that the program gave the actor; empty if it has none."""
        if cell.papers == 0:
            return ""
        papers = self.image.value(cell.papers, "tact::actors::metadata")
        if without_index(int(papers["whose"])) != cell.port:
            return ""
        about = self.image.word(address_of(papers["about"]))
        if about == 0:
            return ""
        return string(self.image.value(about, "tact::detail::creation_options")["name"])

    def of_cell(self, cell):
        given, name = self.given_name(cell), with_address(self.type_name(cell), address_text(cell.port))
        return f"{given} ({name})" if given else name

    def of_port(self, port):
        """As a report names it: "teller 3 (account@7f3a40#12)"."""
        if port <= INDEX_MASK:
            return "nobody"
        cell = self.cell(port)
        if cell.port == without_index(port):
            return self.of_cell(cell)
        known = self.type_name(cell) if cell.has_ended_actor else "an actor"
        return with_address(known if cell.port == without_index(port) else "an ended actor", address_text(port))
