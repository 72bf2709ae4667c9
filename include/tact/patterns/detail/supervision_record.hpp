// What a supervisor and its children share: the children in the order of their start, and how often they were
// restarted.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tact/detail/creation_options.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/watchers.hpp"
#include "tact/ended.hpp"
#include "tact/failure_rule.hpp"
#include "tact/patterns/detail/backoff.hpp"
#include "tact/patterns/detail/recent_times.hpp"
#include "tact/patterns/supervision.hpp"
#include "tact/structure.hpp"

namespace tact {

namespace detail {

class supervision_record;

// Tells the actor of a supervisor to end the children, last started first.
struct end_in_order {};

// Either an actor, or a supervisor inside this one.
struct supervised {
  std::uint64_t id = 0;  // in the order of start
  port who = 0;          // the child; of a supervisor its actor
  std::shared_ptr<supervision_record> inner{};
  std::string name{};
  child_kind kind = child_kind::transient;
  bool can_restart = false;
  std::chrono::nanoseconds shutdown_limit{0};
  std::uint64_t restarts = 0;
  std::string last_failure{};
};

// Thread safety: any thread. It holds its lock while it looks at its own members only, and calls nothing meanwhile.
class supervision_record : public std::enable_shared_from_this<supervision_record> {
 public:
  supervision_record(supervision&& o, std::shared_ptr<supervision_record> around)
      : options_(std::move(o)), around_(std::move(around)), recent_(std::min(options_.restarts, 63U) + 1U) {
    look_at(options_);
  }
  [[nodiscard]] const supervision& options() const noexcept { return options_; }

  // -- the children
  std::uint64_t add(supervised&& child) {
    const std::lock_guard lock(mutex_);
    child.id = ++last_id_;
    all_.emplace_hint(all_.end(), last_id_, std::move(child));
    return last_id_;
  }
  // Throws std::bad_alloc.
  void start(std::uint64_t id, port who) {
    const std::lock_guard lock(mutex_);
    supervised* const c = find(id);
    if (c == nullptr) return;
    by_actor_[who & ~index_mask] = id;
    c->who = who;
  }
  void remove(std::uint64_t id) noexcept {
    children::node_type gone;  // destroyed without the lock
    const std::lock_guard lock(mutex_);
    gone = all_.extract(id);
    if (gone) by_actor_.erase(gone.mapped().who & ~index_mask);
  }
  // The last of the children that were started before `id`; none if there is none.
  [[nodiscard]] std::optional<supervised> last_before(std::uint64_t id) const {
    const std::lock_guard lock(mutex_);
    const auto behind = all_.lower_bound(id);
    return behind == all_.begin() ? std::nullopt : std::optional(std::prev(behind)->second);
  }
  // Adds the supervisor and what is below it, one line for each, as long as there are fewer than `most` lines.
  void describe(unsigned depth, std::size_t most, std::vector<supervised_description>& to) const;
  [[nodiscard]] std::size_t count() const noexcept {
    const std::lock_guard lock(mutex_);
    return all_.size();
  }
  // From now on the child ends when it fails.
  bool let_go(port who) noexcept {
    const std::lock_guard lock(mutex_);
    const auto at = by_actor_.find(who & ~index_mask);
    if (at == by_actor_.end()) return false;
    find(at->second)->can_restart = false;
    return true;
  }

  // -- the supervisor itself
  void begin_end() noexcept {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  [[nodiscard]] bool ends() const noexcept {
    const std::lock_guard lock(mutex_);
    return ends_;
  }
  [[nodiscard]] bool has_failed() const noexcept {
    const std::lock_guard lock(mutex_);
    return failed_;
  }
  [[nodiscard]] std::uint64_t restarts() const noexcept {
    const std::lock_guard lock(mutex_);
    return restarts_;
  }
  // Tells the supervisor's actor to end the children, last started first. Throws std::bad_alloc.
  void tell_to_end() const { send_notice(nullptr, actor_, end_in_order{}); }
  // The actor that ends the children in order.
  void set_actor(port p) noexcept { actor_ = p; }
  [[nodiscard]] port actor() const noexcept { return actor_; }
  void set_place(std::uint64_t in_around) noexcept { place_ = in_around; }
  [[nodiscard]] const std::shared_ptr<supervision_record>& around() const noexcept { return around_; }
  [[nodiscard]] std::uint64_t place() const noexcept { return place_; }

  // -- failures
  // What becomes of the child that has failed; called by the thread that ran it. On return the other children that are
  // restarted with it have been sent their orders.
  [[nodiscard]] failure_verdict decide(std::uint64_t id, const failure_report& report);
  // Orders all children that can to restart after `delay`, and the others to end.
  void restart_all(std::chrono::nanoseconds delay) noexcept { restart_others(0, 0, delay, true); }

 private:
  // A copy of the first children, `most` of them at most.
  [[nodiscard]] std::vector<supervised> first(std::size_t most) const {
    const std::lock_guard lock(mutex_);
    std::vector<supervised> copies;
    copies.reserve(std::min(most, all_.size()));
    for (auto at = all_.begin(); at != all_.end() && copies.size() < most; ++at) copies.push_back(at->second);
    return copies;
  }
  [[nodiscard]] supervised_description line_of_this(unsigned depth) const;
  static void look_at(const supervision& o) {
    if (o.within.count() <= 0) throw usage_error("tact::supervision: within is the time in which restarts are counted");
    backoff_of(o).look_at("tact::supervision");
  }
  [[nodiscard]] static backoff backoff_of(const supervision& o) noexcept {
    return {o.first_delay, o.factor, o.delay_max, o.jitter, o.seed};
  }

  using children = std::map<std::uint64_t, supervised>;

  [[nodiscard]] supervised* find(std::uint64_t id) noexcept {
    const auto at = all_.find(id);
    return at == all_.end() ? nullptr : &at->second;
  }

  static constexpr std::string_view made_anew = "its restart";  // failure_report::message where that has failed
  static constexpr std::chrono::nanoseconds retry_delay = std::chrono::milliseconds(1);

  enum class fate : unsigned char { ends, restarts, escalates };
  [[nodiscard]] fate count(std::uint64_t id, const failure_report& report, std::chrono::nanoseconds& delay) noexcept;
  [[nodiscard]] std::optional<std::chrono::nanoseconds> escalate(const failure_report& report);
  void restart_others(std::uint64_t from, std::uint64_t but, std::chrono::nanoseconds delay, bool ends_rest) noexcept;

  const supervision options_;
  const std::shared_ptr<supervision_record> around_;
  std::uint64_t place_ = 0;  // among the children of around_
  port actor_ = 0;
  mutable std::mutex mutex_;                          // guards what is below
  children all_;                                      // by their ids
  std::unordered_map<port, std::uint64_t> by_actor_;  // the ids
  std::uint64_t last_id_ = 0;
  recent_times recent_;         // of restarts
  std::uint64_t restarts_ = 0;  // of all children
  std::uint64_t drawn_ = 0;     // random parts
  bool ends_ = false;
  bool failed_ = false;
};

// Counts the failure, and says what follows from that.
inline supervision_record::fate supervision_record::count(std::uint64_t id, const failure_report& report,
                                                          std::chrono::nanoseconds& delay) noexcept {
  const auto now = detail::now();
  const std::lock_guard lock(mutex_);
  supervised* const child = find(id);
  if (child == nullptr || ends_) return fate::ends;
  try {
    child->last_failure = report.what;
  } catch (const std::bad_alloc&) {
    child->last_failure.clear();
  }
  if (!child->can_restart) return fate::ends;
  recent_.forget_until(now - options_.within);
  if (recent_.size() >= options_.restarts) return fate::escalates;
  recent_.add(now);
  ++child->restarts;
  ++restarts_;
  delay = backoff_of(options_).after(recent_.size(), drawn_++);
  // A child that could not be made anew is tried again, but not at once: see restarting.
  if (report.message == made_anew && delay < retry_delay) delay = retry_delay;
  return fate::restarts;
}

inline failure_verdict supervision_record::decide(std::uint64_t id, const failure_report& report) {
  std::chrono::nanoseconds delay{0};
  switch (count(id, report, delay)) {
    case fate::ends:
      return failure_policy::end;
    case fate::restarts:
      if (options_.strategy != restart_strategy::one_for_one)
        restart_others(options_.strategy == restart_strategy::one_for_all ? 0 : id, id, delay, false);
      return {failure_policy::restart, delay};
    case fate::escalates:
      break;
  }
  const auto rest = escalate(report);
  if (!rest) return failure_policy::end;
  restart_others(0, id, *rest, true);
  return {failure_policy::restart, *rest};
}

// The supervisor has failed. If the supervisor around it restarts it, its record of restarts is cleared, and it
// restarts after the time that is returned. Otherwise its children end, last started first.
inline std::optional<std::chrono::nanoseconds> supervision_record::escalate(const failure_report& report) {
  if (around_ != nullptr) {
    const failure_verdict v = around_->decide(place_, report);
    if (v.policy == failure_policy::restart) {
      const std::lock_guard lock(mutex_);
      recent_.clear();
      return v.after;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    ends_ = true;
  }
  tell_to_end();
  return std::nullopt;
}

// Orders the children that were started after `from` to restart, except `but`, which does so by itself. A child that
// cannot be restarted ends if `ends_rest` is set, and otherwise stays as it is.
inline void supervision_record::restart_others(std::uint64_t from, std::uint64_t but, std::chrono::nanoseconds delay,
                                               bool ends_rest) noexcept {
  struct step {
    std::uint64_t id;
    port who;
    std::shared_ptr<supervision_record> inner;
    bool can_restart;
  };
  const auto next = [&](std::uint64_t id) noexcept -> step {
    const std::lock_guard lock(mutex_);
    const auto at = all_.upper_bound(id);
    if (at == all_.end()) return {};
    const supervised& c = at->second;
    return {c.id, c.who, c.inner, c.can_restart};
  };
  for (step s = next(from); s.id != 0; s = next(s.id)) {
    if (s.id == but) continue;
    if (s.inner != nullptr) {
      s.inner->restart_all(delay);
    } else if (s.can_restart) {
      order_restart(s.who, delay);
    } else if (ends_rest) {
      order_end(s.who, end_reason::scope_ended);
    }
  }
}

inline supervised_description supervision_record::line_of_this(unsigned depth) const {
  constexpr const char* strategies[] = {"one for one", "one for all", "rest for one"};
  const auto within_ms = std::chrono::duration_cast<std::chrono::milliseconds>(options_.within).count();
  supervised_description d;
  d.depth = depth;
  d.is_supervisor = true;
  d.name = options_.name.empty() ? "supervisor" : options_.name;
  d.kind = std::string(strategies[static_cast<unsigned>(options_.strategy)]) + ", " +
           std::to_string(options_.restarts) + " within " + std::to_string(within_ms) + " ms";
  const std::lock_guard lock(mutex_);
  d.children = all_.size();
  d.restarts = restarts_;
  d.ends = ends_;
  d.has_failed = failed_;
  return d;
}

inline void supervision_record::describe(unsigned depth, std::size_t most,
                                         std::vector<supervised_description>& to) const {
  constexpr const char* kinds[] = {"permanent", "transient", "temporary"};
  if (to.size() >= most) return;
  to.push_back(line_of_this(depth));
  for (supervised& c : first(most - to.size())) {
    if (to.size() >= most) return;
    if (c.inner != nullptr) {
      c.inner->describe(depth + 1, most, to);
      continue;
    }
    supervised_description d;
    d.depth = depth + 1;
    d.name = std::move(c.name);
    d.kind = kinds[static_cast<unsigned>(c.kind)];
    d.restarts = c.restarts;
    d.last_failure = std::move(c.last_failure);
    to.push_back(std::move(d));
  }
}

}  // namespace detail
}  // namespace tact
