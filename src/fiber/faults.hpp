// Faults of threads (SIGSEGV, SIGBUS, SIGFPE, SIGILL) are shown to a witness, which may know what the address means,
// before they take their course.
#pragma once

namespace tact::fiber {

// May write to stderr what it knows of the fault; the address is that which could not be accessed, or the instruction.
// Called in a handler of signals: it must not allocate, wait or throw.
using fault_witness = void (*)(int signal, const void* address) noexcept;

// From now on faults of the calling thread are shown to `w` also where its stack is at its end: it gets a second one
// for handlers of signals, unless it has one. The first call installs the handlers, for all threads and for good, and
// all calls give the same witness. Behind the witness a fault goes where it would have gone without: to the handler
// that was there before, in its own manner, or it ends the program as always. A handler that is installed later stands
// in the place of this one. Does nothing under sanitizers, which handle the signal themselves.
void watch_faults(fault_witness w) noexcept;

}  // namespace tact::fiber
