// The constant that describes a message type, and how a message is written into the place where it will travel.
#pragma once

#include <concepts>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tact/detail/core.hpp"
#include "tact/detail/type_key.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/message.hpp"

namespace tact::detail {

struct closure;  // in description.hpp

// These constants use the compiler's own traits and not <type_traits>, whose templates would take more time to compile
// than all else that a message type costs.

// True for a message that lies in the queue itself. Others are boxed, because moving a message from queue to queue must
// not throw.
template <class M>
inline constexpr bool fits_inline =
    sizeof(M) <= inline_bytes_max && alignof(M) <= inline_align_max && __is_nothrow_constructible(M, M&&);

// How the customer of a message is found. Specialised for request; other messages have none.
template <class M>
inline constexpr port (*customer_of)(const void*) noexcept = nullptr;
// Has it one? With -fsanitize=undefined a comparison of customer_of with null is no constant expression for GCC.
template <class M>
inline constexpr bool has_customer = false;

// An object of the library's own storage: a boxed message, a spawned actor, a closure.
template <class T>
class box {
 public:
  template <class... Args>
  explicit box(Args&&... args) : block_(allocate()) {
    try {
// The compiler must not warn in here of the arguments that a user gives to a constructor, such as 0 for an unsigned.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
      object_ = ::new (block_) T(std::forward<Args>(args)...);
#pragma GCC diagnostic pop
    } catch (...) {
      free(block_);
      throw;
    }
  }
  box(const box&) = delete;
  box& operator=(const box&) = delete;
  ~box() {
    if (object_ != nullptr) end(object_);
  }

  [[nodiscard]] T* release() noexcept {
    T* const object = object_;
    object_ = nullptr;
    return object;
  }

  static void end(T* object) noexcept {
    object->~T();
    free(object);
  }

 private:
  static constexpr bool over_aligned = alignof(T) > inline_align_max;

  static void* allocate() {
    if constexpr (over_aligned) {
      return ::operator new(sizeof(T), std::align_val_t{alignof(T)});
    } else {
      constexpr block_class its_class = class_of_block(sizeof(T));
      if constexpr (__is_base_of(closure, T) && its_class != large_block)
        return allocate_pooled(static_cast<block_class>(its_class | for_closure));
      return allocate_block(sizeof(T));
    }
  }
  static void free(void* block) noexcept {
    if constexpr (over_aligned) {
      ::operator delete(block, std::align_val_t{alignof(T)});
    } else {
      free_block(block, sizeof(T));
    }
  }

  void* block_;
  T* object_ = nullptr;
};

template <class M>
inline constexpr message_type::role_ role_of = __is_same(M, failure)       ? message_type::failure_notice
                                               : __is_same(M, poison_pill) ? message_type::pill
                                                                           : message_type::ordinary;

template <class M>
void relocate_inline(void* from, void* to) noexcept {
  M& old = *static_cast<M*>(from);
  ::new (to) M(std::move(old));
  old.~M();
}

template <class M>
void destroy_inline(void* payload, bool) noexcept {
  static_cast<M*>(payload)->~M();
}

template <class M>
void destroy_boxed(void* payload, bool) noexcept {
  box<M>::end(*static_cast<M**>(payload));
}

template <class M>
void leave_queue(void* payload, bool handled) noexcept {
  M* m = *static_cast<M**>(payload);
  // The state is read before the message leaves its queue, because another receiver may end the message after that.
  const allocation state = m->state();
  message_queues::leave(*m);
  if (!handled) return;
  if (state == allocation::delete_) delete m;
  if (state == allocation::destroy) std::destroy_at(m);
}

template <class M>
consteval message_type describe_message() {
  message_type t{};
  t.customer = customer_of<M>;
  t.name = type_name<M>;
  t.key = &key_of_type<M>;
  t.role = role_of<M>;
  t.indirect = !fits_inline<M>;
  t.payload_bytes = fits_inline<M> ? sizeof(M) : sizeof(M*);
  if constexpr (!fits_inline<M>) {
    t.boxed_bytes = sizeof(M) < UINT32_MAX ? static_cast<std::uint32_t>(sizeof(M)) : UINT32_MAX;
    t.destroy = &destroy_boxed<M>;
  } else {
    t.has_plain_bytes = __has_unique_object_representations(M);
  }
  if constexpr (fits_inline<M> && __is_trivially_copyable(M)) {
    return t.complete(false);
  } else if constexpr (!fits_inline<M>) {
    return t.complete(true);
  } else {
    t.relocate = &relocate_inline<M>;
    if constexpr (!std::is_trivially_destructible_v<M>) t.destroy = &destroy_inline<M>;
    return t.complete(!std::is_trivially_destructible_v<M>);
  }
}

template <class M>
consteval message_type describe_message_by_reference() {
  message_type t{};
  t.customer = customer_of<M>;
  t.name = type_name<M>;
  t.key = &key_of_type<M>;
  t.indirect = true;
  t.payload_bytes = sizeof(M*);
  t.boxed_bytes = sizeof(M) < UINT32_MAX ? static_cast<std::uint32_t>(sizeof(M)) : UINT32_MAX;
  t.destroy = &leave_queue<M>;
  return t.complete(true);
}

template <class M>
inline constexpr message_type message_type_of = describe_message<M>();
template <class M>
inline constexpr message_type message_type_by_reference = describe_message_by_reference<M>();

// True for most messages: they are only written; nothing in that can throw, and nothing else has to be done.
template <class M, class Arg>
inline constexpr bool written_plainly =
    fits_inline<M> && __is_nothrow_constructible(M, Arg&&) && !sent_by_reference<Arg>;

// Writes `arg` as a message of type M to the place that `place(type)` returns. After `place` has returned nothing can
// throw.
template <class M, class Arg, class Place>
const message_type& write_message(Arg&& arg, Place place) {
  if constexpr (sent_by_reference<Arg>) {
    const message_type& type = message_type_by_reference<M>;
    ::new (place(type)) M*(std::addressof(arg));
    message_queues::enter(arg, type.name);
    return type;
  } else {
    const message_type& type = message_type_of<M>;
    if constexpr (!fits_inline<M>) {
      box<M> boxed(std::forward<Arg>(arg));
      void* at = place(type);
      ::new (at) M*(boxed.release());
    } else if constexpr (std::is_nothrow_constructible_v<M, Arg>) {
      ::new (place(type)) M(std::forward<Arg>(arg));
    } else {
      M copy(std::forward<Arg>(arg));
      ::new (place(type)) M(std::move(copy));
    }
    return type;
  }
}

template <class M, class Arg>
void stage_message(run& r, port to, Arg&& arg) {
  write_message<M>(std::forward<Arg>(arg), [&](const message_type& type) { return stage(r, to, type); });
}

// Writes the payload into a buffer on the stack, and hands it to `deliver(type, payload)`, which moves it on.
template <class M, class Arg, class Deliver>
void deliver_message(Arg&& arg, Deliver deliver) {
  alignas(inline_align_max) unsigned char room[inline_bytes_max];
  if constexpr (written_plainly<M, Arg>) {
    deliver(message_type_of<M>, ::new (room) M(static_cast<Arg&&>(arg)));
  } else {
    const message_type& type = write_message<M>(std::forward<Arg>(arg), [&](const message_type&) { return room; });
    deliver(type, room);
  }
}

}  // namespace tact::detail
