// Puts messages of threads outside into shards, and chooses the shard where that is free.
#pragma once

#include <cstdint>
#include <optional>

#include "dispatch/exchange/communal_mailbox.hpp"
#include "dispatch/exchange/stealing_state.hpp"
#include "dispatch/exchange/waker.hpp"
#include "dispatch/exchange/worker_numbers.hpp"
#include "mailbox/inbox.hpp"
#include "mailbox/out_of_line_body.hpp"
#include "mailbox/shard.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariants: messages that a thread posts to one shard keep their order; post_anywhere
// leaves the shard of the thread's last message only when that message would wait behind others; and while a worker is
// idle or rests, no message that may run anywhere is put into a shard that a worker holds, if there is another one.
class posting {
 public:
  posting(communal_mailbox& mail, dispatch::waker& waker, const worker_numbers& numbers,
          stealing_state& stealing) noexcept
      : mail_(mail), waker_(waker), numbers_(numbers), stealing_(stealing) {}
  posting(const posting&) = delete;
  posting& operator=(const posting&) = delete;

  // Puts a message into the shard; the message is visible at once. False: the mailbox is closed.
  [[nodiscard]] bool post(std::uint32_t shard, const detail::message_type& type, detail::port target, void* payload,
                          mailbox::out_of_line_body* with_context = nullptr);
  // As post, for a message that any worker may run.
  [[nodiscard]] bool post_anywhere(const detail::message_type& type, detail::port target, void* payload,
                                   mailbox::out_of_line_body* with_context = nullptr);
  // The shard for an actor that is created outside, or for a message that any worker may run: a shard of an idle
  // worker; else the next ordinary shard that no thread holds, going round.
  [[nodiscard]] std::uint32_t next_shard() noexcept;
  // The worker that is likely to have the shard which next_shard returns the next time.
  [[nodiscard]] unsigned likely_next_worker() const noexcept;
  // The next ordinary shard, going round over all, whichever workers sleep.
  [[nodiscard]] std::uint32_t next_shard_of_all() noexcept;
  // One of the ordinary shards that this worker looks at now, one that no thread holds if there is any: the next one
  // each time that `count` grows by one.
  [[nodiscard]] std::uint32_t shard_of_worker(unsigned worker, std::uint32_t count) noexcept;

 private:
  [[nodiscard]] mailbox::inbox::receipt put(mailbox::shard& s, const detail::message_type& type, detail::port target,
                                            void* payload, mailbox::out_of_line_body* with_context);
  // As put, for a message that any worker may run, into a shard where nothing waits and which no worker holds, nor can
  // come to hold before the message is in. Nothing: the shard is not so.
  [[nodiscard]] std::optional<mailbox::inbox::receipt> put_alone(mailbox::shard& s, const detail::message_type& type,
                                                                 detail::port target, void* payload,
                                                                 mailbox::out_of_line_body* with_context);
  void announce(const mailbox::shard& s);
  [[nodiscard]] std::uint32_t next_turn() noexcept;
  // Does the next shard have its turn with the actor before which threads outside have created so many?
  [[nodiscard]] bool begins_row(std::uint32_t number) const noexcept;
  // The turn of the next actor that a thread outside creates. Messages that any worker may run take turns with them, so
  // that such a message does not come to the shard of the actor that was made just before.
  [[nodiscard]] std::uint32_t turn_of_creation() noexcept;
  // None: all ordinary shards are held.
  [[nodiscard]] std::optional<std::uint32_t> find_free_shard(std::uint32_t turn) noexcept;
  // Would a message for this shard wait while another worker has nothing to do?
  [[nodiscard]] bool is_overtaken(const mailbox::shard& s, std::uint64_t behind_ns) const noexcept;

  static constexpr std::uint32_t row_part = 16;     // a row is at most such a part of what a shard has got
  static constexpr std::uint32_t row_longest = 32;  // actors; a run of cells

  communal_mailbox& mail_;
  dispatch::waker& waker_;
  const worker_numbers& numbers_;
  stealing_state& stealing_;
  alignas(64) sync::atomic<std::uint32_t> next_turn_{0};
  sync::atomic<std::uint32_t> next_of_all_{0};
  sync::atomic<std::uint32_t> created_{0};
};

}  // namespace tact::dispatch
