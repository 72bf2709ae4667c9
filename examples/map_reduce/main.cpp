// The most frequent words of a pile of texts, by map and reduce. A mapper counts the words of one block and tells each
// reducer of its share of them; a reducer adds up, and is asked at the end.
//
//   map_reduce [FILE OR FOLDER]...      without any: the licence texts of the system, where Debian keeps them
//
// The mapper has no state, so one parallel actor does it for all blocks, on as many workers as there are. A reducer has
// a table that changes with every message: a classic actor. A word always goes to the same reducer, so no two of them
// share one, and nothing is locked. What was counted is compared with the same done by one thread.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <tact/tact.hpp>

#include "text.hpp"

namespace {

constexpr std::size_t block_bytes = 64 * 1024;
constexpr std::size_t reducers_count = 8;
constexpr std::size_t shown = 10;

// -- reduce

struct share_of_words {
  std::shared_ptr<const std::string> text;  // in which they are
  std::vector<counts::value_type> words;
};
struct most_frequent {
  using reply = ranking;
  std::size_t most;
};

class reducer : public tact::actor<reducer, share_of_words, tact::request<most_frequent>> {
 public:
  void receive(tact::self<reducer>&, const share_of_words& m) {
    for (const auto& [word, times] : m.words) {
      const auto known = all_.find(word);
      known != all_.end() ? known->second += times : all_.emplace(word, times).first->second;
    }
  }
  void receive(tact::self<reducer>& self, const tact::request<most_frequent>& m) {
    self.reply(m, rank({all_.begin(), all_.end()}, m.body.most));
  }

 private:
  // Finds a word without making a string of it.
  struct hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::uint64_t, hash, std::equal_to<>> all_;
};

// -- map

tact::behavior<block> open_mapper(std::vector<tact::ref<reducer>> reducers) {
  return {[reducers = std::move(reducers)](auto& self, const block& m) {
    counts words;
    count_words(m.view(), words);
    std::vector<share_of_words> shares(reducers.size(), {m.text, {}});
    for (const auto& word : words) shares[counts::hasher()(word.first) % shares.size()].words.push_back(word);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (!shares[i].words.empty()) self.send(reducers[i], std::move(shares[i]));
    }
  }};
}

ranking by_actors(tact::engine& engine, const std::vector<block>& blocks) {
  std::vector<tact::ref<reducer>> reducers;
  for (std::size_t i = 0; i < reducers_count; ++i) reducers.push_back(engine.spawn<reducer>());
  const auto mapper = engine.create(open_mapper(reducers), tact::parallel);
  for (const block& b : blocks) engine.send(mapper, b);
  engine.wait_idle();
  ranking best;  // a word has one reducer, so the most frequent of all are among those of each
  for (const ranking& some : engine.ask_all(reducers, most_frequent{shown})) {
    best.insert(best.end(), some.begin(), some.end());
  }
  return rank(std::move(best), shown);
}

ranking by_one_thread(const std::vector<block>& blocks) {
  counts all;
  for (const block& b : blocks) count_words(b.view(), all);
  return rank({all.begin(), all.end()}, shown);
}

template <class F>
std::pair<ranking, double> timed(F f) {
  const auto began = std::chrono::steady_clock::now();
  ranking found = f();
  return {std::move(found),
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count()};
}

int run(std::vector<std::filesystem::path> from) {
  if (from.empty()) from.emplace_back("/usr/share/common-licenses");
  const std::vector<block> blocks = read_blocks(from, block_bytes);
  std::size_t bytes = 0;
  for (const block& b : blocks) bytes += b.view().size();
  tact::engine engine;
  const auto [found, actors_ms] = timed([&] { return by_actors(engine, blocks); });
  const auto [expected, thread_ms] = timed([&] { return by_one_thread(blocks); });
  for (const auto& [word, times] : found)
    std::printf("%10llu  %s\n", static_cast<unsigned long long>(times), word.c_str());
  std::printf("%zu KiB in %zu blocks: %.1f ms by actors, %.1f ms by one thread\n", bytes / 1024, blocks.size(),
              actors_ms, thread_ms);
  if (found == expected) return 0;
  std::fputs("the two do not agree\n", stderr);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::cerr << "map_reduce: " << e.what() << "\n";
    return 2;
  }
}
