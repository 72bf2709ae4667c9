#include "actors/failure/core_messages.hpp"

#include <new>
#include <utility>

#include "actors/failure/end_notices.hpp"
#include "tact/failure.hpp"
#include "tact/poison_pill.hpp"

namespace tact::actors {

constinit const message_type failure_message = message_type{
    .relocate =
        [](void* from, void* to) noexcept {
          auto* old = static_cast<failure*>(from);
          new (to) failure(std::move(*old));
          old->~failure();
        },
    .destroy = [](void* payload, bool) noexcept { static_cast<failure*>(payload)->~failure(); },
    .customer = nullptr,
    .name = "tact::failure",
    .key = &key_of_type<failure>,
    .payload_bytes = sizeof(failure),
    .indirect = false,
    .role = message_type::failure_notice,
}
                                                   .complete(true);
static_assert(sizeof(failure) <= inline_bytes_max);

}  // namespace tact::actors

namespace tact::actors {

constinit const detail::message_type pill_message = detail::message_type{
    .relocate =
        [](void* from, void* to) noexcept {
          auto* old = static_cast<end_order*>(from);
          new (to) end_order(std::move(*old));
          old->~end_order();
        },
    .destroy = [](void* payload, bool) noexcept { static_cast<end_order*>(payload)->~end_order(); },
    .customer = nullptr,
    .name = "order to end",
    .payload_bytes = sizeof(end_order),
    .indirect = false,
    .role = detail::message_type::pill,
}
                                                        .complete(true);

constinit const detail::message_type watch_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy =
            [](void* payload, bool handled) noexcept {
              detail::watcher* w = *static_cast<detail::watcher**>(payload);
              if (w == nullptr) return;
              handled ? tell(*w, nullptr, {.reason = end_reason::engine_ended}) : w->drop(*w);
            },
        .customer = nullptr,
        .name = "order to watch",
        .payload_bytes = sizeof(detail::watcher*),
        .indirect = false,
        .role = detail::message_type::watch,
    }
        .complete(true);

constinit const detail::message_type forget_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy =
            [](void* payload, bool) noexcept {
              detail::watcher* w = *static_cast<detail::watcher**>(payload);
              w->drop(*w);
            },
        .customer = nullptr,
        .name = "order to forget a watcher",
        .payload_bytes = sizeof(detail::watcher*),
        .indirect = false,
        .role = detail::message_type::forget,
    }
        .complete(true);

constinit const detail::message_type token_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy = nullptr,
        .customer = nullptr,
        .name = "token",
        .payload_bytes = sizeof(void*),
        .indirect = false,
        .role = detail::message_type::token,
    }
        .complete(false);

constinit const detail::message_type restart_message =
    detail::message_type{
        .relocate = nullptr,
        .destroy = nullptr,
        .customer = nullptr,
        .name = "order to restart",
        .payload_bytes = sizeof(restart_order),
        .indirect = false,
        .role = detail::message_type::restart,
    }
        .complete(false);

bool is_restart_order(const mailbox::envelope& e) noexcept { return &e.type() == &restart_message; }
bool is_token(const mailbox::envelope& e) noexcept { return &e.type() == &token_message; }
bool is_pill(const mailbox::envelope& e) noexcept {
  return e.is_special() && e.type().role == detail::message_type::pill;
}
ending ending_of_pill(mailbox::envelope& e) noexcept {
  if (&e.type() == &pill_message) return static_cast<end_order*>(e.message())->how;
  return {static_cast<poison_pill*>(e.message())->how};
}
const std::string* text_of_pill(mailbox::envelope& e) noexcept {
  return &e.type() == &pill_message ? static_cast<end_order*>(e.message())->what.get()
                                    : static_cast<poison_pill*>(e.message())->reason.get();
}
bool is_watch(const mailbox::envelope& e) noexcept { return &e.type() == &watch_message; }
detail::watcher& take_watcher(mailbox::envelope& e) noexcept {
  return *std::exchange(*static_cast<detail::watcher**>(e.payload()), nullptr);
}

bool is_forget(const mailbox::envelope& e) noexcept { return &e.type() == &forget_message; }
detail::watcher& watcher_to_forget(mailbox::envelope& e) noexcept {
  return **static_cast<detail::watcher**>(e.payload());
}
void put_watcher(mailbox::envelope& e, detail::watcher& w) noexcept {
  *static_cast<detail::watcher**>(e.payload()) = &w;
}

std::unique_ptr<std::string> end_order::copy_of(const std::string* text) noexcept {
  try {
    return text == nullptr ? nullptr : std::make_unique<std::string>(*text);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace tact::actors
