// How the parts of a store see each other, and how threads outside write.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tact/codec/decode_error.hpp"
#include "tact/detail/access.hpp"
#include "tact/store/detail/store_core.hpp"
#include "tact/store/store_error.hpp"

namespace tact::detail {

struct store_access {
  template <class Part>
  [[nodiscard]] static store_core& core_of(const Part& p) noexcept {
    return *p.core_;
  }
  template <class Part>
  [[nodiscard]] static const std::shared_ptr<store_core>& shared_core_of(const Part& p) noexcept {
    return p.core_;
  }
  template <class Table>
  [[nodiscard]] static table_number number_of(const Table& t) noexcept {
    return t.number_;
  }
  template <class Snapshot>
  [[nodiscard]] static const byte_reading& reading_of(const Snapshot& s) noexcept {
    return *s.reading_;
  }
  template <class Owner>
  [[nodiscard]] static owner_number owner_of(const Owner& o) noexcept {
    if constexpr (requires { o.number_; }) return o.number_;
    return 0;
  }
  template <class View>
  [[nodiscard]] static View view(byte_view& bytes, const store_core& of) {
    return View(bytes, of);
  }
};

// How often a transaction runs beside the writer. Each time but the first waits for a commit of the file; the last one
// runs in the writer, where nothing can come before it.
inline constexpr unsigned outer_runs_max = 3;

// Throws what the answer says, unless it is `done` or `again`.
[[gnu::visibility("default")]] void look_at(store_core& core, const write_answer& a);
// The text of a store_error for an answer that is a failure.
[[nodiscard, gnu::visibility("default")]] std::string failure_text(store_core& core, const write_answer& a);
[[nodiscard, gnu::visibility("default")]] std::vector<byte_change> listed(const change_table& changes);

// Calls f. What it cannot read is told with the file and the table.
template <class F>
[[nodiscard]] auto readable(store_front& in, std::string_view table, F f) {
  try {
    return f();
  } catch (const decode_error& e) {
    throw store_error(store_problem::unreadable, "tact: the table '" + std::string(table) + "' in '" +
                                                     in.path().string() + "': " + e.what() +
                                                     ": declare how the type has changed (tact::codec)");
  }
}

// Waits for the answer of the writer. For threads outside of handlers: else it throws usage_error, whose text names
// `call` and `instead`.
template <class Q>
[[nodiscard]] auto ask_writer(store_core& core, Q query, const char* call, const char* instead) {
  refuse_inside_handler(call, instead);
  if (!core.writer()) {
    throw store_error(store_problem::refused, std::string(call) + ": the file '" + core.front().file().path().string() +
                                                  "' was opened with store_options::read_only");
  }
  return core.in().ask(core.writer(), std::move(query));
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
