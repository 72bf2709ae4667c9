// Matrix Search, for every runtime: seekers count how often words occur, each in a matrix of letters of its own, and
// controllers hand the words out. Source: Wölke, Optimizing Data Locality in CAF.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "programs/program.hpp"

// Functions that are no part of a modelled program: they cost no virtual time, and run as fast as outside of a model.
#if defined(TACT_MODELLED)
#include <tact/model.hpp>
#define BENCH_UNSEEN [[gnu::no_sanitize_thread, gnu::no_sanitize_coverage]]
#else
#define BENCH_UNSEEN
#endif

namespace bench {

// Letters by chance, from a seed: splitmix64, so that they are the same on every machine.
class letters {
 public:
  explicit letters(std::uint64_t seed) : state_(seed) {}
  BENCH_UNSEEN char next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<char>('a' + (z ^ (z >> 31)) % 26);
  }

 private:
  std::uint64_t state_;
};

struct search_setting {
  explicit search_setting(program& p)
      : controllers(p.number("controllers", 1, 1, "controllers")),
        seekers(p.number("seekers", 32, 8, "seekers of a controller")),
        searches(p.number("searches", 20, 5, "words that each seeker looks for")),
        size(p.number("size", 500, 40, "rows and columns of a matrix")),
        length(p.number("length", 6, 2, "letters of a word, at most 12")),
        vertical(p.choice("pattern", {"vertical", "horizontal"}, "words lie in columns, or in rows") == "vertical"),
        by_block(p.choice("assignment", {"continuous", "block"},
                          "a seeker gets its next word when it has answered, or when all have") == "block") {
    p.require(length <= 12 && length <= size, "--length is at most 12, and at most --size");
    letters random(seekers + searches);
    for (std::uint64_t i = 0; i < searches * length; ++i) words.push_back(random.next());
  }
  [[nodiscard]] std::uint64_t all_seekers() const { return controllers * seekers; }
  // A start for each controller, for each word a search and what was found, and an end for each seeker.
  [[nodiscard]] std::uint64_t messages() const { return controllers + all_seekers() * (2 * searches + 1); }
  [[nodiscard]] const char* word(std::uint64_t number) const { return &words[number * length]; }
  // Seekers are numbered controller by controller.
  [[nodiscard]] std::uint64_t seed(std::uint64_t seeker) const {
    return seeker / seekers * 1'000'003 + seeker % seekers;
  }
  // Where a word may begin.
  [[nodiscard]] std::uint64_t first_rows() const { return vertical ? size - length + 1 : size; }
  [[nodiscard]] std::uint64_t first_columns() const { return vertical ? size : size - length + 1; }

  std::uint64_t controllers;
  std::uint64_t seekers;
  std::uint64_t searches;
  std::uint64_t size;
  std::uint64_t length;
  bool vertical;
  bool by_block;
  std::vector<char> words;  // one behind the other; all controllers hand out the same ones
};

// How often each word occurs in each matrix, by one thread, and not in the way in which seekers count: one pass over a
// matrix finds all words. A word is known by its code, five bits for each letter.
class recount {
 public:
  explicit recount(const search_setting& s) : searches_(s.searches) {
    for (std::uint64_t w = 0; w < s.searches; ++w) codes_.push_back(code_of(s.word(w), s.length));
    const std::vector<std::uint64_t> of_words = codes_;
    std::sort(codes_.begin(), codes_.end());
    codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
    for (const std::uint64_t c : codes_) marks_[mark_of(c)] = 1;
    std::vector<std::uint32_t> found(codes_.size());
    for (std::uint64_t seeker = 0; seeker < s.all_seekers(); ++seeker) {
      std::fill(found.begin(), found.end(), 0);
      std::vector<std::uint64_t> ends(s.vertical ? s.size : 1);
      count(s, seeker, ends.data(), found.data());
      for (const std::uint64_t c : of_words) found_.push_back(found[place_of(c)]);
    }
  }
  [[nodiscard]] std::uint32_t of(std::uint64_t seeker, std::uint64_t word) const {
    return found_[seeker * searches_ + word];
  }
  [[nodiscard]] std::uint64_t of_seeker(std::uint64_t seeker) const {
    const auto first = found_.begin() + static_cast<std::ptrdiff_t>(seeker * searches_);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(searches_), std::uint64_t{0});
  }
  [[nodiscard]] std::uint64_t total() const { return std::accumulate(found_.begin(), found_.end(), std::uint64_t{0}); }

 private:
  static constexpr unsigned letter_bits = 5;
  static constexpr unsigned mark_bits = 16;

  static std::uint64_t code_of(const char* word, std::uint64_t length) {
    std::uint64_t code = 0;
    for (std::uint64_t i = 0; i < length; ++i) code = code << letter_bits | static_cast<unsigned char>(word[i] - 'a');
    return code;
  }
  BENCH_UNSEEN static std::uint64_t mark_of(std::uint64_t code) {
    return code * 0x9e3779b97f4a7c15 >> (64 - mark_bits);
  }
  [[nodiscard]] std::size_t place_of(std::uint64_t code) const {
    return static_cast<std::size_t>(std::lower_bound(codes_.begin(), codes_.end(), code) - codes_.begin());
  }
  // `ends`: the letters that end at the last place looked at, of each column or of the row; zeros at first.
  BENCH_UNSEEN void count(const search_setting& s, std::uint64_t seeker, std::uint64_t* ends,
                          std::uint32_t* found) const {
    letters random(s.seed(seeker));
    const std::uint8_t* const marks = marks_.data();
    const std::uint64_t mask = (std::uint64_t{1} << letter_bits * s.length) - 1;
    for (std::uint64_t row = 0; row < s.size; ++row) {
      for (std::uint64_t column = 0; column < s.size; ++column) {
        std::uint64_t& end = ends[s.vertical ? column : 0];
        end = (end << letter_bits | static_cast<unsigned char>(random.next() - 'a')) & mask;
        const std::uint64_t so_far = (s.vertical ? row : column) + 1;
        if (so_far < s.length || marks[mark_of(end)] == 0) continue;
        const std::size_t place = place_of(end);
        if (place < codes_.size() && codes_[place] == end) ++found[place];
      }
    }
  }

  std::uint64_t searches_;
  std::vector<std::uint64_t> codes_;                                                          // sorted, each once
  std::vector<std::uint8_t> marks_ = std::vector<std::uint8_t>(std::size_t{1} << mark_bits);  // those of no code are 0
  std::vector<std::uint32_t> found_;  // seeker by seeker, word by word
};

// What a seeker looks through. Its memory is touched first by whoever makes it.
class letter_matrix {
 public:
  letter_matrix(const search_setting& s, const recount& expected, std::uint64_t seeker)
      : setting_(&s), expected_(&expected), seeker_(seeker), rows_(new char[s.size * s.size]) {
    fill();
  }
  [[nodiscard]] std::uint64_t seeker() const { return seeker_; }
  // How often the word occurs; occurrences may overlap.
  [[nodiscard]] std::uint32_t count(std::uint64_t word) const;

 private:
  void fill();

  const search_setting* setting_;
  const recount* expected_;
  std::uint64_t seeker_;
  std::unique_ptr<char[]> rows_;
};

#if defined(TACT_MODELLED)

// A whole run of the thesis looks at 2.8e11 letters, which access by access would take a model hours. So here one
// letter of each line of memory is touched, as the model sees it, and the line's letters take the time that they take
// when the caches have them: measured on an AMD EPYC with matrices of 200 rows. The lines that a comparison reads in
// the next rows are touched when the scan comes to them. The answer is that of the recount.
constexpr std::size_t line_bytes = 64;
constexpr double made_ns = 1.7;  // for each letter
constexpr double seen_ns = 0.57;

inline void letter_matrix::fill() {
  const std::size_t bytes = setting_->size * setting_->size;
  for (std::size_t i = 0; i < bytes; i += line_bytes) {
    static_cast<volatile char*>(rows_.get())[i] = 'a';
    tact::model::spend_ns(made_ns * line_bytes);
  }
}
inline std::uint32_t letter_matrix::count(std::uint64_t word) const {
  const std::size_t bytes = setting_->size * setting_->size;
  for (std::size_t i = 0; i < bytes; i += line_bytes) {
    static_cast<void>(static_cast<const volatile char*>(rows_.get())[i]);
    tact::model::spend_ns(seen_ns * line_bytes);
  }
  return expected_->of(seeker_, word);
}

#else

inline void letter_matrix::fill() {
  letters random(setting_->seed(seeker_));
  for (std::size_t i = 0; i < setting_->size * setting_->size; ++i) rows_[i] = random.next();
}
// Looks for the first letter row by row, and compares the rest where it is found: downwards, or to the right. Not
// inlined: within a handler the compiler may make of it a loop that is slower or faster by some percent.
[[gnu::noinline]] inline std::uint32_t letter_matrix::count(std::uint64_t word) const {
  const search_setting& s = *setting_;
  const char* const wanted = s.word(word);
  const std::uint64_t step = s.vertical ? s.size : 1;
  const std::uint64_t columns = s.first_columns();
  std::uint32_t found = 0;
  for (std::uint64_t r = 0; r < s.first_rows(); ++r) {
    const char* const row = &rows_[r * s.size];
    for (std::uint64_t c = 0; c < columns; ++c) {
      if (row[c] != wanted[0]) continue;
      std::uint64_t same = 1;
      while (same < s.length && row[c + same * step] == wanted[same]) ++same;
      found += same == s.length;
    }
  }
  return found;
}

#endif

// What a controller knows of its seekers: which word each gets next, and whether the answers are right. The same for
// every runtime.
class search_desk {
 public:
  explicit search_desk(const search_setting& s)
      : setting_(&s), asked_(s.seekers), answered_(s.seekers), findings_(s.seekers) {}

  // Calls ask(seeker, word) for each seeker that gets a word now; seekers count from 0 for each controller.
  template <class Ask>
  void begin(Ask ask) {
    for (std::uint64_t seeker = 0; seeker < setting_->seekers; ++seeker) ask_next(seeker, ask);
  }
  // The same after an answer. True: it was the last one.
  template <class Ask>
  [[nodiscard]] bool hear(std::uint64_t seeker, std::uint64_t word, std::uint32_t findings, Ask ask) {
    wrong_ += asked_[seeker] != answered_[seeker] + 1 || word != answered_[seeker];
    // By block all seekers are at the same word.
    wrong_ += setting_->by_block && word != heard_ / setting_->seekers;
    ++answered_[seeker];
    findings_[seeker] += findings;
    if (++heard_ == setting_->seekers * setting_->searches) return true;
    if (!setting_->by_block) {
      if (asked_[seeker] < setting_->searches) ask_next(seeker, ask);
    } else if (heard_ % setting_->seekers == 0) {
      begin(ask);
    }
    return false;
  }
  // REQUIRES: all have answered. `first`: the number among all seekers of this controller's first one.
  void check(program& p, const recount& expected, std::uint64_t first) const {
    p.check_equal(wrong_, 0, "answers out of turn, and searches beside another one of the same seeker");
    for (std::uint64_t seeker = 0; seeker < setting_->seekers; ++seeker) {
      p.check_equal(answered_[seeker], setting_->searches, "searches of a seeker");
      p.check_equal(findings_[seeker], expected.of_seeker(first + seeker), "findings of a seeker");
    }
  }

 private:
  template <class Ask>
  void ask_next(std::uint64_t seeker, Ask& ask) {
    wrong_ += asked_[seeker] != answered_[seeker];
    ask(seeker, asked_[seeker]++);
  }

  const search_setting* setting_;
  std::vector<std::uint64_t> asked_;
  std::vector<std::uint64_t> answered_;
  std::vector<std::uint64_t> findings_;
  std::uint64_t heard_ = 0;  // answers of all
  std::uint64_t wrong_ = 0;
};

inline void check_search(program& p, const search_setting& s, const recount& expected,
                         const std::vector<search_desk>& desks) {
  for (std::uint64_t c = 0; c < s.controllers; ++c) desks[c].check(p, expected, c * s.seekers);
}

}  // namespace bench
