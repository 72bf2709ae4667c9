// Any bytes are a key in one way only, or none; two keys are in the order of their bytes. Random values come back.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "codec/everything.hpp"
#include "tact/codec/codec.hpp"
#include "tact/codec/key.hpp"

namespace {

using namespace tact::codec_tests;

using mixed = std::tuple<std::string, std::int16_t, std::optional<double>, std::string, bool>;

void require(bool is_right, const char* what) {
  if (is_right) return;
  std::cerr << what << '\n';
  std::abort();
}
template <class K>
std::optional<K> key_of(std::string_view bytes) {
  try {
    std::optional<K> key(tact::decode_key<K>(bytes));
    require(tact::encode_key(*key) == bytes, "two byte strings are one key");
    return key;
  } catch (const tact::decode_error&) {
    return {};
  }
}
template <class K>
void compare(std::string_view a, std::string_view b) {
  const auto first = key_of<K>(a);
  const auto second = key_of<K>(b);
  if (first && second) require((*first < *second) == (a < b), "keys are in another order than their bytes");
}
// Made from any bytes, so that keys need not be found by chance.
mixed made(std::string_view bytes) {
  const auto number = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0; };
  mixed key{std::string(bytes.substr(0, bytes.size() / 2)),
            static_cast<std::int16_t>(number(0) * 257 - 32768),
            {},
            std::string(bytes),
            number(1) < 9};
  if (number(2) != 0) std::get<2>(key) = (number(3) - 128) * 1.5;
  return key;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view a = bytes.substr(0, size / 2);
  const std::string_view b = bytes.substr(size / 2);
  compare<mixed>(a, b);
  compare<double>(a, b);
  compare<std::pair<std::string, std::string>>(a, b);
  const mixed first = made(a);
  const mixed second = made(b);
  require((first < second) == (tact::encode_key(first) < tact::encode_key(second)), "made keys are in another order");
  require(tact::decode_key<mixed>(tact::encode_key(first)) == first, "a made key does not come back");

  std::uint64_t seed = 0;
  for (const char c : bytes) seed = seed * 31 + static_cast<unsigned char>(c);
  const everything value = values(seed).all();
  const std::string written = tact::encode_compact(value);
  require(tact::decode_compact<everything>(written, tact::shape_of<everything>()) == value,
          "a value does not come back");
  return 0;
}
