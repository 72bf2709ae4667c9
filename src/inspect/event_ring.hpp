// The steps that one thread has told last: written by that thread, read by any other at the same time.
// Protocol page: docs/protocols/event_ring.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sync/fault.hpp"

namespace tact::inspect {

// An event is four words; what they mean the writer and the reader know.
using event_words = std::array<std::uint64_t, 4>;

//   the thread that writes                               a thread that reads
//     1. say up to where events are overwritten            1. look how many are written
//     2. write the words of the event                      2. copy their words
//     3. say that it is written                            3. look up to where they were overwritten meanwhile
//
// Invariant: an event that a reader keeps is whole. If a word that was copied belongs to a newer event, the reader sees
// in its step 3 what the writer has said before it wrote that word, and drops the event.
// Thread safety: write by one thread; read by any.
template <class Sync>
class event_ring {
 public:
  // What a reader has copied: events of successive numbers, of which the first is `first`. So many were written, and
  // lost, before it.
  struct reading {
    std::uint64_t first = 0;
    std::vector<event_words> events;
  };

  // REQUIRES: both are powers of two, and block < events. The writer says for so many events at once (a block) that
  // they are overwritten. Throws std::bad_alloc.
  event_ring(std::size_t events, std::size_t block)
      : capacity_(events), block_(block), words_(new word[events * words_each]()) {}
  event_ring(const event_ring&) = delete;
  event_ring& operator=(const event_ring&) = delete;

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  void write(const event_words& e) noexcept {
    if (next_ == said_up_to_) {
      said_up_to_ += block_;
      // relaxed: published by the first word that is written next. pairs: event_ring.word
      if (said_up_to_ > capacity_ && !Sync::planted(sync::fault::ring_overwrites_unsaid))
        overwritten_.store(said_up_to_ - capacity_, std::memory_order_relaxed);
    }
    word* const at = &words_[(next_ & (capacity_ - 1)) * words_each];
    // release: publishes overwritten_, to a reader that has copied the old event in part. pairs: event_ring.word
    for (std::size_t i = 0; i < words_each; ++i) at[i].store(e[i], std::memory_order_release);
    // release: publishes the words. pairs: event_ring.written
    written_.store(++next_, std::memory_order_release);
  }

  // Copies the events that are there. Throws std::bad_alloc.
  [[nodiscard]] reading read() const {
    // acquire: observes the words of all these events. pairs: event_ring.written
    const std::uint64_t end = written_.load(std::memory_order_acquire);
    const std::uint64_t begin = end > capacity_ ? end - capacity_ : 0;
    reading all{begin, {}};
    all.events.resize(end - begin);
    for (std::uint64_t n = begin; n != end; ++n) {
      const word* const at = &words_[(n & (capacity_ - 1)) * words_each];
      // acquire: observes overwritten_, if the word belongs to a newer event. pairs: event_ring.word
      for (std::size_t i = 0; i < words_each; ++i) all.events[n - begin][i] = at[i].load(std::memory_order_acquire);
    }
    // relaxed: the loads of the words come before. pairs: event_ring.word
    const std::uint64_t gone = overwritten_.load(std::memory_order_relaxed);
    if (gone > begin) {
      const std::uint64_t dropped = gone < end ? gone - begin : end - begin;
      all.events.erase(all.events.begin(), all.events.begin() + static_cast<std::ptrdiff_t>(dropped));
      all.first = begin + dropped;
    }
    return all;
  }

 private:
  using word = typename Sync::template atomic<std::uint64_t>;
  static constexpr std::size_t words_each = std::tuple_size_v<event_words>;

  const std::size_t capacity_;
  const std::size_t block_;
  const std::unique_ptr<word[]> words_;
  std::uint64_t next_ = 0;        // owner: the writer
  std::uint64_t said_up_to_ = 0;  // owner: the writer; events before this one may be written
  typename Sync::template atomic<std::uint64_t> written_{0};
  typename Sync::template atomic<std::uint64_t> overwritten_{0};  // the events before this one are, or soon will be
};

}  // namespace tact::inspect
