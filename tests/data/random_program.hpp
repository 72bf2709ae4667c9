// Random programs of tables: each does what the table of the standard library does, and each older version stays as it
// was.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/dice.hpp"
#include "tact/data/difference.hpp"

namespace tact::data_tests {

template <class Kind>
struct version {
  typename Kind::table table;
  typename Kind::model model;
};

template <class Kind>
std::string difference_between(const version<Kind>& from, const version<Kind>& to) {
  std::set<int> expected;
  for (const auto& [k, v] : from.model)
    if (const auto i = to.model.find(k); i == to.model.end() || i->second != v) expected.insert(k);
  for (const auto& [k, v] : to.model)
    if (!from.model.contains(k)) expected.insert(k);
  std::string wrong;
  std::vector<int> told;
  diff(from.table, to.table, [&](const difference<typename Kind::table::value_type>& d) {
    const int n = Kind::number_of(d.before != nullptr ? d.before->first : d.after->first);
    const bool has_both = d.before != nullptr && d.after != nullptr;
    if ((d.before != nullptr) != from.model.contains(n) || (d.after != nullptr) != to.model.contains(n))
      wrong = "diff: sides";
    // Values that are equal but are not the same object.
    if (!Kind::has_equal_values && has_both && !expected.contains(n)) return;
    told.push_back(n);
  });
  if constexpr (requires { typename Kind::table::key_compare; })
    if (!std::ranges::is_sorted(told, typename Kind::table::key_compare())) wrong = "diff: order";
  if (std::set<int>(told.begin(), told.end()) != expected || told.size() != expected.size()) wrong = "diff";
  return wrong;
}

// Versions of tables, each with its model; a step makes a new one out of two. Checks says what is wrong with one.
template <class Kind, class Checks>
class random_program {
 public:
  explicit random_program(std::uint64_t seed) : random_(seed), keys_(1u << (3 + random_.below(12))) {
    versions_.resize(8);
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step(random_.below(11));
      INFO("step " << i);
      const version<Kind>& seen = any();
      REQUIRE(Checks::at(seen, key()) == "");
      if (seen.model.size() < 200 || random_.below(20) == 0) REQUIRE(Checks::all_of(seen) == "");
    }
    for (const version<Kind>& v : versions_) REQUIRE(Checks::all_of(v) == "");
    while (!versions_.front().model.empty()) shrink(versions_.front());
    REQUIRE(Checks::all_of(versions_.front()) == "");
    REQUIRE(versions_.front().table.is_same_as(typename Kind::table()));  // so no node is left
    for (const version<Kind>& v : versions_) REQUIRE(Checks::all_of(v) == "");
  }

 private:
  version<Kind>& any() { return versions_[random_.below(static_cast<std::uint32_t>(versions_.size()))]; }
  int key() { return static_cast<int>(random_.below(keys_)); }
  int value() { return static_cast<int>(random_.below(5)); }

  void step(std::uint32_t what) {
    version<Kind> v = any();
    const int k = key();
    const int x = value();
    switch (what) {
      case 0:
        v.table = v.table.insert(Kind::key(k), Kind::value(x));
        v.model.emplace(k, x);
        break;
      case 1:
        v.table = std::move(v.table).insert(Kind::key(k), Kind::value(x));
        v.model.emplace(k, x);
        break;
      case 2:
        v.table = v.table.insert_or_assign(Kind::key(k), Kind::value(x));
        v.model[k] = x;
        break;
      case 3:
        v.table = std::move(v.table).insert_or_assign(Kind::key(k), Kind::value(x));
        v.model[k] = x;
        break;
      case 4:
        v.table = v.table.erase(Kind::key(k));
        v.model.erase(k);
        break;
      case 5:
        v.table = std::move(v.table).erase(Kind::key(k));
        v.model.erase(k);
        break;
      case 6:
        shrink(v);
        break;
      case 7:
        two_tables(v, any());
        break;
      default:
        many(v);
        break;
    }
    any() = std::move(v);
  }
  // Changes in place, of which some are kept.
  void many(version<Kind>& v) {
    auto t = random_.below(2) == 0 ? v.table.transient() : std::move(v.table).transient();
    const std::uint32_t order = random_.below(3);
    const std::uint32_t count = random_.below(300);
    int k = key();
    for (std::uint32_t i = 0; i < count; ++i) {
      k = order == 0 ? key() : order == 1 ? k + 1 : std::max(0, k - 1);
      const int x = value();
      const bool is_new = !v.model.contains(k);
      const std::uint32_t what = random_.below(8);
      if (what < 3) {
        REQUIRE(t.insert(Kind::key(k), Kind::value(x)) == is_new);
        v.model.emplace(k, x);
      } else if (what < 7) {
        REQUIRE(t.insert_or_assign(Kind::key(k), Kind::value(x)) == is_new);
        v.model[k] = x;
      } else {
        REQUIRE(t.erase(Kind::key(k)) == !is_new);
        v.model.erase(k);
      }
      if (random_.below(100) == 0) any() = {t.persistent(), v.model};
    }
    v.table = std::move(t).persistent();
  }
  // Takes out a run of keys, each one by the key that lies in the table.
  void shrink(version<Kind>& v) {
    auto t = random_.below(2) == 0 ? v.table.transient() : std::move(v.table).transient();
    const bool from_front = random_.below(2) == 0;
    for (std::uint32_t i = random_.below(400); i != 0 && !t.empty(); --i) {
      auto at = t.begin();
      if constexpr (std::bidirectional_iterator<decltype(at)>)
        if (!from_front) at = std::prev(t.end());
      v.model.erase(Kind::number_of(at->first));
      REQUIRE(t.erase(at->first));
    }
    v.table = std::move(t).persistent();
  }
  void two_tables(version<Kind>& a, const version<Kind>& b) {
    REQUIRE(difference_between(a, b) == "");
    REQUIRE(difference_between(b, a) == "");
    if constexpr (Kind::has_equal_values && requires { a.table == b.table; })
      REQUIRE((a.table == b.table) == (a.model == b.model));
    version<Kind> both;
    version<Kind> left;
    version<Kind> all{union_of(a.table, b.table), a.model};
    for (const auto& [k, x] : a.model) (b.model.contains(k) ? both : left).model.emplace(k, x);
    all.model.insert(b.model.begin(), b.model.end());
    both.table = intersection_of(a.table, b.table);
    left.table = difference_of(a.table, b.table);
    for (const version<Kind>* each : {&all, &both, &left}) REQUIRE(Checks::all_of(*each) == "");
    a = random_.below(2) == 0 ? all : both;
  }

  support::dice random_;
  std::uint32_t keys_;
  std::vector<version<Kind>> versions_;
};

}  // namespace tact::data_tests
