// The report of a handler that needs more stack than it has, or that faults in another way. It is written in a handler
// of signals, so nothing here allocates or waits.
#include <csignal>
#include <string_view>

#include "actors/cells/metadata.hpp"
#include "actors/common/report_line.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/figures/run_report.hpp"
#include "actors/run/transactor.hpp"

namespace tact::actors {
namespace {

std::string_view name_of(int signal) noexcept {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    default:
      return "SIGILL";
  }
}

}  // namespace

void transactor::note_fault(int signal, const void* address) noexcept {
  run* const here = this_thread::worker();
  if (here != nullptr) of(*here).tell_fault(signal, address);
}

transactor::overflow transactor::find_overflow(const void* address) const noexcept {
  const lane_stack* const s = parker_.stack_in_use(address);
  if (s != nullptr && s->memory.overflows_at(address))
    return {s->memory.bytes, "engine_options::ask_stack_bytes makes it larger"};
  if (own_stack_.overflows_at(address)) return {own_stack_.bytes, "ulimit -s makes the stacks of threads larger"};
  return {};
}

void transactor::tell_fault(int signal, const void* address) const noexcept {
  const bool is_access = signal == SIGSEGV || signal == SIGBUS;
  const overflow used_up = is_access ? find_overflow(address) : overflow{};
  const bool overflows = used_up.stack_bytes != 0;
  // relaxed: hint, read back by its owner.
  const port who = handling.load(std::memory_order_relaxed);
  const behavior_type* const type = who == 0 ? nullptr : cell_of(who).type();
  const bool is_in_handler = type != nullptr && this_thread::handler() != nullptr;
  if (!overflows && !is_in_handler) return;
  report_line text;
  text << (overflows ? "stack overflow" : name_of(signal)) << ": ";
  if (type == nullptr) {
    text << "a handler";
  } else {
    write_name(text, who, *type);
    text << " handling " << message_of(*this, who);
  }
  if (overflows) {
    text << " needs more than " << std::uint64_t{used_up.stack_bytes} << " bytes of stack; " << used_up.remedy;
  } else {
    text << " has faulted";
  }
  text.write();
}

}  // namespace tact::actors
