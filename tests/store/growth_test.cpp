// A file that outgrows its map, and the snapshots for which that waits.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "store/byte_changes.hpp"
#include "store/store_folder.hpp"
#include "support/captured_stderr.hpp"
#include "support/catch.hpp"

namespace growth_test {

namespace {

using namespace tact;
using namespace tact::support;
using namespace std::chrono_literals;
using detail::disk;
using fate = detail::commit_result::fate;

store_options small_map(std::chrono::milliseconds limit) {
  store_options o;
  o.map_bytes = 1u << 18;
  o.snapshot_limit = limit;
  return o;
}

std::vector<detail::byte_change> megabyte(detail::table_number t, char with) {
  std::vector<detail::byte_change> all;
  for (int n = 0; n < 256; ++n) all.push_back(put(t, with + std::to_string(n), std::string(4000, with)));
  return all;
}

}  // namespace

TEST_CASE("disk: a group that the map has no room for makes it grow, and is written (monero#2168)") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", small_map(1min));
  const auto t = d->table("t");
  for (const char c : {'a', 'b', 'c', 'd'}) REQUIRE(d->commit(megabyte(t, c)).what == fate::durable);
  CHECK(d->read().size(t) == 1024);
  CHECK(d->read().find(t, "c255") == std::string(4000, 'c'));
}

TEST_CASE("disk: threads read while the map grows, and each finds what was written") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", small_map(1min));
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "v")}).what == fate::durable);
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int n = 0; n < 3; ++n) {
    readers.emplace_back([&, n] {
      while (!over) {
        const auto s = n == 0 ? d->hold("reader") : d->read();
        if (s.find(t, "k") != "v") ++wrong;
      }
    });
  }
  for (const char c : {'a', 'b', 'c', 'd', 'e', 'f'}) CHECK(d->commit(megabyte(t, c)).what == fate::durable);
  over = true;
  for (std::thread& r : readers) r.join();
  CHECK(wrong == 0);
}

TEST_CASE("disk: a snapshot that is in the way of growth is named, and the group refused") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", small_map(20ms));
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "v")}).what == fate::durable);
  {
    const auto held = d->hold("a long look");
    detail::commit_result refused;
    const std::string told = captured_stderr([&] { refused = d->commit(megabyte(t, 'x')); });
    CHECK(told.find("\"a long look\"") != std::string::npos);
    CHECK(refused.what == fate::refused);
    CHECK(refused.why.find("a long look") != std::string::npos);
    CHECK(refused.why.find("map_bytes") != std::string::npos);
    CHECK(held.find(t, "k") == "v");
  }
  CHECK(d->commit(megabyte(t, 'x')).what == fate::durable);
}

TEST_CASE("disk: an old snapshot is told once, and by option ended, also while its thread reads") {
  const store_folder folder;
  store_options o = small_map(1ms);
  o.end_old_snapshots = true;
  const auto d = disk::open(folder / "a", o);
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "first")}).what == fate::durable);
  const auto held = d->hold("too long");
  std::thread reads([&] {
    // Each value is that of the snapshot, until the snapshot is ended.
    while (!problem_of([&] {
      if (held.find(t, "k") != "first") throw std::runtime_error("another version");
    })) {
    }
  });
  std::string what;
  const std::string told = captured_stderr([&] {
    for (int n = 0; problem_of([&] { static_cast<void>(held.size(t)); }, &what) != store_problem::snapshot_ended; ++n) {
      REQUIRE(d->commit(std::array{put(t, "k", std::to_string(n))}).what == fate::durable);
    }
    d->look_at_held();
  });
  reads.join();
  CHECK(what.find("too long") != std::string::npos);
  CHECK(d->commit(megabyte(t, 'x')).what == fate::durable);
  CHECK(problem_of([&] { detail::byte_cursor at(held, t); }) == store_problem::snapshot_ended);
  CHECK(told.find("\"too long\"") != std::string::npos);
  CHECK(told.find("\"too long\"") == told.rfind("\"too long\""));
}

TEST_CASE("disk: a reader in another process follows a file that grows") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", small_map(1min));
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "v")}).what == fate::durable);
  int down[2], up[2];
  REQUIRE(::pipe(down) == 0);
  REQUIRE(::pipe(up) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    store_options o = small_map(1min);
    o.read_only = true;
    const auto mine = disk::open(folder / "a", o);
    char c = 0;
    bool good = mine->read().find(mine->table("t"), "k") == "v";
    static_cast<void>(!::write(up[1], "r", 1));
    static_cast<void>(!::read(down[0], &c, 1));
    good = good && mine->read().find(mine->table("t"), "x255") == std::string(4000, 'x');
    ::_exit(good ? 0 : 1);
  }
  char c = 0;
  REQUIRE(::read(up[0], &c, 1) == 1);
  CHECK(d->commit(megabyte(t, 'x')).what == fate::durable);
  REQUIRE(::write(down[1], "g", 1) == 1);
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  for (const int fd : {down[0], down[1], up[0], up[1]}) ::close(fd);
}

}  // namespace growth_test
