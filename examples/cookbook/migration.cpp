// A value that an older program has written is read by one whose type has changed since.
#include <cstdint>
#include <string>
#include <tact/codec/codec.hpp>
#include <vector>

namespace first_version {

struct account {
  std::string owner;
  std::int32_t balance = 0;
  std::string note;
};

}  // namespace first_version

namespace today {

struct account {
  std::vector<std::string> tags{"new"};  // was added
  std::string holder;                    // was the owner
  std::int64_t balance = 0;              // was an std::int32_t
};

}  // namespace today

template <>
struct tact::codec<today::account> {
  static constexpr tact::renamed renamed[] = {{"owner", "holder"}};
  static constexpr std::string_view removed[] = {"note"};
};

int main() {
  const std::string bytes = tact::encode(first_version::account{"Ada", 12, "asks for tea"});

  const auto a = tact::decode<today::account>(bytes);
  const bool is_read = a.holder == "Ada" && a.balance == 12 && a.tags.size() == 1;

  std::string why;
  try {
    (void)tact::decode<today::account>(std::string_view(bytes).substr(0, bytes.size() - 15));
  } catch (const tact::decode_error& e) {
    why = e.path();
  }
  return is_read && why == "account.balance" ? 0 : 1;
}
