// tact::decode_error: why bytes could not be read as a value.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace tact {

// Its text names the member, what was expected and found, and the byte: "account.history[3].amount: expected int32,
// found the int64 300000000000 at byte 57".
class decode_error : public std::runtime_error {
 public:
  decode_error(const std::string& path, const std::string& what, std::size_t offset)
      : std::runtime_error(path + ": " + what + " at byte " + std::to_string(offset)), path_(path), offset_(offset) {}

  // Of a type that cannot be read at all, whatever the bytes are.
  decode_error(const std::string& path, const std::string& what)
      : std::runtime_error(path + ": " + what), path_(path), offset_(0) {}

  // The type, and from there the way to the member: "account.history[3].amount".
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  // Bytes before the one that could not be read, from the begin of what was to be decoded.
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }

 private:
  std::string path_;
  std::size_t offset_;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
