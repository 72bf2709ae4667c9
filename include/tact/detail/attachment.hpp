// attachment: in a debug build it knows whether an attached object is still there.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "tact/allocation.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/creation_options.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/misuse.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"

namespace tact::detail {

// Stands between the actor and the object: the actor reaches the object only through this. It is freed with the actor,
// which may be later than the object is destroyed; that is harmless as long as no message comes.
//   idle -> running: a handler begins; -> idle: it has returned
//   idle -> gone: the object is destroyed
// The program is ended when a handler begins although the object is gone, and when the object is destroyed while a
// handler runs.
// Thread safety: the worker that runs the actor, and a thread that destroys the object.
class attachment : public closure {
 public:
  // `object` is the closure of the attached object, which says from now on that it is attached.
  attachment(const behavior_type& own, std::string_view class_name, const creation_site& at, closure& object) noexcept
      : closure{&own}, object_(&object), at_(at) {
    marker_.name = class_name;
    object.type = &marker_;
  }
  attachment(const attachment&) = delete;
  attachment& operator=(const attachment&) = delete;

  [[nodiscard]] closure& object() const noexcept { return *object_; }
  // The attachment of an object; null if the object is not attached, or was attached by code with NDEBUG.
  static attachment* of(const closure& object) noexcept {
    if (object.type == nullptr || object.type->kind != actor_kind::marker) return nullptr;
    return static_cast<const marker*>(object.type)->whose;
  }

  // Lives while a handler runs.
  class handling {
   public:
    explicit handling(attachment& a) noexcept : a_(a) {
      if (a_.state_.exchange(state::running) == state::gone) {
        a_.misused(
            "was destroyed, and now a message comes for it: an attached object must live until its actor has "
            "ended, or nobody sends to it any more");
      }
    }
    ~handling() { a_.state_.store(state::idle); }
    handling(const handling&) = delete;
    handling& operator=(const handling&) = delete;

   private:
    attachment& a_;
  };

  // Called when the user destroys the object.
  void note_destruction() noexcept {
    if (state_.exchange(state::gone) == state::running) {
      misused(
          "is destroyed while it handles a message: let the actor end first; a receive ends its own by what it "
          "returns, tact::allocation::delete_ or destroy");
    }
  }
  // Called when the actor has ended. True: the object is still there, and may be attached again.
  [[nodiscard]] bool give_back() noexcept {
    if (state_.load() == state::gone) return false;
    object_->type = nullptr;
    return true;
  }
  [[nodiscard]] std::string describe() const {
    std::string text(marker_.name);
    if (at_.file != nullptr) text += " is attached since " + std::string(at_.file) + ":" + std::to_string(at_.line);
    return text;
  }

 private:
  enum class state : unsigned char { idle, running, gone };
  // What the object's closure points to, instead of a behaviour.
  struct marker : behavior_type {
    explicit marker(attachment& a) noexcept : behavior_type{}, whose(&a) { kind = actor_kind::marker; }
    attachment* whose;
  };

  void misused(const char* did) const noexcept {
    end_misused(std::string(marker_.name).c_str(), at_.file, at_.line, did);
  }

  closure* const object_;
  const creation_site at_;
  marker marker_{*this};
  std::atomic<state> state_{state::idle};
};

}  // namespace tact::detail
