#include "tact/inspect/watchdog.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/struct_text.hpp"
#include "inspect/handler_stack.hpp"
#include "inspect/repeated_look.hpp"
#include "inspect/stack_request.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

namespace {

using std::chrono::nanoseconds;
using clock = std::chrono::steady_clock;

std::string text_of(const stack_options& o) {
  std::ostringstream text;
  text << o;
  return text.str();
}

void print(const late_handler& h) {
  std::ostringstream line;
  line << "tact: " << h << '\n';
  std::fputs(line.str().c_str(), stderr);
}

watchdog_options checked(watchdog_options o) {
  if (o.limit <= nanoseconds(0))
    throw option_error("watchdog_options.limit = " + base::code_of(o.limit) + ": give more than 0");
  check(o.stacks);
  if (!o.on_late) o.on_late = &print;
  return o;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const late_handler& h) {
  out << h.where;
  if (h.runs_for.count() != 0) {
    char time[32];
    std::snprintf(time, sizeof time, ", for %.3g s", std::chrono::duration<double>(h.runs_for).count());
    out << time;
  }
  return h.stack.empty() ? out : out << '\n' << h.stack;
}

std::ostream& operator<<(std::ostream& out, const watchdog_options& o) {
  return out << base::struct_text("watchdog_options")
                    .with("limit", o.limit)
                    .with("on_late", o.on_late)
                    .with("stacks", base::code{text_of(o.stacks)})
                    .text();
}

class watchdog::looking {
 public:
  looking(engine& of, const watchdog_options& options)
      : engine_(of),
        options_(checked(options)),
        again_(std::max<nanoseconds>(options_.limit / 4, std::chrono::milliseconds(1)), repeated_look::last_look::no,
               [this] { look(); }) {}

  void look() {
    const std::lock_guard lock(looking_);
    const auto threads = detail::describe_threads(detail::access::core_of(engine_));
    for (const late& l : find_late(threads)) tell(l, threads[l.thread]);
  }
  nanoseconds runs_for(const thread_description& t) const {
    const std::lock_guard lock(seeing_);
    for (const sighting& s : seen_) {
      if (s.what.number_in_system == t.number_in_system && is_same_handler(s.what, t)) return clock::now() - s.since;
    }
    return nanoseconds(0);
  }

 private:
  // What a thread was at when it was first seen so.
  struct sighting {
    thread_description what;
    clock::time_point since;
    nanoseconds told_at{0};  // how long it had run when that was told last; 0: it was not
  };
  struct late {
    std::size_t thread;
    nanoseconds runs_for;
  };

  [[nodiscard]] std::vector<late> find_late(const std::vector<thread_description>& threads) {
    const std::lock_guard lock(seeing_);
    const auto now = clock::now();
    std::vector<late> found;
    seen_.resize(std::max(seen_.size(), threads.size()));
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const nanoseconds runs_for = look_at(threads[i], seen_[i], now);
      if (runs_for.count() != 0) found.push_back({i, runs_for});
    }
    return found;
  }
  // Returns for how long its handler has run, if that is to be told; else 0.
  [[nodiscard]] nanoseconds look_at(const thread_description& t, sighting& s, clock::time_point now) const {
    if (!is_same_handler(s.what, t)) {
      s = {t, now, {}};
      return {};
    }
    const nanoseconds runs_for = now - s.since;
    if (runs_for < options_.limit || runs_for / 2 < s.told_at) return {};
    s.told_at = runs_for;
    return runs_for;
  }
  void tell(const late& l, const thread_description& t) const {
    try {
      detail::core& core = detail::access::core_of(engine_);
      options_.on_late({t, l.runs_for, stack_of_handler(core, l.thread, t, options_.stacks)});
    } catch (...) {
      // As said at the declaration.
    }
  }

  engine& engine_;
  const watchdog_options options_;
  std::mutex looking_;
  mutable std::mutex seeing_;   // guards the next one; not held while something is told
  std::vector<sighting> seen_;  // by thread
  repeated_look again_;         // last: it uses the others
};

watchdog::watchdog(engine& of, const watchdog_options& options) : looking_(std::make_unique<looking>(of, options)) {}
watchdog::~watchdog() = default;

void watchdog::look() { looking_->look(); }
nanoseconds watchdog::runs_for(const thread_description& t) const { return looking_->runs_for(t); }

}  // namespace tact::inspect
