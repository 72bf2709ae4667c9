// The behaviour of a tact::stage.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "tact/context.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/ended.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/staged_item.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/inlet.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

template <class T>
struct stage_protocol;

namespace detail {

// Lets items in, and gives each to an actor made on the spot, which ends with one message to the gate: `done` when the
// next stage has taken the result, or a failure. A run that fails with such a message in hand is told to the gate as
// well, so no end of an item is lost or counted twice; the port of a failure tells what has failed.
template <class T, class Work>
class stage_gate {
  using self_type = self<stage_protocol<T>>;
  using entry = counted<staged_item<T>>;

 public:
  struct setup {
    const Work work;
    const ref<request<end_of_stream>> next;  // null in the last stage
    const std::size_t window;
    const std::size_t parallel;
    const ref<item_failed> failures;
  };

  explicit stage_gate(counted<setup> s) noexcept : setup_(std::move(s)) {}

  void operator()(self_type& self, const request<put_item<T>>& m) const {
    if (is_closed_) return self.fail(m, closed());
    stage_gate after = *this;
    after.watch(self);
    after.let_in(self, m);
    self.become(std::move(after));
  }
  void operator()(self_type& self, const request<end_of_stream>& m) const {
    if (is_closed_) return self.fail(m, closed());
    if (busy_ == 0 && inside_.empty()) return is_last() ? self.reply(m) : self.pass_on(setup_->next, m);
    stage_gate after = *this;
    const auto end = entry::make(std::optional<T>(), m.customer, self.context(), setup_->failures);
    self.defer(m);
    keep(self, end, door_.empty() ? after.inside_ : after.door_);
    self.become(std::move(after));
  }
  void operator()(self_type& self, const done&) const {
    const sure_run sure(self);
    go_on(self);
  }
  void operator()(self_type& self, const failure& f) const {
    const unfailing sure;
    const port at = handled_port(access::run_of(self));
    tell_if_it_fails(self, access::make_ref<failure>(at));
    if (is_port<ended>(at)) {
      self.monitor(setup_->next, ref<ended>(self.ref()));
      return;
    }
    if (is_port<done>(at)) self.send(setup_->failures, item_failed{as_far_as_memory_goes(f)});
    if (is_port<done>(at) || is_port<request<put_item<T>>>(at)) go_on(self);
  }
  // The next stage has ended. The destructors of the items that wait tell of them; those at work go on to their ends.
  void operator()(self_type& self, const ended&) const {
    const unfailing sure;
    tell_if_it_fails(self, ref<ended>(self.ref()));
    stage_gate after(setup_);
    after.busy_ = after.items_ = busy_;
    after.is_closed_ = true;
    after.become_or_stop(self);
  }

 private:
  template <class M>
  static bool is_port(port p) noexcept {
    return (p & index_mask) == index_of<stage_protocol<T>, M>;
  }
  static failure closed() { return {failure_reason::target_ended, "the next stage of the pipeline has ended"}; }
  [[nodiscard]] bool is_last() const noexcept { return !setup_->next; }

  // Watches the next stage from the first item on.
  void watch(self_type& self) {
    if (!std::exchange(is_watching_, true) && !is_last()) self.monitor(setup_->next, ref<ended>(self.ref()));
  }
  void let_in(self_type& self, const request<put_item<T>>& m) {
    const auto one = entry::make(m.body.item, m.customer, self.context(), setup_->failures);
    if (!door_.empty() || items_ >= setup_->window) {
      self.defer(m);
      return keep(self, one, door_);
    }
    one->is_taken = true;
    self.reply(m);
    ++items_;
    inside_.empty() && busy_ < setup_->parallel ? begin(self, one) : keep(self, one, inside_);
  }
  static void keep(self_type& self, const entry& one, queue<entry>& where) {
    where = std::move(where).push_back(one);
    self.on_commit([one] { one->is_accepted = true; });
  }
  void begin(self_type& self, const entry& one) {
    ++busy_;
    const auto work = [s = setup_, one, gate = ref<done>(self.ref())](transaction& tx) {
      owe(access::run_of(tx), access::port_of(gate));
      one->is_gone = true;
      s->work(tx, *one->item, gate);
    };
    with_context(one->in, [&] { self.send(self.beta(work), done{}); });
  }

  // Goes on when one item is through, or has failed.
  void go_on(self_type& self) const {
    stage_gate after = *this;
    if (busy_ != 0) --after.busy_, --after.items_;
    after.take(self);
    after.begin_next(self);
    after.become_or_stop(self);
  }
  void become_or_stop(self_type& self) {
    if (is_closed_ && busy_ == 0) return self.stop();
    self.become(std::move(*this));
  }
  // Takes what waits at the door, as far as there is room, and answers its senders.
  void take(self_type& self) {
    for (; !door_.empty(); door_ = std::move(door_).pop_front()) {
      const entry first = door_.front();
      if (!first->is_end() && items_ >= setup_->window) return;
      inside_ = std::move(inside_).push_back(first);
      if (first->is_end()) continue;
      ++items_;
      with_context(first->in, [&] { self.send(first->sender, done{}); });
      self.on_commit([first] { first->is_taken = true; });
    }
  }
  void begin_next(self_type& self) {
    for (; !inside_.empty(); inside_ = std::move(inside_).pop_front()) {
      const entry first = inside_.front();
      if (busy_ >= (first->is_end() ? 1 : setup_->parallel)) return;
      first->is_end() ? pass_end(self, first) : begin(self, first);
    }
  }
  void pass_end(self_type& self, const entry& end) const {
    with_context(end->in, [&] {
      is_last() ? self.send(end->sender, done{}) : self.send(setup_->next, request<end_of_stream>{end->sender, {}});
    });
    self.on_commit([end] { end->is_gone = true; });
  }

  counted<setup> setup_;
  bool is_watching_ = false;
  bool is_closed_ = false;  // the next stage has ended
  std::size_t busy_ = 0;    // items at work, or on their way to the next stage, which has not taken them
  std::size_t items_ = 0;   // those, and those that wait inside: at most `window`
  queue<entry> inside_{};   // taken
  queue<entry> door_{};     // not taken yet
};

}  // namespace detail
}  // namespace tact
