#include "container.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace loudness {
namespace {

enum class byte_order : unsigned char { little, big };

class bytes_of_file {
 public:
  explicit bytes_of_file(const std::filesystem::path& path) : file_(path, std::ios::binary) {
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    size_ = unknown ? 0 : size;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  // Shorter where the file ends.
  std::string text(std::uint64_t from, std::size_t bytes) {
    std::string found(from < size_ ? static_cast<std::size_t>(std::min<std::uint64_t>(bytes, size_ - from)) : 0, '\0');
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(from));
    file_.read(found.data(), static_cast<std::streamsize>(found.size()));
    found.resize(static_cast<std::size_t>(file_.gcount()));
    return found;
  }
  // 0 where the file ends.
  std::uint64_t number(std::uint64_t from, std::size_t bytes, byte_order order) {
    std::string digits = text(from, bytes);
    if (digits.size() != bytes) return 0;
    if (order == byte_order::little) std::reverse(digits.begin(), digits.end());
    std::uint64_t value = 0;
    for (const char digit : digits) value = value << 8 | static_cast<unsigned char>(digit);
    return value;
  }

 private:
  std::ifstream file_;
  std::uint64_t size_ = 0;
};

// A file that is made of chunks: a name of four letters, a length, so many bytes, and one more where they are odd.
struct chunks {
  static constexpr std::uint64_t begin = 12;
  static constexpr std::uint64_t head = 8;

  byte_order order;
  std::string_view sound;  // the name of the chunk that has the sound
};

std::uint64_t behind(std::uint64_t at, std::uint64_t length) { return at + chunks::head + length + length % 2; }

// Those who write to a pipe do not know how long it will become, and write one of these.
bool is_open(std::uint64_t length) { return length >= 0xffff'f000 || (length >= 0x7fff'f000 && length <= 0x7fff'ffff); }

// What follows are chunks to the end of the file, rather than sound.
bool has_chunks_from(bytes_of_file& file, std::uint64_t at, byte_order order) {
  while (at + chunks::head <= file.size()) {
    const std::string name = file.text(at, 4);
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isprint(c) != 0; })) return false;
    const std::uint64_t next = behind(at, file.number(at + 4, 4, order));
    if (next > file.size() + 1) return false;
    at = next;
  }
  return true;
}

std::optional<sound_bytes> in_chunks(bytes_of_file& file, const chunks& made) {
  std::uint64_t long_length = 0;  // of RF64, whose lengths have 64 bits
  for (std::uint64_t at = chunks::begin; at + chunks::head <= file.size();) {
    const std::string name = file.text(at, 4);
    const std::uint64_t content = at + chunks::head;
    std::uint64_t length = file.number(at + 4, 4, made.order);
    if (name == "ds64") long_length = file.number(content + 8, 8, made.order);
    if (name == made.sound) {
      if (long_length != 0) {
        length = long_length;
      } else if (is_open(length)) {
        return {};
      }
      const std::uint64_t rest = file.size() - content;
      if (length == 0) return sound_bytes{0, has_chunks_from(file, content, made.order) ? 0 : rest};
      return sound_bytes{length, std::min(length, rest)};
    }
    at = behind(at, length);
  }
  return {};
}

std::optional<sound_bytes> in_au(bytes_of_file& file) {
  const std::uint64_t begin = file.number(4, 4, byte_order::big);
  const std::uint64_t length = file.number(8, 4, byte_order::big);
  if (begin > file.size() || is_open(length)) return {};
  const std::uint64_t rest = file.size() - begin;
  return sound_bytes{length, length == 0 ? rest : std::min(length, rest)};
}

}  // namespace

std::optional<sound_bytes> sound_bytes_of(const std::filesystem::path& path) {
  bytes_of_file file(path);
  const std::string name = file.text(0, 4);
  if (name == "RIFF" || name == "RF64") return in_chunks(file, {byte_order::little, "data"});
  if (name == "RIFX") return in_chunks(file, {byte_order::big, "data"});
  if (name == "FORM") return in_chunks(file, {byte_order::big, "SSND"});
  if (name == ".snd") return in_au(file);
  return {};
}

bool is_ogg_without_end(const std::filesystem::path& path) {
  constexpr std::uint64_t page_max = 27 + 255 + 255 * 255;
  constexpr std::size_t head = 27;
  constexpr std::size_t flags = 5;
  constexpr char last_of_stream = 4;
  bytes_of_file file(path);
  if (file.text(0, 4) != "OggS") return false;
  const std::uint64_t from = file.size() > page_max ? file.size() - page_max : 0;
  const std::string end = file.text(from, page_max);
  const std::size_t page = end.rfind("OggS");
  if (page == std::string::npos || end.size() < page + head) return true;
  const auto segments = static_cast<unsigned char>(end[page + head - 1]);
  std::size_t length = head + segments;
  if (end.size() < page + length) return true;
  for (std::size_t i = 0; i < segments; ++i) length += static_cast<unsigned char>(end[page + head + i]);
  return end.size() < page + length || (end[page + flags] & last_of_stream) == 0;
}

}  // namespace loudness
