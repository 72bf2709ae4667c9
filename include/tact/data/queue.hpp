// tact::queue: first in, first out; a queue that never changes, and of which a change makes another one, which shares
// with it what both have.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

#include "tact/data/detail/queue_table.hpp"

namespace tact {

// const tact::queue<std::string> waiting = tact::queue<std::string>().push_back("Ada").push_back("Alan");
// const auto rest = waiting.pop_front();  // `waiting` is as before
//
// A value: a copy takes three additions, however long the queue is, and is independent of the original. A change leaves
// the queue on which it is called as it was. Called on an rvalue of which there is no copy it works in place
// (q = std::move(q).push_back(entry)); so there is no transient of its own.
//
// Entries whose copy cannot fail and which take 32 bytes at most lie in the nodes, and are copied with them; each other
// entry is made once, and shared, so it need not be copyable. An entry that was taken out ends with the last queue that
// has it. If a function of the user throws, or there is no memory, all is as it was.
// Thread safety: const functions may be called by any number of threads at once, and different queues are independent,
// whatever they share: any thread may keep an old queue while others go on.
// Memory: blocks of the library. Destruction takes a stack of constant depth. Costs beside std::deque:
// docs/data/tables.md.
template <class T>
class queue : public detail::queue_table<T> {
 public:
  queue() noexcept = default;
  queue(std::initializer_list<T> entries) : queue(entries.begin(), entries.end()) {}
  template <std::input_iterator It, std::sentinel_for<It> End>
  queue(It first, End last) {
    for (; first != last; ++first) this->put_back(T(*first));
  }

  // With this entry behind the last one.
  [[nodiscard]] queue push_back(T entry) const& { return queue(*this).push_back(std::move(entry)); }
  [[nodiscard]] queue push_back(T entry) && {
    this->put_back(std::move(entry));
    return std::move(*this);
  }
  // Without the first entry. REQUIRES: not empty.
  [[nodiscard]] queue pop_front() const& { return queue(*this).pop_front(); }
  [[nodiscard]] queue pop_front() && {
    this->take_front();
    return std::move(*this);
  }

  // One is a copy of the other. Takes a nanosecond. False says nothing about the entries; == compares them.
  [[nodiscard]] bool is_same_as(const queue& other) const noexcept { return this->has_nodes_of(other); }
  friend bool operator==(const queue& a, const queue& b)
    requires std::equality_comparable<T>
  {
    if (a.size() != b.size()) return false;
    if (a.is_same_as(b)) return true;
    for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
      if (!(*i == *j)) return false;
    }
    return true;
  }
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
