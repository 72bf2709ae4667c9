#include "dispatch/exchange/posting.hpp"

#include <algorithm>
#include <bit>

#include "base/prefetch.hpp"
#include "dispatch/exchange/announcements.hpp"
#include "sync/thread_state.hpp"

namespace tact::dispatch {

using mailbox::shard;

mailbox::inbox::receipt posting::put(shard& s, const detail::message_type& type, detail::port target, void* payload,
                                     mailbox::out_of_line_body* with_context) {
  auto& state = sync::thread_state::of_this_thread();
  // A thread that has found the inbox of another shard empty, because its messages go to many shards, mostly finds the
  // next one empty too. Then it writes to the word next: that line comes while the thread waits for the one of the
  // inbox.
  const void* const found_empty = state.sender.found_empty;
  if (found_empty != nullptr && found_empty != &s) base::prefetch_to_write(&s.word);
  const auto receipt = s.outside.put(type, target, payload, mail_.spare_chunks(), with_context);
  const bool is_first = receipt.how == mailbox::inbox::entry::first;
  state.sender.found_empty = is_first ? &s : nullptr;
  if (is_first && s.word.post_mail()) announce(s);
  return receipt;
}

void posting::announce(const shard& s) {
  announcements* const later = sync::thread_state::of_this_thread().announcements;
  later != nullptr && later->are_of(waker_) ? later->add(s) : waker_.announce(s);
}

// To look whether a worker holds the shard, and then to put the message, would not do: a worker may take up the shard
// in between, if the system stops this thread there, and its handler may take long.
std::optional<mailbox::inbox::receipt> posting::put_alone(shard& s, const detail::message_type& type,
                                                          detail::port target, void* payload,
                                                          mailbox::out_of_line_body* with_context) {
  struct announced_at_end {
    posting& by;
    const shard& of;
    bool holds = false;
    ~announced_at_end() {
      if (holds) by.announce(of);
    }
  } last{*this, s};
  const decltype(s.word)::hold_while_idle hold(s.word);
  last.holds = hold.holds();
  if (!hold.holds()) return std::nullopt;
  const auto receipt = s.outside.put(type, target, payload, mail_.spare_chunks(), with_context);
  if (receipt.how == mailbox::inbox::entry::first) static_cast<void>(s.word.post_mail());
  return receipt;
}

bool posting::post(std::uint32_t number, const detail::message_type& type, detail::port target, void* payload,
                   mailbox::out_of_line_body* with_context) {
  return put(mail_.shard_at(number), type, target, payload, with_context).how != mailbox::inbox::entry::refused;
}

bool posting::post_anywhere(const detail::message_type& type, detail::port target, void* payload,
                            mailbox::out_of_line_body* with_context) {
  auto& sender = sync::thread_state::of_this_thread().sender;
  const bool is_new = sender.to != this || !mail_.is_ordinary(sender.shard);
  if (is_new || (numbers_.threads() > 1 && is_overtaken(mail_.shard_at(sender.shard), sender.behind_ns))) {
    const std::uint32_t turn = next_turn();
    const auto free = find_free_shard(turn);
    // If all shards are held, a handler that takes long may hold any of them, but hardly the last one of this thread:
    // there a worker has taken up messages lately.
    if (is_new || free) sender.shard = free.value_or(turn % mail_.ordinary_shards());
    sender.to = this;
  }
  // A shard that no worker held when it was looked at may be held now: then the next one is tried.
  std::optional<mailbox::inbox::receipt> receipt;
  for (unsigned tries = numbers_.threads(); tries > 1 && waker_.has_idle(); --tries) {
    shard& s = mail_.shard_at(sender.shard);
    receipt = put_alone(s, type, target, payload, with_context);
    if (receipt || !s.word.is_held()) break;
    sender.shard = find_free_shard(next_turn()).value_or(sender.shard);
  }
  if (!receipt) receipt = put(mail_.shard_at(sender.shard), type, target, payload, with_context);
  sender.behind_ns = receipt->behind_ns;
  return receipt->how != mailbox::inbox::entry::refused;
}

bool posting::is_overtaken(const shard& s, std::uint64_t behind_ns) const noexcept {
  const idle_set& idle = waker_.idle();
  // While a worker is idle, the message should not go where a handler may take long: to a shard of a busy owner, or to
  // one that is held, because it cannot be known which worker holds it.
  if (idle.any()) return !idle.has(s.owner.load()) || s.word.is_held();
  // While workers rest, the message should not go to a shard that is held either: workers that rest run again when a
  // handler takes long, but they cannot take what lies in a shard that is held.
  if (numbers_.some_rest() && s.word.is_held()) return true;
  return behind_ns >= mailbox::inbox::slow_ns && !s.word.is_idle();
}

std::uint32_t posting::next_shard() noexcept {
  const std::uint32_t turn = turn_of_creation();
  return find_free_shard(turn).value_or(turn % mail_.ordinary_shards());
}

// A thread that makes many actors, and sends a message to each, waits for the lines of each shard whose turn it is. So
// rows of them get the same shard; a row is a small part of what the shard has got by then, so shards differ little.
bool posting::begins_row(std::uint32_t number) const noexcept {
  const std::uint32_t in_shard = number / mail_.ordinary_shards();
  return number % std::bit_floor(std::clamp(in_shard / row_part, 1U, row_longest)) == 0;
}

std::uint32_t posting::turn_of_creation() noexcept {
  // relaxed: counter; any value will do.
  if (begins_row(created_.fetch_add(1, std::memory_order_relaxed))) return next_turn();
  // relaxed: hint; another thread may have taken a turn since, and then the row is divided.
  return next_turn_.load(std::memory_order_relaxed) - 1;
}

unsigned posting::likely_next_worker() const noexcept {
  // relaxed, twice: hint; a wrong guess costs some speed.
  const bool goes_on = !begins_row(created_.load(std::memory_order_relaxed));
  const std::uint32_t turn = next_turn_.load(std::memory_order_relaxed) - (goes_on ? 1 : 0);
  const auto sleeping = waker_.idle().next_after(turn % numbers_.running());
  return sleeping ? *sleeping : mail_.shard_at(turn % mail_.ordinary_shards()).office;
}

// relaxed: counter; any value will do.
std::uint32_t posting::next_turn() noexcept { return next_turn_.fetch_add(1, std::memory_order_relaxed); }

std::optional<std::uint32_t> posting::find_free_shard(std::uint32_t turn) noexcept {
  const std::uint32_t ordinary = mail_.ordinary_shards();
  if (const auto sleeping = waker_.idle().next_after(turn % numbers_.running())) {
    const std::uint32_t number = shard_of_worker(*sleeping, turn / numbers_.running());
    if (!mail_.shard_at(number).word.is_held()) return number;
  }
  // No worker is idle, or another one holds all that it has. So the choice is a shard that is not held, which another
  // worker can steal; in a held shard the message that runs may take long.
  for (std::uint32_t i = 0; i < ordinary; ++i) {
    const std::uint32_t number = (turn + i) % ordinary;
    if (!mail_.shard_at(number).word.is_held()) return number;
  }
  return std::nullopt;
}

std::uint32_t posting::next_shard_of_all() noexcept {
  // relaxed: counter; any value will do.
  return next_of_all_.fetch_add(1, std::memory_order_relaxed) % mail_.ordinary_shards();
}

std::uint32_t posting::shard_of_worker(unsigned worker, std::uint32_t count) noexcept {
  auto& slots = stealing_.table().of(worker);
  const std::size_t size = slots.size();  // 0 a moment later, perhaps, for a worker that goes
  // Another worker may hold a shard of this one, together with its own, and stand in a long handler.
  for (const bool also_held : {false, true}) {
    for (std::size_t n = 0; size != 0 && n <= size; ++n) {
      // In place of a shard that will not do another one is taken each time. Otherwise the next shard would get twice
      // as much.
      const shard* s = slots[n == 0 ? count % size : (count / size + n) % size].load();
      if (s == nullptr || !mail_.is_ordinary(s->number)) continue;
      if (also_held || !s->word.is_held()) return s->number;
    }
  }
  // The worker's only shard is in a swap, or the worker has only shards of heavy actors: any shard will do.
  return count % mail_.ordinary_shards();
}

}  // namespace tact::dispatch
