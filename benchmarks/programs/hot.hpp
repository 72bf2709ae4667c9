// Hot, for every runtime: actors on all workers send to one actor, which does some work and, for some of the messages,
// changes its state.
#pragma once

#include <limits>
#include <string>

#include "programs/work.hpp"

namespace bench {

struct hot_setting {
  // `each`: messages of a sender in an ordinary run, without work and with it.
  hot_setting(program& p, std::uint64_t each_without_work, std::uint64_t each_with_work)
      : changing(p.number("changing", 1, 1, "one message in so many changes the state")),
        steps(static_cast<std::uint32_t>(p.number("steps", 0, 0, "steps of work per message", 0))),
        senders(p.number("senders", 16, 4, "actors that send")),
        window(p.number("window", 32, 4, "messages of a sender under way at a time")),
        each(p.number("each", steps < 20 ? each_without_work : each_with_work, 1000, "messages of a sender")),
        result(work(steps)) {
    p.require(each % changing == 0, "--each is a multiple of --changing");
    p.require(window <= each, "--window is no more than --each");
    p.require(messages() < std::numeric_limits<std::uint32_t>::max(),
              "--senders times --each is less than 2 to the 32");
    if (steps != 0) p.say("unit", std::to_string(work_ns(steps)) + "ns");
  }

  [[nodiscard]] std::uint64_t messages() const { return senders * each; }
  [[nodiscard]] std::uint64_t changes() const { return messages() / changing; }
  // The work of one message; false if it came out wrong.
  [[nodiscard]] bool do_work() const { return steps == 0 || work(steps) == result; }

  std::uint64_t changing;
  std::uint32_t steps;
  std::uint64_t senders;
  std::uint64_t window;
  std::uint64_t each;
  std::uint64_t result;
};

// Which messages change the state: the last of each `changing`, counted without a division.
class hot_changes {
 public:
  explicit hot_changes(std::uint64_t changing = 1, std::uint64_t first = 0)
      : changing_(changing), left_(changing - first % changing) {}
  // Does the next one?
  [[nodiscard]] bool next() {
    if (--left_ != 0) return false;
    left_ = changing_;
    return true;
  }

 private:
  std::uint64_t changing_;
  std::uint64_t left_;
};

// One that sends: it has `window` messages under way at a time, beginning with as many answers from outside.
struct hot_sender {
  std::uint64_t answers = 0;
  std::uint64_t left = 0;
  hot_changes changes;

  // `nth` of the senders: they do not all change the state at once.
  void begin(const hot_setting& s, std::uint64_t nth) {
    left = s.each;
    changes = hot_changes(s.changing, s.changing * nth / s.senders);
  }
  // An answer came. True: it is to send one more message, number `left` of its own.
  [[nodiscard]] bool hear() {
    ++answers;
    if (left == 0) return false;
    --left;
    return true;
  }
};

inline void check_hot(program& p, const hot_setting& s, const hot_sender& one) {
  p.check_equal(one.answers, s.each + s.window, "messages that a sender received");
  p.check_equal(one.left, 0, "messages that a sender did not send");
}

}  // namespace bench
