#include "store/crash/platters.hpp"

#include <algorithm>

namespace tact::store_tests {

namespace {

// The first pages are those that say where all others are. No other one is written while it is in use, so garbage may
// be in those that were being written.
constexpr std::uint64_t meta_bytes = 8192;

void put(std::string& bytes, std::uint64_t at, std::string_view what) {
  if (bytes.size() < at + what.size()) bytes.resize(at + what.size());
  std::copy(what.begin(), what.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

void rename(std::map<std::string, unsigned>& names, const disk_event& e) {
  switch (e.what) {
    case disk_event::sort::creation:
      names[e.text] = e.file;
      return;
    case disk_event::sort::removal:
      names.erase(e.text);
      return;
    default:
      if (const auto at = names.find(e.text); at != names.end()) {
        names[e.to] = at->second;
        names.erase(e.text);
      }
  }
}

// How much of what is pending has come to the disk.
enum class share : unsigned char { none, all, some_writes, some_sectors, first_ones, last_ones, count };

std::string garbage(std::size_t bytes, base::random& luck) {
  std::string text(bytes, '\0');
  for (char& c : text) c = static_cast<char>(luck.next());
  return text;
}

}  // namespace

platters::platters(const image& at_first) {
  for (const auto& [name, bytes] : at_first) {
    names_[name] = durable_names_[name] = static_cast<unsigned>(files_.size());
    files_.push_back({.durable = bytes, .cached = bytes});
  }
}

void platters::take(const disk_event& e) {
  switch (e.what) {
    case disk_event::sort::creation:
      files_.resize(std::max<std::size_t>(files_.size(), e.file + 1U));
      [[fallthrough]];
    case disk_event::sort::renaming:
    case disk_event::sort::removal:
      rename(names_, e);
      pending_names_.push_back(e);
      return;
    case disk_event::sort::directory_flush:
      durable_names_ = names_;
      pending_names_.clear();
      return;
    case disk_event::sort::write:
      return take_write(files_[e.file], e);
    case disk_event::sort::resizing:  // at once: no test depends on when
      files_[e.file].cached.resize(e.at);
      files_[e.file].durable.resize(e.at);
      std::erase_if(files_[e.file].pending, [&e](const pending_write& w) { return w.at + w.bytes.size() > e.at; });
      return;
    case disk_event::sort::flush:
      return take_flush(files_[e.file], e);
    case disk_event::sort::failed_flush:
      return take_failed_flush(files_[e.file], e);
    case disk_event::sort::mark:
      return;
  }
}

void platters::take_write(file& f, const disk_event& e) {
  put(f.cached, e.at, e.text);
  const std::uint64_t from = e.at / sector_bytes * sector_bytes;
  const std::uint64_t to = (e.at + e.text.size() + sector_bytes - 1) / sector_bytes * sector_bytes;
  f.pending.push_back({.at = from, .bytes = f.cached.substr(from, to - from)});
}

void platters::take_flush(file& f, const disk_event& e) {
  if (e.bytes == ~std::uint64_t{0}) {
    for (const pending_write& w : f.pending) put(f.durable, w.at, w.bytes);
    f.pending.clear();
    return;
  }
  // The write itself is the last one. Older ones have in their sectors now what it has.
  const pending_write synced = f.pending.back();
  f.pending.pop_back();
  put(f.durable, synced.at, synced.bytes);
  for (pending_write& w : f.pending) {
    const std::uint64_t from = std::max(w.at, synced.at);
    const std::uint64_t to = std::min(w.at + w.bytes.size(), synced.at + synced.bytes.size());
    if (from < to) put(w.bytes, from - w.at, std::string_view(synced.bytes).substr(from - synced.at, to - from));
  }
}

// Linux marks the pages clean, so a later flush does not write them; some file systems keep them dirty.
void platters::take_failed_flush(file& f, const disk_event& e) {
  base::random luck(e.luck);
  if (e.bytes == ~std::uint64_t{0}) {
    f.durable = cut(f, luck);
    if (!luck.one_in(4)) f.pending.clear();
    return;
  }
  const pending_write synced = f.pending.back();
  const bool is_kept = luck.one_in(4);
  if (!is_kept) f.pending.pop_back();
  if (luck.one_in(2)) put(f.durable, synced.at, synced.bytes);
}

std::string platters::cut(const file& f, base::random& luck) {
  std::string found = f.durable;
  const auto how = static_cast<share>(luck.below(static_cast<unsigned>(share::count)));
  const auto writes = static_cast<std::uint32_t>(f.pending.size());
  const std::uint32_t turn = writes == 0 ? 0 : luck.below(writes);
  const bool has_garbage = luck.one_in(4);
  std::map<std::uint64_t, bool> stopped;  // sectors that were written for the last time
  for (std::uint32_t n = 0; n < writes; ++n) {
    const pending_write& w = f.pending[n];
    if (how == share::none || (how == share::last_ones && n < turn)) continue;
    if (how == share::some_writes && luck.one_in(2)) continue;
    if (how == share::first_ones && n > turn) break;
    for (std::uint64_t at = 0; at < w.bytes.size(); at += sector_bytes) {
      const std::string_view sector = std::string_view(w.bytes).substr(at, sector_bytes);
      const bool may_miss = how == share::some_sectors || (how == share::first_ones && n == turn);
      if (may_miss && (stopped[w.at + at] || luck.one_in(2))) {
        stopped[w.at + at] = true;
        if (has_garbage && w.at >= meta_bytes) put(found, w.at + at, garbage(sector.size(), luck));
        continue;
      }
      put(found, w.at + at, sector);
    }
  }
  // The size may be that of all writes although what was written is not there.
  if (found.size() < f.cached.size() && luck.one_in(3)) found.resize(f.cached.size());
  return found;
}

image platters::power_cut(base::random& luck) const {
  std::map<std::string, unsigned> names = durable_names_;
  const auto changes = static_cast<std::uint32_t>(pending_names_.size());
  const std::uint32_t done = changes == 0 ? 0 : luck.below(changes + 1);
  for (std::uint32_t n = 0; n < done; ++n) rename(names, pending_names_[n]);
  image found;
  for (const auto& [name, number] : names) found[name] = cut(files_[number], luck);
  return found;
}

image platters::cached() const {
  image found;
  for (const auto& [name, number] : names_) found[name] = files_[number].cached;
  return found;
}

platters platters::numbered_anew() const {
  platters same{image()};
  for (const auto& [name, number] : names_) {
    same.names_[name] = same.durable_names_[name] = static_cast<unsigned>(same.files_.size());
    same.files_.push_back(files_[number]);
  }
  return same;
}

bool platters::is_settled() const {
  return pending_names_.empty() &&
         std::all_of(files_.begin(), files_.end(), [](const file& f) { return f.pending.empty(); });
}

}  // namespace tact::store_tests
