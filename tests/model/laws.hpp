// The laws, held against what was seen of an execution.
#pragma once

#include <string>
#include <vector>

#include "model/chronicle.hpp"

namespace tact::model {

// What broke which law, with actor and message; empty when all held.
[[nodiscard]] std::vector<std::string> check(const program&, const history&);

// One part of it each. REQUIRES: decided, and no complaint yet about the chronicle.
void check_traces(chronicle&);     // law 1, and callbacks once
void check_chains(chronicle&);     // laws 2, 3 and 6
void check_fates(chronicle&);      // laws 4, 7 and 13
void check_order(chronicle&);      // law 5
void check_customers(chronicle&);  // law 8
void check_reports(chronicle&);    // law 8: of handlers that threw
void check_figures(chronicle&);    // law 4, what the engine counted

// How many of which reason a customer is owed, because its requests were not answered.
using owed_notices = std::map<item, std::map<failure_reason, unsigned>>;
[[nodiscard]] owed_notices notices_of(const chronicle&);

// The actor or customer at each address that a dead letter may name.
[[nodiscard]] std::map<std::string, item> names_of_addresses(const history&);

}  // namespace tact::model
