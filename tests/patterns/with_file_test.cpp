// tact::with_file: a file is closed on every way out, before its customer hears, and failures have the system's text.
#include "tact/patterns/with_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>

#include "patterns/customers.hpp"
#include "patterns/trouble.hpp"

namespace with_file_test {

namespace {

using namespace tact::patterns_tests;
using tact::open_file;
using tact::request;

struct line {
  using reply = int;
  int number = 0;
  bool throws = false;
  tracked instance{};
};
struct note {
  using reply = void;
};

// A path of an empty file, which is removed at the end.
class temporary_path {
 public:
  temporary_path() {
    const int fd = mkstemp(name_);
    REQUIRE(fd != -1);
    close(fd);
  }
  temporary_path(const temporary_path&) = delete;
  temporary_path& operator=(const temporary_path&) = delete;
  ~temporary_path() { static_cast<void>(std::remove(name_)); }

  [[nodiscard]] std::string name() const { return name_; }
  // The lines of the file.
  [[nodiscard]] std::vector<int> numbers() const {
    std::vector<int> all;
    open_file f(name_, "r");
    for (int n = 0; std::fscanf(f.stream(), "%d", &n) == 1;) all.push_back(n);
    return all;
  }

 private:
  char name_[32] = "tact_with_file_XXXXXX";
};

bool is_open(int descriptor) noexcept { return fcntl(descriptor, F_GETFD) != -1; }

int write_line(open_file& f, const line& l) {
  std::fprintf(f.stream(), "%d\n", l.number);
  if (l.throws) throw std::runtime_error("no line");
  return fileno(f.stream());
}

// The answer is the descriptor, which is closed when the customer hears.
template <class Make>
void customers_write(tact::simulation& sim, const trouble& t, const Make& make) {
  const temporary_path path;
  auto& engine = sim.engine(quiet_options(2));
  const auto all = std::make_shared<customers<int>>(6);
  all->enter(engine, [&sim](auto&, std::size_t, int descriptor) {
    sim.check(!is_open(descriptor), "a customer hears while the file is open");
  });
  const auto writer = engine.create(make(path.name()));
  const int next = dup(0);
  close(next);
  t.begin();
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int n = thread; n < 6; n += 2) all->ask(t, engine, writer, std::size_t(n), line{n, n % 3 == 2});
    });
  }
  sim.run();
  all->check(sim, t);
  const int now = dup(0);
  close(now);
  sim.check(now == next, "a file is open");
  if (t.is_none()) sim.check(all->failures() == 2 && path.numbers().size() == 6, "a line is not written");
  sim.end();
}

}  // namespace

TEST_CASE("with_file: the file is closed on every way out, before the customer hears, whatever fails", "[law1][law8]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) {
    customers_write(sim, t, [](std::string path) { return tact::with_file<line>(std::move(path), "a", write_line); });
  });
}

TEST_CASE("with_file: one that closes behind the answer, or not when the function throws, is found", "[law8]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    customers_write(sim, t, [](const std::string& path) {
      return tact::behavior<request<line>>{[path](auto& self, const request<line>& m) {
        const auto f = std::make_shared<open_file>(path, "a");
        self.reply(m, write_line(*f, m.body));
        self.on_commit([f] { f->close(); });
      }};
    });
  });
  require_found([](tact::simulation& sim, const trouble& t) {
    customers_write(sim, t, [](const std::string& path) {
      const auto left = std::make_shared<std::vector<std::unique_ptr<open_file>>>();
      return tact::behavior<request<line>>{[path, left](auto& self, const request<line>& m) {
        left->push_back(std::make_unique<open_file>(path, "a"));
        const int answer = write_line(*left->back(), m.body);
        left->pop_back();
        self.reply(m, answer);
      }};
    });
  });
}

TEST_CASE("with_file: failures of opening and of closing are told with the system's text", "[law8]") {
  tact::engine engine(quiet_options(1));
  const auto missing = engine.create(tact::with_file<line>("/nowhere/at all", "r", write_line), tact::blocking);
  CHECK_THROWS_WITH(engine.ask(missing, line{}),
                    Catch::Matchers::Contains("tact::with_file: open '/nowhere/at all': No such file"));
  if (access("/dev/full", W_OK) == 0) {
    const auto full = engine.create(tact::with_file<line>("/dev/full", "w", write_line), tact::blocking);
    CHECK_THROWS_WITH(engine.ask(full, line{}),
                      Catch::Matchers::Contains("tact::with_file: close '/dev/full': No space left"));
    CHECK_THROWS_WITH(engine.ask(full, line{1, true}), Catch::Matchers::Contains("no line"));
  }
}

TEST_CASE("with_file: threads write through one, and each line is written once, in the order of its thread",
          "[law3][law4][law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  const temporary_path path;
  {
    tact::engine engine(quiet_options(workers));
    const auto writer = engine.create(tact::with_file<line>(path.name(), "a", write_line), tact::blocking);
    const auto nothing =
        engine.create(tact::with_file<note>(path.name(), "r", [](open_file&, const note&) {}), tact::blocking);
    on_threads(4, [&](unsigned thread) {
      for (int i = 0; i < 50; ++i) engine.send(writer, request<line>{{}, {int(thread) * 1'000 + i}});
    });
    engine.ask(nothing, note{});
    require_idle(engine);
  }
  std::array<int, 4> next{};
  bool in_order = true;
  for (const int n : path.numbers()) in_order = in_order && next[std::size_t(n / 1'000)]++ == n % 1'000;
  CHECK(in_order);
  CHECK(next == std::array<int, 4>{50, 50, 50, 50});
}

}  // namespace with_file_test
