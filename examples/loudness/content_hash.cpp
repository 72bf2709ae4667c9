#include "content_hash.hpp"

#include <bit>
#include <cerrno>
#include <system_error>

#include "sound_file.hpp"

namespace loudness {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
constexpr std::uint64_t factor_high = 0x87c37b91114253d5;
constexpr std::uint64_t factor_low = 0x4cf5ad432745937f;

// The lowest byte first, up to eight of them.
std::uint64_t word_of(std::span<const unsigned char> bytes) noexcept {
  std::uint64_t word = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) word = word << 8 | bytes[i];
  return word;
}

std::uint64_t mixed_high(std::uint64_t word) noexcept { return std::rotl(word * factor_high, 31) * factor_low; }
std::uint64_t mixed_low(std::uint64_t word) noexcept { return std::rotl(word * factor_low, 33) * factor_high; }

std::uint64_t finished(std::uint64_t h) noexcept {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}

}  // namespace

void hasher::add(std::span<const unsigned char> blocks) noexcept {
  bytes_ += blocks.size();
  for (; !blocks.empty(); blocks = blocks.subspan(block_bytes)) {
    high_ = (std::rotl(high_ ^ mixed_high(word_of(blocks.first(8))), 27) + low_) * 5 + 0x52dce729;
    low_ = (std::rotl(low_ ^ mixed_low(word_of(blocks.subspan(8, 8))), 31) + high_) * 5 + 0x38495ab5;
  }
}

content_hash hasher::end(std::span<const unsigned char> rest) noexcept {
  const std::size_t in_high = rest.size() < 8 ? rest.size() : 8;
  bytes_ += rest.size();
  low_ ^= mixed_low(word_of(rest.subspan(in_high)));
  high_ ^= mixed_high(word_of(rest.first(in_high)));
  high_ ^= bytes_;
  low_ ^= bytes_;
  high_ += low_;
  low_ += high_;
  high_ = finished(high_);
  low_ = finished(low_);
  high_ += low_;
  low_ += high_;
  return {high_, low_};
}

std::optional<content_hash> file_hashing::advance() {
  if (file_ == nullptr) {
    file_.reset(std::fopen(path_.c_str(), "rb"));
    if (file_ == nullptr) throw sound_error(std::generic_category().message(errno));
    piece_.resize(piece_bytes);
  }
  const std::size_t got = std::fread(piece_.data(), 1, piece_.size(), file_.get());
  if (std::ferror(file_.get()) != 0) throw sound_error("cannot be read: " + std::generic_category().message(errno));
  const std::span<const unsigned char> bytes(piece_.data(), got);
  const std::size_t whole = got - got % hasher::block_bytes;
  hash_.add(bytes.first(whole));
  if (got == piece_.size()) return {};
  return hash_.end(bytes.subspan(whole));
}

}  // namespace loudness
