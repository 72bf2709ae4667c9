#include "agenda.hpp"

#include <utility>

namespace loudness {
namespace {

struct addition {
  candidates waiting;
  work_found news{0, 0};
};

addition add(const candidates& waiting, const std::vector<candidate>& files) {
  addition made{waiting};
  for (const candidate& file : files) {
    candidates more = made.waiting.with(file, {});
    if (more.size() > made.waiting.size()) {
      made.news.files += 1;
      made.news.bytes += file.bytes;
    }
    made.waiting = std::move(more);
  }
  return made;
}

}  // namespace

tact::behavior<agenda> make_agenda(tact::ref<work_found> progress, candidates waiting) {
  return {
      [=](tact::self<agenda>& self, const found& m) {
        const addition made = add(waiting, m.files);
        self.send(progress, made.news);
        self.become(make_agenda(progress, made.waiting));
      },
      [=](tact::self<agenda>& self, const next_file& m) {
        if (waiting.empty()) return;
        self.send(m.for_whom, waiting.first());
        self.become(make_agenda(progress, waiting.without_first()));
      },
  };
}

}  // namespace loudness
