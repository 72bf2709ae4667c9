// error: at most 64 messages
#include "account.hpp"

template <int>
struct numbered {};
template <int... I>
tact::protocol<numbered<I>...> numbers(std::integer_sequence<int, I...>);
auto size = sizeof(numbers(std::make_integer_sequence<int, 65>{}));  // here
