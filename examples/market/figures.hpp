// The figures of a day: what must be the same in each schedule, and what need not be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "account.hpp"
#include "order_book.hpp"

namespace market {

struct feed_figures {
  std::uint64_t rounds = 0;
  std::uint64_t records = 0;
  std::uint64_t crashes = 0;    // of its handler
  std::uint64_t malformed = 0;  // records that were set aside
  friend bool operator==(const feed_figures&, const feed_figures&) = default;
};

struct ledger_figures {
  std::array<std::uint64_t, verdicts> orders{};  // by verdict
  std::uint64_t cancels = 0;                     // that were passed on
  std::vector<account> accounts{};
  friend bool operator==(const ledger_figures&, const ledger_figures&) = default;
};

struct book_figures {
  std::uint64_t orders = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t came_too_late = 0;  // cancels of orders that were filled, or never accepted
  std::uint64_t trades = 0;
  shares volume = 0;
  cents turnover = 0;
  std::uint64_t closed = 0;       // orders that rested at the end of the day
  std::uint64_t fingerprint = 0;  // of each trade with its parties, in their order

  void note(const trade& t) noexcept {
    ++trades;
    volume += t.quantity;
    turnover += t.value();
    for (const order* o : {&t.buy, &t.sell}) mix(std::uint64_t{o->account} << 32 | o->number);
    mix(static_cast<std::uint64_t>(t.value()));
  }
  friend bool operator==(const book_figures&, const book_figures&) = default;

 private:
  // FNV-1a, word by word.
  void mix(std::uint64_t word) noexcept { fingerprint = (fingerprint ^ word) * 0x100000001b3; }
};

struct audit_figures {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  friend bool operator==(const audit_figures&, const audit_figures&) = default;
};

// These are the same to the last order in each schedule.
struct day_figures {
  std::vector<feed_figures> feeds{};
  std::vector<ledger_figures> ledgers{};
  std::vector<book_figures> books{};
  friend bool operator==(const day_figures&, const day_figures&) = default;
};

// What the books have published.
struct published_figures {
  std::uint64_t tapes = 0;   // one for each round of a book with trades
  std::uint64_t quotes = 0;  // one for each round of a book that changed its best prices
};

// What a client has read of the tape.
struct reader_figures {
  std::uint64_t tapes = 0;
  std::uint64_t trades = 0;
  shares volume = 0;
};

// What a slow client has shown of the quotes, and what it was told it has missed. It depends on the schedule.
struct screen_figures {
  std::uint64_t shown = 0;
  std::uint64_t missed = 0;
};

struct figures {
  day_figures day{};
  audit_figures audits{};
  std::vector<published_figures> published{};  // by each book
  std::vector<reader_figures> readers{};
  screen_figures screen{};
  std::uint64_t restarts = 0;  // of feed handlers
  double seconds = 0.0;
};

}  // namespace market
