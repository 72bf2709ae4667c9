// The join that waits for so many answers of its requests: for tact::scatter_gather.
#pragma once

#include <bit>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tact/context.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/join.hpp"
#include "tact/patterns/detail/racing.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

template <class Q, class R = typename request<Q>::reply>
struct quorum_join : join<quorum_join<Q>, R, request<Q>> {
  quorum_join(const context_node* in, unsigned asked, std::size_t enough, const cancel_flag& of_losers,
              ref<std::vector<outcome<R>>> to)
      : join<quorum_join<Q>, R, request<Q>>(in, asked), quorum(enough), losers(of_losers), customer(to) {
    answers.reserve(quorum);
  }

  void hear(unsigned, R& answer) noexcept {
    try {
      answers.push_back(outcome<R>(std::move(answer)));
    } catch (...) {
      failures.add({failure_reason::handler_threw, {}});  // moving the answer threw
    }
  }
  void hear(unsigned, const failure& f) noexcept { failures.add(f); }
  [[nodiscard]] bool has_quorum() const noexcept { return answers.size() >= quorum; }
  // True when a quorum has come, and when none can come any more; after the limit no answer is missing any more.
  [[nodiscard]] bool has_enough() const noexcept {
    const auto open = static_cast<std::size_t>(std::popcount(this->missing));
    return has_quorum() || answers.size() + open < quorum;
  }
  void conclude(transaction& tx) {
    losers.request_stop();
    has_quorum() ? tx.send(customer, std::move(answers)) : tx.fail(customer, why_not());
  }
  void give_up(transaction& tx, const failure& f) { tx.fail(customer, as_far_as_memory_goes(f)); }
  [[nodiscard]] port answers_to() const noexcept { return access::port_of(customer); }

 private:
  // Without memory for its text the failure has none.
  [[nodiscard]] failure why_not() noexcept {
    failure f = failures.of_all(0);
    try {
      f.what = "no quorum of " + std::to_string(quorum) + " answers came";
    } catch (...) {
      f.what.clear();
    }
    return f;
  }

  const std::size_t quorum;
  const cancel_flag losers;
  const ref<std::vector<outcome<R>>> customer;
  std::vector<outcome<R>> answers{};
  failures_heard failures{};
};

}  // namespace tact::detail
