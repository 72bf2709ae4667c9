// A timetable, found by a search with backtracking. Six lectures get one of three hours each, so that no two lectures
// that have a teacher or a class in common are at the same hour. Each lecture is one choice behind the earlier ones,
// and a condition behind each choice cuts off what cannot become a timetable any more.
#include <cstddef>
#include <cstdio>
#include <string>
#include <tact/patterns/amb.hpp>
#include <tact/tact.hpp>
#include <vector>

namespace {

struct lecture {
  const char* name;
  const char* teacher;
  const char* class_name;
};
const std::vector<lecture> lectures{
    {"algebra", "Ada", "1a"},  {"geometry", "Ada", "1b"}, {"physics", "Niels", "1a"},
    {"optics", "Niels", "1b"}, {"poetry", "Emily", "1a"}, {"drama", "Emily", "1b"},
};
constexpr int hours = 3;

// The hours of the first lectures; a timetable when it has one for each.
using plan = std::vector<int>;
using plans = tact::ref<tact::request<tact::next_solution<plan>>>;

bool collide(const lecture& a, const lecture& b) {
  return std::string(a.teacher) == b.teacher || std::string(a.class_name) == b.class_name;
}

// Whether the last lecture of the plan goes with all before it.
bool last_fits(const plan& p) {
  const std::size_t last = p.size() - 1;
  for (std::size_t i = 0; i != last; ++i) {
    if (p[i] == p[last] && collide(lectures[i], lectures[last])) return false;
  }
  return true;
}

std::vector<plan> with_each_hour(const plan& p) {
  std::vector<plan> all;
  for (int hour = 0; hour != hours; ++hour) {
    all.push_back(p);
    all.back().push_back(hour);
  }
  return all;
}

// The first source gives the plan of no lectures.
plans open_search(tact::engine& engine) {
  plans found = engine.create(tact::choices(std::vector<plan>(1)));
  for (std::size_t i = 0; i != lectures.size(); ++i) {
    found = engine.create(tact::such_that(engine.create(tact::choices_for_each(found, with_each_hour)), last_fits));
  }
  return found;
}

// The same by trying everything, to check the search.
int count_all(const plan& p = {}) {
  if (p.size() == lectures.size()) return 1;
  int count = 0;
  for (const plan& longer : with_each_hour(p)) {
    if (last_fits(longer)) count += count_all(longer);
  }
  return count;
}

}  // namespace

int main() {
  tact::engine engine;
  const plans search = open_search(engine);

  // The first one is found without looking for the others.
  const auto first = engine.ask(search, tact::next_solution<plan>{});
  if (!first) return 1;
  for (std::size_t i = 0; i != lectures.size(); ++i) std::printf("hour %d: %s\n", (*first)[i] + 1, lectures[i].name);

  // The search goes on where it was.
  int count = 1;
  plan last = *first;
  while (const auto next = engine.ask(search, tact::next_solution<plan>{})) {
    if (!(last < *next)) return 1;
    last = *next;
    ++count;
  }
  std::printf("%d timetables\n", count);
  return count == count_all() && *first == plan{0, 1, 1, 2, 2, 0} ? 0 : 1;
}
