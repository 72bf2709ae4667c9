"""How objects of C++ are read, in a process or a core file: by their types where there are few, as bytes where many."""

import inspect
import re
import struct

import gdb
import gdb.printing
import gdb.unwinder


class Unknown(Exception):
    """Something cannot be shown. The text is the whole sentence that the user gets."""


NO_TYPES = (
    "libtact has no debug information: install the package with its debug symbols (libtact0.1-dbgsym), or build it with"
    " -Dbuildtype=debugoptimized"
)


def type_named(name):
    try:
        found = gdb.lookup_type(name)
    except gdb.error:
        raise Unknown(NO_TYPES) from None
    if not found.fields() and found.code == gdb.TYPE_CODE_STRUCT and found.sizeof <= 1:
        raise Unknown(NO_TYPES)  # it is only declared
    return found


class Image:
    """The memory of the process or core file, and where members lie in its types. It lives for one command: the process
    goes on behind it."""

    def __init__(self):
        self.inferior = gdb.selected_inferior()
        if not self.inferior.pid and not gdb.selected_thread():
            raise Unknown("there is no process and no core file: run the program, or give gdb a core file")
        self.types = {}
        self.offsets = {}

    def type(self, name):
        if name not in self.types:
            self.types[name] = type_named(name)
        return self.types[name]

    def size(self, name):
        return self.type(name).sizeof

    def offset(self, name, path):
        """Where the member lies in the type: offset("tact::actors::cell", "word.word_")."""
        key = (name, path)
        if key not in self.offsets:
            total, of = 0, self.type(name)
            for member in path.split("."):
                found = find_member(of, member)
                if found is None:
                    raise Unknown(f"libtact is of another version than its gdb script: {name} has no {path}")
                total, of = total + found[0], found[1]
            self.offsets[key] = total
        return self.offsets[key]

    def bytes(self, address, count):
        try:
            return self.inferior.read_memory(address, count).tobytes()
        except gdb.error:
            raise Unknown(f"the memory at {address:#x} is not there: the core file may have been cut") from None

    def word(self, address):
        return struct.unpack("<Q", self.bytes(address, 8))[0]

    def member(self, address, name, path):
        """The 8 bytes of a member of the object of this type at the address."""
        return self.word(address + self.offset(name, path))

    def value(self, address, name):
        return self.value_of(address, self.type(name))

    def value_of(self, address, of):
        return gdb.Value(address).cast(of.pointer()).dereference()

    def text(self, data, length):
        return self.bytes(data, length).decode("utf-8", "replace") if 0 < length < 1 << 20 else ""

    def view(self, address):
        """The text of a std::string_view, of libstdc++ or libc++."""
        head = gdb.lookup_type("std::string_view").strip_typedefs()
        is_pointer = lambda field: field.type.strip_typedefs().code == gdb.TYPE_CODE_PTR
        members = {is_pointer(f): f.bitpos // 8 for f in head.fields() if is_data(f)}
        return self.text(self.word(address + members[True]), self.word(address + members[False]))


def is_data(field):
    return hasattr(field, "bitpos") and not field.is_base_class


def find_member(of, name):
    """(offset in bytes, type) of a member, also of a base class; None if there is none."""
    for field in of.strip_typedefs().fields():
        if not hasattr(field, "bitpos"):
            continue
        if field.is_base_class:
            found = find_member(field.type, name)
            if found is not None:
                return field.bitpos // 8 + found[0], found[1]
        elif field.name == name:
            return field.bitpos // 8, field.type
    return None


def find_base(of, name):
    """The offset of a base class in bytes; None: it is none."""
    for field in of.strip_typedefs().fields():
        if not field.is_base_class:
            continue
        inner = 0 if field.type.strip_typedefs().name == name else find_base(field.type, name)
        if inner is not None:
            return field.bitpos // 8 + inner
    return None


def address_of(value):
    return int(value.address)


def loaded(atomic):
    """What a std::atomic holds, as a number."""
    size = atomic.type.sizeof
    data = gdb.selected_inferior().read_memory(address_of(atomic), size).tobytes()
    return int.from_bytes(data, "little")


def elements(vector):
    """(address of the first element, number of elements, size of one) of a std::vector, of libstdc++ or libc++."""
    of = vector.type.strip_typedefs().template_argument(0)
    address = address_of(vector)
    words = gdb.selected_inferior().read_memory(address, 16).tobytes()
    first, end = struct.unpack("<QQ", words)  # both libraries begin with these two
    return first, (end - first) // of.sizeof, of.sizeof


def owned(image, vector):
    """The addresses of the objects of a std::vector of std::unique_ptr or of pointers."""
    first, count, size = elements(vector)
    data = image.bytes(first, count * size) if count else b""
    return [struct.unpack_from("<Q", data, i * size)[0] for i in range(count)]


def string(value):
    """The text of a std::string, of libstdc++ or libc++."""
    try:
        return gdb.selected_inferior().read_memory(
            int(value["_M_dataplus"]["_M_p"]), int(value["_M_string_length"])
        ).tobytes().decode("utf-8", "replace")
    except gdb.error:
        return value.format_string().strip('"')


def enumerators(name):
    """number -> name of the enumerators of a type."""
    return {f.enumval: f.name.rsplit("::", 1)[-1] for f in type_named(name).fields()}


def counted(number, noun):
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def columns(rows):
    """Lines of a table; the first row is its head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
