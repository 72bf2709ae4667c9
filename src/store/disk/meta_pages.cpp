#include "store/disk/meta_pages.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstring>

namespace tact::lmdb {

namespace {

// LMDB 0.9, 64 bits: MDB_meta behind the head of a page.
struct tree {
  std::uint32_t page_bytes;  // of the list of free pages: the size of the file's pages
  std::uint16_t flags;
  std::uint16_t depth;
  std::uint64_t branches, leaves, overflows, entries, root;
};
struct meta {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t address;
  std::uint64_t map_bytes;
  std::array<tree, 2> trees;
  std::uint64_t last_page;
  std::uint64_t transaction;
};
constexpr std::size_t page_head_bytes = 16;
constexpr std::uint32_t magic = 0xbeefc0de;
constexpr std::uint32_t version = 1;
constexpr std::uint64_t no_page = ~std::uint64_t{0};
constexpr std::uint64_t page_bytes_min = 512, page_bytes_max = 1u << 16;
constexpr std::uint64_t pages_short_max = 1u << 20;  // a file lacks so many pages only if it was cut

bool read_meta(int fd, std::uint64_t at, meta& m) {
  return ::pread(fd, &m, sizeof m, static_cast<off_t>(at + page_head_bytes)) == static_cast<ssize_t>(sizeof m);
}

bool has_roots(const meta& m) {
  for (const tree& t : m.trees) {
    if (t.root != no_page && t.root > m.last_page) return false;
  }
  return true;
}

// Each commit writes the page that has the older number, so the numbers follow each other, and the odd one is behind.
bool follow_each_other(const std::array<meta, 2>& m) {
  const std::uint64_t even = m[0].transaction, odd = m[1].transaction;
  return (even == 0 && odd == 0) || (even % 2 == 0 && (odd == even + 1 || odd + 1 == even));
}

// The other one need not be whole: LMDB takes back only the numbers of what it could not write there.
const meta& newer_of(const std::array<meta, 2>& m) { return m[m[1].transaction > m[0].transaction ? 1 : 0]; }

std::string damage_of(const std::array<meta, 2>& m) {
  for (const meta& page : m) {
    if (page.magic != magic || page.version != version) return "it does not begin as a file of LMDB does";
    if (page.trees[0].page_bytes != m[0].trees[0].page_bytes)
      return "its first pages do not agree on the size of a page";
  }
  if (!has_roots(newer_of(m))) return "a table begins behind the end of the file";
  return follow_each_other(m) ? "" : "the transaction numbers of its first pages do not follow each other";
}

}  // namespace

meta_view look_at_meta_pages(int fd) {
  struct ::stat file {};
  std::array<meta, 2> m{};
  if (::fstat(fd, &file) != 0 || file.st_size == 0) return {"it is empty (remove it if it is meant to be new)"};
  if (!read_meta(fd, 0, m[0])) return {"it is shorter than its first page"};
  const std::uint64_t bytes = m[0].trees[0].page_bytes;
  if (m[0].magic != magic || !std::has_single_bit(bytes) || bytes < page_bytes_min || bytes > page_bytes_max) {
    return {"it does not begin as a file of LMDB does"};
  }
  if (!read_meta(fd, bytes, m[1])) return {"it is shorter than its first two pages"};
  if (std::string damage = damage_of(m); !damage.empty()) return {std::move(damage)};
  const std::uint64_t pages = static_cast<std::uint64_t>(file.st_size) / bytes;
  const std::uint64_t last_page = newer_of(m).last_page;
  if (last_page >= pages + pages_short_max) return {"it was cut: its last page is missing"};
  return {"", last_page >= pages};
}

}  // namespace tact::lmdb
