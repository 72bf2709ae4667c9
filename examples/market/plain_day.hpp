// The same day without actors: one loop over the records.
#pragma once

#include "figures.hpp"
#include "session.hpp"

namespace market {

// The figures that the market must come to, without audits; and what to compare its speed with. It shares accounts,
// books and records with the market, and none of what is between them.
day_figures plain_day(const session& day);

}  // namespace market
