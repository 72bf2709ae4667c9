// What the runtimes of filter bank share: its filters, and what must come out of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "savina/parameters.hpp"

namespace bench {

struct bank_setting {
  std::uint64_t columns;  // inputs that a window sees
  std::uint64_t inputs;   // 0, 1, ... 999, 0, ...
  std::uint64_t channels;

  // Each window keeps the first columns - 1 for itself.
  [[nodiscard]] constexpr std::uint64_t behind_first() const { return inputs - std::min(inputs, columns - 1); }
  [[nodiscard]] constexpr std::uint64_t behind_second() const { return inputs - std::min(inputs, 2 * (columns - 1)); }
  [[nodiscard]] constexpr double first_weight(std::uint64_t channel, std::uint64_t i) const {
    return static_cast<double>(i * columns + channel * channels + channel + i + channel + 1);
  }
  [[nodiscard]] static constexpr double second_weight(std::uint64_t channel, std::uint64_t i) {
    return static_cast<double>(i * channel + channel * channel + channel + i);
  }
  // Handled by all actors.
  [[nodiscard]] std::uint64_t messages() const {
    const auto supply = 3 * inputs + 1;  // producer, source, branches
    const auto of_channel = 3 * inputs + 3 * behind_first() + 2 * behind_second();
    const auto ends = 8 * channels + 4;
    return supply + channels * of_channel + 2 * behind_second() + ends;
  }
  [[nodiscard]] std::uint64_t actors() const { return 6 + 7 * channels; }
};

inline constexpr std::uint64_t inputs_period = 1'000;

inline bank_setting ask_for_bank(savina_parameters& p) {
  const bank_setting found{p.number("columns", {16'384, 16'384, 16}, "inputs that a window sees", 2),
                           p.number("inputs", {34'816, 51'200, 64}, "inputs"),
                           p.number("channels", {8, 8, 8}, "channels", 2)};
  p.of().require(found.channels <= 34, "--channels is at most 34");
  return found;
}

// The filters, each with add(input): what it makes of that, if it makes anything.

struct no_filter {
  static double add(double input) { return input; }
};

class delay {
 public:
  explicit delay(std::uint64_t inputs) : ring_(inputs) {}
  double add(double input) {
    const double output = std::exchange(ring_[next_], input);
    if (++next_ == ring_.size()) next_ = 0;
    return output;
  }

 private:
  std::vector<double> ring_;
  std::size_t next_ = 0;
};

// All but the first of so many become 0.
class sampler {
 public:
  explicit sampler(std::uint64_t period) : period_(period) {}
  double add(double input) {
    const double output = place_ == 0 ? input : 0;
    if (++place_ == period_) place_ = 0;
    return output;
  }

 private:
  std::uint64_t period_;
  std::uint64_t place_ = 0;
};

// The weighted sum of the last inputs, once there are as many as weights. An input's weight is that of the slot in
// which it came to lie, and not of its age: so the suite has it.
class window {
 public:
  template <class Weight>
  window(std::uint64_t columns, Weight weight) : inputs_(columns) {
    for (auto i = columns; i-- != 0;) weights_.push_back(weight(i));
  }
  std::optional<double> add(double input) {
    inputs_[next_] = input;
    if (++next_ == inputs_.size()) {
      next_ = 0;
      full_ = true;
    }
    if (!full_) return {};
    return sum();
  }

 private:
  // Not inlined, so that all runtimes do it with the same code.
  [[gnu::noinline]] double sum() const {
    double all = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) all += inputs_[i] * weights_[i];
    return all;
  }

  std::vector<double> inputs_;
  std::vector<double> weights_;
  std::size_t next_ = 0;
  bool full_ = false;
};

inline window first_window(const bank_setting& of, std::uint64_t channel) {
  return {of.columns, [&](std::uint64_t i) { return of.first_weight(channel, i); }};
}
inline window second_window(const bank_setting& of, std::uint64_t channel) {
  return {of.columns, [&](std::uint64_t i) { return of.second_weight(channel, i); }};
}

// Puts together what comes from the channels: the first of each, the second of each, and so on.
class collector {
 public:
  explicit collector(std::uint64_t channels) : of_(channels) {}

  // A set with a value of each channel, when this was the last one that it lacked.
  std::optional<std::vector<double>> add(std::uint32_t channel, double value) {
    const auto place = of_[channel]++ - complete_;
    if (place == sets_.size()) sets_.push_back({std::vector<double>(of_.size()), of_.size()});
    set& s = sets_[place];
    s.values[channel] = value;
    if (--s.lacks != 0) return {};
    auto values = std::move(s.values);  // of the first: no later one can be complete before it
    sets_.pop_front();
    ++complete_;
    return values;
  }

 private:
  struct set {
    std::vector<double> values;
    std::size_t lacks;
  };
  std::vector<std::uint64_t> of_;  // values that came from each channel
  std::uint64_t complete_ = 0;
  std::deque<set> sets_;
};

struct bank_result {
  std::uint64_t count = 0;
  std::uint64_t not_zero = 0;
  double sum = 0;
  double largest = 0;

  constexpr void add(double value) {
    ++count;
    not_zero += value != 0;
    sum += value;
    largest = std::max(largest, value);
  }
  friend constexpr bool operator==(const bank_result&, const bank_result&) = default;
};

// Without the filters. Of what leaves the first window of a channel only each columns-th value is not made 0, and it
// comes to lie in the last slot of the second one, until the next such value takes its place.
constexpr bank_result expected_bank(const bank_setting& of) {
  bank_result expected;
  double value = 0;
  for (std::uint64_t n = 0; n < of.behind_second(); ++n) {
    if (n % of.columns == 0) {
      value = 0;
      for (std::uint64_t channel = 0; channel < of.channels; ++channel) {
        double sum = 0;
        // Behind the first delay: columns - 1 zeros, then the inputs.
        for (std::uint64_t i = n == 0 ? of.columns - 1 : 0; i < of.columns; ++i) {
          const auto input = static_cast<double>((n + i - (of.columns - 1)) % inputs_period);
          sum += input * of.first_weight(channel, of.columns - 1 - i);
        }
        value += sum * of.second_weight(channel, 0);
      }
    }
    expected.add(value);
  }
  return expected;
}
static_assert(expected_bank({16, 46, 8}) == bank_result{16, 0, 0, 0});
static_assert(expected_bank({16, 47, 8}) == bank_result{17, 1, 3'221'568, 3'221'568});
static_assert(expected_bank({16, 64, 8}) == bank_result{34, 18, 73'772'160, 11'113'536});
static_assert(expected_bank({64, 1'024, 8}) == bank_result{898, 834, 7'677'567'066'624, 19'313'758'464});
static_assert(expected_bank({256, 2'048, 8}) == bank_result{1'538, 1'282, 716'348'953'184'256, 1'192'013'421'312});

inline void check_bank(program& p, const bank_result& found, const bank_setting& of) {
  const auto expected = expected_bank(of);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * b; };  // large ones are rounded
  p.check_equal(found.count, expected.count, "values that arrived");
  p.check_equal(found.not_zero, expected.not_zero, "values that are not 0");
  p.check(near(found.sum, expected.sum), "the sum of the values");
  p.check(near(found.largest, expected.largest), "the largest value");
}

}  // namespace bench
