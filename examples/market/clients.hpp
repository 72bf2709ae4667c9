// Clients that watch the market: quick ones, and a slow one that is told what it has missed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <tact/patterns/paced.hpp>
#include <utility>

#include "figures.hpp"
#include "messages.hpp"

namespace market {

struct reader_question {
  using reply = reader_figures;
};
struct screen_question {
  using reply = screen_figures;
};

// Reads all trades.
class tape_reader : public tact::actor<tape_reader, tape, tact::request<reader_question>> {
 public:
  void receive(tact::self<tape_reader>&, const tape& m) {
    ++so_far_.tapes;
    so_far_.trades += m.trades->size();
    for (const trade& t : *m.trades) so_far_.volume += t.quantity;
  }
  void receive(tact::self<tape_reader>& self, const tact::request<reader_question>& m) { self.reply(m, so_far_); }

 private:
  reader_figures so_far_{};
};

// Shows the best prices, each for a while: it answers when the time is over, and gets the next ones then.
using quote_news = tact::request<tact::paced_message<book_quote>>;
struct drawn {
  quote_news shown;
};
class slow_screen
    : public tact::actor<slow_screen, tact::paced_reader<book_quote>, drawn, tact::request<screen_question>> {
 public:
  explicit slow_screen(std::chrono::microseconds time) : time_(time) {}

  void receive(tact::self<slow_screen>& self, const quote_news& m) {
    self.defer(m);
    ++so_far_.shown;
    ++at_hand_;
    self.send_after(time_, self.ref(), drawn{m});
  }
  void receive(tact::self<slow_screen>& self, const drawn& m) {
    self.reply(m.shown);
    if (--at_hand_ == 0 && asked_) self.reply(*std::exchange(asked_, {}), so_far_);
  }
  void receive(tact::self<slow_screen>&, const tact::missed_messages<book_quote>& m) { so_far_.missed += m.count; }
  // Answers when nothing is at hand any more.
  void receive(tact::self<slow_screen>& self, const tact::request<screen_question>& m) {
    if (at_hand_ == 0) return self.reply(m, so_far_);
    self.defer(m);
    asked_ = m;
  }

 private:
  std::chrono::microseconds time_;
  screen_figures so_far_{};
  unsigned at_hand_ = 0;
  std::optional<tact::request<screen_question>> asked_{};
};

}  // namespace market
