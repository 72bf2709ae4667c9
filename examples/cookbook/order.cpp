// An ordered actor handles the messages of one sender in the order sent.
#include <tact/tact.hpp>
#include <vector>

struct page {
  int number;
};

int main() {
  std::vector<int> read;
  tact::engine engine;
  const auto reader = engine.create(tact::behavior<page>{[&read](auto&, const page& m) { read.push_back(m.number); }});
  for (int i = 0; i < 1000; ++i) engine.send(reader, page{i});
  engine.wait_idle();
  for (int i = 0; i < 1000; ++i) {
    if (read.at(static_cast<std::size_t>(i)) != i) return 1;
  }
  return 0;
}
