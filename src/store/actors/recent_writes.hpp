// Which keys were written lately, so that a transaction can be told whether what it has read is old.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tact/store/detail/byte_view.hpp"
#include "tact/store/detail/store_core.hpp"

namespace tact::store {

// Remembers the last writes of a file, by key. Thread safety: none.
class recent_writes {
 public:
  // How many changed keys are remembered. A transaction that is older than all of them runs again, though perhaps
  // nothing that it has read has changed. A key takes some hundred bytes. With 1,000 keys in each of the commits that a
  // disk can do in a second (some 100), a transaction may take half a second.
  static constexpr std::size_t keys_max = std::size_t{1} << 16;

  // What a write has changed. Only keys are kept. Strong exception guarantee.
  void add(detail::write_order order, std::span<const detail::byte_change> changes) {
    // Writes are listed at once, and indexed when a transaction asks: many programs have none.
    std::vector<detail::table_key> keys;
    keys.reserve(changes.size());
    for (const auto& c : changes) keys.push_back({c.table, c.key});
    listed_.push_back({order, std::move(keys)});
    count_ += changes.size();
    while (count_ > keys_max && listed_.size() > 1) forget_first();
  }

  // Whether something in one of these ranges was written behind `base`, or may have been.
  [[nodiscard]] bool has_since(detail::write_order base, std::span<const detail::read_range> looked) {
    if (base < forgotten_) return true;
    index();
    for (const auto& r : looked) {
      for (auto at = last_.lower_bound(detail::table_key_view{r.table, r.from}); at != last_.end(); ++at) {
        if (at->first.table != r.table || (r.to && at->first.key > *r.to)) break;
        if (at->second > base) return true;
      }
    }
    return false;
  }

 private:
  struct write {
    detail::write_order order;
    std::vector<detail::table_key> keys;
  };

  void index() {
    for (; indexed_ < listed_.size(); ++indexed_) {
      for (const auto& k : listed_[indexed_].keys) last_.insert_or_assign(k, listed_[indexed_].order);
    }
  }
  void forget_first() {
    const write& first = listed_.front();
    if (indexed_ > 0) {
      for (const auto& k : first.keys) {
        const auto at = last_.find(k);
        if (at != last_.end() && at->second == first.order) last_.erase(at);
      }
      --indexed_;
    }
    count_ -= first.keys.size();
    forgotten_ = first.order;
    listed_.pop_front();
  }

  std::deque<write> listed_{};
  std::size_t indexed_ = 0;  // so many of them are in last_
  std::size_t count_ = 0;    // of the keys in listed_
  std::map<detail::table_key, detail::write_order, detail::table_key_less> last_{};
  detail::write_order forgotten_ = 0;  // of the last write that is not remembered
};

}  // namespace tact::store
