#include "dispatch/exchange/communal_mailbox.hpp"

namespace tact::dispatch {

communal_mailbox::communal_mailbox(extent size, unsigned workers, base::page_binder bind)
    : size_(size), first_blocking_(size.shards + size.heavy_shards), depot_(bind) {
  const std::uint32_t all = first_blocking_ + size.blocking_max;
  shards_.reserve(all);
  for (std::uint32_t i = 0; i < all; ++i) shards_.emplace_back(std::make_unique<mailbox::shard>())->number = i;
  make_offices(workers);
}

void communal_mailbox::make_offices(unsigned workers) {
  for (unsigned i = 0; i < workers; ++i) {
    auto& o = *offices_.emplace_back(std::make_unique<mailbox::office>());
    o.index = i;
    o.number = static_cast<std::uint32_t>(shards_.size() + i);
    o.open = std::vector<mailbox::office::place>(workers);
  }
  for (auto& s : shards_) {
    if (!is_ordinary(s->number)) {
      outbox_for_.push_back(s->number);
      continue;
    }
    s->office = s->number % workers;
    ++offices_[s->office]->shards;
    outbox_for_.push_back(offices_[s->office]->number);
  }
}

published communal_mailbox::publish(std::uint32_t outbox, mailbox::copy_queue::chain messages) noexcept {
  return push(is_office(outbox) ? office_of_outbox(outbox).word : shards_[outbox]->word, messages);
}

void communal_mailbox::take_counts(mailbox::outbox_set& outboxes) noexcept {
  if (!outboxes.was_used()) return;
  const std::lock_guard lock(counts_mutex_);
  outboxes.take_counts([this](std::uint32_t number, std::uint64_t messages) {
    if (!is_office(number)) shards_[number]->counted += messages;
  });
}

void communal_mailbox::close() noexcept {
  for (auto& s : shards_) s->outside.close();
}

void communal_mailbox::leave_behind() noexcept {
  for (auto& s : shards_) s->outside.leave_behind();
}

std::uint64_t communal_mailbox::sent_outside() const noexcept {
  std::uint64_t sent = 0;
  for (const auto& s : shards_) sent += s->outside.sent();
  return sent;
}

}  // namespace tact::dispatch
