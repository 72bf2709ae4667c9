// The document is the actor whose state is the page. Commands come to it on many ways, so it applies them in the order
// of their events, whatever the order in which they come: then the drawing depends on the events alone.
#pragma once

#include <cstdint>
#include <memory>

#include <tact/tact.hpp>

#include "command.hpp"
#include "page.hpp"
#include "picture.hpp"

namespace router {

// What is to be seen after that event.
struct frame {
  std::uint64_t number;
  std::shared_ptr<const router::page> page;
};

struct question_page {
  using reply = std::shared_ptr<const page>;
};

struct document : tact::protocol<command, tact::request<question_page>> {};

// Where the document tells what it has done; each may be missing.
struct listeners {
  tact::ref<frame> display{};        // each event
  tact::ref<picture_ptr> analyst{};  // each new picture
  tact::ref<command> observer{};     // each command, when it is done
};

tact::behavior<document> make_document(listeners to);

}  // namespace router
