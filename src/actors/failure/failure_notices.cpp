#include "actors/failure/failure_notices.hpp"

#include <new>
#include <string>
#include <utility>

#include "actors/cells/cell.hpp"
#include "actors/cells/cell_region.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"
#include "base/reserve.hpp"

namespace tact::actors {

bool is_own_answer(const mailbox::envelope& e) noexcept {
  return e.is_special() && e.type().role == detail::message_type::own_answer;
}

failure notice_of(failure_reason reason) noexcept { return notice_of(reason, to_string(reason).data()); }

failure notice_of(failure_reason reason, const char* words) noexcept {
  failure f{reason, {}};
  try {
    f.what = words;
  } catch (const std::bad_alloc&) {
    // Without memory for the words the reason says enough.
  }
  return f;
}

failure notice_of_burial(detail::port to, failure_reason reason) noexcept {
  failure f = notice_of(reason);
  if (reason != failure_reason::target_ended) return f;
  if (std::string why = reason_of_end(to); !why.empty()) f.what = std::move(why);
  return f;
}

void tell_outside(detail::port customer, failure&& f) noexcept {
  const base::may_use_reserve sure;
  // send() ends the payload, so the failure must not be a local object, whose destructor would run once more.
  alignas(failure) unsigned char room[sizeof(failure)];
  detail::send(customer, failure_message, ::new (room) failure(std::move(f)));
}

detail::port customer_of(mailbox::envelope& e) noexcept {
  const auto get = e.type().customer;
  return get == nullptr ? 0 : get(e.message());
}
detail::port open_customer_of(mailbox::envelope& e) noexcept {
  const detail::port customer = or_nobody(customer_of(e));
  const detail::behavior_type* const type = is_current(customer) ? cell_of(customer).type() : nullptr;
  const bool is_told_once =
      type != nullptr && (type->kind == detail::actor_kind::once || type->kind == detail::actor_kind::asker ||
                          type->kind == detail::actor_kind::waiter);
  return is_told_once ? customer : 0;
}

// An engine that has gone leaves its regions to the next one, and then it is not known any more that it was the engine
// which has ended.
failure_reason why_gone(detail::port p) noexcept {
  const bool has_engine = cell_region::of(cell_of(p)).gate.load() != nullptr;
  if (!has_engine && &cell_of(p) != &nobody()) return failure_reason::engine_ended;
  return cell_of(p).was_served(generation_of(p)) ? failure_reason::answered_already : failure_reason::target_ended;
}

}  // namespace tact::actors
