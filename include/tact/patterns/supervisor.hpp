// tact::supervisor: a scope that restarts its members when they fail, and ends them in order.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tact/actor.hpp"
#include "tact/creator.hpp"
#include "tact/detail/part.hpp"
#include "tact/engine.hpp"
#include "tact/patterns/detail/supervision_record.hpp"
#include "tact/scope.hpp"
#include "tact/structure.hpp"

namespace tact {

// When a supervisor restarts a child: tags of its creation, beside tact::named and the placement. A child of any kind
// obeys an order to end, by a pill, its owner, a link or the supervisor. Of an actor that is no child `permanent` says
// that its failure rule is asked when it ends by itself, too. Source: Erlang/OTP.
struct permanent_t {};
struct transient_t {};
struct temporary_t {};
inline constexpr permanent_t permanent{};  // when it fails, and when it ends by itself
inline constexpr transient_t transient{};  // when it fails; so is a child for which nothing was said
inline constexpr temporary_t temporary{};  // never; so is a child that cannot be restarted

// How long the end of a supervisor waits for the end of one child before it ends the next: a tag too. A child handles
// first what it was sent before the order to end. After the limit the child has its order all the same, and ends when
// it comes to it: a handler that runs is never cut off.
struct shutdown_limit {
  std::chrono::nanoseconds time = std::chrono::seconds(5);
};
std::ostream& operator<<(std::ostream&, const shutdown_limit&);

namespace detail {

inline void note(creation_options& p, permanent_t&) noexcept { p.restart.kind = child_kind::permanent; }
inline void note(creation_options& p, transient_t&) noexcept { p.restart.kind = child_kind::transient; }
inline void note(creation_options& p, temporary_t&) noexcept { p.restart.kind = child_kind::temporary; }
inline void note(creation_options& p, shutdown_limit& l) noexcept { p.restart.shutdown_limit = l.time; }

struct child_ended {
  std::uint64_t id;
};
struct child_is_late {
  std::uint64_t id;
};

using supervisor_mail = own_words<end_in_order, child_ended, child_is_late>;

// Tells the actor of a supervisor that a child has ended.
struct child_watcher : watcher {
  child_watcher(std::shared_ptr<supervision_record> of, std::uint64_t child) noexcept
      : watcher{of->actor() + index_of<supervisor_mail, child_ended>,
                [](watcher& w, run* r, tact::ended&&) noexcept {
                  auto& mine = static_cast<child_watcher&>(w);
                  mine.record->remove(mine.id);
                  send_notice(r, w.to, child_ended{mine.id});
                  give_up_share<child_watcher>(w);
                },
                [](watcher& w) noexcept {
                  auto& mine = static_cast<child_watcher&>(w);
                  mine.record->remove(mine.id);
                  give_up_share<child_watcher>(w);
                }},
        record(std::move(of)),
        id(child) {}

  const std::shared_ptr<supervision_record> record;
  const std::uint64_t id;
};

inline void end_unused(closure& c) noexcept {
  if (c.type->plain_block != large_block) return free_pooled(std::addressof(c), c.type->plain_block);
  if (c.type->destroy != nullptr) c.type->destroy(c, allocation::finished);
}

// The actor of a supervisor. Its only work is to end the children in order.
class supervising : public actor<supervising, supervisor_mail> {
 public:
  supervising(std::shared_ptr<supervision_record> r, std::shared_ptr<members> m)
      : record_(std::move(r)), members_(std::move(m)) {}

  void receive(self<supervising>& s, const end_in_order&) {
    if (std::exchange(ends_, true)) return;
    end_next(s);
  }
  void receive(self<supervising>& s, const child_ended& m) {
    if (ends_ && m.id == waits_for_) end_next(s);
  }
  // The child ends when it comes to it; nothing waits for it any more.
  void receive(self<supervising>& s, const child_is_late& m) {
    if (m.id != waits_for_) return;
    late_ = m.id;
    end_next(s);
  }

 private:
  void end_next(self<supervising>& s) {
    const std::optional<supervised> child = record_->last_before(late_);
    waits_for_ = child ? child->id : 0;
    if (!child) return end_scope(*members_);
    if (child->inner != nullptr) {
      child->inner->begin_end();
      return child->inner->tell_to_end();
    }
    order_end(child->who, end_reason::scope_ended);
    s.send_after(child->shutdown_limit, s.ref(), child_is_late{child->id});
  }

  const std::shared_ptr<supervision_record> record_;
  const std::shared_ptr<members> members_;
  std::uint64_t waits_for_ = 0;             // the child that is to end now
  std::uint64_t late_ = ~std::uint64_t{0};  // children from here on have had their time
  bool ends_ = false;
};

// What an engine lists of a supervisor.
struct listed_supervisor : part {
  explicit listed_supervisor(const supervision_record& r) noexcept
      : part(part_kind::supervisor,
             [](const part& p, structure_found& to) {
               static_cast<const listed_supervisor&>(p).record.describe(0, structure::supervised_most, to.supervised);
             }),
        record(r) {}
  // It is taken out before its members end.
  ~listed_supervisor() { leave_engine(*this); }

  const supervision_record& record;
};

}  // namespace detail

// tact::supervisor feeds(engine, {.strategy = tact::restart_strategy::one_for_one, .restarts = 10});
// const auto feed = feeds.spawn<feed_reader>(tact::restartable, tact::named("feed 1"), address);
// const auto book = feeds.create(tact::restarting([] { return open_book(); }), tact::permanent);
//
// A tact::scope whose members, its children, are restarted in their places when they fail: their refs stay valid, and
// what waits for them stays (tact::restarting). It decides by its strategy which others are restarted with a child, and
// how long they rest before; these have their orders before anything that the restarted child sends. When there are too
// many failures, the supervisor itself fails: a supervisor around it restarts all its children that can be restarted,
// and ends the others, or fails as well; when none is around it, all its children end. A failure rule that a child was
// given is asked first, and where it says restart, the supervisor decides. A child that was made by neither restarting
// nor restartable is temporary. Children may be made at any time, by handlers too, and end by themselves, or by `end`.
//
// The end of the supervisor ends its children in the reverse order of their start, each when the one before has ended
// or had its time (shutdown_limit). Lifetime is that of scopes: an actor that a child makes by self.create is no child.
// Costs: a message between actors costs the same whether or not they are supervised; a supervisor is one actor more,
// and a child has metadata, and takes a lock when it is made, when it fails and when it ends. Thread safety: all
// members may be called from any thread, at once. Source of the idea: Erlang/OTP; that refs survive: Akka.
class supervisor : public creator<supervisor> {
 public:
  // Throws usage_error for options that make no sense.
  explicit supervisor(engine& e, supervision options = {}) : supervisor(e, nullptr, std::move(options)) {}
  // A supervisor inside another one, of which it is a child. It may be of another engine.
  supervisor(engine& e, supervisor& around, supervision options = {}) : supervisor(e, &around, std::move(options)) {}
  supervisor(const supervisor&) = delete;
  supervisor& operator=(const supervisor&) = delete;
  // Ends the supervisor. Outside of handlers the destructor waits until all its children have ended, as that of a scope
  // does.
  ~supervisor() {
    end();
    detail::close_ending_scope(*members_);
  }

  // Ends all children, last started first. Does not wait. Children that are made from now on are ended at once.
  void end() noexcept {
    record_->begin_end();
    if (detail::count_members(*members_) == 0) return detail::end_scope(*members_);
    try {
      record_->tell_to_end();
    } catch (...) {
      detail::end_scope(*members_);  // without memory for the message the children end in no order
    }
  }
  // Ends one child, which is not restarted. Returns false when the actor is no child, or has ended.
  template <class P>
  bool end(ref<P> child) noexcept {
    if (!record_->let_go(detail::access::port_of(child))) return false;
    detail::order_end(detail::access::port_of(child), end_reason::scope_ended);
    return true;
  }
  // Restarts one child when it comes to it; this counts as no failure. In a handler it is no part of the transaction.
  template <class P>
  void restart(ref<P> child) noexcept {
    detail::order_restart(detail::access::port_of(child), std::chrono::nanoseconds(0));
  }
  // Restarts all children that can be restarted, those of supervisors inside included, and ends the others.
  void restart_all() noexcept { record_->restart_all(std::chrono::nanoseconds(0)); }

  // Waits until all children have ended. Throws usage_error inside a handler.
  void wait() { static_cast<void>(wait_until({})); }
  // Waits as the call above does, but for `limit` at most. Returns false when that passed first.
  template <class Rep, class Period>
  [[nodiscard]] bool wait(std::chrono::duration<Rep, Period> limit) {
    return wait_until(detail::deadline_after(limit));
  }

  // How many children there are, supervisors inside included.
  [[nodiscard]] std::size_t size() const noexcept { return record_->count(); }
  // How often children were restarted since the supervisor was made.
  [[nodiscard]] std::uint64_t restarts() const noexcept { return record_->restarts(); }
  // True when there were too many failures, and no supervisor around this one has restarted it.
  [[nodiscard]] bool has_failed() const noexcept { return record_->has_failed(); }

  // Prints the tree: each child with how often it was restarted, and why it failed last.
  friend std::ostream& operator<<(std::ostream& out, const supervisor& s) {
    std::vector<supervised_description> all;
    s.record_->describe(0, std::numeric_limits<std::size_t>::max(), all);
    for (const supervised_description& d : all) out << d << '\n';
    return out;
  }

 private:
  friend struct detail::access;

  supervisor(engine& e, supervisor* around, supervision&& options)
      : record_(std::make_shared<detail::supervision_record>(std::move(options),
                                                             around == nullptr ? nullptr : around->record_)),
        members_(
            detail::open_scope(detail::access::core_of(e), around == nullptr ? nullptr : around->members_, {}, {})) {
    start(around);
    // The engine lists it as long as the object lives; a supervisor inside another one stands in the tree of that.
    if (around == nullptr) detail::enter_engine(detail::access::core_of(e), listed_);
  }

  void start(supervisor* around) {
    detail::closure& c = detail::spawned<detail::supervising>::make(record_, members_);
    detail::creation_options about;
    about.name = record_->options().name;
    // Whatever fails in it, the children are ended.
    about.rule = failure_rule([m = members_](const failure_report&) {
      detail::end_scope(*m);
      return failure_policy::end;
    });
    record_->set_actor(detail::create(members_, c, std::move(about)));
    if (around == nullptr) return;
    try {
      detail::supervised self;
      self.inner = record_;
      self.name = record_->options().name;
      self.can_restart = true;
      record_->set_place(around->record_->add(std::move(self)));
      around->begin(record_->place(), record_->actor());
    } catch (...) {
      detail::end_scope(*members_);
      throw;
    }
  }
  static void watch(const std::shared_ptr<detail::supervision_record>& record, detail::port who, std::uint64_t id) {
    detail::watcher& w = *detail::box<detail::child_watcher>(record, id).release();
    detail::run* const r = detail::current_run();
    r != nullptr ? detail::watch(*r, who, w) : detail::watch(who, w);
  }

  detail::port put(detail::closure& c, detail::placement where) { return put(c, detail::creation_options{where}); }
  detail::port put(detail::closure& c, detail::creation_options&& about) {
    const std::uint64_t id = enter(c, about);
    const detail::port who = install(c, std::move(about), id);
    begin(id, who);
    return who;
  }
  // Starts to watch the child, which exists, or will from the commit on. When this throws, the actor is no child, and
  // ends.
  void begin(std::uint64_t id, detail::port who) {
    try {
      record_->start(id, who);
      watch(record_, who, id);
    } catch (...) {
      record_->remove(id);
      detail::order_end(who, end_reason::scope_ended);
      throw;
    }
    if (record_->ends()) detail::order_end(who, end_reason::scope_ended);
  }
  // Notes the child, and gives it its rule. Ends the closure when it throws.
  std::uint64_t enter(detail::closure& c, detail::creation_options& about) {
    std::optional<std::uint64_t> id;
    try {
      detail::supervised child;
      child.name = about.name.empty() ? std::string(c.type->name) : about.name;
      child.kind = about.restart.again == nullptr ? detail::child_kind::temporary : about.restart.kind;
      child.can_restart = child.kind != detail::child_kind::temporary;
      child.shutdown_limit = about.restart.shutdown_limit;
      id = record_->add(std::move(child));
      about.rule =
          failure_rule([record = record_, id = *id, own = std::move(about.rule)](const failure_report& report) {
            if (!own) return record->decide(id, report);
            failure_verdict v = own.decide(report);
            if (v.policy != failure_policy::restart) return v;
            const bool again = v.again;
            v = record->decide(id, report);
            v.again = again;
            return v;
          });
      return *id;
    } catch (...) {
      if (id) record_->remove(*id);
      detail::end_unused(c);
      throw;
    }
  }
  detail::port install(detail::closure& c, detail::creation_options&& about, std::uint64_t id) {
    try {
      return detail::create(members_, c, std::move(about));
    } catch (...) {
      record_->remove(id);
      throw;
    }
  }
  // The actors of a group are members of the scope, but no children.
  detail::port reserve(detail::placement where) { return reserve(detail::creation_options{where}); }
  detail::port reserve(detail::creation_options&& about) { return detail::reserve(members_, std::move(about)); }
  void install(detail::port reserved, detail::closure& c) { detail::install(members_, reserved, c); }
  void abandon(detail::port reserved) noexcept { detail::abandon(members_, reserved); }
  bool wait_until(detail::deadline limit) {
    detail::refuse_inside_handler("supervisor.wait", "let monitors tell when its children have ended");
    return detail::wait_scope(*members_, limit);
  }

  const std::shared_ptr<detail::supervision_record> record_;
  const std::shared_ptr<detail::members> members_;
  detail::listed_supervisor listed_{*record_};
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
