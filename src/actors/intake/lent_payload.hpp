// A message from outside on its way into a queue that will hold it out of line.
#pragma once

#include <cstring>

#include "mailbox/out_of_line_body.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

inline void move_payload(const detail::message_type& type, void* from, void* to) noexcept {
  type.relocate != nullptr ? type.relocate(from, to) : void(std::memcpy(to, from, type.payload_bytes));
}

// The payload lies in the out-of-line body as long as this object lives. Then it goes back to where it lay before,
// unless the body was taken.
class lent_payload {
 public:
  lent_payload(mailbox::out_of_line_body& p, const detail::message_type& type, void* payload) noexcept
      : body_(&p), type_(type), payload_(payload) {
    move_payload(type_, payload_, p.payload);
  }
  lent_payload(const lent_payload&) = delete;
  lent_payload& operator=(const lent_payload&) = delete;
  ~lent_payload() {
    if (body_ == nullptr) return;
    move_payload(type_, body_->payload, payload_);
    mailbox::out_of_line_body::end(*body_);
  }
  void is_taken() noexcept { body_ = nullptr; }

 private:
  mailbox::out_of_line_body* body_;
  const detail::message_type& type_;
  void* const payload_;
};

}  // namespace tact::actors
