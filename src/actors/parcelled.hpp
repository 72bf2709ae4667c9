// A message from outside on its way into a queue that will hold it in a parcel.
#pragma once

#include <cstring>

#include "mailbox/parcel.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

inline void move_payload(const detail::message_type& type, void* from, void* to) noexcept {
  type.relocate != nullptr ? type.relocate(from, to) : void(std::memcpy(to, from, type.payload_bytes));
}

// The payload lies in the parcel as long as this object lives. Then it goes back to where it lay before, unless the
// parcel was taken.
class parcelled {
 public:
  parcelled(mailbox::parcel& p, const detail::message_type& type, void* payload) noexcept
      : parcel_(&p), type_(type), payload_(payload) {
    move_payload(type_, payload_, p.payload);
  }
  parcelled(const parcelled&) = delete;
  parcelled& operator=(const parcelled&) = delete;
  ~parcelled() {
    if (parcel_ == nullptr) return;
    move_payload(type_, parcel_->payload, payload_);
    mailbox::parcel::end(*parcel_);
  }
  void is_taken() noexcept { parcel_ = nullptr; }

 private:
  mailbox::parcel* parcel_;
  const detail::message_type& type_;
  void* const payload_;
};

}  // namespace tact::actors
