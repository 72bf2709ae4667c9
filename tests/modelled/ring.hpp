// Actors in a ring that hand tokens on.
#pragma once

#include <vector>

#include "tact/model.hpp"
#include "tact/tact.hpp"

namespace tact::modelled_tests {

struct token {
  unsigned left;
};

// Hands a token on to the next one, after so much work.
class ring_member : public tact::actor<ring_member, token> {
 public:
  ring_member(const std::vector<tact::ref<token>>& ring, std::size_t number, double ns)
      : ring_(&ring), number_(number), ns_(ns) {}
  void receive(tact::self<ring_member>& self, const token& m) {
    tact::model::spend_ns(ns_);
    if (m.left != 0) self.send((*ring_)[(number_ + 1) % ring_->size()], token{m.left - 1});
  }

 private:
  const std::vector<tact::ref<token>>* ring_;
  std::size_t number_;
  double ns_;
};

}  // namespace tact::modelled_tests
