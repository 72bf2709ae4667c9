// What the runtimes of the concurrent dictionary share: what each worker asks for, and what must come of it.
#pragma once

#include <map>
#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"

namespace bench {

// The answer about a key that the dictionary does not hold.
inline constexpr std::int32_t no_value = -1;

struct dictionary_entry {
  std::int32_t key;
  std::int32_t value;
};
using dictionary_contents = std::vector<dictionary_entry>;

// That keys are below this changes nothing: the random numbers are smaller.
inline constexpr std::uint64_t dictionary_keys = 524'287;

struct dictionary_setting {
  // The suite fills the dictionary before it begins; here it is empty, as in Charousset's thesis.
  explicit dictionary_setting(savina_parameters& p)
      : workers(p.number("workers", {20, 100, 4}, "workers")),
        requests(p.number("requests", {10'000, 50'000, 200}, "requests of each worker")),
        writes(p.number("writes", {10, 10, 30}, "percent of the requests that write", 0)),
        filled(p.number("filled", {0, 0, 5'000}, "so many keys are there from the beginning", 0)) {
    p.of().require(writes <= 100, "--writes is at most 100");
    p.of().require(filled <= dictionary_keys, "--filled is at most 524287");
  }
  // Each worker: its start, its requests and their answers, the end of its work; the end of all work.
  [[nodiscard]] std::uint64_t messages() const { return workers * (2 * requests + 2) + 1; }
  [[nodiscard]] std::int32_t value_at_first(std::int32_t key) const {
    return static_cast<std::uint64_t>(key) < filled ? key : no_value;
  }
  // Calls put(entry) for what is there from the beginning.
  template <class Put>
  void fill(Put put) const {
    for (std::int32_t key = 0; value_at_first(key) != no_value; ++key) put(dictionary_entry{key, key});
  }

  std::uint64_t workers;
  std::uint64_t requests;
  std::uint64_t writes;
  std::uint64_t filled;
};

struct dictionary_request {
  bool writes;
  dictionary_entry entry;
};

// What one worker did.
struct dictionary_record {
  std::uint64_t writes = 0;
  std::uint64_t reads = 0;
  std::uint64_t wrong = 0;  // answers
};

// The requests of one worker, and what it makes of the answers.
class dictionary_client {
 public:
  dictionary_client(const dictionary_setting& s, std::uint64_t number)
      : setting_(&s), left_(s.requests), dice_(number + s.requests + s.writes) {}

  // Null: that was all.
  const dictionary_request* next() {
    if (left_ == 0) return nullptr;
    --left_;
    asked_.writes = dice_.below(100) < setting_->writes;
    asked_.entry.key = static_cast<std::int32_t>(dice_.next() % dictionary_keys);
    if (asked_.writes) asked_.entry.value = static_cast<std::int32_t>(dice_.next());
    return &asked_;
  }
  // The generator makes each number from the one before it. So the draw whether to write decides on the key, and the
  // key on the value: no key is both read and written, and every answer is known beforehand.
  void hear(std::int32_t value) {
    ++(asked_.writes ? record_.writes : record_.reads);
    record_.wrong += value != (asked_.writes ? asked_.entry.value : setting_->value_at_first(asked_.entry.key));
  }
  [[nodiscard]] const dictionary_record& record() const { return record_; }

 private:
  const dictionary_setting* setting_;
  std::uint64_t left_;
  savina_random dice_;
  dictionary_request asked_{};
  dictionary_record record_;
};

inline void check_dictionary(program& p, const dictionary_setting& s, const std::vector<dictionary_record>& found,
                             const dictionary_contents& contents) {
  std::map<std::int32_t, std::int32_t> expected;
  s.fill([&](dictionary_entry e) { expected[e.key] = e.value; });
  std::uint64_t all_writes = 0;
  for (std::uint64_t i = 0; i < s.workers; ++i) {
    std::uint64_t writes = 0;
    dictionary_client client(s, i);
    while (const dictionary_request* r = client.next()) {
      if (!r->writes) continue;
      ++writes;
      expected[r->entry.key] = r->entry.value;
    }
    p.check_equal(found[i].writes, writes, "writes of one worker");
    p.check_equal(found[i].reads, s.requests - writes, "reads of one worker");
    p.check_equal(found[i].wrong, 0, "wrong answers");
    all_writes += writes;
  }
  std::map<std::int32_t, std::int32_t> held;
  for (const dictionary_entry& e : contents) held.emplace(e.key, e.value);
  p.check_equal(contents.size(), expected.size(), "entries at the end");
  p.check(held == expected, "the dictionary does not hold what was written");
  if (s.workers != 20 || s.requests != 10'000 || s.writes != 10 || s.filled != 0) return;
  p.check_equal(all_writes, 19'981, "writes with the parameters of the suite");
  p.check_equal(held.size(), 3'156, "keys with the parameters of the suite");
}

}  // namespace bench
