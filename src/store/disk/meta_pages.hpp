// The first two pages of a file of LMDB, read without LMDB, which would end the process over some kinds of damage.
#pragma once

#include <cstdint>
#include <string>

namespace tact::lmdb {

struct meta_view {
  // What is wrong for certain; empty if nothing is.
  std::string damage{};
  // The file ends in front of a page that LMDB has counted. It may be a free one.
  bool is_short = false;
};
// `fd`: of the file, which no process writes. Throws nothing.
[[nodiscard]] meta_view look_at_meta_pages(int fd);

}  // namespace tact::lmdb
