// error: `renamed` leads from a name that no member has to the name of a member
#include <tact/codec/codec.hpp>

struct account {
  long amount;
};
template <>
struct tact::codec<account> {
  static constexpr tact::renamed renamed[] = {{"balance", "amuont"}};
};
std::string f(const account& a) {
  return tact::encode(a);  // here
}
