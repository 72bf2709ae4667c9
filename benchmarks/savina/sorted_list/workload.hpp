// What the runtimes of the sorted list share: what each worker asks for, and what must come of it.
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"

namespace bench {

using list_contents = std::vector<std::int32_t>;

struct list_setting {
  // The suite begins with an empty list, in which nothing is ever found: see list_client.
  explicit list_setting(savina_parameters& p)
      : workers(p.number("workers", {20, 20, 4}, "workers")),
        requests(p.number("requests", {8'000, 8'000, 100}, "requests of each worker")),
        writes(p.number("writes", {10, 10, 10}, "percent of the requests that write", 0)),
        sizes(p.number("sizes", {1, 1, 20}, "percent of the requests that ask for the length", 0)),
        filled(p.number("filled", {0, 0, 2'000}, "so many numbers, from 0 on, are there from the beginning", 0)) {
    p.of().require(writes < 50 && 2 * writes + sizes < 100,
                   "--writes is below 50, and 2 * --writes + --sizes below 100");
    p.of().require(filled <= 65'536, "--filled is at most 65536");
  }
  // Each worker: its start, its requests and their answers, the end of its work; the end of all work.
  [[nodiscard]] std::uint64_t messages() const { return workers * (2 * requests + 2) + 1; }

  std::uint64_t workers;
  std::uint64_t requests;
  std::uint64_t writes;
  std::uint64_t sizes;
  std::uint64_t filled;
};

enum class list_request : std::uint8_t { write, contains, size };

// What one worker did.
struct list_record {
  std::uint64_t writes = 0;
  std::uint64_t contains = 0;
  std::uint64_t sizes = 0;
  std::uint64_t wrong = 0;  // answers
  std::uint64_t longest = 0;
};

// The requests of one worker, and what it makes of the answers.
class list_client {
 public:
  list_client(const list_setting& s, std::uint64_t number)
      : setting_(&s), left_(s.requests), dice_(number + s.requests + s.writes + s.sizes), shortest_(s.filled) {}

  // False: that was all.
  bool next() {
    if (left_ == 0) return false;
    --left_;
    const std::uint64_t drawn = dice_.below(100);
    if (drawn < setting_->sizes) {
      asked_ = list_request::size;
      return true;
    }
    asked_ = drawn < setting_->sizes + setting_->writes ? list_request::write : list_request::contains;
    value_ = static_cast<std::int32_t>(dice_.next());
    return true;
  }
  [[nodiscard]] list_request asked() const { return asked_; }
  [[nodiscard]] std::int32_t value() const { return value_; }

  // The generator makes each number from the one before it. So the draw that says what to do decides on the number as
  // well: one that is looked for is never one that is written. Only lengths depend on the others.
  void hear(std::int32_t answer) {
    const auto length = static_cast<std::uint64_t>(answer);
    switch (asked_) {
      case list_request::write:
        ++record_.writes;
        ++shortest_;
        record_.wrong += answer != value_;
        break;
      case list_request::contains:
        ++record_.contains;
        record_.wrong += answer != (static_cast<std::uint64_t>(value_) < setting_->filled);
        break;
      case list_request::size:
        ++record_.sizes;
        record_.wrong += length < shortest_;
        shortest_ = length;
        record_.longest = length;
    }
  }
  [[nodiscard]] const list_record& record() const { return record_; }

 private:
  const list_setting* setting_;
  std::uint64_t left_;
  savina_random dice_;
  std::uint64_t shortest_;  // that the list can be
  list_request asked_{};
  std::int32_t value_ = 0;
  list_record record_;
};

inline void check_figures_of_the_suite(program& p, const list_record& all, const list_contents& expected) {
  p.check_equal(all.writes, 16'126, "writes with the parameters of the suite");
  p.check_equal(all.contains, 143'864, "numbers looked for with the parameters of the suite");
  p.check_equal(all.sizes, 10, "lengths asked for with the parameters of the suite");
  std::uint64_t sum = 0;
  for (const std::int32_t v : expected) sum += static_cast<std::uint64_t>(v);
  p.check_equal(sum, 536'620'953, "sum of the list with the parameters of the suite");
  const std::set<std::int32_t> different(expected.begin(), expected.end());
  p.check_equal(different.size(), 3'345, "different numbers with the parameters of the suite");
}

inline void check_list(program& p, const list_setting& s, const std::vector<list_record>& found,
                       const list_contents& contents) {
  list_contents expected;
  for (std::uint64_t v = 0; v < s.filled; ++v) expected.push_back(static_cast<std::int32_t>(v));
  list_record all;
  for (std::uint64_t i = 0; i < s.workers; ++i) {
    list_record one;
    list_client client(s, i);
    while (client.next()) {
      one.writes += client.asked() == list_request::write;
      one.contains += client.asked() == list_request::contains;
      one.sizes += client.asked() == list_request::size;
      if (client.asked() == list_request::write) expected.push_back(client.value());
    }
    p.check_equal(found[i].writes, one.writes, "writes of one worker");
    p.check_equal(found[i].contains, one.contains, "numbers that one worker looked for");
    p.check_equal(found[i].sizes, one.sizes, "lengths that one worker asked for");
    p.check_equal(found[i].wrong, 0, "wrong answers");
    all.writes += one.writes;
    all.contains += one.contains;
    all.sizes += one.sizes;
  }
  for (const list_record& r : found) p.check(r.longest <= expected.size(), "the list was too long");
  std::sort(expected.begin(), expected.end());
  p.check_equal(contents.size(), expected.size(), "length at the end");
  p.check(contents == expected, "the list does not hold what was written, in order");
  const bool usual = s.workers == 20 && s.requests == 8'000 && s.writes == 10 && s.sizes == 1 && s.filled == 0;
  if (usual) check_figures_of_the_suite(p, all, expected);
}

}  // namespace bench
