#include "store/actors/store_writer.hpp"

#include <algorithm>
#include <utility>

#include "tact/store/detail/store_access.hpp"

namespace tact::detail {

namespace {

using fate = write_answer::fate;

// A group that has more is committed at once: LMDB keeps its pages in memory, and has a limit for them. More gains
// nothing, and a tenth of it costs a quarter more: docs/decisions/0087-one-actor-writes-a-store.md.
constexpr std::size_t group_changes_max = 10'000;

[[nodiscard]] fate fate_of(const commit_result& r) noexcept {
  switch (r.what) {
    case commit_result::fate::durable:
      return fate::done;
    case commit_result::fate::refused:
      return fate::refused;
    case commit_result::fate::unknown:
      return fate::unknown;
    case commit_result::fate::stopped:
      return fate::stopped;
  }
  return fate::unknown;
}

// A vector gets room for so many more: then a push_back does not throw.
template <class T>
void make_room(std::vector<T>& v, std::size_t more) {
  const std::size_t count = v.size() + more;
  if (v.capacity() < count) v.reserve((std::max)(count, 2 * v.capacity()));
}

template <class M>
void tell(self<store_writer>* self, ref<M> to, M m) {
  self == nullptr ? send_anywhere(to, std::move(m)) : self->send(to, std::move(m));
}

}  // namespace

store_writer::store_writer(std::shared_ptr<store_front> front)
    : front_(std::move(front)), version_(front_->file().read().version()) {}

store_writer::~store_writer() {
  const unfailing sure;  // nothing else will tell the customers
  groups_time_.cancel();
  owners_time_.cancel();
  commit_group(nullptr);
  for (any_write& w : behind_owner_) {
    std::visit([](auto& m) { send_anywhere(m.customer, write_answer{fate::stopped, 0, "the store was closed"}); }, w);
  }
  front_->tell_closed();
}

void store_writer::receive(self<store_writer>& self, request<plain_write>& m) {
  self.defer(m);
  take(self, m);
}
void store_writer::receive(self<store_writer>& self, request<checked_write>& m) {
  self.defer(m);
  take(self, m);
}
void store_writer::receive(self<store_writer>& self, request<inner_write>& m) {
  self.defer(m);
  take(self, m);
}

void store_writer::receive(self<store_writer>& self, request<begin_chain>& m) {
  self.defer(m);
  take(self, m);
}

template <class Q>
void store_writer::take(self<store_writer>& self, request<Q>& m) {
  if (m.body.owner != owner_ && m.body.owner == 0) {
    behind_owner_.emplace_back(std::move(m));
    return;
  }
  make_room(writes_, 1);
  const std::size_t before = changes_.size();
  write_answer a = accept_if_well(m.body);
  const std::size_t own = changes_.size() - before;
  accepted_write w{m.customer, a.what, own, std::is_same_v<Q, inner_write>, true, 0, 0, a.why};
  if constexpr (std::is_same_v<Q, plain_write>) {
    a.chain = m.body.chain;
    a.number = m.body.number;
    if (a.chain != 0 && a.what == fate::done) note_last_of(a.chain);
    if (a.what != fate::done) chains_.erase(a.chain);
  }
  w.chain = a.chain;
  w.number = a.number;
  const bool early = front_->answers_early() && a.chain == 0;
  // Of a chain the answers come in the order of the writes.
  const bool waits = a.what == fate::done || a.what == fate::again || (a.chain != 0 && !has_stopped());
  if (!waits || (early && own == 0)) {
    self.send(m.customer, std::move(a));
    return;
  }
  // One that is to run again waits for the group, too, because before that it would read the same.
  if (early) w.customer = {};
  if (front_->answers_early()) front_->publish(version_, version_order_, order_, accepted());
  writes_.push_back(w);
  if (early) {
    ++early_writes_;
    self.send(m.customer, std::move(a));
  }
  end_group(self);
}

template <class Q>
write_answer store_writer::accept_if_well(Q& q) {
  if (q.owner != owner_) return {fate::refused, version_, "the time of the owner of the store is over"};
  if (trouble_.what == commit_result::fate::durable) return accept(q);
  return {has_stopped() ? fate::stopped : fate::refused, version_, trouble_.why};
}

write_answer store_writer::accept(begin_chain& m) {
  std::uint64_t& chain = chain_of_[std::move(m.name)];
  chains_.try_emplace(last_chain_ + 1);
  chains_.erase(chain);
  chain = ++last_chain_;
  write_answer a;
  a.chain = chain;
  return a;
}

write_answer store_writer::accept(plain_write& m) {
  if (m.chain != 0 && !chains_.contains(m.chain)) {
    return {fate::refused, version_, "an earlier write was refused, or another actor has begun with this name"};
  }
  for (const auto& c : m.changes) {
    if (c.key.empty() || c.key.size() > key_bytes_max) {
      return {fate::refused, version_, "a key of " + std::to_string(c.key.size()) + " bytes"};
    }
  }
  // What durable actors write is read by no transaction.
  add(std::move(m.changes), m.chain == 0);
  return {fate::done, version_ + 1};
}

// Of the writes of a chain in a group the last one is answered: its answer holds for those before.
void store_writer::note_last_of(std::uint64_t chain) noexcept {
  chain_place& at = chains_.find(chain)->second;
  if (at.group == group_ && at.write < writes_.size()) writes_[at.write].is_answered = false;
  at = {group_, writes_.size()};
}

write_answer store_writer::accept(checked_write& m) {
  if (recent_.has_since(m.base, m.reads)) return {fate::again, version_};
  add(std::move(m.changes));
  return {fate::done, version_ + 1};
}

write_answer store_writer::accept(inner_write& m) {
  try {
    const byte_snapshot now = front_->file().read();
    byte_view view(now, accepted(), false);
    m.body(view);
    add(listed(view.changes()));
    return {fate::done, version_ + 1};
  } catch (...) {
    return {fate::threw, version_, {}, std::current_exception()};
  }
}

void store_writer::add(std::vector<byte_change> changes, bool may_be_read) {
  if (changes.empty()) return;
  make_room(changes_, changes.size());
  if (may_be_read) recent_.add(order_ + 1, changes);
  ++order_;
  std::move(changes.begin(), changes.end(), std::back_inserter(changes_));
}

const change_table& store_writer::accepted() {
  for (; in_table_ < changes_.size(); ++in_table_) {
    const byte_change& c = changes_[in_table_];
    accepted_ = std::move(accepted_).insert_or_assign(table_key{c.table, c.key}, c.value);
  }
  return accepted_;
}

// The order to end the group comes behind all that waits already. If all that is in the group was answered early, it
// comes behind what is sent in the time that this allows.
void store_writer::end_group(self<store_writer>& self) {
  const bool is_well = trouble_.what == commit_result::fate::durable;
  if (is_well && changes_.size() >= group_changes_max) return commit_group(&self);
  const bool is_awaited = writes_.size() != early_writes_;
  const group_end when = is_awaited ? group_end::now : group_end::in_time;
  if (when <= ends_) return;
  ends_ = when;
  if (is_awaited) return self.send(self.ref(), flush_group{});
  groups_time_ = self.send_after(front_->file().options().durable_within, self.ref(), flush_group{});
}

void store_writer::receive(self<store_writer>& self, flush_group) {
  ends_ = group_end::open;
  groups_time_.cancel();
  commit_group(&self);
  if (changes_.empty()) return;
  // The file has refused what was answered early.
  ends_ = group_end::in_time;
  groups_time_ = self.send_after(front_->file().options().durable_within, self.ref(), flush_group{});
}

void store_writer::commit_group(self<store_writer>* self) {
  const unfailing sure;  // the customers are told only once
  if (has_stopped()) return;
  commit_result r;
  try {
    r = changes_.empty() ? commit_result{commit_result::fate::durable, version_, {}} : front_->file().commit(changes_);
  } catch (const std::bad_alloc&) {
    r.what = commit_result::fate::refused;
  }
  if (r.what == commit_result::fate::refused) {
    if (front_->answers_early()) {  // what was answered stays, and is tried again
      trouble_ = std::move(r);
      return;
    }
    if (writes_.size() > 1) return commit_one_by_one(self);
  }
  trouble_ = r.what == commit_result::fate::refused ? commit_result{} : r;
  if (r.what == commit_result::fate::durable) {
    version_ = r.version;
    version_order_ = order_;
    front_->publish(version_, order_, order_, {});
    tell_durable(self, r.done);
  }
  for (const accepted_write& w : writes_) {
    if (r.what != commit_result::fate::durable) chains_.erase(w.chain);
    if (w.is_answered || r.what != commit_result::fate::durable) answer(self, w, r);
  }
  forget_group();
}

// A group was refused, perhaps because of one write. What has seen others of the group runs again.
void store_writer::commit_one_by_one(self<store_writer>* self) {
  std::size_t begin = 0;
  bool was_refused = false;
  std::unordered_set<std::uint64_t> broken;  // chains of which a write was refused here
  for (accepted_write& w : writes_) {
    const std::span<const byte_change> own(changes_.data() + begin, w.changes);
    begin += w.changes;
    commit_result r;
    r.version = version_;
    if (was_refused && w.has_seen_group) w.what = fate::again;
    if (broken.contains(w.chain)) w.what = fate::refused;
    if (r.what == commit_result::fate::durable && w.what == fate::done && !own.empty() &&
        trouble_.what == commit_result::fate::durable) {
      try {
        r = front_->file().commit(own);
      } catch (const std::bad_alloc&) {
        r.what = commit_result::fate::refused;
      }
      was_refused = was_refused || r.what != commit_result::fate::durable;
      if (r.what != commit_result::fate::durable && w.chain != 0) {
        chains_.erase(w.chain);
        broken.insert(w.chain);
      }
      if (r.what != commit_result::fate::durable && r.what != commit_result::fate::refused) trouble_ = r;
      if (r.what == commit_result::fate::durable) {
        version_ = r.version;
        tell_durable(self, r.done);
      }
    }
    answer(self, w, trouble_.what == commit_result::fate::durable ? r : trouble_);
  }
  version_order_ = order_;
  front_->publish(version_, order_, order_, {});
  forget_group();
}

void store_writer::forget_group() noexcept {
  ++group_;
  changes_.clear();
  writes_.clear();
  early_writes_ = 0;
  accepted_ = {};
  in_table_ = 0;
}

void store_writer::answer(self<store_writer>* self, const accepted_write& w, const commit_result& r) const {
  if (!w.customer) return;
  const bool is_durable = r.what == commit_result::fate::durable;
  write_answer a;
  a.what = is_durable ? w.what : fate_of(r);
  a.version = version_;
  a.why = is_durable ? w.why : r.why;
  a.chain = w.chain;
  a.number = w.number;
  tell(self, w.customer, std::move(a));
}

// -- the one that has the store for itself

void store_writer::receive(self<store_writer>& self, const request<own_store>& m) {
  const own_store& q = m.body;
  // There is another owner, or the time of the one that asks is over.
  if (q.owner != owner_) return self.reply(m, 0);
  owners_time_.cancel();
  if (owner_ == 0) owner_ = ++last_owner_;
  owners_time_ = self.send_after(q.limit, self.ref(), ownership_over{owner_});
  self.reply(m, owner_);
}

void store_writer::receive(self<store_writer>& self, const disown_store& m) {
  if (m.owner == owner_ && owner_ != 0) end_ownership(self);
}

void store_writer::receive(self<store_writer>& self, ownership_over m) {
  if (m.owner == owner_) end_ownership(self);
}

void store_writer::end_ownership(self<store_writer>& self) {
  const unfailing sure;
  owners_time_.cancel();
  owner_ = 0;
  auto waited = std::exchange(behind_owner_, {});
  for (any_write& w : waited) {
    std::visit([&](auto& m) { take(self, m); }, w);
  }
}

// -- those that are told of changes

void store_writer::receive(self<store_writer>& self, request<watch_changes>& m) {
  const auto guard = m.body.guard;
  guard(self, watch_over{watches_.add(std::move(m.body))}, self.ref());
  self.reply(m);
}

void store_writer::receive(self<store_writer>&, watch_over m) { watches_.erase(m.number); }

void store_writer::tell_durable(self<store_writer>* self, std::span<const byte_change* const> changes) {
  for (const byte_change* c : changes) {
    if (c->table == front_->shapes().table() && c->value) front_->shapes().add(c->key, *c->value);
    if (self == nullptr) continue;
    watches_.for_each(*c, [&](const watch_changes& w) {
      try {
        w.tell(*self, *c, version_);
      } catch (...) {
        // A value that this program cannot read. What was written is durable all the same.
      }
    });
  }
}

// -- the end

void store_writer::receive(self<store_writer>& self, const request<close_store>& m) {
  commit_group(&self);
  const bool is_whole = trouble_.what == commit_result::fate::durable;
  self.reply(m, write_answer{is_whole ? fate::done : fate_of(trouble_), version_, trouble_.why});
  self.stop();
}

}  // namespace tact::detail
