#include "inspect/trace_reader.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "inspect/packed_event.hpp"

namespace tact::inspect {

namespace {

// What a thread is at, as its steps are read one after the other.
class reading_state {
 public:
  // The message that is handled; 0: none is, or its beginning was lost.
  [[nodiscard]] std::uint64_t handled() const noexcept { return handled_.empty() ? 0 : handled_.back().message; }

  // `at`: the index of the step.
  explicit reading_state(std::size_t at) : first_from_(at) {}
  void begin(std::uint64_t message, std::size_t at) {
    handled_.push_back({message, at});
    has_begun_ = true;
  }
  // The handler of this message has returned, or waits.
  void end(std::uint64_t message, std::size_t at) {
    first_from_ = at;
    while (!handled_.empty()) {
      const bool is_it = handled_.back().message == message;
      handled_.pop_back();
      if (is_it) return;
    }
  }
  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
  // A thread begins a message from its lane, so it is at no other one any more.
  void begin_anew(std::uint64_t message, std::size_t at) {
    handled_.clear();
    begin(message, at);
  }
  // Where the effects begin that an undone run has staged. The next ones begin behind that.
  [[nodiscard]] std::size_t undo(std::size_t at) {
    return std::exchange(handled_.empty() ? first_from_ : handled_.back().effects_from, at);
  }

 private:
  struct one {
    std::uint64_t message;
    std::size_t effects_from;
  };
  std::vector<one> handled_;
  bool has_begun_ = false;
  std::size_t first_from_;  // the effects of a handler whose beginning was lost
};

bool is_effect(step s) noexcept {
  return s == step::sent || s == step::created || s == step::became || s == step::stopped || s == step::marked;
}

}  // namespace

trace trace_reader::read(probe::contents&& all) {
  trace_reader r(std::move(all));
  r.made_.threads_ = r.all_.threads;
  for (std::string& n : r.all_.names) r.texts_->push_back(std::move(n));
  r.made_.lost_ = r.all_.unrecorded;
  for (unsigned i = 0; i < r.all_.steps.size(); ++i) r.read_thread(i);
  r.order();
  r.made_.texts_ = std::move(r.texts_);
  return std::move(r.made_);
}

std::string_view trace_reader::name(std::uint32_t number) const noexcept {
  return number < names_ ? std::string_view((*texts_)[number]) : std::string_view();
}

std::size_t trace_reader::read_text(const std::vector<event_words>& from, std::size_t at, event& into) {
  std::string text;
  std::size_t next = at + 1;
  for (; next < from.size() && packed_event::step(from[next]) == packed_event::part_of_text; ++next) {
    const std::uint64_t bytes[3] = {from[next][0], from[next][2], from[next][3]};
    text.append(reinterpret_cast<const char*>(bytes), packed_event::text_bytes);
  }
  text.resize(std::min<std::size_t>(text.size(), packed_event::message_type(from[at])));
  texts_->push_back(std::move(text));
  into.text = texts_->back();
  return next - at;
}

event trace_reader::unpack(const event_words& words, unsigned thread) const noexcept {
  event e;
  e.what = static_cast<step>(packed_event::step(words));
  e.how = static_cast<outcome>(packed_event::outcome(words));
  e.thread = thread;
  e.message = packed_event::id(words);
  e.actor = packed_event::actor(words) & ~detail::index_mask;
  if (e.what == step::unserved) {
    e.why = static_cast<failure_reason>(packed_event::actor_type(words));
  } else {
    e.actor_type = name(packed_event::actor_type(words));
  }
  if (e.what != step::marked) e.message_type = name(packed_event::message_type(words));
  return e;
}

void trace_reader::read_thread(unsigned thread) {
  const std::vector<event_words>& from = all_.steps[thread].events;
  made_.lost_ += all_.steps[thread].first;
  const std::size_t first = made_.events_.size();
  reading_state state(first);
  std::uint64_t cause_of_next = 0;
  std::size_t events = 1;
  for (std::size_t i = 0; i < from.size(); i += events) {
    events = 1;
    const event_words& words = from[i];
    if (packed_event::step(words) == packed_event::part_of_text) continue;  // the beginning of the text was lost
    event e = unpack(words, thread);
    e.cause = state.handled();
    const std::size_t here = made_.events_.size();
    switch (e.what) {
      case step::caused:
        cause_of_next = e.message;
        continue;
      case step::sent:
        if (cause_of_next != 0) e.cause = std::exchange(cause_of_next, 0);
        break;
      case step::begun:
        e.cause = 0;
        state.begin_anew(e.message, here + 1);
        break;
      case step::goes_on:
        state.begin(e.message, here + 1);
        break;
      case step::waits:
      case step::over:
        if (!state.has_begun()) find_cause(first, e.message);
        state.end(e.message, here + 1);
        break;
      case step::undone:
        for (std::size_t n = state.undo(here + 1); n < here; ++n) {
          if (is_effect(made_.events_[n].what)) made_.events_[n].is_undone = true;
        }
        break;
      case step::marked:
        events = read_text(from, i, e);
        break;
      case step::parked:
      case step::woke:
      case step::stole:
        e.cause = 0;
        break;
      case step::created:
      case step::became:
      case step::stopped:
      case step::restarted:
      case step::unserved:
        break;
    }
    made_.events_.push_back(e);
    ticks_.push_back(packed_event::ticks(words));
  }
}

void trace_reader::find_cause(std::size_t first, std::uint64_t message) noexcept {
  for (std::size_t n = first; n != made_.events_.size(); ++n) {
    event& e = made_.events_[n];
    if (e.cause == 0 && is_effect(e.what)) e.cause = message;
  }
}

// The counters of two processors may differ a little. So the steps are merged by time, but a thread that handles a
// message waits until its send has been taken; and what a thread does later is at no earlier time.
void trace_reader::order() {
  std::vector<event>& all = made_.events_;
  struct timed {
    event e;
    std::uint64_t ticks;
  };
  struct thread_place {
    std::vector<timed> steps;
    std::size_t next = 0;
    std::uint64_t latest = 0;
  };
  std::vector<thread_place> threads(made_.threads_.size());
  std::unordered_map<std::uint64_t, std::vector<unsigned>> awaited;  // sends not taken yet, and the threads that wait
  for (std::size_t n = 0; n != all.size(); ++n) {
    const event& e = all[n];
    if (e.what == step::sent) awaited.emplace(e.message, std::vector<unsigned>());
    threads[e.thread].steps.push_back({e, ticks_[n]});
  }
  const std::size_t count = all.size();
  all.clear();
  using turn = std::pair<std::uint64_t, unsigned>;
  std::priority_queue<turn, std::vector<turn>, std::greater<>> turns;
  std::uint64_t latest = 0;  // of the steps that are taken
  const auto queue = [&](unsigned t) {
    thread_place& here = threads[t];
    if (here.next == here.steps.size()) return;
    const auto& [e, ticks] = here.steps[here.next];
    const auto sent = e.what == step::begun ? awaited.find(e.message) : awaited.end();
    sent != awaited.end() ? sent->second.push_back(t) : turns.emplace(std::max(ticks, here.latest), t);
  };
  const auto take_first_of = [&](unsigned t) {
    thread_place& here = threads[t];
    auto& [e, ticks] = here.steps[here.next++];
    latest = here.latest = std::max(ticks, here.latest);
    e.at = all_.scale.time_of(here.latest);
    all.push_back(e);
    if (e.what == step::sent) {
      auto waiting = awaited.extract(e.message);
      for (const unsigned other : waiting ? waiting.mapped() : std::vector<unsigned>()) {
        threads[other].latest = std::max(threads[other].latest, here.latest);
        queue(other);
      }
    }
    queue(t);
  };
  for (unsigned t = 0; t < threads.size(); ++t) queue(t);
  while (all.size() != count) {
    if (turns.empty()) {
      // Two messages have the same number. So the order says nothing any more, but no step is left out, and none is at
      // an earlier time than the one before it.
      awaited.clear();
      for (thread_place& t : threads) t.latest = latest;
      for (unsigned t = 0; t < threads.size(); ++t) queue(t);
    }
    const unsigned t = turns.top().second;
    turns.pop();
    take_first_of(t);
  }
}

}  // namespace tact::inspect
