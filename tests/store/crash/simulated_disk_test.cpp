// The simulated disk by itself: it loses what a disk may lose, and keeps what a disk must keep.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>

#include "store/crash/hunt.hpp"
#include "store/crash/platters.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace simulated_disk_test {

namespace {

using namespace tact::store_tests;
using tact::base::random;
using call = planned_failure::call;

constexpr unsigned cuts = 300;
constexpr std::size_t bytes_here = 4 * sector_bytes;

// A file on a simulated disk, and its folder.
struct one_file {
  explicit one_file(int flags = 0)
      : folder(in.folder("live")),
        disk(folder),
        fd(::open((folder / "file").c_str(), O_RDWR | O_CREAT | flags, 0600)),
        folder_fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY)) {}
  ~one_file() {
    ::close(fd);
    ::close(folder_fd);
  }
  one_file(const one_file&) = delete;
  one_file& operator=(const one_file&) = delete;

  ssize_t write(char letter, off_t at = 0) const {
    const std::string text(bytes_here, letter);
    return ::pwrite(fd, text.data(), text.size(), at);
  }
  // All that may be found after a power cut now; "none" is the absence of the file.
  [[nodiscard]] std::set<std::string> found(std::uint64_t seed) const {
    platters p{image()};
    for (const disk_event& e : disk.log()) p.take(e);
    random luck(seed);
    std::set<std::string> all;
    for (unsigned n = 0; n < cuts; ++n) {
      const image i = p.power_cut(luck);
      all.insert(i.contains("file") ? i.at("file") : "none");
    }
    return all;
  }

  scratch in;
  std::filesystem::path folder;
  simulated_disk disk;
  int fd;
  int folder_fd;
};

bool is_whole_in_sectors(const std::string& bytes, const std::string& letters) {
  for (std::size_t at = 0; at < bytes.size(); at += sector_bytes) {
    const std::string sector = bytes.substr(at, sector_bytes);
    if (sector.find_first_not_of(sector.front()) != std::string::npos) return false;
    if (letters.find(sector.front()) == std::string::npos) return false;
  }
  return true;
}

const std::string old_text(bytes_here, 'o');
const std::string new_text(bytes_here, 'n');

}  // namespace

TEST_CASE("crash: on a simulated disk what was flushed is there, and any part of what was not, by sectors", "[crash]") {
  TACT_SEEDED(seed);
  const one_file f;
  REQUIRE(::fsync(f.folder_fd) == 0);
  f.write('o');
  REQUIRE(::fdatasync(f.fd) == 0);
  CHECK(f.found(seed) == std::set{old_text});
  f.write('n');
  const std::set<std::string> all = f.found(seed);
  CHECK(all.contains(old_text));
  CHECK(all.contains(new_text));
  CHECK(all.size() > 4);  // torn
  for (const std::string& each : all) CHECK(is_whole_in_sectors(each, "on"));
  REQUIRE(::fdatasync(f.fd) == 0);
  CHECK(f.found(seed) == std::set{new_text});
}

TEST_CASE("crash: on a simulated disk a file has a name for good when its folder was flushed", "[crash]") {
  TACT_SEEDED(seed);
  const one_file f;
  f.write('o');
  REQUIRE(::fsync(f.fd) == 0);
  CHECK(f.found(seed) == std::set<std::string>{"none", old_text});
  REQUIRE(::fsync(f.folder_fd) == 0);
  CHECK(f.found(seed) == std::set{old_text});
  REQUIRE(::rename((f.folder / "file").c_str(), (f.folder / "other").c_str()) == 0);
  CHECK(f.found(seed) == std::set<std::string>{"none", old_text});
}

TEST_CASE("crash: on a simulated disk a synced write is there, and the others as before", "[crash]") {
  TACT_SEEDED(seed);
  const one_file f(O_DSYNC);
  REQUIRE(::fsync(f.folder_fd) == 0);
  f.write('o');
  CHECK(f.found(seed) == std::set{old_text});
}

TEST_CASE("crash: on a simulated disk a later flush does not write what a failed one has lost", "[crash]") {
  TACT_SEEDED(seed);
  std::set<std::string> all;
  for (std::uint64_t n = 0; n < 60; ++n) {
    one_file f;
    REQUIRE(::fsync(f.folder_fd) == 0);
    f.write('o');
    REQUIRE(::fdatasync(f.fd) == 0);
    f.write('n');
    const int other = ::open((f.folder / "file").c_str(), O_RDWR);
    f.disk.plan({.of = call::flush, .error = EIO, .luck = seed + n});
    CHECK(::fdatasync(f.fd) == -1);
    CHECK(errno == EIO);
    CHECK(::fdatasync(f.fd) == 0);
    // As Linux does: every descriptor is told once.
    CHECK(::fdatasync(other) == -1);
    CHECK(::fdatasync(other) == 0);
    ::close(other);
    all.merge(f.found(seed));
  }
  CHECK(all.contains(old_text));
  CHECK(all.contains(new_text));
}

TEST_CASE("crash: on a simulated disk a write that fails writes nothing, and a short one its first part", "[crash]") {
  TACT_SEEDED(seed);
  one_file f;
  REQUIRE(::fsync(f.folder_fd) == 0);
  f.disk.plan({.of = call::write, .nth = 2, .times = 2, .error = ENOSPC});
  CHECK(f.write('o') == static_cast<ssize_t>(bytes_here));
  CHECK(f.write('n') == -1);
  CHECK(errno == ENOSPC);
  CHECK(f.write('n') == -1);
  REQUIRE(::fdatasync(f.fd) == 0);
  CHECK(f.found(seed) == std::set{old_text});
  f.disk.plan({.of = call::write, .error = 0});
  CHECK(f.write('n') == static_cast<ssize_t>(bytes_here / 2));
  REQUIRE(::fdatasync(f.fd) == 0);
  CHECK(f.found(seed) == std::set{new_text.substr(0, bytes_here / 2) + old_text.substr(bytes_here / 2)});
}

}  // namespace simulated_disk_test
