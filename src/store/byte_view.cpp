#include "tact/store/detail/byte_view.hpp"

#include <string>

namespace tact::detail {

layered_cursor::layered_cursor(const byte_snapshot& in_file, const change_table& over, table_number table)
    : in_file_(in_file, table), over_(&over), table_(table) {}

bool layered_cursor::at_least(std::string_view key) {
  has_file_entry_ = key.empty() ? in_file_.first() : in_file_.at_least(key);
  changed_ = over_->lower_bound(table_key_view{table_, key});
  return settle();
}

bool layered_cursor::next() {
  if (is_over_) {
    // The entry of the file that has the same key is hidden by the change.
    if (has_file_entry_ && in_file_.key() == key_) has_file_entry_ = in_file_.next();
    ++changed_;
  } else {
    has_file_entry_ = in_file_.next();
  }
  return settle();
}

// Comes to the lesser one of the next entry of the file and the next change, past keys that have lost their value.
bool layered_cursor::settle() {
  for (;;) {
    const bool has_change = changed_ != over_->end() && changed_->first.table == table_;
    if (!has_change && !has_file_entry_) return false;
    const int order = !has_change        ? 1
                      : !has_file_entry_ ? -1
                                         : std::string_view(changed_->first.key).compare(in_file_.key());
    is_over_ = order <= 0;
    if (!is_over_) {
      key_ = in_file_.key();
      value_ = in_file_.value();
      return true;
    }
    key_ = changed_->first.key;
    if (changed_->second) {
      value_ = *changed_->second;
      return true;
    }
    if (order == 0) has_file_entry_ = in_file_.next();
    ++changed_;
  }
}

std::optional<std::string_view> byte_view::find(table_number table, std::string_view key) {
  if (notes_reads_) note({table, std::string(key), std::string(key)});
  const auto changed = seen_.find(table_key_view{table, key});
  if (changed != seen_.end()) {
    if (!changed->second) return std::nullopt;
    return std::string_view(*changed->second);
  }
  return in_file_->find(table, key);
}

void byte_view::put(table_number table, std::string key, std::string value) {
  change(table, std::move(key), std::move(value));
}

void byte_view::erase(table_number table, std::string key) { change(table, std::move(key), std::nullopt); }

void byte_view::change(table_number table, std::string key, std::optional<std::string> value) {
  if (key.empty() || key.size() > key_bytes_max) {
    throw store_error(store_problem::refused, "tact: a key of " + std::to_string(key.size()) +
                                                  " bytes: a key of a store has 1 to " + std::to_string(key_bytes_max) +
                                                  " bytes");
  }
  const change_table seen = seen_.insert_or_assign(table_key{table, key}, value);
  own_ = std::move(own_).insert_or_assign(table_key{table, std::move(key)}, std::move(value));
  seen_ = seen;
}

void byte_view::note(read_range looked) {
  if (notes_reads_) reads_.push_back(std::move(looked));
}

}  // namespace tact::detail
