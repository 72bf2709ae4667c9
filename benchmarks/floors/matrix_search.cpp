// Floor of Matrix Search: the seekers divided by bare threads.
#include "programs/matrix_search.hpp"

#include <barrier>

#include "floors/shares.hpp"

namespace bench {
namespace {

// What the seekers of one thread have found, each of its words.
using findings = std::vector<std::vector<std::uint32_t>>;

// One seeker after the other: nobody needs its answers before the next word.
void search(const search_setting& s, const recount& expected, std::uint64_t first, std::uint64_t last, findings& all) {
  std::vector<letter_matrix> kept;
  for (; first < last; ++first) {
    const letter_matrix& matrix = kept.emplace_back(s, expected, first);
    for (std::uint64_t word = 0; word < s.searches; ++word) all[first].push_back(matrix.count(word));
  }
}
// Word by word: all have found one before anybody looks for the next.
void search_by_block(const search_setting& s, const recount& expected, std::uint64_t first, std::uint64_t last,
                     findings& all, std::barrier<>& word_ends) {
  std::vector<letter_matrix> kept;
  for (std::uint64_t seeker = first; seeker < last; ++seeker) kept.emplace_back(s, expected, seeker);
  for (std::uint64_t word = 0; word < s.searches; ++word) {
    for (const letter_matrix& m : kept) all[m.seeker()].push_back(m.count(word));
    word_ends.arrive_and_wait();
  }
}

int run(program& p) {
  const search_setting setting(p);
  p.ready();
  const recount expected(setting);
  findings all(setting.all_seekers());
  std::barrier word_ends(p.threads());

  stopwatch watch;
  share(p.threads(), all.size(), [&](std::uint64_t first, std::uint64_t last) {
    setting.by_block ? search_by_block(setting, expected, first, last, all, word_ends)
                     : search(setting, expected, first, last, all);
  });
  watch.stop();

  for (std::uint64_t seeker = 0; seeker < all.size(); ++seeker) {
    p.check_equal(all[seeker].size(), setting.searches, "searches of a seeker");
    for (std::uint64_t word = 0; word < setting.searches; ++word)
      p.check_equal(all[seeker][word], expected.of(seeker, word), "findings of a word");
  }
  p.say("findings", std::to_string(expected.total()));
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Matrix Search: the seekers divided evenly.", "threads, no runtime");
  return bench::run(p);
}
