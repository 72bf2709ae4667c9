// What a line costs the thread that prints it: alone and among others, to a file that takes everything and to a pipe
// that nothing reads; in a handler; and what the same line costs by the means of C and C++.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <tact/inspect/line_output.hpp>

#include "micro/relay.hpp"

namespace tact::bench {
namespace {

// A file that takes everything, or a pipe that nothing reads.
class place {
 public:
  explicit place(bool takes) {
    if (takes) {
      file_ = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    } else if (int ends[2]; ::pipe(ends) == 0) {
      unread_ = ends[0];
      file_ = ends[1];
    }
  }
  ~place() {
    if (unread_ >= 0) ::close(unread_);
    ::close(file_);
  }
  place(const place&) = delete;
  place& operator=(const place&) = delete;
  [[nodiscard]] inspect::file_descriptor file() const noexcept { return {file_}; }

 private:
  int unread_ = -1;
  int file_ = -1;
};

struct printing {
  explicit printing(bool takes) : to(takes), lines(std::make_unique<inspect::line_output>(to.file())) {}
  place to;
  std::unique_ptr<inspect::line_output> lines;
};
std::unique_ptr<printing> shared_by_threads;

void print_lines(benchmark::State& state, bool takes) {
  if (state.thread_index() == 0) shared_by_threads = std::make_unique<printing>(takes);
  std::uint64_t n = 0;
  for (auto _ : state) shared_by_threads->lines->println("account ", ++n, " has ", 17, " left");
  if (state.thread_index() != 0) return;
  const auto lines = static_cast<double>(state.iterations()) * state.threads();
  state.counters["lost"] = static_cast<double>(shared_by_threads->lines->lost()) / lines;
}

void print_in_handlers(benchmark::State& state) {
  const printing to(true);
  constexpr std::uint64_t messages = 2'000;
  std::uint64_t sent = 0;
  engine e(small_engine(1, 0));
  const auto prints = e.create(
      behavior<hop>([&to](auto&, const hop& m) { to.lines->println("account ", m.left, " has ", 17, " left"); }));
  for (auto _ : state) {
    for (std::uint64_t n = 0; n < messages; ++n) e.send(prints, hop{n});
    e.wait_idle();
    to.lines->flush();
    sent += messages;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(sent));
}

void print_by_c(benchmark::State& state) {
  std::FILE* to = std::fopen("/dev/null", "w");
  std::setvbuf(to, nullptr, _IOLBF, BUFSIZ);
  std::uint64_t n = 0;
  for (auto _ : state) std::fprintf(to, "account %llu has %d left\n", static_cast<unsigned long long>(++n), 17);
  std::fclose(to);
}

void print_by_streams(benchmark::State& state) {
  std::ofstream to("/dev/null");
  std::mutex mutex;
  std::uint64_t n = 0;
  for (auto _ : state) {
    const std::lock_guard lock(mutex);
    to << "account " << ++n << " has " << 17 << " left" << std::endl;
  }
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  for (const bool takes : {true, false}) {
    const std::string name = std::string("printed/") + (takes ? "taken" : "full");
    time_everything(benchmark::RegisterBenchmark(name.c_str(), &print_lines, takes)->ThreadRange(1, 4));
  }
  time_everything(benchmark::RegisterBenchmark("printed/handler", &print_in_handlers));
  time_everything(benchmark::RegisterBenchmark("printed/by_c", &print_by_c));
  time_everything(benchmark::RegisterBenchmark("printed/by_streams", &print_by_streams));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
