"""The frames of a handler that waits on a stack of its own."""

NO_PLACE = "the frames of handlers that wait are shown on x86-64 only"
REGISTERS = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
KEPT = {"rbx", "rbp", "r12", "r13", "r14", "r15"}  # by a call, in the System V ABI


class Layout:
    """Where jump_fcontext of this process keeps the registers of the stack that it leaves, by its own code. The
    versions of Boost.Context differ, and a program may be linked with another one than libtact was built with."""

    def __init__(self, image):
        self.places = {}  # register -> offset from the context
        self.frame = 0  # bytes from the context to the return address
        architecture = image.inferior.architecture()
        if architecture.name() != "i386:x86-64":
            raise Unknown(NO_PLACE)
        try:
            start = int(gdb.parse_and_eval("(unsigned long)&jump_fcontext"))
        except gdb.error:
            raise Unknown("jump_fcontext is not in this program, or its symbols were stripped") from None
        for instruction in architecture.disassemble(start, count=40):
            code = image.bytes(instruction["addr"], instruction["length"])
            if code in (b"\x48\x89\xfc", b"\x48\x8b\xe7"):  # mov %rdi, %rsp: the other stack
                break
            self.read(code)
        if set(self.places) != KEPT:
            raise Unknown("the code of jump_fcontext is not one that this script knows, so no frames are shown")

    def read(self, code):
        """Takes over what one instruction of the part that saves does. What it does not know changes nothing."""
        if len(code) == 5 and code[:4] == b"\x48\x8d\x64\x24":  # lea -n(%rsp), %rsp
            self.move(-struct.unpack("<b", code[4:])[0])
        elif len(code) == 4 and code[:3] == b"\x48\x83\xec":  # sub $n, %rsp
            self.move(code[3])
        elif len(code) <= 2 and code[-1] & 0xF8 == 0x50:  # push
            self.move(8)
            self.keep(REGISTERS[(code[-1] & 7) + (8 if code[0] == 0x41 else 0)], 0)
        elif len(code) >= 4 and code[0] in (0x48, 0x4C) and code[1] == 0x89 and code[2] & 0xC7 in (0x04, 0x44):
            register = REGISTERS[(code[2] >> 3 & 7) + (8 if code[0] == 0x4C else 0)]  # mov register, n(%rsp)
            if code[3] == 0x24:
                self.keep(register, code[4] if code[2] & 0x40 else 0)

    def move(self, bytes_down):
        self.frame += bytes_down
        self.places = {register: offset + bytes_down for register, offset in self.places.items()}

    def keep(self, register, offset):
        if register in KEPT:
            self.places[register] = offset

    def registers(self, image, context):
        """The registers of a stack that was left with this context."""
        found = {register: image.word(context + offset) for register, offset in self.places.items()}
        found["rip"] = image.word(context + self.frame)
        found["rsp"] = context + self.frame + 8
        return found


class FrameId:
    def __init__(self, sp, pc):
        self.sp = sp
        self.pc = pc


class WaitingStack(gdb.unwinder.Unwinder):
    """While a stack is entered, its newest frame is the caller of the newest frame of one thread."""

    def __init__(self):
        super().__init__("tact waiting handlers")
        self.entered = None
        self.wait = None

    def __call__(self, pending):
        if self.entered is None:
            return None
        thread, sp, pc, registers = self.entered
        current = gdb.selected_thread()
        if current is None or current.ptid != thread:
            return None
        if int(pending.read_register("rsp")) != sp or int(pending.read_register("rip")) != pc:
            return None
        # gdb takes a caller that lies below its callee for the end of the stack; so the callee is said to lie lower.
        caller = pending.create_unwind_info(FrameId(gdb.Value(registers["rsp"] - 64), gdb.Value(pc)))
        for register, number in registers.items():
            of = pending.read_register(register).type
            caller.add_saved_register(register, gdb.Value(number).cast(of))
        return caller

    def enter(self, wait, registers):
        self.leave()
        newest = gdb.newest_frame()
        thread = gdb.selected_thread().ptid
        self.wait = wait
        self.entered = (thread, int(newest.read_register("rsp")), int(newest.read_register("rip")), registers)
        gdb.invalidate_cached_frames()

    def leave(self):
        was, self.entered, self.wait = self.entered, None, None
        if was is not None:
            gdb.invalidate_cached_frames()
        return was is not None


waiting_stack = WaitingStack()


class Selection:
    """The frame that the user has selected is so again at the end of the block, and no stack is entered."""

    def __enter__(self):
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            raise Unknown("there is no thread whose frames gdb can show") from None
        return self

    def __exit__(self, *_):
        waiting_stack.leave()
        if self.frame.is_valid():
            self.frame.select()


def enter(image, wait):
    """Enters the stack. Returns the number of its newest frame."""
    if not wait.context:
        raise Unknown("the handler is about to wait, and its stack is not put aside yet")
    registers = Layout(image).registers(image, wait.context)
    if not wait.bottom <= registers["rsp"] <= wait.bottom + wait.bytes:
        raise Unknown("what was saved of the handler that waits does not lead to its stack, so no frames are shown")
    gdb.newest_frame().select()
    waiting_stack.enter(wait, registers)
    frame = gdb.newest_frame()
    while frame is not None and frame.pc() != registers["rip"]:
        frame = frame.older()
    if frame is None:
        waiting_stack.leave()
        raise Unknown("gdb does not show the frames of the handler that waits")
    frame.select()
    return frame.level()


# The first frame behind a handler that is of no interest to users.
BEHIND_HANDLER = re.compile(r"tact::actors::(interpreter|transactor|parker::run_on)\b")


def frames_of(image, wait):
    """The lines of a backtrace of the handler, its newest frame first, up to where the engine has called it."""
    with Selection():
        first = enter(image, wait)
        lines = backtrace()
    found = []
    for line in lines:
        numbered = re.match(r"#(\d+) +(.*)", line)
        if not numbered or int(numbered[1]) < first:
            continue
        if BEHIND_HANDLER.search(line):
            break
        found.append(f"#{int(numbered[1]) - first:<3}{numbered[2]}")
    return found


def backtrace():
    """The lines of gdb's backtrace, one for each frame, whatever the user has set."""
    settings = {"width": "0", "print entry-values": "no"}
    were = {name: gdb.parameter(name) for name in settings}
    for name, value in settings.items():
        gdb.execute(f"set {name} {value}")
    try:
        return gdb.execute("backtrace", to_string=True).splitlines()
    finally:
        for name, value in were.items():
            gdb.execute(f"set {name} {'unlimited' if value is None else value}")


def forget_entered(_):
    waiting_stack.leave()
