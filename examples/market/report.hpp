// The tables for people.
#pragma once

#include <iosfwd>

#include "figures.hpp"
#include "session.hpp"

namespace market {

void write_report(std::ostream& out, const session& day, const figures& f);

}  // namespace market
