// What a stage of a pipeline does with one item.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/patterns/detail/relayed_answer.hpp"
#include "tact/patterns/inlet.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// Where the results of a stage go; each has the stage's gate as its customer. The last stage has no results.
template <class Out>
struct stage_outlet {
  template <class Make>
  void put_result(transaction& tx, ref<done> gate, Make make) const {
    tx.send(next, request<put_item<Out>>{gate, {make()}});
  }
  ref<inlet<Out>> next;
};
template <>
struct stage_outlet<void> {
  template <class Make>
  void put_result(transaction& tx, ref<done> gate, Make make) const {
    static_cast<void>(make());
    tx.send(gate, done{});
  }
};

// The runs of the next two classes owe the gate an answer: when one of them fails, tact::failure tells the gate.

// Calls a function.
template <class In, class Out, class F>
struct stage_call {
  static constexpr bool takes_transaction = std::is_invocable_v<const F&, transaction&, In&&>;

  void operator()(transaction& tx, In& item, ref<done> gate) const {
    outlet.put_result(tx, gate, [&]() -> decltype(auto) {
      if constexpr (takes_transaction) {
        return f(tx, std::move(item));
      } else {
        return f(std::move(item));
      }
    });
  }

  F f;
  [[no_unique_address]] stage_outlet<Out> outlet;
};

// Asks a service.
template <class In, class Out, class Q>
struct stage_ask {
  void operator()(transaction& tx, In& item, ref<done> gate) const {
    using R = typename request<Q>::reply;
    settle_debt(access::run_of(tx), access::port_of(gate));  // what hears the answer will owe it
    access::ask_regardless<transaction>(
        tx, std::nullopt, service, Q{std::move(item)},
        [to = outlet, gate](transaction& later, R& answer) {
          owe(access::run_of(later), access::port_of(gate));
          to.put_result(later, gate, [&]() -> R&& { return std::move(answer); });
        },
        relayed_answer<done>{gate});
  }

  ref<request<Q>> service;
  [[no_unique_address]] stage_outlet<Out> outlet;
};

}  // namespace tact::detail
