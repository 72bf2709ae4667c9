// tact::vector: a row of entries that never changes; a change makes another one, which shares with it what both have.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "tact/data/detail/vector_table.hpp"

namespace tact {

template <class T>
class vector;

// A vector that is changed in place: for many changes one after the other. It may share nodes with vectors, which stay
// as they are: a node is copied when it is changed first. Otherwise as tact::vector. Source of the idea: Clojure.
template <class T>
class transient_vector : public detail::vector_table<T> {
  using base = detail::vector_table<T>;

 public:
  transient_vector() noexcept = default;

  void push_back(T entry) { this->put_back(std::move(entry)); }
  // REQUIRES: not empty.
  void pop_back() { this->take_back(); }
  // Returns false if an equal entry is there. Throws std::out_of_range if there is no such place.
  bool set(std::size_t place, T entry) { return this->put_at(place, std::move(entry)); }
  void clear() noexcept { *this = {}; }

  // These entries for ever. Takes two additions; of an rvalue none.
  [[nodiscard]] vector<T> persistent() const& noexcept { return vector<T>(static_cast<const base&>(*this)); }
  [[nodiscard]] vector<T> persistent() && noexcept { return vector<T>(static_cast<base&&>(*this)); }

 private:
  friend class vector<T>;
  explicit transient_vector(const base& t) noexcept : base(t) {}
  explicit transient_vector(base&& t) noexcept : base(std::move(t)) {}
};

// const tact::vector<std::string> lines{"one", "two"};
// const auto later = lines.push_back("three").set(0, "ONE");  // `lines` is as before
//
// A value: a copy takes two additions, however long the vector is, and is independent of the original. A change takes
// some log(size) steps to the base 32, and leaves the vector on which it is called as it was. Called on an rvalue of
// which there is no copy it works in place (v = std::move(v).push_back(entry)), as all changes of a transient do:
//
// tact::transient_vector<std::string> all;
// for (const auto& line : source) all.push_back(line);
// const tact::vector<std::string> lines = std::move(all).persistent();
//
// Entries whose copy cannot fail and which take 32 bytes at most lie in the nodes, and are copied with them; each other
// entry is made once, and shared, so it need not be copyable. If a function of the user throws, or there is no memory,
// all is as it was.
// Thread safety: const functions may be called by any number of threads at once, and different vectors are independent,
// whatever they share: any thread may keep an old vector while others go on.
// Memory: blocks of the library. Destruction takes a stack of constant depth. Costs beside std::vector:
// docs/data/tables.md. Source of the idea: Clojure's vectors; Bagwell and Rompf, "RRB-Trees" (2011).
template <class T>
class vector : public detail::vector_table<T> {
  using base = detail::vector_table<T>;

 public:
  using transient_type = transient_vector<T>;

  vector() noexcept = default;
  vector(std::initializer_list<T> entries) : vector(entries.begin(), entries.end()) {}
  template <std::input_iterator It, std::sentinel_for<It> End>
  vector(It first, End last) {
    for (; first != last; ++first) this->put_back(T(*first));
  }

  // With this entry behind the last one.
  [[nodiscard]] vector push_back(T entry) const& { return vector(*this).push_back(std::move(entry)); }
  [[nodiscard]] vector push_back(T entry) && {
    this->put_back(std::move(entry));
    return std::move(*this);
  }
  // Without the last entry. REQUIRES: not empty.
  [[nodiscard]] vector pop_back() const& { return vector(*this).pop_back(); }
  [[nodiscard]] vector pop_back() && {
    this->take_back();
    return std::move(*this);
  }
  // With this entry at that place, in the place of the one that is there. If that is equal, the same vector. Throws
  // std::out_of_range if there is no such place.
  [[nodiscard]] vector set(std::size_t place, T entry) const& { return vector(*this).set(place, std::move(entry)); }
  [[nodiscard]] vector set(std::size_t place, T entry) && {
    this->put_at(place, std::move(entry));
    return std::move(*this);
  }
  [[nodiscard]] transient_type transient() const& noexcept { return transient_type(static_cast<const base&>(*this)); }
  [[nodiscard]] transient_type transient() && noexcept { return transient_type(static_cast<base&&>(*this)); }

  // One is a copy of the other, or was made from it by changes that have changed nothing. Takes a nanosecond. False
  // says nothing about the entries; == compares them.
  [[nodiscard]] bool is_same_as(const vector& other) const noexcept { return this->has_nodes_of(other); }
  // Takes time for what differs, and none for what the vectors share.
  friend bool operator==(const vector& a, const vector& b)
    requires std::equality_comparable<T>
  {
    bool equal = a.size() == b.size();
    if (equal) base::for_each_difference(a, b, [&](auto, auto, auto) { return equal = false; });
    return equal;
  }

 private:
  friend transient_type;
  template <class U, class F>
  friend void diff(const vector<U>& before, const vector<U>& after, F f);

  explicit vector(const base& t) noexcept : base(t) {}
  explicit vector(base&& t) noexcept : base(std::move(t)) {}
};

// Calls f(std::size_t place, const tact::difference<T>&) for each place at which the vectors have different entries, in
// the order of the places; behind the end of the shorter one there is one entry only. Takes time for what differs, and
// none for what the vectors share. Entries that cannot be compared by ==, nor by their bytes, are different unless the
// vectors share them.
template <class T, class F>
void diff(const vector<T>& before, const vector<T>& after, F f) {
  vector<T>::for_each_difference(before, after, [&](std::size_t place, const auto* old, const auto* fresh) {
    f(place, difference<T>{old == nullptr ? nullptr : std::addressof(old->get()),
                           fresh == nullptr ? nullptr : std::addressof(fresh->get())});
    return true;
  });
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
