// The market: its actors, made and named, and a day of trading.
#pragma once

#include <memory>
#include <string>
#include <tact/tact.hpp>

#include "figures.hpp"
#include "matcher.hpp"
#include "session.hpp"

namespace market {

// An engine that runs a market says on stderr who fails, except feed handlers: their crashes are counted.
tact::engine_options market_options();

// Opens a market on the engine, lets the day pass, and counts. Throws std::runtime_error when not all rounds were done.
figures run_day(tact::engine& engine, const std::shared_ptr<const session>& day, taking how = taking::in_order);

// What is wrong with the figures: money or shares that are not what they were in the morning, a client that has not
// heard of each trade, an audit that failed. Empty when nothing is.
std::string find_fault(const session& day, const figures& f);

}  // namespace market
