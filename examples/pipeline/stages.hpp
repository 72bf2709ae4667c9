// The stages of the pipeline. A desk takes a request through all of it, waiting at each step with its stack put aside.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tact/tact.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "squeeze.hpp"

namespace pipeline {

using clock = std::chrono::steady_clock;

// A request, as it comes: "PUT page of customer 17". Its deadline is in its context, and so with whatever comes of it.
struct order {
  std::uint32_t number;
  clock::time_point made;
  std::string line;
  std::shared_ptr<const std::string> page;
};

inline std::uint32_t customer_in(std::string_view line) {
  const std::size_t digits = line.find_last_not_of("0123456789") + 1;
  std::uint32_t customer = 0;
  for (const char c : line.substr(digits)) customer = customer * 10 + static_cast<std::uint32_t>(c - '0');
  return customer;
}

// -- the directory: where does a customer live?

enum class region : unsigned char { north, east, south, west };
constexpr std::array<std::string_view, 4> region_names{"north", "east", "south", "west"};

struct find {
  using reply = region;
  std::uint32_t customer;
};
class directory : public tact::actor<directory, tact::request<find>> {
 public:
  explicit directory(std::uint32_t customers) {
    for (std::uint32_t i = 0; i < customers; ++i) lives_[i] = static_cast<region>(i * 7 % region_names.size());
  }
  void receive(tact::self<directory>& self, const tact::request<find>& m) { self.reply(m, lives_.at(m.body.customer)); }

 private:
  std::unordered_map<std::uint32_t, region> lives_;
};

// -- the press: where the work is done; no state, so any worker runs it

struct press_page {
  using reply = std::optional<std::string>;  // nothing: it came too late
  std::shared_ptr<const std::string> page;
};
struct press : tact::protocol<tact::request<press_page>> {};
inline tact::behavior<press> open_press() {
  return {[](auto& self, const tact::request<press_page>& m) {
    if (self.context().is_over()) return self.reply(m, std::nullopt);
    self.reply(m, squeeze(*m.body.page));
  }};
}

// -- progress: old news is worth nothing, so of its mailbox the oldest is dropped

struct news {
  clock::duration latency;
};
struct count_news {
  using reply = std::uint64_t;
};
class progress : public tact::actor<progress, news, tact::request<count_news>> {
 public:
  // Keeps all of them in order, to say at any moment how long the slowest hundredth takes; that becomes slow itself.
  void receive(tact::self<progress>&, const news& m) {
    seen_.insert(std::upper_bound(seen_.begin(), seen_.end(), m.latency), m.latency);
    shown_ = "99 of 100 within " + std::to_string(seen_[seen_.size() * 99 / 100].count()) + " ns";
  }
  void receive(tact::self<progress>& self, const tact::request<count_news>& m) { self.reply(m, seen_.size()); }

 private:
  std::vector<clock::duration> seen_;
  std::string shown_;
};

// -- the book: what became of each

enum class outcome : unsigned char { none, refused, expired, done, broken };

struct settled {
  std::uint32_t number;
  outcome how;
  clock::duration latency;
  region where;
};
struct account {
  std::vector<outcome> outcomes;  // by number
  std::vector<clock::duration> latencies;
  std::array<std::uint64_t, region_names.size()> by_region{};
  std::uint64_t twice = 0;
  std::uint64_t told = 0;  // news for progress
};
struct close_book {
  using reply = account;
};
class book : public tact::actor<book, settled, tact::request<close_book>> {
 public:
  book(std::uint32_t orders, tact::ref<progress> p) : progress_(p) { all_.outcomes.resize(orders); }
  void receive(tact::self<book>& self, const settled& m) {
    outcome& how = all_.outcomes[m.number];
    if (how != outcome::none) ++all_.twice;
    how = m.how;
    if (how != outcome::done) return;
    all_.latencies.push_back(m.latency);
    ++all_.by_region[static_cast<std::size_t>(m.where)];
    ++all_.told;
    self.send(progress_, news{m.latency});
  }
  void receive(tact::self<book>& self, const tact::request<close_book>& m) { self.reply(m, std::move(all_)); }

 private:
  tact::ref<progress> progress_;
  account all_;
};

// -- a desk: one order at a time

struct colleagues {
  tact::ref<directory> where;
  tact::ref<press> work;
  tact::ref<book> accounts;
};

inline clock::duration time_left(const tact::context& c) {
  const auto now = clock::now();
  return std::max(clock::duration::zero(), c.deadline().value_or(now + std::chrono::hours(1)) - now);
}

inline tact::behavior<order> open_desk(colleagues with) {
  return {[with](auto& self, const order& m) {
    settled result{m.number, outcome::expired, {}, {}};
    if (!self.context().is_over()) {
      try {
        result.where = self.ask(with.where, find{customer_in(m.line)}, time_left(self.context()));
        const auto squeezed = self.ask(with.work, press_page{m.page}, time_left(self.context()));
        if (squeezed) result.how = expand(*squeezed, m.page->size()) == *m.page ? outcome::done : outcome::broken;
      } catch (const tact::ask_error& e) {
        if (e.reason() != tact::failure_reason::timed_out) throw;
      }
    }
    result.latency = clock::now() - m.made;
    self.send(with.accounts, result);
  }};
}

}  // namespace pipeline
