// tact::store_file: a file in which state lasts.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "tact/detail/deadline.hpp"
#include "tact/engine.hpp"
#include "tact/store/detail/store_access.hpp"
#include "tact/store/store_error.hpp"
#include "tact/store/store_options.hpp"
#include "tact/store/store_view.hpp"

namespace tact {

// One version of a file, whole, as long as this object lives: what is written meanwhile is not seen in it. The file
// cannot use the room of what was replaced or erased since; so a snapshot should not be held for long. Copies are the
// same snapshot. Thread safety: the copies of one snapshot are used by one thread at a time.
class store_snapshot {
 public:
  // Grows with each commit of the file that has changed something.
  [[nodiscard]] std::uint64_t version() const noexcept { return reading_->in_file.version(); }

 private:
  friend class store_file;
  friend struct detail::store_access;
  store_snapshot(std::shared_ptr<detail::store_core> core, detail::byte_reading now)
      : core_(std::move(core)), reading_(std::make_shared<detail::byte_reading>(std::move(now))) {}

  std::shared_ptr<detail::store_core> core_;  // ends last
  std::shared_ptr<detail::byte_reading> reading_;
};

namespace detail {

template <class F>
using result_in_store = std::invoke_result_t<F&, store_view&>;

// Runs a transaction as a thread outside does it.
template <class F>
auto transact(store_core& core, owner_number owner, F& f) -> result_in_store<F> {
  using R = result_in_store<F>;
  using kept = std::conditional_t<std::is_void_v<R>, bool, std::optional<R>>;
  kept result{};
  const auto run = [&](byte_view& bytes) {
    auto view = store_access::view<store_view>(bytes, core);
    if constexpr (std::is_void_v<R>) {
      f(view);
    } else {
      result.emplace(f(view));
    }
  };
  constexpr auto call = "store_file::transact";
  constexpr auto instead = "make an actor of tact::transacting and ask it";
  refuse_inside_handler(call, instead);
  for (unsigned n = 0;; ++n) {
    write_answer a;
    if (n < outer_runs_max) {
      const byte_reading now = core.front().look();
      byte_view bytes(now.in_file, now.accepted, true);
      run(bytes);
      if (bytes.changes().empty()) break;
      a = ask_writer(core, checked_write{now.order, bytes.take_reads(), listed(bytes.changes()), owner}, call, instead);
    } else {
      a = ask_writer(core, inner_write{run, owner}, call, instead);
    }
    look_at(core, a);
    if (a.what == write_answer::fate::done) break;
  }
  if constexpr (!std::is_void_v<R>) return std::move(*result);
}

}  // namespace detail

// Has a file for itself: until it ends, or its time is over, nothing else is written. What others write meanwhile
// waits, and is done then; reads go on. Thread safety: one thread at a time.
class store_owner {
 public:
  store_owner(store_owner&& other) noexcept : core_(std::move(other.core_)), number_(std::exchange(other.number_, 0)) {}
  store_owner& operator=(store_owner&& other) noexcept {
    std::swap(core_, other.core_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~store_owner() { release(); }

  // As store_file::transact. Throws store_error, refused, when the time is over.
  template <class F>
  auto transact(F f) -> detail::result_in_store<F> {
    if (number_ == 0) throw store_error(store_problem::refused, "tact::store_owner::transact: the store was released");
    return detail::transact(*core_, number_, f);
  }
  // Counts the time anew, from now on. Returns false if it was over.
  template <class Rep, class Period>
  [[nodiscard]] bool extend(std::chrono::duration<Rep, Period> limit) {
    return number_ != 0 &&
           number_ == detail::ask_writer(*core_,
                                         detail::own_store{std::chrono::nanoseconds(detail::whole_ns(limit)), number_},
                                         "store_owner::extend", "let a thread outside own the store");
  }
  // Lets the others write.
  void release() noexcept {
    if (const detail::owner_number n = std::exchange(number_, 0)) {
      const detail::unfailing sure;
      detail::send_anywhere(core_->writer(), detail::disown_store{n});
    }
  }

 private:
  friend class store_file;
  friend struct detail::store_access;
  store_owner(std::shared_ptr<detail::store_core> core, detail::owner_number number) noexcept
      : core_(std::move(core)), number_(number) {}

  std::shared_ptr<detail::store_core> core_;
  detail::owner_number number_;
};

// tact::store_file file(engine, "bank.store");
//
// A file with tables, each of which is a tact::store. Any number of threads and actors read at the same time, and wait
// for nothing; writes are done one after the other, by an actor of the engine that has a thread of its own. All that
// waits for it goes into one commit of the file. A write is answered when it is on the disk, or as store_options say.
// This object is a handle: copies are the same file, and so are its tables and snapshots. The file is closed behind
// what was accepted when the last of them has gone, or with the engine. Threads outside must not write behind the end
// of the engine.
// The same file can be opened once in a process, and for writing once on the machine. Source of the idea: the store of
// Lisp-Actors; on LMDB.
// Thread safety: any number of threads at once.
class store_file {
 public:
  // Opens the file, or makes it. Throws store_error, whose text names the file and the remedy: not_opened, in_use,
  // damaged.
  store_file(engine& in, const std::filesystem::path& path, const store_options& options = {})
      : core_(std::make_shared<detail::store_core>(in, path, options)) {}

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return core_->front().file().path(); }

  // The state of all tables at this moment. `name` is told if the snapshot is held for too long.
  [[nodiscard]] store_snapshot snapshot(const std::string& name = "a snapshot") const {
    return {core_, core_->front().hold(name)};
  }

  // For threads outside of handlers: calls f(view), commits what it changes in one step, and returns what it returns
  // when that is durable. If something that it has read was written meanwhile, it is called again, with the new state:
  // so it must not have other effects. It is called four times at most; the last time on the thread that writes, where
  // it keeps other writes waiting. Throws what f throws, and then nothing was changed; store_error: refused, unknown,
  // stopped; and ask_error if the engine ends. In handlers: tact::transacting.
  template <class F>
  auto transact(F f) const -> detail::result_in_store<F> {
    return detail::transact(*core_, 0, f);
  }

  // For threads outside of handlers: the file for the caller alone, for `limit` at most. Empty if it has an owner.
  template <class Rep, class Period>
  [[nodiscard]] std::optional<store_owner> own(std::chrono::duration<Rep, Period> limit) const {
    const auto n = detail::ask_writer(*core_, detail::own_store{std::chrono::nanoseconds(detail::whole_ns(limit)), 0},
                                      "store_file::own", "let a thread outside own the store");
    if (n == 0) return std::nullopt;
    return store_owner(core_, n);
  }

  // For threads outside of handlers: writes what was accepted, and ends the actor that writes. What is written later
  // fails. Throws store_error if something is not in the file.
  void close() const {
    detail::look_at(*core_,
                    detail::ask_writer(*core_, detail::close_store{}, "store_file::close", "let go of the file"));
  }

 private:
  friend struct detail::store_access;
  std::shared_ptr<detail::store_core> core_;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
