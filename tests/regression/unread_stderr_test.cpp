// A worker stood in write() when nobody read stderr, and its engine never ended.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <future>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/engine_fixture.hpp"
#include "sync/reports.hpp"

namespace unread_stderr_test {

namespace {

using namespace tact::support;
using tact::sync::count_lost_reports;
using tact::sync::report;

// stderr is this file as long as this exists.
class stderr_is {
 public:
  explicit stderr_is(int file) : before_(::dup(STDERR_FILENO)) { ::dup2(file, STDERR_FILENO); }
  ~stderr_is() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }
  stderr_is(const stderr_is&) = delete;
  stderr_is& operator=(const stderr_is&) = delete;

 private:
  int before_;
};

// Two ends of a pipe, a socket or a terminal, and who reads one of them when told.
class channel {
 public:
  channel(int reads, int writes) : reads_(reads), writes_(writes) {
    REQUIRE((reads >= 0 && writes >= 0));
    ::fcntl(reads_, F_SETFL, O_NONBLOCK);
  }
  ~channel() {
    if (reads_ >= 0) ::close(reads_);
    ::close(writes_);
  }
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  [[nodiscard]] int end() const { return writes_; }
  [[nodiscard]] std::string read() const {
    std::string text;
    char some[4096];
    for (ssize_t n; (n = ::read(reads_, some, sizeof some)) > 0;) text.append(some, static_cast<std::size_t>(n));
    return text;
  }
  void stop_reading() { ::close(std::exchange(reads_, -1)); }

 private:
  int reads_;
  int writes_;
};

enum class kind { pipe, socket, terminal };
std::unique_ptr<channel> open(kind k) {
  int ends[2]{-1, -1};
  switch (k) {
    case kind::pipe:
      REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
      ::fcntl(ends[1], F_SETPIPE_SZ, 4096);
      break;
    case kind::socket: {
      REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
      constexpr int bytes = 4096;
      ::setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
      break;
    }
    case kind::terminal:
      ends[0] = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
      REQUIRE((ends[0] >= 0 && ::grantpt(ends[0]) == 0 && ::unlockpt(ends[0]) == 0));
      ends[1] = ::open(::ptsname(ends[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
      break;
  }
  return std::make_unique<channel>(ends[0], ends[1]);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();  // a terminal puts it there
    all.push_back(line);
  }
  return all;
}

bool ends_with_line(const std::string& text) { return text.empty() || text.back() == '\n'; }

std::string line_of(int number) { return "tact: report " + std::to_string(number) + std::string(80, '.'); }

std::string lost_line(std::uint64_t lost) {
  return "tact: " + std::to_string(lost) + (lost == 1 ? " report was" : " reports were") +
         " lost, because stderr took no more";
}
// How many reports this line says were lost; 0: it says something else.
std::uint64_t told_by(const std::string& line) {
  std::istringstream in(line);
  std::string name;
  std::uint64_t lost = 0;
  in >> name >> lost;
  return line == lost_line(lost) ? lost : 0;
}

// Runs f on a thread, and waits for it; when it hangs, reads until it does not any more, and says so.
template <class F>
void require_ends(const channel& c, F f) {
  auto over = std::async(std::launch::async, f);
  const bool in_time = over.wait_for(generous) == std::future_status::ready;
  while (over.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) (void)c.read();
  INFO("it waited for a reader of stderr");
  REQUIRE(in_time);
}

struct fail {};

}  // namespace

TEST_CASE("unread stderr: workers go on and an engine ends, and who reads later hears how much was lost", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const auto unread = open(kind::pipe);
  const stderr_is here(unread->end());
  const std::uint64_t before = count_lost_reports();
  std::uint64_t counted = 0;
  const auto fails_always = [] {
    return tact::behavior<fail>{[](auto&, const fail&) { throw std::runtime_error(std::string(900, 'x')); }};
  };
  tact::engine_options options;
  options.workers = workers;
  require_ends(*unread, [&] {
    tact::engine engine(options);
    const auto a = engine.create(fails_always(), tact::parallel);
    for (int i = 0; i < scaled(10'000); ++i) engine.send(a, fail{});
    engine.drain();
    counted = engine.statistics().reports_lost;
  });
  const std::uint64_t lost = count_lost_reports() - before;
  CHECK(counted > before);
  // A full pipe has room for a short line where there is none for a long one.
  std::string text = unread->read();
  require_ends(*unread, [&] {
    tact::engine engine(options);
    engine.send(engine.create(fails_always(), tact::parallel), fail{});
    engine.drain();
  });
  text += unread->read();
  CHECK(ends_with_line(text));
  std::uint64_t told = 0;
  for (const std::string& line : lines_of(text)) {
    told += told_by(line);
    // What more than so many failures a second leave out is said at the end of the engine, where a short line has room.
    const bool counts_others = line.find(" more failures were left out here") != std::string::npos;
    if (told_by(line) == 0) CHECK_THAT(line, Catch::Matchers::EndsWith(counts_others ? "hears of all" : "xxx"));
  }
  CHECK(told == lost);
  CHECK_THAT(lines_of(text).back(), Catch::Matchers::EndsWith("xxx"));
}

TEST_CASE("unread stderr: a pipe, a socket or a terminal that is full holds nobody, and lines stay whole") {
  const kind k = GENERATE(kind::pipe, kind::socket, kind::terminal);
  const auto unread = open(k);
  const std::uint64_t before = count_lost_reports();
  std::string text;
  int number = 0;
  int flags = 0;
  {
    const stderr_is here(unread->end());
    require_ends(*unread, [&] {
      while (count_lost_reports() < before + 10) report(line_of(++number) + "\n");
    });
    flags = ::fcntl(STDERR_FILENO, F_GETFL);
    text = unread->read();
    report(line_of(++number) + "\n");
    text += unread->read();
  }
  CHECK((flags & O_NONBLOCK) == 0);
  CHECK(ends_with_line(text));
  // A terminal makes room by itself, now and then: what is lost is told where it is missing.
  const std::vector<std::string> lines = lines_of(text);
  int next = 1;
  std::uint64_t told = 0;
  for (const std::string& line : lines) {
    const std::uint64_t missing = told_by(line);
    next += static_cast<int>(missing);
    told += missing;
    if (missing == 0) CHECK(line == line_of(next++));
  }
  CHECK(told == 10);
  CHECK(next == number + 1);
  CHECK(lines.back() == line_of(number));
}

TEST_CASE("unread stderr: lines of many threads come whole and in order, and none is lost without being counted") {
  constexpr int threads = 4;
  const int each = scaled(2000);
  const auto pipe = open(kind::pipe);
  const std::uint64_t before = count_lost_reports();
  std::string text;
  {
    const stderr_is here(pipe->end());
    std::atomic<bool> over{false};
    std::thread reader([&] {
      while (!over) text += pipe->read();
    });
    on_threads(threads, [&](unsigned thread) {
      for (int i = 0; i < each; ++i) report("tact: " + std::to_string(thread) + " " + std::to_string(i) + "\n");
    });
    over = true;
    reader.join();
    text += pipe->read();
    tact::sync::tell_lost_reports();
    text += pipe->read();
  }
  CHECK(ends_with_line(text));
  std::uint64_t told = 0;
  std::uint64_t came = 0;
  std::vector<int> last(threads, -1);
  for (const std::string& line : lines_of(text)) {
    std::istringstream in(line);
    std::string name;
    std::uint64_t first = 0;
    in >> name >> first;
    REQUIRE(name == "tact:");
    told += told_by(line);
    if (told_by(line) != 0) continue;
    int nth = -1;
    in >> nth;
    REQUIRE(first < threads);
    REQUIRE(nth > last[first]);
    last[first] = nth;
    ++came;
  }
  CHECK(told == count_lost_reports() - before);
  CHECK(came + told == static_cast<std::uint64_t>(threads * each));
}

TEST_CASE("unread stderr: a reader that has gone, and a stderr that is closed, end nothing") {
  const auto pipe = open(kind::pipe);
  const std::uint64_t before = count_lost_reports();
  {
    const stderr_is here(pipe->end());
    pipe->stop_reading();
    report("tact: to nobody\n");
    // Where stderr cannot be opened once more, it is looked at first.
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    const rlimit none{3, files.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
    report("tact: to nobody\n");
    ::setrlimit(RLIMIT_NOFILE, &files);
    CHECK(count_lost_reports() == before + 2);
    ::close(STDERR_FILENO);
    report("tact: to nobody\n");
    CHECK(count_lost_reports() == before + 3);
  }
  const auto another = open(kind::pipe);
  const stderr_is here(another->end());
  tact::sync::tell_lost_reports();
  CHECK(another->read() == lost_line(3) + "\n");
}

TEST_CASE("unread stderr: a pipe that cannot be opened once more holds nobody either") {
  const auto unread = open(kind::pipe);
  const std::uint64_t before = count_lost_reports();
  const stderr_is here(unread->end());
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  const rlimit none{3, files.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  for (int i = 0; i < 100; ++i) report(line_of(i) + "\n");
  ::setrlimit(RLIMIT_NOFILE, &files);
  const std::uint64_t lost = count_lost_reports() - before;
  CHECK(lost > 0);
  CHECK(lines_of(unread->read()).size() == 100 - lost);
  tact::sync::tell_lost_reports();
  CHECK(unread->read() == lost_line(lost) + "\n");
}

TEST_CASE("unread stderr: a line that is longer than a pipe takes at once is cut, and the others are not") {
  const auto pipe = open(kind::pipe);
  std::string text;
  {
    const stderr_is here(pipe->end());
    require_ends(*pipe, [&] {
      report("tact: first\n");
      text = pipe->read();
      report("tact: " + std::string(10'000, 'y') + "\n");
      text += pipe->read();
      report("tact: last\n");
      text += pipe->read();
    });
  }
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "tact: first");
  CHECK(lines[1].size() == tact::sync::report_line_bytes_max - 1);
  CHECK_THAT(lines[1], Catch::Matchers::StartsWith("tact: yyy") && Catch::Matchers::EndsWith("yyy ..."));
  CHECK(lines[2] == "tact: last");
}

TEST_CASE("unread stderr: how many were lost is told at the end of the process at the latest") {
  const auto pipe = open(kind::pipe);
  const pid_t child = ::fork();
  REQUIRE(child != -1);
  if (child == 0) {
    ::dup2(pipe->end(), STDERR_FILENO);
    while (count_lost_reports() < 5) report(line_of(1) + "\n");
    (void)pipe->read();
    std::exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(pipe->read() == lost_line(5) + "\n");
}

}  // namespace unread_stderr_test
