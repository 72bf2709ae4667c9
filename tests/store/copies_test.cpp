// Copies of a store file, and the command-line tool that makes and looks at them.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "store/byte_changes.hpp"
#include "store/disk/file_copy.hpp"
#include "store/store_folder.hpp"
#include "support/catch.hpp"

namespace copies_test {

namespace {

using namespace tact;
using namespace tact::support;
using detail::disk;
using fate = detail::commit_result::fate;
namespace fs = std::filesystem;

struct ended {
  int code = -1;
  std::string text{};  // of both outputs
};
ended run_tool(const std::string& arguments) {
  const char* const tool = std::getenv("TACT_STORE_TOOL");
  REQUIRE(tool != nullptr);
  std::FILE* const pipe = ::popen(("'" + std::string(tool) + "' " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  ended e;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) e.text += static_cast<char>(c);
  const int status = ::pclose(pipe);
  e.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return e;
}
std::string quoted(const fs::path& p) { return "'" + p.string() + "' "; }

std::uint64_t set(disk& d, const std::string& key, const std::string& value) {
  const auto done = d.commit(std::array{put(d.table("t"), key, value)});
  REQUIRE(done.what == fate::durable);
  return done.version;
}

}  // namespace

TEST_CASE("disk: a backup that is made while others write has one version, whole") {
  const store_folder folder;
  const auto d = disk::open(folder / "a", {});
  const auto t = d->table("t");
  REQUIRE(d->commit(std::array{put(t, "x", "0"), put(t, "y", "0")}).what == fate::durable);
  std::thread writer([&] {
    for (int n = 1; n < 300; ++n) {
      static_cast<void>(d->commit(std::array{put(t, "x", std::to_string(n)), put(t, "y", std::to_string(n))}));
    }
  });
  for (int n = 0; n < 5; ++n) {
    d->back_up(folder / "b");
    const auto b = disk::open(folder / "b", {});
    const auto found = all_of(b->read(), b->table("t"));
    REQUIRE(found.size() == 2);
    CHECK(found[0].second == found[1].second);
  }
  writer.join();
  CHECK(problem_of([&] { d->back_up(folder / "a"); }) == store_problem::in_use);
  CHECK(d->held().empty());
  CHECK(d->read().find(t, "x") == "299");
}

TEST_CASE("disk: a version never falls, though a file is compacted or a backup of it restored") {
  const store_folder folder;
  std::uint64_t version = 0;
  {
    const auto d = disk::open(folder / "a", {});
    for (int n = 0; n < 50; ++n) set(*d, "k" + std::to_string(n), std::string(20000, 'v'));
    d->back_up(folder / "b");
    for (int n = 1; n < 50; ++n)
      static_cast<void>(d->commit(std::array{erase(d->table("t"), "k" + std::to_string(n))}));
    version = d->read().version();
    CHECK(problem_of([&] { lmdb::compact_file(folder / "a", {}); }) == store_problem::in_use);
    CHECK(problem_of([&] { lmdb::restore_file(folder / "b", folder / "a", {}); }) == store_problem::in_use);
  }
  const auto before = fs::file_size(folder / "a");
  lmdb::compact_file(folder / "a", {});
  CHECK(fs::file_size(folder / "a") < before / 5);
  {
    const auto d = disk::open(folder / "a", {});
    CHECK(d->read().version() == version);
    CHECK(d->read().size(d->table("t")) == 1);
    version = set(*d, "k0", "later");
  }
  lmdb::restore_file(folder / "b", folder / "a", {});
  const auto d = disk::open(folder / "a", {});
  CHECK(d->read().version() > version);
  CHECK(d->read().size(d->table("t")) == 50);
  CHECK(set(*d, "k", "v") > version);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& f : fs::directory_iterator(folder.path())) ++files;
  CHECK(files == 4);  // two files and their locks
}

TEST_CASE("tact-store: it checks, dumps, copies, and says what is wrong") {
  const store_folder folder;
  const std::string a = quoted(folder / "a"), b = quoted(folder / "b");
  CHECK(run_tool("--help").code == 0);
  CHECK(run_tool("").code == 2);
  CHECK(run_tool("chek " + a).text.find("no command chek") != std::string::npos);
  CHECK(run_tool("check").code == 2);
  CHECK(run_tool("check " + a).code == 3);
  {
    const auto d = disk::open(folder / "a", {});
    set(*d, "key", std::string("\1\2value"));
    set(*d, "other", "told apart");
    CHECK(run_tool("check " + a).text.find("1 tables, 2 entries") != std::string::npos);
    CHECK(run_tool("backup " + a + b).code == 0);
    const auto held = d->hold("the test");
    CHECK(run_tool("readers " + a).text.find(std::to_string(::getpid())) != std::string::npos);
    CHECK(run_tool("compact " + a).code == 3);
    CHECK(run_tool("restore " + b + a).code == 3);
  }
  const ended dumped = run_tool("dump " + b);
  CHECK(dumped.code == 0);
  CHECK(dumped.text == "table \"t\": 2 entries\n\"key\" 0x010276616c7565\n\"other\" \"told apart\"\n");
  CHECK(run_tool("dump " + b + "none").code == 3);
  CHECK(run_tool("compact " + a).code == 0);
  std::string bytes;
  {
    std::ifstream in(folder / "b", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t at = bytes.rfind("told apart");
  REQUIRE(at != std::string::npos);
  bytes[at] = 'T';
  std::ofstream(folder / "b", std::ios::binary) << bytes;
  const ended found = run_tool("check " + b);
  CHECK(found.code == 1);
  CHECK(found.text.find("table \"t\", key \"other\"") != std::string::npos);
  CHECK(run_tool("restore " + b + a).code == 1);
  CHECK(run_tool("check " + a).code == 0);
}

}  // namespace copies_test
