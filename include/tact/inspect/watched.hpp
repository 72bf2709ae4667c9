// tact::inspect::watched: a relay that prints what passes it, with the contents.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "tact/detail/type_name.hpp"
#include "tact/inspect/detail/line_text.hpp"
#include "tact/inspect/detail/looking_relay.hpp"

namespace tact::detail {

// Prints in the handler that runs, so behind its commit.
struct printing_look {
  struct question {
    std::string_view type;
    std::chrono::steady_clock::time_point since;
  };

  template <class M>
  void passes(const M& m) const {
    print(type_name<M>, m, "");
  }
  template <class Q>
  [[nodiscard]] question asks(const Q& q) const {
    print(type_name<request<Q>>, q, "");
    return {type_name<request<Q>>, now()};
  }
  template <class R>
  void answered(const question& q, const R& answer) const {
    print(q.type, answer, after(q));
  }
  void failed(const question& q, const failure& f) const { print(q.type, f, after(q)); }

  // "desk: deposit 17"; "desk: request<load>, after 1.25 ms: 4".
  template <class T>
  void print(std::string_view type, const T& contents, const std::string& how) const {
    if constexpr (line_part<T>) {
      put_line(line_of(name, ": ", type, how, how.empty() ? " " : ": ", contents));
    } else {
      put_line(line_of(name, ": ", type, how));
    }
  }
  [[nodiscard]] static std::string after(const question& q);

  std::string name;
};

}  // namespace tact::detail

namespace tact::inspect {

// const tact::ref<account> watched_account = engine.create(tact::inspect::watched(account, "account"));
//
// Passes each message of P on to `to`, in its context and in the order of each sender, and prints it by
// tact::inspect::println: the name, the type of the message, and what is in it, as far as that has an operator<<. For a
// request it prints the answer too, or the failure, and how long that took. Only what comes by the relay is seen;
// tact::inspect::actor_watch sees what an actor does with all its messages, and not what is in them. Costs as of
// tact::inspect::timed, and the lines.
// Thread safety: any placement; with tact::parallel the order of a sender is not kept.
template <class P>
[[nodiscard]] behavior<P> watched(ref<P> to, std::string name) {
  return tact::detail::looking_relay<P, tact::detail::printing_look>{to, {std::move(name)}};
}

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
