// How a trace is written, and what words and values are called in it.
#include "tools/explorer/trace.hpp"

#include <algorithm>
#include <sstream>

namespace tact::explorer {
namespace {

// What is shown of a trace that is longer than both together.
constexpr std::size_t first_lines = 100;
constexpr std::size_t last_lines = 300;

constexpr std::uint64_t tag_bits = 7;
constexpr std::uint64_t decimal_max = 0xffff'ffff;  // a larger value is an address or a pattern of bits

std::string hexadecimal(std::uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

}  // namespace

std::string names::of_word(const void* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const object* smallest = nullptr;
  for (const object& o : objects_) {
    const bool inside = address - o.at < o.bytes;
    if (inside && (smallest == nullptr || o.bytes < smallest->bytes)) smallest = &o;
  }
  if (smallest != nullptr) {
    const std::size_t offset = address - smallest->at;
    return offset == 0 ? smallest->text : smallest->text + '+' + std::to_string(offset);
  }
  auto found = std::find(unnamed_.begin(), unnamed_.end(), at);
  if (found == unnamed_.end()) found = unnamed_.insert(unnamed_.end(), at);
  return 'w' + std::to_string(found - unnamed_.begin());
}

std::string names::of_value(std::uint64_t value) const {
  const object* largest = nullptr;
  for (const object& o : objects_) {
    const bool begins = o.at == (value & ~tag_bits);
    if (begins && (largest == nullptr || o.bytes > largest->bytes)) largest = &o;
  }
  if (largest == nullptr) return value > decimal_max ? hexadecimal(value) : std::to_string(value);
  const std::uint64_t tag = value & tag_bits;
  return tag == 0 ? largest->text : largest->text + '|' + std::to_string(tag);
}

std::string trace::text(names& called, const std::vector<std::string>& threads) const {
  std::ostringstream out;
  const bool shortened = events_.size() > first_lines + last_lines;
  unsigned running = events_.empty() ? 0 : events_.front().thread;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (shortened && i == first_lines) {
      const std::size_t left_out = events_.size() - first_lines - last_lines;
      out << "\n  (" << left_out << " lines are left out)\n";
      i += left_out;
    }
    const event& e = events_[i];
    const bool own = e.what[0] != '(';
    if (own && e.thread != running) {
      out << '\n';
      running = e.thread;
    }
    out << "  " << threads.at(e.thread) << ": " << e.what;
    if (e.at != nullptr) out << ' ' << called.of_word(e.at);
    if (e.values == 2) out << ' ' << called.of_value(e.before) << " ->";
    if (e.values != 0) out << ' ' << called.of_value(e.value);
    out << '\n';
  }
  return out.str();
}

}  // namespace tact::explorer
