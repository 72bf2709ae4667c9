// Rounds that are put together from the parts of several sources.
#pragma once

#include <cstddef>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

namespace market {

// Each source says its part of each round, one round after the other. A round is complete when all sources have said
// theirs, and is handed over in the order of the sources. So what an actor makes of its rounds depends on what its
// sources say, and never on which of them was faster; and if the sources themselves are such actors, neither does
// anything that the whole of them makes. (Kahn 1974: a network of processes with queues that each has one reader and
// one writer, where nobody looks whether a queue is empty, has one result.)
template <class T>
class gathering {
 public:
  explicit gathering(std::size_t sources) : sources_(sources) {}

  // A source may say its part of a round in pieces.
  void add(std::size_t source, std::vector<T>&& piece, bool is_last = true) {
    queue& q = sources_[source];
    if (q.open.empty()) {
      q.open = std::move(piece);
    } else {
      q.open.insert(q.open.end(), std::make_move_iterator(piece.begin()), std::make_move_iterator(piece.end()));
    }
    if (!is_last) return;
    if (q.closed.empty()) ++ready_;
    q.closed.push_back(std::exchange(q.open, {}));
  }

  // Has the oldest round all its parts?
  [[nodiscard]] bool is_complete() const noexcept { return ready_ == sources_.size(); }

  // Calls f(source, part) for each part of the oldest round, which is complete, and forgets it.
  template <class F>
  void take(const F& f) {
    for (std::size_t s = 0; s != sources_.size(); ++s) {
      queue& q = sources_[s];
      f(s, q.closed.front());
      q.closed.pop_front();
      if (q.closed.empty()) --ready_;
    }
  }

 private:
  struct queue {
    std::deque<std::vector<T>> closed{};
    std::vector<T> open{};
  };
  std::vector<queue> sources_;
  std::size_t ready_ = 0;  // sources that have said their part of the oldest round
};

}  // namespace market
