#include "tact/inspect/println.hpp"

#include <memory>
#include <string>
#include <utility>

#include "inspect/line_queue.hpp"
#include "inspect/standard_lines.hpp"
#include "tact/detail/continuation.hpp"
#include "tact/detail/staged_send.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

namespace {

struct printed_line {
  void operator()() const noexcept { inspect::put_to(to.get(), text); }

  std::string text;
  std::shared_ptr<inspect::line_queue> to;
};

// As transaction::on_commit. The function refers to nothing in the handler's frame.
void put_behind_commit(run& r, printed_line line) {
  using effect = continuation<on_commit, printed_line, no_failure_handler>;
  no_failure_handler nothing;
  const port to = create_beside(r, *box<effect>(r.context, captures_looked_at(), line, nothing).release());
  send_effect(r, to, on_commit{});
}

}  // namespace

void put_line(std::string line, std::shared_ptr<inspect::line_queue> to) {
  if (run* const r = current_run()) return put_behind_commit(*r, {std::move(line), std::move(to)});
  inspect::put_to(to.get(), line);
}

void put_line_at_once(std::string line) noexcept { inspect::put_to(nullptr, line); }

}  // namespace detail

namespace inspect {

bool flush_lines(std::chrono::nanoseconds limit) {
  tact::detail::refuse_inside_handler("tact::inspect::flush_lines", "leave it to a thread outside");
  return standard_lines().flush(limit);
}

std::uint64_t lost_lines() noexcept { return standard_lines().lost(); }

}  // namespace inspect

}  // namespace tact
