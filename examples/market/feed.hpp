// A feed: the packets of one line from outside, and where in them its handler is.
#pragma once

#include <memory>
#include <vector>

#include "figures.hpp"
#include "messages.hpp"

namespace market {

struct feed_question {
  using reply = feed_figures;
};
struct feed_protocol : tact::protocol<open_until, tact::done, tact::failure, tact::request<feed_question>> {};

// Sends a handler the packets of a feed, each as one message, the next one when the one before is answered. A packet at
// which the handler crashes comes again record by record, and a record at which it crashes alone is set aside. So where
// a feed is stands here and in the messages, and a handler that begins anew has lost nothing.
// A transactional actor: its state is a value.
tact::behavior<feed_protocol> open_feed(std::shared_ptr<const session> day, std::size_t number,
                                        tact::ref<tact::request<read_records>> handler);

}  // namespace market
