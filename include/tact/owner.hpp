// tact::owner: a counted handle of an actor, which ends with the last of them.
#include "tact/detail/language.hpp"  // first
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
// For actors whose users are known, and not their end. Only who makes an actor can make the first owner of it: knowing
// a ref is no permission to end anything. An owner is copied like a shared pointer, into messages, behaviours and
// members; 8 bytes, and 16 for all owners of one actor. When the last one goes, an order to end is sent: a classic or
// ordered actor handles before it everything that the same thread or actor sent it, the handler included in which the
// owner went; a parallel actor ends when it comes to the order. An actor that ends for itself leaves its owners
// harmless.
//
// In a handler: the owner of an actor that was made in a run that does not commit owns nothing. An owner that goes in
// such a run has gone all the same, as an object is not brought back; each actor is ended once. A handler that runs
// several times must not move owners out of what it does not own, which const messages and behaviours do not permit
// anyway. What is kept in a behaviour that was replaced goes a little later, when no worker can see it any more.
// Actors that own each other in a ring never end: let one of them keep a ref.
// Thread safety: as a shared pointer; several threads may copy and destroy different owners of one actor.
template <class P>
class owner {
 public:
  // Owns nobody.
  owner() noexcept = default;
  explicit owner(tact::ref<P>) = delete;  // only who makes an actor can own it: create(..., tact::owned)
  owner(const owner& other) noexcept : shared_(other.shared_) {
    if (shared_ != nullptr) shared_->add();
  }
  owner(owner&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  owner& operator=(owner other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~owner() { reset(); }

  // Gives up the share; owns nobody then.
  void reset() noexcept {
    if (detail::owned_actor* last = std::exchange(shared_, nullptr)) last->drop();
  }
  // The actor's address, which keeps nothing alive; nobody's if none is owned.
  [[nodiscard]] tact::ref<P> ref() const noexcept {
    return shared_ == nullptr ? tact::ref<P>{} : detail::access::make_ref<P>(shared_->who);
  }
  explicit operator bool() const noexcept { return shared_ != nullptr; }
  // Of the same actor?
  friend bool operator==(const owner& a, const owner& b) noexcept { return a.shared_ == b.shared_; }

 private:
  friend struct detail::access;
  explicit owner(detail::owned_actor& shared) noexcept : shared_(&shared) {}

  detail::owned_actor* shared_ = nullptr;
};

}  // namespace tact
