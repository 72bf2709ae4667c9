#include "store/crash/trial.hpp"

#include <algorithm>
#include <utility>

#include "store/crash/child.hpp"
#include "store/crash/platters.hpp"

namespace tact::store_tests {

namespace {

using detail::byte_change;
using detail::commit_result;
using fate = commit_result::fate;
using group_of_changes = std::vector<byte_change>;

bool changes_nothing(const contents& before, const group_of_changes& group) {
  return std::all_of(group.begin(), group.end(), [&before](const byte_change& c) {
    const auto at = before.find(static_cast<char>(c.table) + c.key);
    return c.value ? at != before.end() && at->second == *c.value : at == before.end();
  });
}

void require_reason(const commit_result& r) {
  if (r.why.find(data_file) == std::string::npos) throw broken("the reason does not name the file: '" + r.why + "'");
}

void require_equal(const contents& expected, const contents& found, const char* when) {
  const std::string d = difference(expected, found);
  if (!d.empty()) throw broken(std::string(when) + ": " + d);
}

}  // namespace

trial::trial(std::filesystem::path folder, std::vector<contents> may_be_there, mistake wrong)
    : folder_(std::move(folder)),
      wrong_(wrong),
      disk_(folder_),
      states_(std::move(may_be_there)),
      at_first_(states_.size()) {
  for (std::size_t n = 0; n < at_first_; ++n) allowed_.push_back(n);
  if (wrong_ == mistake::folder_not_synced) disk_.ignore(planned_failure::call::directory_flush);
}

std::size_t trial::add(contents state) {
  states_.push_back(std::move(state));
  return states_.size() - 1;
}

bool trial::open(const store_options& options, bool tolerates_error) {
  contents found;
  if (wrong_ == mistake::not_flushed_when_opened) disk_.ignore(planned_failure::call::flush);
  try {
    store_ = std::make_unique<subject>(folder_ / data_file, options, wrong_);
    found = store_->read();
  } catch (const store_error& e) {
    store_.reset();
    if (tolerates_error) return false;
    throw broken(std::string("it does not open: ") + e.what());
  }
  if (wrong_ == mistake::not_flushed_when_opened) disk_.ignore(planned_failure::call::none);
  has_stopped_ = false;
  for (const std::size_t n : allowed_)
    if (states_[n] == found) {
      now_ = n;
      allowed_ = {n};
      disk_.mark(opened, n);
      return true;
    }
  throw broken("it opens with a state that was never committed: " + difference(states_[allowed_.back()], found));
}

void trial::write(const std::vector<group_of_changes>& groups) {
  for (const group_of_changes& group : groups) {
    if (has_stopped_) {
      expect_stopped(group);
    } else {
      write_one(group);
    }
  }
}

void trial::write_one(const group_of_changes& group) {
  const std::size_t next = add(after(states_[now_], group));
  const bool idle = changes_nothing(states_[now_], group);
  const std::uint64_t version = store_->version();
  disk_.mark(begun, next);
  const std::size_t calls = disk_.log().size();
  const commit_result r = store_->commit(group);
  const bool was_idle = disk_.log().size() == calls;
  switch (r.what) {
    case fate::durable:
      ++durables_;
      disk_.mark(durable, next);
      if (idle && (!was_idle || r.version != version)) throw broken("a group that changes nothing is a version");
      if (states_[next] != states_[now_] && r.version <= version) throw broken("a group that changes is no version");
      now_ = next;
      allowed_ = {next};
      break;
    case fate::refused:
      ++refusals_;
      disk_.mark(refused, next);
      require_reason(r);
      if (!disk_.has_failed()) throw broken("a group was refused although no call has failed: " + r.why);
      expect_as_before(version);
      return;
    case fate::unknown:
      disk_.mark(unknown, next);
      require_reason(r);
      if (!disk_.has_failed()) throw broken("a group is unknown although no call has failed: " + r.why);
      allowed_.push_back(next);
      has_stopped_ = true;
      return;
    case fate::stopped:
      disk_.mark(refused, next);
      require_reason(r);
      if (!disk_.has_failed()) throw broken("the store has stopped although no call has failed: " + r.why);
      has_stopped_ = true;
      return;
  }
  if (store_->version() != r.version) throw broken("the version is not the one that was answered");
  require_equal(states_[now_], store_->read(), "behind a group that is durable");
}

void trial::expect_as_before(std::uint64_t version) {
  if (store_->version() != version) throw broken("a group that was refused is a version");
  require_equal(states_[now_], store_->read(), "behind a group that was refused");
}

void trial::expect_stopped(const group_of_changes& group) {
  const std::size_t calls = disk_.log().size();
  const commit_result r = store_->commit(group);
  if (r.what != fate::stopped) throw broken("a store that has stopped does not say so");
  require_reason(r);
  if (disk_.log().size() != calls) throw broken("a store that has stopped writes");
  try {
    require_equal(states_[now_], store_->read(), "read from a store that has stopped");
  } catch (const store_error& e) {
    if (e.problem() != store_problem::stopped) throw broken(std::string("not said to have stopped: ") + e.what());
  }
}

void trial::close() { store_.reset(); }

allowance::allowance(std::size_t at_first) {
  for (std::size_t n = 0; n < at_first; ++n) sure_.push_back(n);
}

void allowance::take(const disk_event& mark) {
  switch (mark.file) {
    case trial::begun:
      under_way_ = mark.at;
      is_under_way_ = true;
      return;
    case trial::unknown:
      sure_.push_back(mark.at);
      break;
    case trial::opened:
    case trial::durable:
      sure_ = {mark.at};
      break;
    default:
      break;
  }
  is_under_way_ = false;
}

std::vector<std::size_t> allowance::states() const {
  std::vector<std::size_t> all = sure_;
  if (is_under_way_) all.push_back(under_way_);
  return all;
}

contents recovered(const image& found, const std::filesystem::path& folder, const store_options& options,
                   base::random& luck) {
  image with_lock = found;
  if (luck.one_in(8)) with_lock[std::string(data_file) + "-lock"] = std::string(8192, static_cast<char>(luck.next()));
  write_folder(folder, with_lock);
  try {
    subject store(folder / data_file, options);
    contents there = store.read();
    if (!luck.one_in(4)) return there;
    // What was found is a store like any other.
    const group_of_changes more{{.table = 1, .key = "more", .value = std::string(3000, 'm')}};
    const commit_result r = store.commit(more);
    if (r.what != fate::durable) throw broken("the next group is not durable: " + r.why);
    require_equal(after(there, more), store.read(), "behind the next group");
    return there;
  } catch (const store_error& e) {
    throw broken(std::string("it does not open: ") + e.what());
  }
}

namespace {

void require_allowed(const contents& found, const trial& t, const std::vector<std::size_t>& allowed) {
  for (const std::size_t n : allowed)
    if (t.states()[n] == found) return;
  std::string text = "it is in no state in which it may be";
  for (const std::size_t n : allowed)
    text += "; not state " + std::to_string(n) + ": " + difference(t.states()[n], found);
  for (std::size_t n = 0; n < t.states().size(); ++n)
    if (t.states()[n] == found) text += "; it is in state " + std::to_string(n);
  throw broken(text);
}

const char* sort_of(const disk_event& e) {
  constexpr const char* names[] = {"creation", "renaming",     "removal", "directory flush", "write", "resizing",
                                   "flush",    "failed flush", "mark"};
  return names[static_cast<std::size_t>(e.what)];
}

}  // namespace

std::uint64_t audit(const trial& t, const platters& began_with, const std::filesystem::path& folder,
                    const store_options& options, std::uint64_t seed, const audit_limits& limits) {
  const std::vector<disk_event>& log = t.disk().log();
  platters on_disk = began_with;
  allowance allowed(t.at_first());
  base::random luck(seed);
  std::uint64_t images = 0;
  for (std::size_t n = 0; n < log.size(); ++n) {
    const disk_event& e = log[n];
    if (e.what == disk_event::sort::mark) {
      allowed.take(e);
    } else {
      on_disk.take(e);
    }
    if (limits.cuts_most < log.size() && luck.below(static_cast<std::uint32_t>(log.size())) >= limits.cuts_most)
      continue;
    for (unsigned each = 0; each < (on_disk.is_settled() ? 1 : limits.images_each); ++each, ++images) {
      const std::string where =
          "power cut behind call " + std::to_string(n) + " (" + sort_of(e) + ") of " + std::to_string(log.size());
      report_of_child().say_more(where);
      try {
        require_allowed(recovered(on_disk.power_cut(luck), folder, options, luck), t, allowed.states());
      } catch (const broken& what) {
        throw broken(where + ": " + what.what());
      }
    }
  }
  image really = read_folder(t.folder());
  std::erase_if(really, [](const auto& f) { return is_lock_file(f.first); });
  if (really != on_disk.cached()) throw broken("something is in the files that no call has written");
  return images;
}

}  // namespace tact::store_tests
