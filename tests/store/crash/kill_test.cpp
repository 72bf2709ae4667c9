// A process that is killed, on the real file system. The system keeps what it has written, so it tests no flush.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

#include "store/crash/bank.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace kill_test {

namespace {

using namespace tact::store_tests;
using tact::base::random;

constexpr std::uint64_t kills_here = 20;
constexpr std::uint64_t transfers_a_file = 300;
constexpr int patience_s = 60;

// In the folder in which the test runs, which goes with its owner.
class real_folder {
 public:
  real_folder() : path_((std::filesystem::current_path() / "killed-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder " + path_);
  }
  ~real_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  real_folder(const real_folder&) = delete;
  real_folder& operator=(const real_folder&) = delete;
  [[nodiscard]] std::filesystem::path file(std::uint64_t n) const { return path_ + "/bank " + std::to_string(n); }

 private:
  std::string path_;
};

// 0: there is none for so long.
std::uint64_t next_answer(int told, timespec patience) {
  pollfd p{.fd = told, .events = POLLIN, .revents = 0};
  std::uint64_t number = 0;
  if (::ppoll(&p, 1, &patience, nullptr) <= 0) return 0;
  return ::read(told, &number, sizeof number) == sizeof number ? number : 0;
}

// The number of the last transfer that the bank has answered before it was killed.
std::uint64_t keep_and_kill(const std::filesystem::path& file, mistake wrong, random& luck) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child != -1);
  if (child == 0) {
    ::close(ends[0]);
    keep_bank(file, wrong, random(luck.next()), ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::uint64_t last = 0;
  for (std::uint32_t answers = luck.below(5); answers != 0; --answers)
    last = std::max(last, next_answer(ends[0], {patience_s, 0}));
  // The moment of the kill: somewhere in the next groups. When it comes makes nothing right or wrong.
  const timespec moment{0, static_cast<long>(luck.below(luck.one_in(2) ? 200'000 : 6'000'000))};
  for (timespec left = moment; const std::uint64_t n = next_answer(ends[0], left); left = {0, left.tv_nsec / 2})
    last = std::max(last, n);
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  while (const std::uint64_t n = next_answer(ends[0], {0, 0})) last = std::max(last, n);
  ::close(ends[0]);
  return last;
}

// Empty: each kill has left all that was answered.
std::string kill_often(std::uint64_t seed, std::uint64_t kills, mistake wrong) {
  const real_folder in;
  random luck(seed);
  std::uint64_t file = 0;
  for (std::uint64_t n = 0; n < kills; ++n) {
    const std::uint64_t answered = keep_and_kill(in.file(file), wrong, luck);
    const bank_audit audit = audit_bank(in.file(file));
    if (!audit.problem.empty()) return audit.problem;
    if (audit.transfers < answered)
      return "transfer " + std::to_string(answered) + " was answered, and " + std::to_string(audit.transfers) +
             " is the last one";
    if (audit.transfers > transfers_a_file) ++file;
  }
  return {};
}

}  // namespace

TEST_CASE("crash: a bank that is killed at any moment has all money and every transfer that it has answered",
          "[crash]") {
  TACT_SEEDED(seed);
  const std::uint64_t kills = tact::support::count_from_environment("TACT_PROGRAMS", kills_here * 2) / 2;
  CHECK(kill_often(seed, std::max<std::uint64_t>(kills, 1), mistake::none) == "");
}

TEST_CASE("crash: a bank that answers before it has written, or writes a group in two, is found by kills", "[crash]") {
  TACT_SEEDED(seed);
  constexpr std::uint64_t kills_most = 300;
  CHECK_FALSE(kill_often(seed, kills_most, mistake::answered_before).empty());
  CHECK_FALSE(kill_often(seed, kills_most, mistake::group_in_two).empty());
}

}  // namespace kill_test
