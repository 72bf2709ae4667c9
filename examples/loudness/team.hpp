// The actors that do a survey together: an agenda, a walker, and analysts.
#pragma once

#include <memory>
#include <vector>

#include <tact/tact.hpp>

#include "agenda.hpp"
#include "analyst.hpp"
#include "walker.hpp"

namespace loudness {

struct team {
  tact::ref<loudness::agenda> agenda{};
  std::vector<tact::ref<analyst>> analysts{};
};

// By an engine or a scope. They begin to search when the agenda hears of a folder, and to measure when it hears of the
// analysts. Without an archive all is measured.
template <class Creator>
team make_team(Creator& by, unsigned analysts, tact::ref<shared_result> results, tact::ref<work_report> report,
               const std::shared_ptr<const archive>& kept) {
  const auto walks = by.create(make_walker(results), tact::parallel);
  team made{by.create(make_agenda({walks, report}))};
  for (unsigned i = 0; i < analysts; ++i) {
    made.analysts.push_back(by.template spawn<analyst>(tact::heavy, made.agenda, results, report, kept));
  }
  return made;
}

}  // namespace loudness
