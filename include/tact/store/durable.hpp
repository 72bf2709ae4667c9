// tact::durable: an actor whose commits are on the disk before anything of them is seen.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/restarting.hpp"
#include "tact/store/detail/durable_actor.hpp"
#include "tact/store/durable_self.hpp"
#include "tact/store/store_file.hpp"

namespace tact {

// const auto account = engine.create(tact::durable<account_protocol>(file, "account 7", account{},
//     [](auto& self, const account& now, const deposit& m) { self.become({now.cents + m.cents}); },
//     [](auto& self, const account& now, const tact::request<balance>& m) { self.reply(m, now.cents); }));
//
// Makes the actor of this name in the file: with the state of its last commit, or with `first` if it has had none. The
// handlers take a durable_self, the state, and a message; they are const-callable. What a handler does is one write of
// the file, together with what waits for the file at that time, and nothing leaves before it is there: neither messages
// nor answers. The actor does not wait for the disk: it handles the next message with the state that comes of the last
// one. A handler that throws has done nothing.
//
// After a crash the actor goes on from its last commit; messages that waited in its mailbox are gone, their senders
// were told nothing, and what came from other durable actors comes again. If the file refuses a write, or has stopped,
// those who wait for answers of it are told so; after a refusal the actor goes on from its last commit.
//
// One actor has a name at a time: with a second one of the same name the first one can write no more, and fails. A
// state that cannot be read is a failure of this actor alone: it throws store_error with each message, its rows stay as
// they are. The first message, or `durable_begin`, opens it; use tact::create_durable to have it opened at once. Costs
// a message to the writer and back for each commit. The state should be cheap to copy: a struct of values and of tables
// of tact. Of a table in it only the entries that have changed are written. Throws usage_error for a name that is empty
// or longer than 200 bytes.
template <class P, class S, class... Handlers>
[[nodiscard]] auto durable(const store_file& file, std::string name, S first, Handlers... handlers) {
  static_assert(sizeof...(Handlers) != 0, "tact::durable<P>(file, name, state, handlers...): it has no handlers");
  detail::check_durable_name(name);
  using setup = detail::durable_setup<P, S, detail::overloaded<Handlers...>>;
  const auto core = detail::store_access::shared_core_of(file);
  const auto all = std::make_shared<const setup>(core, std::move(name), std::move(first),
                                                 detail::overloaded<Handlers...>{std::move(handlers)...});
  return restarting([all] { return behavior<detail::durable_protocol<P>>(detail::closed_durable<setup>{all}); });
}

// Makes it in an engine or in a handler, with the tags of create, and opens it: what was sent to it before a crash, and
// its timers, come without another message.
template <class P, class Creator, class S, class... Handlers>
ref<P> create_durable(Creator& in, const store_file& file, std::string name, S first, Handlers... handlers) {
  const auto made = in.create(durable<P>(file, std::move(name), std::move(first), std::move(handlers)...));
  detail::send_anywhere(made, detail::durable_begin{});
  return made;
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
