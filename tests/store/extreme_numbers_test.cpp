// The numbers of store_options, each with the extremes of its type: the file opens, is written, read and held.
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "store/byte_changes.hpp"
#include "store/store_folder.hpp"
#include "support/captured_stderr.hpp"
#include "support/catch.hpp"

namespace store_extreme_numbers_test {

namespace {

using namespace tact;
using namespace tact::support;
using detail::disk;
using fate = detail::commit_result::fate;

// Empty: nothing is wrong.
std::string try_with(const store_options& o) {
  const store_folder folder;
  std::shared_ptr<disk> d;
  try {
    d = disk::open(folder / "a", o);
  } catch (const store_error& e) {
    // A system, or a sanitizer, may have no room for the largest maps.
    const bool is_named = std::string_view(e.what()).find("store_options::map_bytes") != std::string_view::npos;
    return is_named && o.map_bytes > store_options().map_bytes ? "" : e.what();
  }
  const bool has_tables = o.tables_max > 0;
  if (!has_tables) {
    std::string what;
    if (problem_of([&] { static_cast<void>(d->table("t")); }, &what) != store_problem::not_opened)
      return "a table was made";
    return what.find("tables_max") == std::string::npos ? "the error does not name it" : "";
  }
  const auto t = d->table("t");
  const std::string large(1u << 18, 'v');
  if (d->commit(std::array{put(t, "k", large)}).what != fate::durable) return "is not written";
  {
    const auto held = d->hold("held");
    if (d->commit(std::array{put(t, "k", "w")}).what != fate::durable) return "is not written while a snapshot is held";
    if (!o.end_old_snapshots && held.find(t, "k") != large) return "is not held";
  }
  std::ostringstream printed;
  printed << o;
  if (printed.str().find("store_options") == std::string::npos) return "is not printed";
  return d->read().find(t, "k") == "w" ? "" : "is not found";
}

template <class T>
std::vector<store_options> with(T store_options::*member, std::vector<T> values) {
  std::vector<store_options> all;
  for (const T& v : values) all.emplace_back().*member = v;
  return all;
}

struct row {
  const char* name;
  std::vector<store_options> tried;
};

std::vector<row> rows() {
  using ms = std::chrono::milliseconds;
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  constexpr unsigned many = std::numeric_limits<unsigned>::max();
  const std::vector<ms> times{ms::min(), ms(-1), ms(0), ms(1), ms::max()};
  return {
      {"store_options::map_bytes",
       with<std::size_t>(&store_options::map_bytes, {0, 1, 4095, 4097, most / 2, most - 1, most})},
      {"store_options::readers_max", with<unsigned>(&store_options::readers_max, {0, 1, 2, 1u << 16, many / 2, many})},
      {"store_options::tables_max", with<unsigned>(&store_options::tables_max, {0, 1, 2, 4096, many / 2, many})},
      {"store_options::durable_within", with<ms>(&store_options::durable_within, times)},
      {"store_options::snapshot_limit", with<ms>(&store_options::snapshot_limit, times)},
  };
}

}  // namespace

TEST_CASE("store_options: each number, at the ends of its type, works or is refused by name") {
  for (const row& r : rows()) {
    for (store_options o : r.tried) {
      for (const bool ends : {false, true}) {
        o.end_old_snapshots = ends;
        std::ostringstream told;
        told << r.name << " in " << o;
        CAPTURE(told.str());
        std::string wrong = "nothing was tried";
        static_cast<void>(captured_stderr([&] { wrong = try_with(o); }));
        CHECK(wrong == "");
      }
    }
  }
}

}  // namespace store_extreme_numbers_test
