// Faults of threads (SIGSEGV, SIGBUS, SIGFPE, SIGILL) are shown to a witness, which may know what the address means,
// before they take their course.
#pragma once

namespace tact::fiber {

// May write to stderr what it knows of the fault. `address` is the address that could not be accessed, or that of the
// instruction. It is called in a handler of signals, so it must not allocate, wait or throw.
using fault_witness = void (*)(int signal, const void* address) noexcept;

// From now on faults of the calling thread are shown to `w`, even when the thread has used up its stack: it gets a
// second one for handlers of signals, unless it has one. The first call installs the handlers, for all threads and for
// as long as this code is loaded; all calls give the same witness. After the witness the fault goes where it would have
// gone without it: to the handler that was there before, in that handler's own manner, or it ends the program as
// always. A handler that is installed later replaces this one. Under sanitizers nothing is done, because they handle
// the signals themselves.
void watch_faults(fault_witness w) noexcept;

}  // namespace tact::fiber
