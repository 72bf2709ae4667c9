// Tables of two: what both have, what either has, what one of them has.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>

namespace tact::detail {

// A Tree has: size(), slot_of(key), put(slot), put_if_new(slot), erase(key), a type `rules`; and functions
// for_each_slot and for_each_difference. Of two tables of which one is more than twice as large, most entries of the
// larger one differ: then each of the smaller one is looked up. Otherwise a walk through both goes past what they
// share. Thread safety: that of an int.
template <class Tree>
class combination {
  using rules = typename Tree::rules;
  using slot = typename Tree::slot;

 public:
  combination(const Tree& here, const Tree& there) noexcept : here_(here), there_(there) {}

  // The entries of both; where both have a key, that of the first one.
  [[nodiscard]] Tree all() const {
    Tree sum = here_.size() >= there_.size() ? here_ : there_;
    if (here_is_small()) {
      for_each_slot(here_, [&](const slot& s) { sum.put(s); });
    } else if (there_is_small()) {
      for_each_slot(there_, [&](const slot& s) { sum.put_if_new(s); });
    } else {
      const bool begins_here = here_.size() >= there_.size();
      for_each_difference(here_, there_, [&](const slot* x, const slot* y) {
        if (begins_here ? x == nullptr : x != nullptr) sum.put(begins_here ? *y : *x);
        return true;
      });
    }
    return sum;
  }
  // The entries of the first one whose keys the other one has.
  [[nodiscard]] Tree common() const {
    if (there_is_small()) {
      Tree both = here_.without_entries();
      for_each_slot(there_, [&](const slot& s) {
        if (const slot* const found = here_.slot_of(rules::key_of(s.get()))) both.put(*found);
      });
      return both;
    }
    Tree both = here_;
    for_each_missing([&](const slot& s) { both.erase(rules::key_of(s.get())); });
    return both;
  }
  // The entries of the first one whose keys the other one has not.
  [[nodiscard]] Tree rest() const {
    Tree left = there_is_small() ? here_ : here_.without_entries();
    if (there_is_small()) {
      for_each_slot(there_, [&](const slot& s) { left.erase(rules::key_of(s.get())); });
    } else {
      for_each_missing([&](const slot& s) { left.put(s); });
    }
    return left;
  }

 private:
  [[nodiscard]] bool here_is_small() const noexcept { return here_.size() < there_.size() / 2; }
  [[nodiscard]] bool there_is_small() const noexcept { return there_.size() < here_.size() / 2; }
  // Calls f with each slot of the first one whose key the other one has not.
  template <class F>
  void for_each_missing(F f) const {
    if (here_is_small()) {
      for_each_slot(here_, [&](const slot& s) {
        if (there_.slot_of(rules::key_of(s.get())) == nullptr) f(s);
      });
    } else {
      for_each_difference(here_, there_, [&](const slot* x, const slot* y) {
        if (y == nullptr) f(*x);
        return true;
      });
    }
  }

  const Tree& here_;
  const Tree& there_;
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
