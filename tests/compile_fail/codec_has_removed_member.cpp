// error: a member has a name that `removed` says is gone for ever
#include <tact/codec/codec.hpp>

struct account {
  long amount;
};
template <>
struct tact::codec<account> {
  static constexpr std::string_view removed[] = {"amount"};
};
std::string f(const account& a) {
  return tact::encode(a);  // here
}
