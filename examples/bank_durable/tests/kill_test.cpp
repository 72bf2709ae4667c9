// The bank is killed at any moment, again and again: what was answered is there.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>

#include "store/store_folder.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

extern char** environ;

namespace bank_test {

namespace {

using tact::support::store_folder;

// A process of the program beside this one, and what it writes to its standard output.
class bank_process {
 public:
  bank_process(const std::filesystem::path& file, const char* transfers) {
    const auto program = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "bank_durable").string();
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string path = file.string();
    std::string count = transfers;
    char* arguments[] = {const_cast<char*>(program.c_str()), path.data(), count.data(), nullptr};
    const int failed = ::posix_spawn(&child_, program.c_str(), &actions, nullptr, arguments, environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
    REQUIRE(failed == 0);
  }
  bank_process(const bank_process&) = delete;
  bank_process& operator=(const bank_process&) = delete;
  ~bank_process() {
    kill();
    ::close(output_);
  }

  // Reads until there are so many lines, or the output has ended, or nothing came for so long. Returns all so far.
  const std::string& read(std::size_t lines, int quiet_ms) {
    pollfd p{output_, POLLIN, 0};
    while (lines_<lines&& ::poll(&p, 1, quiet_ms)> 0) {
      char bytes[4096];
      const auto n = ::read(output_, bytes, sizeof bytes);
      if (n <= 0) break;
      text_.append(bytes, static_cast<std::size_t>(n));
      lines_ += static_cast<std::size_t>(std::count(bytes, bytes + n, '\n'));
    }
    return text_;
  }
  void kill() {
    if (child_ != 0) ::kill(child_, SIGKILL);
    wait();
  }
  int wait() {
    int status = 0;
    if (child_ != 0) ::waitpid(child_, &status, 0);
    child_ = 0;
    return status;
  }

 private:
  pid_t child_ = 0;
  int output_ = -1;
  std::size_t lines_ = 0;
  std::string text_{};
};

// number -> cents, of the whole lines that begin with these words. The last line of a process that was killed may be a
// part of one.
std::map<long, long> transfers_in(const std::string& text, const std::string& words) {
  std::map<long, long> all;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    if (text.compare(at, words.size(), words) != 0) continue;
    char* behind = nullptr;
    const long number = std::strtol(text.c_str() + at + words.size(), &behind, 10);
    all[number] = std::strtol(behind, nullptr, 10);
  }
  return all;
}

constexpr int forever_ms = -1;

TEST_CASE("bank: killed at any moment, it has each transfer that it answered, once, and no cent is lost or made") {
  TACT_SEEDED(seed);
  std::mt19937_64 dice(seed);
  const auto kills = tact::support::count_from_environment("TACT_KILLS", 20);
  const store_folder folder;
  const auto file = folder / "bank";
  std::map<long, long> answered;
  for (std::uint64_t n = 0; n <= kills; ++n) {
    const bool is_last = n == kills;
    bank_process bank(file, is_last ? "0" : "1000000000");
    std::string text;
    if (is_last) {
      text = bank.read(~std::size_t{0}, forever_ms);
      CHECK(bank.wait() == 0);  // its books are right
    } else if (dice() % 4 == 0) {
      bank.read(1, static_cast<int>(dice() % 50));  // while it opens its file, or begins to work
      bank.kill();
      text = bank.read(~std::size_t{0}, forever_ms);
    } else {
      bank.read(1 + dice() % 60, forever_ms);
      bank.kill();
      text = bank.read(~std::size_t{0}, forever_ms);
      // Without one it has ended by itself, because its books were wrong.
      REQUIRE(!transfers_in(text, "answered ").empty());
    }
    for (const auto& [number, cents] : transfers_in(text, "answered ")) {
      const auto before = answered.emplace(number, cents);
      CHECK(before.first->second == cents);
    }
    if (is_last) {
      const auto in_books = transfers_in(text, "in the books ");
      CHECK(in_books.size() >= answered.size());
      for (const auto& [number, cents] : answered) {
        const auto found = in_books.find(number);
        REQUIRE(found != in_books.end());
        CHECK(found->second == cents);
      }
    }
  }
  CHECK(answered.size() > kills);
}

}  // namespace

}  // namespace bank_test
