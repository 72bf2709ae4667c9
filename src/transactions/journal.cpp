#include "transactions/journal.hpp"

#include <algorithm>

namespace tact::transactions {

namespace {

// They are used up, and looked through, once for so many sends, or half as many.
constexpr std::size_t notes_least = 128;

}  // namespace

journal::journal(detail::run& window, mailbox::outbox_set& outboxes, mailbox::chunk_store& chunks, std::size_t queues)
    : window_(&window),
      outboxes_(&outboxes),
      chunks_(&chunks),
      room_for_notes_(std::max(notes_least, 2 * (queues + 2))) {
  window.notes = room_for_notes_.data();
  window.next_note = window.notes;
  window.first_note = window.notes;
  window.notes_end = window.notes + room_for_notes_.size();
}

// To cut a queue back its oldest note is enough.
void journal::keep_oldest_notes() noexcept {
  const std::uint64_t sent = window_->sent();
  detail::queue_note* end = window_->notes;
  for (const auto& n : notes()) {
    if (n.queue->is_noted) continue;
    n.queue->is_noted = true;
    *end++ = n;
  }
  window_->first_note = window_->notes;
  window_->next_note = end;
  for (const auto& n : notes()) n.queue->is_noted = false;
  window_->sent_before += sent - window_->sent();
}

bool journal::wrote_to_lane() const noexcept {
  return std::ranges::any_of(notes(), [this](const detail::queue_note& n) { return n.queue == lane_; });
}

void journal::make_room_for_creation() {
  const auto created = created_end_ - room_.data();
  room_.resize(2 * room_.size() + 1);
  created_end_ = room_.data() + created;
  room_end_ = room_.data() + room_.size();
}

bool journal::install(detail::port address, detail::closure& behavior) noexcept {
  // Searched from the end, because the address that was created last is nearly always the one meant.
  const std::span made(room_.data(), created_end_);
  const auto found = std::find_if(made.rbegin(), made.rend(), [=](const creation& c) { return c.address == address; });
  if (found == made.rend()) return false;
  found->behavior = &behavior;
  return true;
}

void journal::cut() noexcept {
  const std::uint64_t sent = window_->sent();
  aside_.cut_all(*chunks_);
  std::uint64_t ended = front_.cut_all(*chunks_);
  keep_oldest_notes();
  for (const auto& n : notes()) ended += queue_of(n).cut(n.at, *chunks_);
  window_->next_note = window_->first_note;
  window_->sent_before += sent - ended - window_->sent();
}

}  // namespace tact::transactions
