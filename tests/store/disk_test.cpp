// The file of a store, in bytes: what is written is found, in order, in the version that a snapshot has.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "store/byte_changes.hpp"
#include "store/store_folder.hpp"
#include "support/catch.hpp"

namespace disk_test {

namespace {

using namespace tact;
using namespace tact::support;
using detail::byte_change;
using detail::byte_cursor;
using detail::byte_snapshot;
using detail::disk;
using fate = detail::commit_result::fate;

// On both sides of the largest one that is positive as a char.
char any_byte(std::minstd_rand& dice) { return static_cast<char>(0x7e + dice() % 4); }

}  // namespace

TEST_CASE("disk: what a group has written is found, also by the next opening") {
  const store_folder folder;
  std::uint64_t version = 0;
  {
    const auto d = disk::open(folder / "a", {});
    const auto t = d->table("things");
    const auto done =
        d->commit(std::vector{put(t, "one", "1"), put(t, "two", ""), put(t, "one", "first"), erase(t, "none")});
    REQUIRE(done.what == fate::durable);
    version = done.version;
    CHECK(d->read().version() == version);
    CHECK(d->read().find(t, "one") == "first");
    CHECK(d->read().find(t, "two") == "");
    CHECK_FALSE(d->read().find(t, "three"));
    CHECK(d->read().size(t) == 2);
  }
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("things");
  CHECK(d->read().version() == version);
  CHECK(all_of(d->read(), t) == entries{{"one", "first"}, {"two", ""}});
  CHECK(d->commit(std::vector{erase(t, "one")}).version == version + 1);
  CHECK_FALSE(d->read().find(t, "one"));
}

TEST_CASE("disk: a group that changes nothing is no version") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  const auto first = d->commit(std::vector{put(t, "k", "v")});
  const auto same = d->commit(std::vector{put(t, "k", "v"), erase(t, "missing")});
  CHECK(same.what == fate::durable);
  CHECK(same.version == first.version);
  CHECK(d->commit(std::vector{put(t, "k", "x"), put(t, "k", "v")}).version == first.version);
  CHECK(d->commit({}).version == first.version);
  CHECK(d->commit(std::vector{put(t, "k", "w")}).version == first.version + 1);
}

TEST_CASE("disk: a snapshot has the version of the moment when it was taken") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  REQUIRE(d->commit(std::vector{put(t, "k", "old")}).what == fate::durable);
  const byte_snapshot before = d->hold("the test");
  REQUIRE(d->commit(std::vector{put(t, "k", "new"), put(t, "l", "new")}).what == fate::durable);
  const auto later = d->table("later");
  CHECK(before.find(t, "k") == "old");
  CHECK(before.size(t) == 1);
  CHECK_FALSE(before.find(later, "k"));
  CHECK(before.size(later) == 0);
  CHECK_FALSE(byte_cursor(before, later).first());
  CHECK(d->read().find(t, "k") == "new");
  REQUIRE(d->held().size() == 1);
  CHECK(d->held()[0].name == "the test");
}

TEST_CASE("disk: a random program leaves what std::map has, in its order") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  std::map<std::string, std::string> known;
  std::minstd_rand dice(7);
  for (int group = 0; group < 200; ++group) {
    std::vector<byte_change> changes;
    for (unsigned n = dice() % 8; n > 0; --n) {
      const std::string key(1 + dice() % 3, any_byte(dice));
      if (dice() % 3 == 0) {
        changes.push_back(erase(t, key));
        known.erase(key);
      } else {
        changes.push_back(put(t, key, std::string(dice() % 5000, 'v')));
        known[key] = *changes.back().value;
      }
    }
    REQUIRE(d->commit(changes).what == fate::durable);
    const byte_snapshot now = d->read();
    REQUIRE(all_of(now, t) == entries(known.begin(), known.end()));
    const std::string probe(1 + dice() % 3, any_byte(dice));
    byte_cursor at(now, t);
    const auto expected = known.lower_bound(probe);
    REQUIRE(at.at_least(probe) == (expected != known.end()));
    if (expected != known.end()) REQUIRE(at.key() == expected->first);
    if (at.previous()) REQUIRE(at.key() == std::prev(expected)->first);
  }
}

TEST_CASE("disk: a key that no table takes is refused, and named with its table") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("things");
  const auto version = d->read().version();
  const std::string longest(detail::key_bytes_max, 'k');
  for (const std::string& key : {std::string(), longest + "k"}) {
    const auto done = d->commit(std::vector{put(t, "good", "v"), put(t, key, "v")});
    CHECK(done.what == fate::refused);
    CHECK(done.why.find("things") != std::string::npos);
    CHECK((done.why.find("511") != std::string::npos) == !key.empty());
    CHECK_FALSE(d->read().find(t, key));
  }
  CHECK(d->read().version() == version);
  CHECK(d->commit(std::vector{put(t, longest, "v")}).what == fate::durable);
  const byte_snapshot now = d->read();
  byte_cursor at(now, t);
  CHECK(at.at_least(longest));
  CHECK_FALSE(at.at_least(longest + "k"));
}

}  // namespace disk_test
