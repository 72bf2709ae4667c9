// A thermometer whose measurements go to a file and to a display. It sends each of them once, and does not know how
// many actors get it: a tee passes the measurement on to the file, and a copy of it to the display. The file gets every
// measurement; the display shows one when it differs by a degree from what is shown.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <tact/patterns/tee.hpp>
#include <tact/patterns/with_file.hpp>
#include <tact/tact.hpp>
#include <vector>

namespace {

struct temperature {
  int millidegrees;
};
struct all_written {
  using reply = int;
};

// Has the file open for as long as it lives, and lives on a thread that may wait for the disk.
class record : public tact::actor<record, temperature, tact::request<all_written>> {
 public:
  explicit record(const std::string& path) : file_(path, "w") {}
  void receive(tact::self<record>&, const temperature& m) {
    if (std::fprintf(file_.stream(), "%d\n", m.millidegrees) < 0) throw std::runtime_error("the disk is full");
    ++lines_;
  }
  void receive(tact::self<record>& self, const tact::request<all_written>& m) {
    file_.close();
    self.reply(m, lines_);
  }

 private:
  tact::open_file file_;
  int lines_ = 0;
};

tact::behavior<temperature> open_display(std::vector<int>& shown) {
  return {[&shown](auto&, const temperature& m) {
    if (shown.empty() || std::abs(m.millidegrees - shown.back()) >= 1'000) shown.push_back(m.millidegrees);
  }};
}

int lines_of(const std::string& path) {
  tact::open_file file(path, "r");
  int lines = 0;
  for (int c = 0; (c = std::getc(file.stream())) != EOF;) lines += c == '\n' ? 1 : 0;
  file.close();
  return lines;
}

}  // namespace

int main() {
  const std::string path = "tact_example_measurements.txt";
  std::vector<int> shown;  // only the display writes
  int lines = 0;
  {
    tact::engine engine;
    const auto file = engine.spawn<record>(tact::blocking, path);
    const auto display = engine.create(open_display(shown));
    const auto readers = engine.create(tact::tee<temperature>(file, {display}));

    for (int i = 1; i <= 1'000; ++i) engine.send(readers, temperature{20'000 + 10 * i});
    engine.wait_idle();
    lines = engine.ask(file, all_written{});
  }
  std::printf("%d measurements in the file, %zu on the display\n", lines, shown.size());
  const bool right = lines == 1'000 && lines_of(path) == 1'000 && shown.size() == 10 && shown.back() == 29'010;
  static_cast<void>(std::remove(path.c_str()));
  return right ? 0 : 1;
}
