// tact::owner: a counted handle of an actor; the actor ends with its last owner.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/owned_actor.hpp"
#include "tact/ref.hpp"

namespace tact {

// The tag by which create and spawn return an owner instead of a ref.
struct owned_t {};
inline constexpr owned_t owned{};

// const tact::owner<account> a = engine.create(open_account(0), tact::owned);
// engine.send(a.ref(), deposit{1});
//
// For actors that several parts of a program use, when it is not known in advance which part uses the actor last. Only
// the code that makes an actor can make its first owner: knowing a ref is no permission to end anything. An owner is
// copied like a shared pointer, into messages, behaviours and members; it takes 8 bytes, and 16 more for all owners of
// one actor. When the last owner goes, an order to end is sent to the actor. A classic or ordered actor handles before
// it everything that the same thread or actor sent it, including what the handler sends in which the owner went; a
// parallel actor ends when it comes to the order. When an actor ends by itself, its owners are harmless.
//
// In a handler: the owner of an actor that was made in a run that does not commit owns nothing. An owner that goes in
// such a run has gone all the same, because a destroyed object is not brought back; its actor ends once, however often
// the handler runs. A handler that may run several times must not move owners out of what it does not own; const
// messages and behaviours do not permit that anyway. An owner in a behaviour that was replaced goes a little later,
// when no worker can see that behaviour any more. Actors that own each other in a ring never end: let one of them keep
// a ref.
// Thread safety: as a shared pointer; several threads may copy and destroy different owners of one actor.
template <class P>
class owner {
 public:
  // Owns no actor.
  owner() noexcept = default;
  explicit owner(tact::ref<P>) = delete;  // only the creation of an actor gives an owner: create(..., tact::owned)
  owner(const owner& other) noexcept : shared_(other.shared_) {
    if (shared_ != nullptr) shared_->add();
  }
  owner(owner&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  owner& operator=(owner other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~owner() { reset(); }

  // Gives up its share; it owns no actor then.
  void reset() noexcept {
    if (detail::owned_actor* last = std::exchange(shared_, nullptr)) last->drop();
  }
  // The address of the actor, which keeps nothing alive; that of no actor if this owns none.
  [[nodiscard]] tact::ref<P> ref() const noexcept {
    return shared_ == nullptr ? tact::ref<P>{} : detail::access::make_ref<P>(shared_->who);
  }
  // True when it owns an actor, whether or not that has ended by itself.
  explicit operator bool() const noexcept { return shared_ != nullptr; }
  // True when both own the same actor, or none.
  friend bool operator==(const owner& a, const owner& b) noexcept { return a.shared_ == b.shared_; }

 private:
  friend struct detail::access;
  explicit owner(detail::owned_actor& shared) noexcept : shared_(&shared) {}

  detail::owned_actor* shared_ = nullptr;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
