// Bytes from an enemy, with shapes of his own, are a value or a tact::decode_error; a value that was read is written
// and read again as the same.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "codec/everything.hpp"
#include "tact/codec/codec.hpp"

namespace {

using namespace tact::codec_tests;

constexpr tact::codec_limits limits{.bytes = 1U << 16, .depth = 32, .items = 1000};

struct account {
  std::string owner;
  std::int32_t number = 0;
  std::vector<item> history;
  std::variant<bool, std::string, std::vector<double>> extra;
  std::optional<std::int16_t> perhaps;
  std::map<std::string, tree> trees;
  std::chrono::seconds age{};
  path where;
};

void require(bool is_right, const char* what) {
  if (is_right) return;
  std::cerr << what << '\n';
  std::abort();
}
template <class T>
void comes_back(const T& value) {
  const std::string bytes = tact::encode(value);
  require(tact::encode(tact::decode<T>(bytes)) == bytes, "a value that was read is not read as it was written");
}
template <class T>
void read_described(std::string_view bytes) {
  comes_back(tact::decode<T>(bytes, limits));
}
// Behind the fingerprint of the own shape: so inputs are values soon.
template <class T>
void read_own(std::string_view body) {
  std::string bytes = tact::encode_compact(T{}).substr(0, 8);
  bytes += body;
  comes_back(tact::decode_compact<T>(bytes, tact::shape_of<T>(), limits));
}
template <class T>
void read_of_shape(std::string_view bytes) {
  const std::size_t size = static_cast<unsigned char>(bytes.front());
  const tact::shape writer(bytes.substr(1, size));
  require(tact::shape(writer.description()) == writer, "a description is not what it was made of");
  std::string compact = tact::encode_compact(0);
  tact::detail::coding::store_little(compact.data(), writer.fingerprint());
  compact.resize(8);
  if (bytes.size() > size) compact += bytes.substr(size + 1);
  comes_back(tact::decode_compact<T>(compact, writer, limits));
}

void read(unsigned how, std::string_view bytes) {
  switch (how % 8) {
    case 0:
      return read_described<account>(bytes);
    case 1:
      return read_described<everything>(bytes);
    case 2:
      return read_own<everything>(bytes);
    case 3:
      return read_own<account>(bytes);
    case 4:
      return read_own<tree>(bytes);
    case 5:
      return read_of_shape<account>(bytes);
    case 6:
      return read_of_shape<std::vector<std::int64_t>>(bytes);
    default:
      return read_of_shape<tree>(bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  // A copy of exactly this size, so that a read behind it is seen.
  const std::vector<char> bytes(data + 1, data + size);
  try {
    read(data[0], {bytes.data(), bytes.size()});
  } catch (const tact::decode_error& e) {
    require(!e.path().empty() && std::string_view(e.what()).size() > e.path().size(), "an error says nothing");
  }
  return 0;
}
