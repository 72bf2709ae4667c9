// The name of the customer of an ask: "answer to request<load>, asked by cache".
#pragma once

#include <string>
#include <string_view>

namespace tact::base {

inline constexpr std::string_view one_answer = "answer";
inline constexpr std::string_view several_answers = "answers";
inline constexpr std::string_view to_request = " to ";

// The name of an actor with what tells it from others of that name, which stands behind the noun: "account@7",
// "answer@7 to request<load>".
[[nodiscard]] inline std::string with_address(std::string_view name, std::string_view address) {
  std::size_t noun = name.size();
  for (const std::string_view answer : {one_answer, several_answers}) {
    if (name.starts_with(answer) && name.substr(answer.size()).starts_with(to_request)) noun = answer.size();
  }
  return std::string(name.substr(0, noun)).append(address).append(name.substr(noun));
}

}  // namespace tact::base
