// Filter bank without a runtime: one channel after the other.
#include "savina/floor.hpp"
#include "savina/filter_bank/filters.hpp"

namespace bench {
namespace {

struct channel {
  channel(const bank_setting& of, std::uint64_t number)
      : first_delay(of.columns - 1),
        first(first_window(of, number)),
        sampled(of.columns),
        second_delay(of.columns - 1),
        second(second_window(of, number)) {}
  std::optional<double> add(double input) {
    const auto seen = first.add(first_delay.add(input));
    return seen ? second.add(second_delay.add(sampled.add(*seen))) : std::nullopt;
  }

  delay first_delay;
  window first;
  sampler sampled;
  delay second_delay;
  window second;
};

struct filter_bank {
  explicit filter_bank(savina_parameters& p) : setting(ask_for_bank(p)) {}

  std::uint64_t run() {
    std::vector<double> sums(setting.behind_second());
    for (std::uint64_t i = 0; i < setting.channels; ++i) {
      channel one(setting, i);
      auto sum = sums.begin();
      for (std::uint64_t n = 0; n < setting.inputs; ++n) {
        if (const auto value = one.add(static_cast<double>(n % inputs_period))) *sum++ += *value;
      }
    }
    for (const double sum : sums) result.add(sum);
    return setting.messages();
  }
  void check(program& p) const { check_bank(p, result, setting); }

  bank_setting setting;
  bank_result result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_without_runtime<bench::filter_bank>(argc, argv, "Filter bank: channels of filters (Savina 17).");
}
