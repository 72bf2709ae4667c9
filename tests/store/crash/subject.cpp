#include "store/crash/subject.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "store/crash/lmdb_calls.hpp"

namespace tact::store_tests {

namespace {

using detail::byte_change;
using detail::commit_result;
using fate = commit_result::fate;

void read_table(detail::byte_snapshot& from, detail::table_number table, char letter, contents& into) {
  std::size_t count = 0;
  detail::byte_cursor at(from, table);
  for (bool there = at.first(); there; there = at.next(), ++count) {
    const std::string key(at.key());
    const std::string value(at.value());
    if (from.find(table, key) != value) throw unlike_reads("a cursor and find do not agree");
    into[letter + key] = value;
  }
  if (from.size(table) != count) throw unlike_reads("the size of a table is not the number of its entries");
}

}  // namespace

const char* name_of(mistake m) {
  constexpr const char* names[] = {"none",
                                   "no_sync",
                                   "no_meta_sync",
                                   "folder_not_synced",
                                   "failed_sync_ignored",
                                   "unknown_is_durable",
                                   "unknown_is_refused",
                                   "group_in_two",
                                   "group_in_part",
                                   "earlier_over_later",
                                   "refused_comes_later",
                                   "answered_before",
                                   "not_flushed_when_opened"};
  static_assert(std::size(names) == static_cast<std::size_t>(mistake::count));
  return names[static_cast<std::size_t>(m)];
}

subject::subject(const std::filesystem::path& file, const store_options& options, mistake wrong)
    : file_(file), options_(options), wrong_(wrong) {
  open();
}

subject::~subject() {
  disk_.reset();
  plant_in_lmdb({});
}

void subject::open() {
  plant_in_lmdb({.no_sync = wrong_ == mistake::no_sync,
                 .no_meta_sync = wrong_ == mistake::no_meta_sync,
                 .ignores_failure = wrong_ == mistake::failed_sync_ignored});
  disk_.reset();
  disk_ = detail::disk::open(file_, options_);
  tables_.clear();
  for (unsigned n = 0; n < tables_here; ++n) tables_.push_back(disk_->table(table_name(n)));
}

commit_result subject::commit(const std::vector<byte_change>& group) {
  std::vector<byte_change> changes = group;
  for (byte_change& c : changes) c.table = tables_[c.table];
  return wrong_ == mistake::none ? disk_->commit(changes) : commit_with_mistake(std::move(changes));
}

commit_result subject::commit_with_mistake(std::vector<byte_change> changes) {
  const auto half = changes.begin() + static_cast<std::ptrdiff_t>(changes.size() / 2);
  commit_result result;
  switch (wrong_) {
    case mistake::group_in_two:
      result = disk_->commit(std::vector(changes.begin(), half));
      if (result.what != fate::durable) return result;
      changes.erase(changes.begin(), half);
      return disk_->commit(changes);
    case mistake::group_in_part:
      if (changes.size() > 4) changes.pop_back();
      return disk_->commit(changes);
    case mistake::earlier_over_later:
      std::reverse(changes.begin(), changes.end());
      return disk_->commit(changes);
    case mistake::answered_before:
      std::swap(changes, kept_);
      return disk_->commit(changes);
    case mistake::refused_comes_later:
      changes.insert(changes.begin(), kept_.begin(), kept_.end());
      result = disk_->commit(changes);
      kept_ = result.what == fate::refused ? changes : std::vector<byte_change>();
      return result;
    case mistake::unknown_is_durable:
      result = disk_->commit(changes);
      if (result.what == fate::unknown) result.what = fate::durable;
      return result;
    case mistake::unknown_is_refused:
      result = disk_->commit(changes);
      if (result.what != fate::unknown) return result;
      result.what = fate::refused;
      open_again();
      return result;
    default:
      return disk_->commit(changes);
  }
}

// However often that fails.
void subject::open_again() {
  for (bool done = false; !done;) {
    try {
      open();
      done = true;
    } catch (const store_error&) {
      done = false;
    }
  }
}

contents subject::read() {
  contents all;
  detail::byte_snapshot now = disk_->read();
  for (unsigned n = 0; n < tables_here; ++n) read_table(now, tables_[n], static_cast<char>(n), all);
  return all;
}

std::uint64_t subject::version() { return disk_->read().version(); }

}  // namespace tact::store_tests
