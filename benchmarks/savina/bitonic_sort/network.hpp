// What the runtimes of bitonic sort share: how large its network is, and how a joiner orders what it gets.
#pragma once

#include <bit>

#include "savina/parameters.hpp"
#include "savina/sorting.hpp"

namespace bench {

inline std::uint64_t ask_for_count(savina_parameters& p) {
  const auto count = p.number("count", {4'096, 8'192, 16}, "numbers, a power of two", 2);
  p.of().require(std::has_single_bit(count), "--count is a power of two");
  return count;
}

// Is the block that begins here sorted upwards by the stage that makes runs of so many numbers?
constexpr bool upwards(std::uint64_t begin, std::uint64_t run) { return begin / run % 2 == 0; }

struct network_size {
  std::uint64_t actors = 0;
  std::uint64_t hops = 0;  // messages in which one number is
  std::uint64_t ends = 0;  // messages that say that no number follows
};

constexpr network_size size_of_network(std::uint64_t count) {
  network_size all{4, 3, 3};  // source, kernel, relay and validator; the source handles no number
  for (auto run = count; run >= 2; run /= 2) {
    ++all.actors, ++all.hops, ++all.ends;  // the stage itself
    for (auto length = run; length >= 2; length /= 2) {
      const auto workers = count / length;
      const auto chain = run == count ? 3u : 4u;  // step, splitter, joiner, relay
      const auto comparators = length / 2;
      // A worker is a comparator, or a chain of one of several, a splitter, a joiner and a labeller.
      all.actors += chain + workers * (length == 2 ? 1 : comparators + 4);
      all.hops += chain + (length == 2 ? 1 : 5);
      all.ends += chain - 1 + workers * (length == 2 ? 2 : 2 * comparators + 4);
    }
  }
  return all;
}
static_assert(size_of_network(16).actors == 192);
static_assert(size_of_network(4'096).actors == 241'984 && size_of_network(4'096).hops == 657);
static_assert(size_of_network(8'192).actors == 553'332 && size_of_network(8'192).hops == 770);

// And one message starts it.
constexpr std::uint64_t messages_of_network(std::uint64_t count) {
  const auto size = size_of_network(count);
  return count * size.hops + size.ends + 1;
}

// Takes `length` numbers of each worker in turn, whatever the order in which they come.
class interleaving {
 public:
  interleaving(std::uint64_t length, std::uint64_t workers) : length_(length), waiting_(workers) {}

  template <class Emit>
  void add(std::uint32_t worker, std::uint64_t number, Emit emit) {
    if (worker != turn_) return waiting_[worker].held.push_back(number);
    emit(number);  // nothing else of this worker waits
    advance();
    while (!waiting_[turn_].empty()) {
      emit(waiting_[turn_].take());
      advance();
    }
  }

 private:
  struct queue {
    [[nodiscard]] bool empty() const { return gone == held.size(); }
    std::uint64_t take() {
      const auto number = held[gone++];
      if (empty()) {
        held.clear();
        gone = 0;
      }
      return number;
    }
    numbers held;
    std::size_t gone = 0;
  };
  void advance() {
    if (++taken_ != length_) return;
    taken_ = 0;
    if (++turn_ == waiting_.size()) turn_ = 0;
  }

  std::uint64_t length_;
  std::vector<queue> waiting_;
  std::size_t turn_ = 0;
  std::uint64_t taken_ = 0;  // in this turn
};

}  // namespace bench
