// A history of tables: each step is kept, and what it costs is what it changes.
#include <string>
#include <tact/data/map.hpp>
#include <utility>
#include <vector>

using sheet = tact::map<std::string, double>;

class editor {
 public:
  void set(std::string cell, double value) {
    sheet next = now().insert_or_assign(std::move(cell), value);
    if (!next.is_same_as(now())) history_.push_back(std::move(next));
  }
  void undo() {
    if (history_.size() > 1) history_.pop_back();
  }
  const sheet& now() const { return history_.back(); }
  std::size_t steps() const { return history_.size() - 1; }

 private:
  std::vector<sheet> history_{sheet()};
};

int main() {
  editor e;
  for (int i = 0; i < 10'000; ++i) e.set("A" + std::to_string(i), i);
  e.set("A7", 70);
  e.set("A7", 70);  // changes nothing, so it is no step
  const bool is_set = e.steps() == 10'001 && e.now().at("A7") == 70;
  e.undo();
  const bool is_back = e.now().at("A7") == 7;
  while (e.steps() != 100) e.undo();
  return is_set && is_back && e.now().size() == 100 ? 0 : 1;
}
