// The behaviour of a cache.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/data/map.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/detail/recent_answers.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/value_at.hpp"
#include "tact/patterns/detail/waiting_room.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

template <class Q>
struct cache_protocol;  // in cache.hpp

namespace detail {

// A request to the service. When a run that is to bring its answer, or to handle it, fails, the request is lost: the
// engine tells the cache of a failure, and by this flag the cache finds out which request it was.
struct fetch {
  std::atomic<bool> is_lost{false};
};

// Notes that a request is lost when the message that brings its answer to the cache is destroyed. In a request that was
// handled the note has no effect any more.
struct delivery {
  explicit delivery(const counted<fetch>& f) noexcept : of(f) {}
  delivery(const delivery&) = delete;
  delivery& operator=(const delivery&) = delete;
  ~delivery() { of->is_lost = true; }
  const counted<fetch> of;
};

// Brings an answer to a cache, or why there is none. The cache is itself the customer of this message: so when the run
// that should handle it fails, the engine tells the cache.
template <class Q>
struct fetched {
  using reply = void;
  kept<Q> query;
  counted<delivery> by;
  kept<typename request<Q>::reply> answer{};
  kept<failure> why{};
};

template <class Q>
struct cache_options {
  ref<request<Q>> service;
  std::size_t entries;
  std::chrono::nanoseconds age;
};

// The requests that wait for an answer that has not come yet.
template <class Q>
struct open_question {
  counted<fetch> by;
  waiting_room<Q> waiting;
};

// The continuation of a request to the service.
template <class Q>
struct bring {
  ref<cache_protocol<Q>> cache;
  kept<Q> query;
  counted<fetch> by;

  // `fill` puts in what came. If this run fails, the cache is told, and tells the requests that wait.
  template <class Fill>
  void report(transaction& tx, Fill fill) const {
    const unfailing sure;
    owe(access::run_of(tx), access::port_of(cache));
    fetched<Q> f{query, counted<delivery>::make(by)};
    fill(f);
    tx.send(cache, request<fetched<Q>>{access::make_ref<done>(access::port_of(cache)), std::move(f)});
  }
};

template <class Q>
struct caching {
  using reply = typename request<Q>::reply;
  using self_type = self<cache_protocol<Q>>;

  void operator()(self_type& self, const request<Q>& m) const {
    if (const reply* r = answers.find(m.body, oldest())) return self.reply(m, *r);
    const open_question<Q>* const same = value_at(open, m.body);
    const kept<Q> query = keep(m.body);
    const open_question<Q> so_far = same != nullptr ? *same : open_question<Q>{start(self, query), {}};
    self.become(caching{by, answers, open.insert_or_assign(query, {so_far.by, so_far.waiting.with(self, m, "cache")})});
  }
  void operator()(self_type& self, const request<fetched<Q>>& m) const {
    const unfailing sure;
    self.defer(m);
    try {
      take(self, m.body);
    } catch (...) {
      m.body.by->of->is_lost = true;  // before the failure is told
      throw;
    }
  }
  // A run that was to bring an answer, or to handle one, has failed.
  void operator()(self_type& self, const failure& f) const {
    const sure_run sure(self);
    self.become(caching{by, answers, open.erase_if([&](const auto& m) {
                          if (!m.second.by->is_lost) return false;
                          m.second.waiting.fail(self, f);
                          return true;
                        })});
  }

  counted<cache_options<Q>> by;
  recent_answers<Q, reply> answers{};
  map<kept<Q>, open_question<Q>, kept_order> open{};

 private:
  // An answer that came at this time, or before, is too old. The clock is not negative, so this does not overflow.
  [[nodiscard]] std::chrono::steady_clock::time_point oldest() const { return now() - by->age; }
  counted<fetch> start(self_type& self, const kept<Q>& query) const {
    const bring<Q> b{self.ref(), query, counted<fetch>::make()};
    access::ask_regardless<transaction>(
        self, std::nullopt, by->service, query->value,
        [b](transaction& tx, reply& answer) {
          b.report(tx, [&](fetched<Q>& f) { f.answer = kept<reply>::make(std::move(answer)); });
        },
        [b](transaction& tx, const failure& why) {
          b.report(tx, [&](fetched<Q>& f) { f.why = keep(as_far_as_memory_goes(why)); });
        });
    return b.by;
  }
  void take(self_type& self, const fetched<Q>& f) const {
    const open_question<Q>* const met = value_at(open, f.query->value);
    self.become(caching{by, with_answer(f), met != nullptr ? open.erase(f.query->value) : open});
    if (met == nullptr) return;
    f.answer ? met->waiting.answer(self, f.answer->value) : met->waiting.fail(self, f.why->value);
  }
  [[nodiscard]] recent_answers<Q, reply> with_answer(const fetched<Q>& f) const {
    return f.answer ? answers.with(f.query, f.answer, now(), by->entries) : answers;
  }
};

}  // namespace detail
}  // namespace tact
