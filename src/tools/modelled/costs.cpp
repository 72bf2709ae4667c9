// The costs of a machine as a text.
#include <array>
#include <charconv>
#include <ostream>
#include <stdexcept>
#include <string>

#include "base/struct_text.hpp"
#include "tact/model.hpp"

namespace tact {
namespace {

struct named_cost {
  std::string_view name;
  double model_costs::*value;
};
#define TACT_COST(name) \
  named_cost { #name, &model_costs::name }
constexpr std::array costs{TACT_COST(block),       TACT_COST(access),        TACT_COST(update),
                           TACT_COST(l2),          TACT_COST(both_busy),     TACT_COST(l3),
                           TACT_COST(same_l3),     TACT_COST(same_package),  TACT_COST(other_package),
                           TACT_COST(memory),      TACT_COST(other_memory),  TACT_COST(hop),
                           TACT_COST(window),      TACT_COST(stores_waited), TACT_COST(streams_waited),
                           TACT_COST(fetches_max), TACT_COST(pause),         TACT_COST(clock),
                           TACT_COST(sleep),       TACT_COST(wake_none),     TACT_COST(wake),
                           TACT_COST(woken),       TACT_COST(woken_idle),    TACT_COST(idle_long),
                           TACT_COST(slice),       TACT_COST(barrier),       TACT_COST(allocate),
                           TACT_COST(fault),       TACT_COST(start),         TACT_COST(l2_kib),
                           TACT_COST(l3_kib)};
#undef TACT_COST

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

[[noreturn]] void refuse(unsigned line, const std::string& why) {
  throw std::invalid_argument("tact::model_costs::read: line " + std::to_string(line) + ": " + why);
}

void read_line(model_costs& to, std::string_view text, unsigned line) {
  text = trimmed(text.substr(0, text.find('#')));
  if (text.empty()) return;
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) refuse(line, "it says no `name = number`: " + std::string(text));
  const std::string_view name = trimmed(text.substr(0, equals));
  const std::string_view number = trimmed(text.substr(equals + 1));
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size() || !(value >= 0 && value <= 1e12))
    refuse(line, "not a number from 0 to 1e12: " + std::string(number));
  for (const named_cost& c : costs) {
    if (c.name != name) continue;
    to.*c.value = value;
    return;
  }
  std::string known;
  for (const named_cost& c : costs) known += (known.empty() ? "" : ", ") + std::string(c.name);
  refuse(line, "there is no cost " + std::string(name) + "; there are " + known);
}

}  // namespace

void model_costs::read(std::string_view text) {
  model_costs changed = *this;
  unsigned line = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    read_line(changed, text.substr(0, end), ++line);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  *this = changed;
}

std::ostream& operator<<(std::ostream& out, const model_costs& c) {
  std::string text;
  for (const named_cost& n : costs) text.append(n.name).append(" = ").append(base::code_of(c.*n.value)) += '\n';
  return out << text;
}

}  // namespace tact
