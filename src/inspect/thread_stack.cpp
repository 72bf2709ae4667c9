// Says of the instructions of a stack where they are, and of a thread that shows no stack why.
#include "tact/inspect/thread_stack.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <ostream>
#include <sstream>
#include <string_view>
#include <utility>

#include <boost/stacktrace/frame.hpp>

#include "base/struct_text.hpp"
#include "inspect/stack_request.hpp"
#include "tact/failure.hpp"

namespace tact::inspect {

namespace {

using std::chrono::nanoseconds;

constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// The C library has the first signals behind the usual ones for itself.
bool is_of_library(int signal) noexcept { return signal >= 32 && signal < SIGRTMIN; }

}  // namespace

void check(const stack_options& o) {
  const bool is_wrong = o.signal < 0 || o.signal >= NSIG || o.signal == SIGKILL || o.signal == SIGSTOP ||
                        is_of_library(o.signal) || std::find(faults.begin(), faults.end(), o.signal) != faults.end();
  if (is_wrong) {
    throw option_error("stack_options.signal = " + std::to_string(o.signal) +
                       ": give a signal that a program can catch and that is no fault, such as SIGURG or SIGRTMIN, or "
                       "0 for no stacks");
  }
  if (o.limit <= nanoseconds(0))
    throw option_error("stack_options.limit = " + base::code_of(o.limit) + ": give more than 0");
}

namespace {

// -- frames

std::string path_of_program() {
  const std::unique_ptr<char, decltype(&std::free)> path(::realpath("/proc/self/exe", nullptr), &std::free);
  return path == nullptr ? std::string() : std::string(path.get());
}

// `is_newest`: the instruction has not run yet. All others lie behind the call that has not returned, which may be the
// last instruction of its function.
stack_frame name_frame(const void* address, bool is_newest, const std::string& program) {
  const auto* const at = static_cast<const char*>(address) - (is_newest ? 0 : 1);
  stack_frame named{address, boost::stacktrace::frame(at).name(), {}, 0};
  Dl_info found{};
  link_map* map = nullptr;
  if (::dladdr1(at, &found, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return named;
  named.file = map->l_name[0] == '\0' ? program : map->l_name;
  named.offset = reinterpret_cast<std::uint64_t>(at) - map->l_addr;
  return named;
}

std::vector<stack_frame> name_frames(const std::vector<const void*>& addresses) {
  const std::string program = path_of_program();
  std::vector<stack_frame> named;
  named.reserve(addresses.size());
  for (const void* const a : addresses) named.push_back(name_frame(a, named.empty(), program));
  return named;
}

// -- threads that show nothing

// What /proc says behind that word; empty if it says nothing.
std::string status_of(int thread, std::string_view word) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(word)) return line.substr(std::min(line.size(), word.size() + 1));
  }
  return {};
}

bool blocks(int thread, int signal) {
  const std::string blocked = status_of(thread, "SigBlk:");
  return !blocked.empty() && (std::stoull(blocked, nullptr, 16) >> (signal - 1) & 1) != 0;
}

// The thread has not got the signal in time.
std::string why_silent(int thread, int signal) {
  if (blocks(thread, signal)) return "blocks signal " + std::to_string(signal);
  const std::string state = status_of(thread, "State:");
  if (state.starts_with("D")) return "is in a system call that nothing interrupts";
  if (state.starts_with("t") || state.starts_with("T")) return "is stopped";
  return "has not got signal " + std::to_string(signal) + " in time";
}

std::string why_none(stack_outcome o, int thread, int signal) {
  const std::string its = "thread " + std::to_string(thread) + " ";
  switch (o) {
    case stack_outcome::ended:
      return its + "has ended";
    case stack_outcome::silent:
      return its + why_silent(thread, signal);
    case stack_outcome::still_writes:
      return "a thread that was asked before has not shown its stack yet";
    case stack_outcome::taken:
      return "the program has installed its own handler of signal " + std::to_string(signal) +
             ", by which stacks are asked for; choose another one by stack_options::signal";
    case stack_outcome::not_sent:
      return "the system has refused to send signal " + std::to_string(signal) + " to thread " + std::to_string(thread);
    case stack_outcome::shown:
      return its + "has a stack that cannot be walked";
    case stack_outcome::not_asked_for:
      break;
  }
  return {};
}

// -- text

// As a shell reads it.
std::string quoted(const std::string& path) {
  constexpr std::string_view plain = "/._-+";
  std::string text;
  for (const char c : path) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          plain.find(c) != std::string_view::npos;
    if (!is_plain) text += '\\';
    text += c;
  }
  return text;
}

// Names of templates may have thousands of characters; 120 are a line of a terminal, and behind them the address says
// which function it is.
std::string_view shown_of(const std::string& function) {
  constexpr std::size_t shown_max = 120;
  return function.empty() ? "?" : std::string_view(function).substr(0, shown_max);
}

std::string hex(std::uint64_t n) {
  std::ostringstream text;
  text << "0x" << std::hex << n;
  return text.str();
}

// A command for each file: "addr2line -Cfpie /usr/bin/bank 0x8a4f 0x8b02".
std::vector<std::string> commands_for(const std::vector<stack_frame>& frames) {
  std::vector<std::pair<std::string, std::string>> offsets;  // by file
  for (const stack_frame& f : frames) {
    if (!f.file.starts_with('/')) continue;  // the kernel's own code has no file
    const auto at = std::find_if(offsets.begin(), offsets.end(), [&](const auto& o) { return o.first == f.file; });
    std::string& text = at == offsets.end() ? offsets.emplace_back(f.file, "").second : at->second;
    text += " " + hex(f.offset);
  }
  std::vector<std::string> all;
  for (const auto& [file, numbers] : offsets) all.push_back("addr2line -Cfpie " + quoted(file) + numbers);
  return all;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const stack_frame& f) {
  const std::string_view shown = shown_of(f.function);
  out << shown << (shown.size() < f.function.size() ? "..." : "");
  if (f.file.empty()) return out << " at " << hex(reinterpret_cast<std::uintptr_t>(f.address));
  return out << " in " << f.file << '+' << hex(f.offset);
}

std::ostream& operator<<(std::ostream& out, const thread_stack& s) {
  if (s.frames.empty()) return s.why_none.empty() ? out : out << "    no stack: " << s.why_none;
  for (std::size_t i = 0; i < s.frames.size(); ++i)
    out << (i == 0 ? "" : "\n") << "    #" << i << (i < 10 ? "  " : " ") << s.frames[i];
  for (const std::string& command : commands_for(s.frames)) out << "\n    " << command;
  return out;
}

std::ostream& operator<<(std::ostream& out, const stack_options& o) {
  return out << base::struct_text("stack_options").with("signal", o.signal).with("limit", o.limit).text();
}

thread_stack stack_of_thread(int number_in_system, const stack_options& options) {
  constexpr int beyond_all = 1 << 22;  // Linux counts no further
  check(options);
  if (number_in_system <= 0 || number_in_system > beyond_all)
    return {{}, "thread " + std::to_string(number_in_system) + " is none of the system's"};
  const shown_stack shown = ask_for_stack(number_in_system, options);
  if (!shown.frames.empty()) return {name_frames(shown.frames), {}};
  return {{}, why_none(shown.outcome, number_in_system, options.signal)};
}

}  // namespace tact::inspect
