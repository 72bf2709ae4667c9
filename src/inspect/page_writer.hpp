// Writes a run as an HTML page: docs/inspect/explore_page.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "inspect/run_log.hpp"

namespace tact::inspect {

// What is shown beside the steps.
struct page_head {
  std::optional<std::string> failure;  // nothing: the run has not failed
  std::string code;                    // the C++ that repeats it
  std::uint64_t seed = 0;
  std::uint64_t switches = 0;
  std::vector<std::string> remarks;
};

class page_writer {
 public:
  page_writer(const run_log& of, const page_head& head, std::size_t most);

  void write(std::ostream& to);

 private:
  // A life line: an actor, or a thread outside of all actors.
  struct column {
    std::uint64_t actor = 0;
    unsigned thread = 0;
  };

  void write_run(std::ostream& to);
  void write_threads(std::ostream& to) const;
  void write_columns(std::ostream& to) const;
  void write_messages(std::ostream& to);
  void write_states_before(std::ostream& to) const;
  void write_steps(std::ostream& to);
  void write_step(std::ostream& to, const logged_step& s);
  void need(std::uint64_t message);
  [[nodiscard]] std::size_t column_of_actor(std::uint64_t actor);
  [[nodiscard]] std::size_t column_of_thread(unsigned thread);
  [[nodiscard]] std::size_t sender_of(const logged_message& m);
  [[nodiscard]] std::optional<std::size_t> column_of(const logged_step& s);

  const run_log& log_;
  const page_head& head_;
  std::size_t first_ = 0;  // the steps that are shown
  std::size_t end_ = 0;
  std::vector<column> columns_;
  std::unordered_map<std::uint64_t, std::size_t> actors_;
  std::unordered_map<unsigned, std::size_t> threads_;
  std::unordered_map<std::string, std::size_t> answers_;
  std::unordered_set<std::uint64_t> needed_;  // messages of which something shown tells
};

}  // namespace tact::inspect
