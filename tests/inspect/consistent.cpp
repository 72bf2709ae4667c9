#include "inspect/consistent.hpp"

#include <unordered_map>

namespace tact::support {

namespace {

using inspect::event;
using inspect::outcome;
using inspect::step;

class reading {
 public:
  explicit reading(const inspect::trace& t) : trace_(t), open_(t.threads().size()), has_begun_(t.threads().size()) {}

  std::vector<std::string> check(read_when when) {
    for (const event& e : trace_.events()) look_at(e);
    if (when != read_when::at_any_time) look_for_handlers();
    if (when == read_when::complete) look_for_rest();
    return std::move(wrong_);
  }

 private:
  struct life {
    const event* sent = nullptr;
    bool is_handled = false;
    unsigned ends = 0;
    unsigned unserved = 0;
  };
  static constexpr std::size_t most = 20;

  void complain(const event& e, const std::string& what) {
    if (wrong_.size() == most) return;
    wrong_.push_back("message " + inspect::name_of_message(e.message) + " (" + std::string(e.message_type) +
                     "), step " + std::to_string(static_cast<int>(e.what)) + ", " + trace_.threads().at(e.thread) +
                     ": " + what);
  }

  void look_at(const event& e) {
    if (e.thread >= open_.size()) return wrong_.push_back("a thread has no name");
    if (e.at < latest_) complain(e, "it is before the step that comes before it");
    latest_ = e.at;
    switch (e.what) {
      case step::sent:
        return look_at_send(e);
      case step::begun:
        if (!open_[e.thread].empty()) complain(e, "it begins within another one");
        look_at_begin(e);
        return enter(e);
      case step::goes_on:
        return enter(e);
      case step::waits:
        return leave(e);
      case step::over:
        leave(e);
        return look_at_end(e);
      case step::unserved:
        if (e.message != 0 && ++lives_[e.message].unserved != 1) complain(e, "it is unserved twice");
        return;
      case step::undone:
      case step::created:
      case step::became:
      case step::stopped:
      case step::marked:
      case step::restarted:
        if (open_[e.thread].empty() && !may_lack_begin(e)) complain(e, "no handler runs");
        return;
      case step::parked:
      case step::woke:
      case step::stole:
        if (!open_[e.thread].empty()) complain(e, "a handler runs");
        return;
      case step::caused:
        return complain(e, "it says something about the next one only");
    }
    complain(e, "there is no such step");
  }

  void look_at_send(const event& e) {
    life& l = lives_[e.message];
    if (e.message == 0) return complain(e, "it has no number");
    if (l.sent != nullptr) complain(e, "it is sent twice");
    if (l.is_handled) complain(e, "it is handled before it is sent");
    l.sent = &e;
    if (e.cause == e.message) complain(e, "it is its own cause");
    const std::vector<std::uint64_t>& here = open_[e.thread];
    if (!here.empty() && e.cause != here.back()) complain(e, "its cause is not the message that is handled");
  }
  void look_at_begin(const event& e) {
    life& l = lives_[e.message];
    l.is_handled = true;
    if (l.ends != 0) complain(e, "it is handled after its end");
    if (l.sent != nullptr && l.sent->is_undone) complain(e, "it is handled, though its send was undone");
    if (l.sent != nullptr && l.sent->actor != e.actor) complain(e, "it is handled by another actor");
    if (l.sent != nullptr && l.sent->message_type != e.message_type) complain(e, "it is of another type");
  }
  void look_at_end(const event& e) {
    if (e.how == outcome::none || e.how == outcome::waits) complain(e, "it is over, and has no outcome");
    if (e.how == outcome::forwarded || e.how == outcome::put_aside) return;
    if (++lives_[e.message].ends != 1) complain(e, "it ends twice");
  }
  void enter(const event& e) {
    if (e.message == 0) complain(e, "it has no number");
    open_[e.thread].push_back(e.message);
    has_begun_[e.thread] = true;
  }
  void leave(const event& e) {
    std::vector<std::uint64_t>& here = open_[e.thread];
    if (here.empty()) {
      if (!may_lack_begin(e)) complain(e, "it is over and has not begun");
    } else if (here.back() != e.message) {
      complain(e, "another one is over first");
    } else {
      here.pop_back();
    }
  }
  // The first steps of a thread may be lost.
  [[nodiscard]] bool may_lack_begin(const event& e) const { return trace_.lost() != 0 && !has_begun_[e.thread]; }

  void look_for_rest() {
    if (trace_.lost() != 0) wrong_.push_back("steps are lost");
    for (const auto& [number, l] : lives_) {
      if (l.sent == nullptr || l.sent->is_undone) continue;
      if (l.ends + (l.is_handled ? 0 : l.unserved) != 1) complain(*l.sent, "it was sent, and has not come to an end");
    }
  }
  void look_for_handlers() {
    for (const auto& here : open_) {
      if (!here.empty()) wrong_.push_back("a handler has not come to an end");
    }
  }

  const inspect::trace& trace_;
  std::vector<std::vector<std::uint64_t>> open_;  // the messages that each thread is at
  std::vector<bool> has_begun_;
  std::unordered_map<std::uint64_t, life> lives_;
  std::chrono::nanoseconds latest_ = std::chrono::nanoseconds::min();
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> contradictions_in(const inspect::trace& t, read_when when) { return reading(t).check(when); }

}  // namespace tact::support
