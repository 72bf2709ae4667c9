// tact::inspect::println: whole lines, once, and never at the cost of the thread that prints.
#include "tact/inspect/println.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <iomanip>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/another_process.hpp"
#include "support/engine_fixture.hpp"
#include "tact/inspect/line_output.hpp"
#include "tact/simulation.hpp"

namespace inspect_println_test {

namespace {

using namespace tact::support;
using tact::inspect::file_descriptor;
using tact::inspect::line_output;
using tact::inspect::line_redirection;
using tact::inspect::println;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) all.push_back(line);
  return all;
}

// The lines that are printed in f.
template <class F>
std::string printed(F f) {
  std::ostringstream text;
  line_output output(text);
  {
    const line_redirection here(output);
    f();
  }
  REQUIRE(output.flush());
  return text.str();
}

// A pipe whose reader reads when it is told to.
struct pipe_pair {
  pipe_pair() { REQUIRE(::pipe(ends) == 0); }
  ~pipe_pair() {
    close_reader();
    ::close(ends[1]);
  }
  pipe_pair(const pipe_pair&) = delete;
  pipe_pair& operator=(const pipe_pair&) = delete;
  void close_reader() {
    if (ends[0] >= 0) ::close(ends[0]);
    ends[0] = -1;
  }
  // What is there up to a line that begins so.
  std::string read_up_to(const std::string& begin) const {
    std::string all;
    char part[4096];
    while (all.rfind("\n" + begin) == all.npos && all.rfind(begin, 0) != 0) {
      const ssize_t n = ::read(ends[0], part, sizeof part);
      if (n <= 0) break;
      all.append(part, static_cast<std::size_t>(n));
    }
    return all;
  }

  int ends[2] = {-1, -1};
};

// Holds the thread that writes until it is opened.
struct gate {
  void wait() {
    std::unique_lock lock(mutex);
    is_there = true;
    changed.notify_all();
    changed.wait(lock, [this] { return is_open; });
  }
  void await_writer() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return is_there; });
  }
  void open() {
    const std::lock_guard lock(mutex);
    is_open = true;
    changed.notify_all();
  }
  std::mutex mutex;
  std::condition_variable changed;
  bool is_there = false;
  bool is_open = false;
};

struct thrower {
  friend std::ostream& operator<<(std::ostream&, const thrower&) { throw std::runtime_error("not today"); }
};
struct silent {
  friend std::ostream& operator<<(std::ostream& out, const silent&) {
    out.setstate(std::ios::failbit);
    return out;
  }
};
struct nested {
  friend std::ostream& operator<<(std::ostream& out, const nested&) {
    println("inner");
    return out << "outer";
  }
};

struct text {
  std::string of;
};
struct addition {
  int by = 1;
};

}  // namespace

TEST_CASE("println: parts are printed by their operators, and each line ends") {
  const char* const none = nullptr;
  char letters[] = "letters";
  const std::string all = printed([&] {
    println();
    println("got ", 3, " from ", std::string("mine"), ' ', true, " ", std::string_view("view"), letters);
    println(-5L, ' ', 18446744073709551615ULL, ' ', 'c', ' ', 0.5);
    println(std::hex, 255, " ", std::setw(4), std::setfill('0'), 10, ' ', none);
    println(255, none);
    println("two\nlines");
    println("a", silent{}, "b");
  });
  CHECK(all ==
        "\ngot 3 from mine 1 viewletters\n-5 18446744073709551615 c 0.5\nff 000a (not printable)\n255(null)\n"
        "two\nlines\na(not printable)b\n");
}

TEST_CASE("println: when an operator throws nothing is printed, and one that prints a line itself prints it before") {
  const std::string all = printed([] {
    CHECK_THROWS_WITH(println("begin ", thrower{}, " end"), "not today");
    println(nested{});
  });
  CHECK(all == "inner\nouter\n");
}

TEST_CASE("println: lines of many threads are whole, each once, in the order of each thread") {
  constexpr unsigned threads = 4;
  const int each = scaled(2'000);
  const std::string all = printed([&] {
    on_threads(threads, [&](unsigned t) {
      for (int n = 0; n < each; ++n) println("thread ", t, " line ", n, " ", std::string(20, 'x'), " end");
    });
  });
  std::vector<int> next(threads, 0);
  for (const std::string& line : lines_of(all)) {
    unsigned t = threads;
    int n = -1;
    char rest[64] = "";
    REQUIRE(std::sscanf(line.c_str(), "thread %u line %d %63[^\n]", &t, &n, rest) == 3);
    REQUIRE(rest == std::string(20, 'x') + " end");
    REQUIRE(n == next.at(t)++);
  }
  for (const int n : next) CHECK(n == each);
}

TEST_CASE(
    "println: in a handler a line is printed when it commits, and not when it fails or discards what it has staged") {
  std::ostringstream all;
  line_output output(all);
  const line_redirection here(output);
  std::atomic<int> tries{0};
  {
    tact::engine engine(quiet_options(2));
    const auto counter = engine.create(tact::behavior<addition>([&tries](auto& self, const addition& m) {
      ++tries;
      println("add ", m.by);
      if (m.by % 7 == 0) throw std::runtime_error("sevens fail");
      if (m.by % 5 == 0) {
        self.discard();
        println("discarded ", m.by);
      }
    }));
    for (int n = 1; n <= 100; ++n) engine.send(counter, addition{n});
    require_idle(engine);
  }
  REQUIRE(output.flush());
  std::vector<std::string> expected;
  for (int n = 1; n <= 100; ++n) {
    if (n % 7 != 0) expected.push_back((n % 5 == 0 ? "discarded " : "add ") + std::to_string(n));
  }
  CHECK(lines_of(all.str()) == expected);
  CHECK(tries == 100);
}

TEST_CASE("println: in every order of a run that collides its line is printed once") {
  const auto run = [](tact::simulation& sim) {
    std::ostringstream all;
    line_output output(all);
    const line_redirection here(output);
    auto& engine = sim.engine(quiet_options(3));
    struct sum {
      int so_far = 0;
      void operator()(tact::self<addition>& self, const addition& m) const {
        println("became ", so_far + m.by);
        self.become(sum{so_far + m.by});
      }
    };
    const auto adder = engine.create(tact::behavior<addition>(sum{}), tact::parallel);
    for (int n = 0; n < 4; ++n) engine.send(adder, addition{1});
    sim.run();
    sim.check(output.flush(), "the lines were not written");
    auto lines = lines_of(all.str());
    std::sort(lines.begin(), lines.end());
    sim.check(lines == std::vector<std::string>{"became 1", "became 2", "became 3", "became 4"},
              "a line came not at all, or twice");
    sim.end();
  };
  const tact::exploration found = tact::explore(static_cast<std::uint64_t>(scaled(200)), run);
  INFO(found.text());
  CHECK(!found.failed);
}

TEST_CASE("println: at once, it prints each try of a handler") {
  const std::string all = printed([] {
    tact::engine engine(quiet_options(1));
    const auto fails = engine.create(tact::behavior<addition>([](auto&, const addition&) {
      tact::inspect::println_at_once("tried");
      println("done");
      throw std::runtime_error("no");
    }));
    engine.send(fails, addition{});
    require_idle(engine);
  });
  CHECK(all == "tried\n");
}

TEST_CASE("println: a pipe that nothing reads holds up no handler, and says in its place how much was lost") {
  pipe_pair pipe;
  constexpr int count = 20'000;
  std::uint64_t lost = 0;
  std::string told;
  {
    line_output output(file_descriptor{pipe.ends[1]}, {.bytes = 64 << 10});
    {
      tact::engine engine(quiet_options(2));
      const auto printer = engine.create(tact::behavior<addition>(
          [&output](auto&, const addition& m) { output.println("line ", m.by, " of a flood"); }));
      for (int n = 0; n < count; ++n) engine.send(printer, addition{n});
      require_idle(engine);
      // The engine ends while the pipe is full.
    }
    CHECK(!output.flush(std::chrono::nanoseconds(0)));
    lost = output.lost();
    CHECK(lost > 0);
    std::thread reader([&] { told = pipe.read_up_to("the last"); });
    while (!output.flush()) {
    }
    output.println("the last");
    reader.join();
    CHECK(output.lost() == lost);
  }
  int next = 0;
  std::uint64_t told_lost = 0;
  for (const std::string& line : lines_of(told)) {
    int n = 0;
    if (line.ends_with(" lost, because the output took no more")) {
      REQUIRE(std::sscanf(line.c_str(), "tact: %d line", &n) == 1);
      told_lost += static_cast<std::uint64_t>(n);
      next += n;
    } else if (std::sscanf(line.c_str(), "line %d of a flood", &n) == 1) {
      REQUIRE(n == next++);
    } else {
      REQUIRE(line == "the last");
    }
  }
  CHECK(told_lost == lost);
  CHECK(next == count);
}

TEST_CASE("println: memory is bounded, and one notice stands in the place of the lines that are lost") {
  gate g;
  std::string all;
  line_output output(
      [&](std::string_view lines) {
        all.append(lines);
        g.wait();
      },
      {.bytes = 4096});
  output.println("first");
  g.await_writer();
  // 63 lines of 65 bytes leave one byte of 4 KiB. For an empty line that is room, but one before it is lost already.
  const std::string line(64, 'x');
  for (int n = 0; n < 70; ++n) output.println(line);
  output.println("");
  CHECK(output.lost() == 8);
  g.open();
  REQUIRE(output.flush());
  output.println("last");
  REQUIRE(output.flush());
  std::string expected = "first\n";
  for (int n = 0; n < 63; ++n) expected += line + '\n';
  CHECK(all == expected + "tact: 8 lines were lost, because the output took no more\nlast\n");
}

TEST_CASE("println: a line of more than a quarter of the memory is cut, and ends so") {
  std::ostringstream all;
  line_output output(all, {.bytes = 4096});
  output.println(std::string(1023, 'a'));
  output.println(std::string(5'000, 'b'));
  REQUIRE(output.flush());
  CHECK(all.str() == std::string(1023, 'a') + '\n' + std::string(1019, 'b') + " ...\n");
  CHECK(output.lost() == 0);
}

TEST_CASE("println: an output that has failed loses lines, says so when it takes more, and ends nothing") {
  bool fails = true;
  std::string all;
  {
    line_output output([&](std::string_view lines) {
      if (fails) throw std::runtime_error("the disk is full");
      all.append(lines);
    });
    output.println("one");
    REQUIRE(output.flush());
    CHECK(output.lost() == 1);
    output.println("two\nthree");
    REQUIRE(output.flush());
    CHECK(output.lost() == 3);
    fails = false;
    output.println("four");
  }
  CHECK(all == "tact: 3 lines were lost, because the output took no more\nfour\n");
  // A reader that has gone raises no signal here, and neither does a closed descriptor.
  pipe_pair pipe;
  pipe.close_reader();
  for (const int file : {pipe.ends[1], 9999}) {
    line_output output(file_descriptor{file});
    output.println("read by none");
    REQUIRE(output.flush());
    CHECK(output.lost() == 1);
  }
  std::ostringstream bad;
  bad.setstate(std::ios::badbit);
  line_output output(bad);
  output.println("x");
  REQUIRE(output.flush());
  CHECK(output.lost() == 1);
}

TEST_CASE("println: wrong options are refused with the remedy, and waiting in a handler too") {
  std::ostringstream all;
  CHECK_THROWS_WITH(line_output(all, {.bytes = 1}), Catch::Contains("give 4096 to"));
  CHECK_THROWS_WITH(line_output(line_output::function()), Catch::Contains("give one that takes"));
  std::ostringstream options;
  options << tact::inspect::line_output_options{.bytes = 4096};
  CHECK(options.str() == "line_output_options{.bytes = 4096}");
  tact::engine engine(quiet_options(1));
  std::string what;
  const auto waits = engine.create(tact::behavior<addition>([&what](auto&, const addition&) {
    try {
      tact::inspect::flush_lines();
    } catch (const tact::usage_error& e) {
      what = e.what();
    }
  }));
  engine.send(waits, addition{});
  require_idle(engine);
  CHECK_THAT(what, Catch::Contains("flush_lines"));
}

TEST_CASE("println: the latest redirection counts, and behind its end the one before") {
  std::ostringstream outer;
  std::ostringstream inner;
  line_output to_outer(outer);
  {
    const line_redirection first(to_outer);
    println("1");
    {
      line_output to_inner(inner);
      const line_redirection second(to_inner);
      println("2");
    }
    println("3");
  }
  REQUIRE(to_outer.flush());
  CHECK(outer.str() == "1\n3\n");
  CHECK(inner.str() == "2\n");
}

TEST_CASE("println: a line of a handler whose output has ended meanwhile is lost, and nothing else") {
  std::ostringstream all;
  auto output = std::make_unique<line_output>(all);
  tact::engine engine(quiet_options(1));
  const auto printer = engine.create(tact::behavior<addition>([&output](auto&, const addition&) {
    output->println("too late");
    output.reset();
  }));
  engine.send(printer, addition{});
  require_idle(engine);
  CHECK(all.str().empty());
}

// -- the end of a process, in another one

TEST_CASE("println: prints into the standard output up to the end", "[.][println_at_end]") {
  for (int n = 0; n < 1'000; ++n) println("kept ", n);
  struct late {
    ~late() { println("by a static object"); }
  };
  static const late object;
  std::fflush(stdout);
}

TEST_CASE("println: what was printed is written when the process ends, also by static objects") {
  const std::string told = told_by_another_process("[println_at_end]");
  int next = 0;
  for (const std::string& line : lines_of(told)) {
    int n = -1;
    if (std::sscanf(line.c_str(), "kept %d", &n) == 1) REQUIRE(n == next++);
  }
  CHECK(next == 1'000);
  CHECK_THAT(told, Catch::Contains("by a static object\n"));
}

TEST_CASE("println: threads print on while the process ends", "[.][println_flooded]") {
  ::alarm(60);
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  for (int t = 0; t < 16; ++t) {
    std::thread([] {
      for (;;) println("and one more");
    }).detach();
  }
  println("the last of this thread");
  const bool is_written = tact::inspect::flush_lines(std::chrono::seconds(30));
  const char* const told = is_written ? "written, and ends\n" : "not written\n";
  CHECK(::write(saved, told, std::strlen(told)) > 0);
  std::exit(0);
}

TEST_CASE("println: a flood of lines from other threads holds up neither flush_lines nor the end of the process") {
  const auto begin = std::chrono::steady_clock::now();
  CHECK_THAT(told_by_another_process("[println_flooded]"), Catch::Contains("written, and ends\n"));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(50));
}

TEST_CASE("println: fills a pipe that nothing reads, and ends", "[.][println_unread]") {
  static pipe_pair& pipe = *new pipe_pair;  // it stays up to the end of the process
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  ::dup2(pipe.ends[1], STDOUT_FILENO);
  for (int n = 0; n < 20'000; ++n) println("a line of which nothing reads any: ", n);
  CHECK(!tact::inspect::flush_lines(std::chrono::milliseconds(10)));
  CHECK(tact::inspect::lost_lines() == 0);
  // Another child of this process begins with no line of its parent's.
  ::alarm(60);  // ends a process that hangs, and below the child
  if (const pid_t child = ::fork(); child == 0) {
    ::alarm(60);
    ::dup2(saved, STDOUT_FILENO);
    println("by the child");
    ::_exit(tact::inspect::flush_lines() ? 0 : 1);
  } else {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  // The process says on stderr what is lost. Catch would print to the pipe.
  ::dup2(saved, STDERR_FILENO);
  std::exit(0);
}

TEST_CASE("println: a pipe that is never read ends the process all the same, and a child prints by itself") {
  const std::string told =
      told_by_another_process("[println_unread]", "TSAN_OPTIONS=\"$TSAN_OPTIONS:die_after_fork=0\"");
  CHECK_THAT(told, Catch::Contains("by the child\n"));
  CHECK_THAT(told, Catch::Contains("because the standard output took nothing at the end\n"));
}

}  // namespace inspect_println_test
