#include "tact/inspect/actor_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "base/struct_text.hpp"
#include "inspect/handled_messages.hpp"
#include "inspect/repeated_look.hpp"
#include "inspect/sequence_chart.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/engine_options.hpp"
#include "tact/inspect/println.hpp"

namespace tact::inspect {

namespace {

actor_watch_options checked(actor_watch_options o) {
  if (o.every <= std::chrono::nanoseconds(0))
    throw option_error("actor_watch_options.every = " + base::code_of(o.every) + ": give more than 0");
  if (!o.to) o.to = [](std::string_view line) { println(line); };
  return o;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const actor_watch_options& o) {
  return out << base::struct_text("actor_watch_options").with("every", o.every).with("to", o.to).text();
}

class actor_watch::looking {
 public:
  looking(const recorder& in, std::uint64_t actor, actor_watch_options options)
      : in_(in),
        options_(checked(std::move(options))),
        began_(tact::detail::now().time_since_epoch()),
        messages_(actor) {
    static_cast<void>(messages_.find(in_.read()));  // what is over already
    again_.emplace(options_.every, repeated_look::last_look::yes, [this] { look(); });
  }

  void look() {
    const std::lock_guard lock(looking_);
    const trace t = in_.read();
    for (const handled_message& m : messages_.find(t)) {
      options_.to(line_of(m));
    }
  }

 private:
  [[nodiscard]] std::string line_of(const handled_message& m) const {
    char at[48];
    std::snprintf(at, sizeof at,
                  " at %.6f ms: ", std::chrono::duration<double, std::milli>(m.first.at - began_).count());
    return sequence_chart::column{m.first.actor, m.first.actor_type}.name() + at + m.text();
  }

  const recorder& in_;
  const actor_watch_options options_;
  const std::chrono::nanoseconds began_;
  std::mutex looking_;
  handled_messages messages_;
  std::optional<repeated_look> again_;  // last: it uses the others
};

actor_watch::actor_watch(const recorder& in, tact::detail::port who, const actor_watch_options& options)
    : looking_(std::make_unique<looking>(in, who & ~tact::detail::index_mask, options)) {}
actor_watch::~actor_watch() = default;

void actor_watch::look() { looking_->look(); }

}  // namespace tact::inspect
