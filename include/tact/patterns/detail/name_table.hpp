// The table of a registry: what each name stands for. Any thread reads it without a lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/type_key.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

// Where a type that `is_wanted`, a message or an included protocol, begins among the messages of P; not_included if it
// is none of them. What find_in is when the program is compiled, this is while it runs.
template <class P>
unsigned find_type(bool (*is_wanted)(const type_key&, const type_key&), const type_key& wanted) noexcept;
template <class... Ms>
unsigned find_type_among(bool (*is_wanted)(const type_key&, const type_key&), const type_key& wanted,
                         list<Ms...>) noexcept {
  unsigned at = 0;
  bool found = false;
  const auto look = [&]<class M>(std::type_identity<M>) {
    if (found) return;
    const unsigned inside = find_type<M>(is_wanted, wanted);
    found = inside != not_included;
    at += found ? inside : messages_of<M>::size;
  };
  (look(std::type_identity<Ms>{}), ...);
  return found ? at : not_included;
}
template <class P>
unsigned find_type(bool (*is_wanted)(const type_key&, const type_key&), const type_key& wanted) noexcept {
  if (is_wanted(key_of_type<P>, wanted)) return 0;
  if constexpr (some_protocol<P>) {
    return find_type_among(is_wanted, wanted, decltype(parts_of(static_cast<const P*>(nullptr))){});
  } else {
    return not_included;
  }
}
// Finds the type with that key, whichever library has made the key. Addresses are compared before names, because names
// take longer to compare, and keys of another library are rare.
template <class P>
unsigned find_key(const type_key& wanted) noexcept {
  const unsigned at = find_type<P>([](const type_key& a, const type_key& b) { return &a == &b; }, wanted);
  return at != not_included ? at : find_type<P>(&have_same_name, wanted);
}

// What a name stands for.
struct binding {
  port who = 0;  // 0: the name is free
  unsigned (*find)(const type_key& wanted) noexcept = nullptr;
  const type_key* protocol = nullptr;
  std::uint64_t number = 0;  // of this binding; no other one of the table has it

  // The address of the actor as the type with that key; 0 when it does not narrow to that type.
  [[nodiscard]] port narrowed_to(const type_key& wanted) const noexcept {
    const unsigned at = find(wanted);
    return at == not_included ? 0 : who + at;
  }
};
template <class P>
binding bind(ref<P> who) noexcept {
  return {access::port_of(who), &find_key<P>, &key_of_type<P>};
}

using shared_name = std::shared_ptr<const std::string>;

// An open-addressed hash table. A slot, once it belongs to a name, belongs to it until the table grows; a name that was
// removed stands for no actor. Writers hold a mutex. Readers write to one of a few counters, and wait for no other
// thread.
//
// Why a reader never sees freed memory: it adds to its counter, then loads the table and the entries, and subtracts at
// the end. A writer takes an entry or a table out, and then loads every counter. All of these are seq_cst. When each
// counter was 0 after that, a reader that had come before has gone, and one that comes later does not find it any more.
// While there is always some reader, what was taken out stays, until a later change finds none.
class name_table {
 public:
  name_table() : slots_(new slot_array(16)) {}
  name_table(const name_table&) = delete;
  name_table& operator=(const name_table&) = delete;
  ~name_table() {
    const slot_array* all = slots_;
    for (std::size_t i = 0; i <= all->mask; ++i) {
      if (const entry* e = all->at[i]) end(e);
    }
    delete all;
    free_retired();
  }

  // What the name stands for. Any thread.
  [[nodiscard]] binding find(std::string_view name) const noexcept {
    const reading inside(*this);
    const entry* e = slots_.load()->of(name).load();
    return e == nullptr ? binding{} : e->bound;
  }
  // Puts `next` in the place of what the name stands for, if may(that), and gives it a number if it has none. Returns
  // what the name stood for before. Throws std::bad_alloc; then nothing has changed.
  template <class May>
  binding change(const shared_name& name, binding& next, const May& may) {
    const std::lock_guard lock(writers_);
    const entry* old = slots_.load()->of(*name).load();
    const binding before = old == nullptr ? binding{} : old->bound;
    if (!may(before)) return before;
    if (next.who == 0 && before.who == 0) return before;
    if (old == nullptr) make_room();
    if (next.number == 0) next.number = ++numbers_;
    put(*box<entry>(name, next).release());
    free_unread();
    return before;
  }
  // Calls f(name, binding) for each name that stands for an actor.
  template <class F>
  void for_each(const F& f) const {
    const std::lock_guard lock(writers_);
    const slot_array& all = *slots_.load();
    for (std::size_t i = 0; i <= all.mask; ++i) {
      const entry* e = all.at[i].load();
      if (e != nullptr && e->bound.who != 0) f(e->name, e->bound);
    }
  }

 private:
  struct entry {
    entry(shared_name n, const binding& b) : name(std::move(n)), bound(b) {}
    const shared_name name;
    const binding bound;
    mutable const entry* next = nullptr;  // among the retired ones
  };
  struct slot_array {
    explicit slot_array(std::size_t size) : mask(size - 1), at(new std::atomic<const entry*>[size]()) {}
    // The slot of the name, or the free one that it would get. There is always a free one.
    [[nodiscard]] std::atomic<const entry*>& of(std::string_view name) const noexcept {
      std::size_t i = std::hash<std::string_view>{}(name)&mask;
      for (const entry* e = at[i].load(); e != nullptr && *e->name != name; e = at[i].load()) i = (i + 1) & mask;
      return at[i];
    }
    const std::size_t mask;
    const std::unique_ptr<std::atomic<const entry*>[]> at;
    slot_array* next = nullptr;  // among the retired ones
  };
  struct alignas(64) counter {
    std::atomic<std::uint32_t> readers{0};
  };
  static constexpr std::size_t counters = 16;

  // Lives while a reader looks at the table, from its first look to its last.
  class reading {
   public:
    explicit reading(const name_table& t) noexcept : mine_(t.counters_[number_of_thread()].readers) { ++mine_; }
    reading(const reading&) = delete;
    reading& operator=(const reading&) = delete;
    ~reading() { --mine_; }

   private:
    // Different for most threads.
    static std::size_t number_of_thread() noexcept {
      thread_local const char here = 0;
      return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(&here) * 0x9e3779b97f4a7c15U) >> 60);
    }
    std::atomic<std::uint32_t>& mine_;
  };
  static_assert(counters == 16, "number_of_thread has four bits");

  void put(const entry& made) noexcept {
    std::atomic<const entry*>& slot = slots_.load()->of(*made.name);
    if (const entry* old = slot.exchange(&made)) {
      old->next = std::exchange(retired_, old);
    } else {
      ++used_;
    }
  }
  // Makes a larger table when half of the slots are used, and leaves out there the names that stand for no actor.
  void make_room() {
    slot_array& old = *slots_.load();
    if ((used_ + 1) * 2 <= old.mask) return;
    std::size_t living = 0;
    for (std::size_t i = 0; i <= old.mask; ++i) living += is_living(old.at[i]) ? 1U : 0U;
    std::size_t size = 16;
    while (size < (living + 1) * 4) size *= 2;
    auto more = std::make_unique<slot_array>(size);
    for (std::size_t i = 0; i <= old.mask; ++i) {
      const entry* e = old.at[i].load();
      if (is_living(e)) {
        more->of(*e->name) = e;
      } else if (e != nullptr) {
        e->next = std::exchange(retired_, e);
      }
    }
    used_ = living;
    slots_ = more.release();
    old.next = std::exchange(retired_slots_, &old);
  }
  static bool is_living(const entry* e) noexcept { return e != nullptr && e->bound.who != 0; }
  void free_unread() noexcept {
    for (const counter& c : counters_) {
      if (c.readers != 0) return;
    }
    free_retired();
  }
  static void end(const entry* e) noexcept { box<entry>::end(const_cast<entry*>(e)); }
  void free_retired() noexcept {
    while (const entry* e = retired_) {
      retired_ = e->next;
      end(e);
    }
    while (slot_array* s = retired_slots_) {
      retired_slots_ = s->next;
      delete s;
    }
  }

  std::atomic<slot_array*> slots_;
  mutable counter counters_[counters];
  mutable std::mutex writers_;
  // All members below are used by writers only.
  std::size_t used_ = 0;
  std::uint64_t numbers_ = 0;
  const entry* retired_ = nullptr;
  slot_array* retired_slots_ = nullptr;
};

}  // namespace tact::detail
