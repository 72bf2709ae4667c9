// What a failure of the disk does: a write that was refused is one that the next commit does not know of, and after a
// failed sync the store does nothing any more.
#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "store/byte_changes.hpp"
#include "store/injected_calls.hpp"
#include "store/store_folder.hpp"
#include "support/catch.hpp"

namespace disk_failure_test {

using namespace tact;
using namespace tact::support;
using detail::disk;
using fate = detail::commit_result::fate;

TEST_CASE("disk: a full disk refuses a group, and the store goes on") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "1")}).what == fate::durable);
  for (const int error : {ENOSPC, EDQUOT, EFBIG}) {
    const auto version = d->read().version();
    injected_calls::fail_next(written_by::data, error);
    const auto refused = d->commit(std::array{put(t, "k", "lost"), put(t, "l", "lost")});
    CHECK(refused.what == fate::refused);
    CHECK(refused.why.find("nothing was written") != std::string::npos);
    CHECK(refused.why.find(d->path().string()) == 0);
    CHECK(d->read().version() == version);
    CHECK(d->read().find(t, "k") == "1");
    CHECK_FALSE(d->read().find(t, "l"));
    CHECK(d->commit(std::array{put(t, "other", std::to_string(error))}).what == fate::durable);
  }
}

TEST_CASE("disk: a sync that fails stops the store for good, and what was under way is unknown") {
  struct failure {
    written_by call;
    int error;
  };
  for (const failure f :
       {failure{written_by::sync, EIO}, failure{written_by::sync, EROFS}, failure{written_by::meta, EIO},
        failure{written_by::meta, ENOSPC}, failure{written_by::data, EIO}}) {
    CAPTURE(int(f.call), f.error);
    const store_folder folder;
    {
      const auto d = disk::open(folder / "a", {});
      const auto t = d->table("t");
      REQUIRE(d->commit(std::array{put(t, "k", "1")}).what == fate::durable);
      const auto held = d->hold("the test");
      injected_calls::fail_next(f.call, f.error);
      CHECK(d->commit(std::array{put(t, "k", "2")}).what == fate::unknown);
      const auto later = d->commit(std::array{put(t, "k", "3")});
      CHECK(later.what == fate::stopped);
      CHECK(later.why.find("open it again") != std::string::npos);
      CHECK(problem_of([&] { static_cast<void>(d->read()); }) == store_problem::stopped);
      CHECK(problem_of([&] { static_cast<void>(held.find(t, "k")); }) == store_problem::stopped);
      CHECK(problem_of([&] { static_cast<void>(d->table("u")); }) == store_problem::stopped);
      CHECK(problem_of([&] { static_cast<void>(d->hold("later")); }) == store_problem::stopped);
    }
    const auto d = disk::open(folder / "a", {});
    const auto found = std::string(d->read().find(d->table("t"), "k").value());
    CHECK((found == "1" || found == "2"));
    CHECK(d->commit(std::array{put(d->table("t"), "k", "4")}).what == fate::durable);
  }
}

TEST_CASE("disk: a commit syncs twice, a group that changes nothing not at all") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "1")}).what == fate::durable);
  const auto syncs = injected_calls::count(written_by::sync), metas = injected_calls::count(written_by::meta);
  const auto writes = injected_calls::count(written_by::data);
  REQUIRE(d->commit(std::array{put(t, "k", "1")}).what == fate::durable);
  CHECK(injected_calls::count(written_by::sync) == syncs);
  CHECK(injected_calls::count(written_by::data) == writes);
  REQUIRE(d->commit(std::array{put(t, "k", "2"), put(t, "l", "2")}).what == fate::durable);
  CHECK(injected_calls::count(written_by::sync) == syncs + 1);
  CHECK(injected_calls::count(written_by::meta) == metas + 1);
}

}  // namespace disk_failure_test
