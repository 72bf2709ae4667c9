// Who may open a file of a store, and what a file that was damaged does.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "store/byte_changes.hpp"
#include "store/disk/examination.hpp"
#include "store/store_folder.hpp"
#include "support/catch.hpp"

namespace opening_test {

namespace {

using namespace tact;
using namespace tact::support;
using detail::disk;
using fate = detail::commit_result::fate;
namespace fs = std::filesystem;

store_options reader() {
  store_options o;
  o.read_only = true;
  return o;
}

// The exit status of a child that does this.
int in_child(const std::function<bool()>& does) {
  const pid_t child = ::fork();
  if (child == 0) {
    bool good = false;
    try {
      good = does();
    } catch (...) {
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

void fill(const fs::path& file, int entries_count, std::size_t value_bytes = 100) {
  const auto d = disk::open(file, {});
  const auto t = d->table("things");
  std::vector<detail::byte_change> all;
  for (int n = 0; n < entries_count; ++n)
    all.push_back(put(t, "key " + std::to_string(n), std::string(value_bytes, static_cast<char>('a' + n % 26))));
  REQUIRE(d->commit(all).what == fate::durable);
}

std::string bytes_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

}  // namespace

TEST_CASE("disk: a file is opened once in a process, whatever its path is (py-lmdb#66)") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "500")}).what == fate::durable);
  const auto held = d->hold("the test");
  fs::create_symlink(folder / "a", folder / "soft");
  fs::create_hard_link(folder / "a", folder / "hard");
  for (const char* other : {"a", "./a", "soft", "hard"}) {
    for (const store_options& how : {store_options{}, reader()}) {
      std::string what;
      CHECK(problem_of([&] { static_cast<void>(disk::open(folder / other, how)); }, &what) == store_problem::in_use);
      CHECK(what.find((folder / other).string()) != std::string::npos);
      CHECK(what.find((folder / "a").string()) != std::string::npos);
    }
  }
  // Another process cannot take the readers' places away, nor become a second writer.
  CHECK(in_child([&] {
          return problem_of([&] { static_cast<void>(disk::open(folder / "soft", {})); }) == store_problem::in_use &&
                 disk::open(folder / "hard", reader())->tables() == std::vector<std::string>{"t"};
        }) == 0);
  for (int n = 0; n < 50; ++n) REQUIRE(d->commit(std::array{put(t, "k", std::to_string(n))}).what == fate::durable);
  CHECK(held.find(t, "k") == "500");
}

TEST_CASE("disk: another process reads while this one writes, but only one writes") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "k", "1")}).what == fate::durable);
  const auto version = d->read().version();
  CHECK(in_child([&] {
          const auto mine = disk::open(folder / "a", reader());
          return mine->read().version() == version && mine->read().find(mine->table("t"), "k") == "1" &&
                 mine->commit(std::array{put(mine->table("t"), "k", "2")}).what == fate::refused;
        }) == 0);
  CHECK(in_child([&] {
          return problem_of([&] { static_cast<void>(disk::open(folder / "a", {})); }) == store_problem::in_use;
        }) == 0);
  CHECK(d->commit(std::array{put(t, "k", "2")}).what == fate::durable);
}

TEST_CASE("disk: a child of fork is told that the file is its parent's") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  CHECK(in_child([&] {
          return problem_of([&] { static_cast<void>(d->read()); }) == store_problem::stopped &&
                 d->commit(std::array{put(t, "k", "child")}).what == fate::stopped;
        }) == 0);
  CHECK(d->commit(std::array{put(t, "k", "parent")}).what == fate::durable);
}

TEST_CASE("disk: the places of readers that were killed are given to others") {
  const store_folder folder;
  constexpr int places = 126;  // there are never less
  store_options few;
  few.readers_max = 1;
  const auto d = disk::open(folder / "a", few);
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto mine = disk::open(folder / "a", reader());
    std::vector<detail::byte_snapshot> all;
    for (int n = 1; n < places; ++n) all.push_back(mine->hold("killed"));
    static_cast<void>(!::write(ready[1], "r", 1));
    for (;;) ::pause();
  }
  char r = 0;
  REQUIRE(::read(ready[0], &r, 1) == 1);
  std::vector<detail::byte_snapshot> mine;
  mine.push_back(d->hold("mine"));
  std::string what;
  CHECK(problem_of([&] { mine.push_back(d->hold("one too many")); }, &what) == store_problem::refused);
  CHECK(what.find("readers_max") != std::string::npos);
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  for (int n = 1; n < places; ++n) mine.push_back(d->hold("mine"));
  CHECK(d->held().size() == places);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("disk: what cannot be a store is refused, and left as it is") {
  const store_folder folder;
  CHECK(problem_of([&] { static_cast<void>(disk::open(folder / "none", reader())); }) == store_problem::not_opened);
  CHECK_FALSE(fs::exists(folder / "none"));
  CHECK(problem_of([&] { static_cast<void>(disk::open(folder.path(), {})); }) == store_problem::not_opened);
  CHECK(problem_of([&] { static_cast<void>(disk::open(folder / "no folder" / "a", {})); }) ==
        store_problem::not_opened);
  for (const std::string& bytes :
       {std::string(), std::string("text"), std::string(8192, '\0'), std::string(20000, 'x')}) {
    write_bytes(folder / "text", bytes);
    CHECK(problem_of([&] { static_cast<void>(disk::open(folder / "text", {})); }) == store_problem::damaged);
    CHECK(bytes_in(folder / "text") == bytes);
  }
}

TEST_CASE("disk: a file that was cut is refused, and ends no process") {
  const store_folder folder;
  fill(folder / "a", 2000);
  const std::string whole = bytes_in(folder / "a");
  for (const std::size_t bytes : {whole.size() - 4096, whole.size() / 2, std::size_t{12288}, std::size_t{8192},
                                  std::size_t{4096}, std::size_t{100}}) {
    CAPTURE(bytes);
    write_bytes(folder / "b", whole.substr(0, bytes));
    std::string what;
    CHECK(problem_of([&] { static_cast<void>(disk::open(folder / "b", {})); }, &what) == store_problem::damaged);
    CHECK(what.find("restore") != std::string::npos);
    CHECK(bytes_in(folder / "b").size() == bytes);
  }
}

TEST_CASE("disk: a value of which a bit has changed is found, with its table and key") {
  const store_folder folder;
  fill(folder / "a", 200);
  std::string bytes = bytes_in(folder / "a");
  const std::size_t at = bytes.find(std::string(100, 'd'));
  REQUIRE(at != std::string::npos);
  bytes[at + 50] ^= 4;
  write_bytes(folder / "a", bytes);
  const auto found = lmdb::examine_apart(folder / "a", lmdb::depth::all);
  CHECK(found.entries == 200);
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].find("\"things\", key \"key ") != std::string::npos);
  // The file was closed in order, so it opens; the entry alone cannot be read.
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("things");
  int damaged = 0;
  for (int n = 0; n < 200; ++n) {
    std::string what;
    if (problem_of([&] { static_cast<void>(d->read().find(t, "key " + std::to_string(n))); }, &what) !=
        store_problem::damaged)
      continue;
    ++damaged;
    CHECK(what.find("\"things\", key \"key " + std::to_string(n) + '"') != std::string::npos);
  }
  CHECK(damaged == 1);
  CHECK(problem_of([&] { static_cast<void>(all_of(d->read(), t)); }) == store_problem::damaged);
}

TEST_CASE("disk: a file that was not closed in order is looked at before it is opened") {
  const store_folder folder;
  fill(folder / "a", 0);
  CHECK(WTERMSIG(in_child([&] {
          const auto d = disk::open(folder / "a", {});
          const auto t = d->table("things");
          std::vector<detail::byte_change> all;
          for (int n = 0; n < 1000; ++n)
            all.push_back(put(t, "key " + std::to_string(n), std::string(100, static_cast<char>('a' + n % 26))));
          static_cast<void>(d->commit(all));
          ::kill(::getpid(), SIGKILL);
          return true;
        })) == SIGKILL);
  CHECK_FALSE(lmdb::examine_apart(folder / "a", lmdb::depth::as_needed).was_closed);
  std::string bytes = bytes_in(folder / "a");
  {
    const auto d = disk::open(folder / "a", {});
    CHECK(d->read().size(d->table("things")) == 1000);
  }
  CHECK(lmdb::examine_apart(folder / "a", lmdb::depth::as_needed).was_closed);
  // Any page that is zeroed is noticed, or was in no use.
  int noticed = 0;
  for (std::size_t page = 2; page < bytes.size() / 4096; ++page) {
    std::string broken = bytes;
    broken.replace(page * 4096, 4096, 4096, '\0');
    write_bytes(folder / "b", broken);
    fs::remove(folder / "b-lock");
    const auto problem = problem_of([&] {
      const auto d = disk::open(folder / "b", {});
      REQUIRE(all_of(d->read(), d->table("things")).size() == 1000);
    });
    if (problem) CHECK(*problem == store_problem::damaged);
    noticed += problem ? 1 : 0;
  }
  CHECK(noticed > 20);
}

}  // namespace opening_test
