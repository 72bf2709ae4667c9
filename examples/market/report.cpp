#include "report.hpp"

#include <iomanip>
#include <numeric>
#include <ostream>
#include <string>

namespace market {
namespace {

// "1,234,567".
std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}
std::string grouped(std::int64_t n) { return grouped(static_cast<std::uint64_t>(n)); }
// Cents as "1,234.50".
std::string money(cents n) {
  const auto parts = std::to_string(n % 100);
  return grouped(n / 100) + (parts.size() == 1 ? ".0" : ".") + parts;
}

void write_books(std::ostream& out, const std::vector<book_figures>& books) {
  out << "book      orders    trades      volume            turnover  cancelled  too late   at close\n";
  for (std::size_t i = 0; i != books.size(); ++i) {
    const book_figures& b = books[i];
    out << symbols[i] << std::setw(12) << grouped(b.orders) << std::setw(10) << grouped(b.trades) << std::setw(12)
        << grouped(b.volume) << std::setw(20) << money(b.turnover) << std::setw(11) << grouped(b.cancelled)
        << std::setw(10) << grouped(b.came_too_late) << std::setw(11) << grouped(b.closed) << '\n';
  }
}

void write_verdicts(std::ostream& out, const std::vector<ledger_figures>& ledgers) {
  for (std::size_t v = 0; v != verdicts; ++v) {
    const auto all = std::accumulate(ledgers.begin(), ledgers.end(), std::uint64_t{0},
                                     [&](std::uint64_t sum, const ledger_figures& l) { return sum + l.orders[v]; });
    out << std::left << std::setw(24) << to_string(static_cast<verdict>(v)) << std::right << std::setw(12)
        << grouped(all) << '\n';
  }
}

}  // namespace

void write_report(std::ostream& out, const session& day, const figures& f) {
  feed_figures sum;
  for (const feed_figures& feed : f.day.feeds) {
    sum.records += feed.records;
    sum.crashes += feed.crashes;
    sum.malformed += feed.malformed;
  }
  write_books(out, f.day.books);
  out << '\n';
  write_verdicts(out, f.day.ledgers);
  out << "\nfeeds: " << grouped(sum.records) << " records in " << grouped(day.by.trading_rounds) << " rounds; "
      << grouped(sum.malformed) << " malformed ones crashed a handler " << grouped(sum.crashes)
      << " times; it was restarted " << grouped(f.restarts) << " times\n"
      << "audits while the market ran: " << grouped(f.audits.passed) << " passed, " << grouped(f.audits.failed)
      << " failed\n";
  for (const reader_figures& r : f.readers) {
    out << "a quick client: read " << grouped(r.tapes) << " tapes with " << grouped(r.trades) << " trades\n";
  }
  out << "a slow client: showed " << grouped(f.screen.shown) << " quotes, and was told that it missed "
      << grouped(f.screen.missed) << '\n';
  out << grouped(static_cast<std::uint64_t>(static_cast<double>(sum.records) / f.seconds)) << " orders a second\n";
}

}  // namespace market
