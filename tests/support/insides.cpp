// Apart from the header: the library's namespace of actors and the users' class of that name do not meet.
#include <cstdint>
#include <cstdlib>

#include "actors/common/this_thread.hpp"
#include "actors/engine/core.hpp"
#include "actors/run/transactor.hpp"

namespace tact::support {

dispatch::dispatcher& dispatcher_of_this_worker() {
  return actors::transactor::of(*actors::this_thread::worker()).engine().workers();
}

unsigned number_of_this_worker() {
  const auto& me = actors::transactor::of(*actors::this_thread::worker());
  for (const auto& w : dispatcher_of_this_worker().workers()) {
    if (&w->runner() == static_cast<const dispatch::runner*>(&me)) return w->index();
  }
  std::abort();
}

std::vector<detail::port> age_cells(unsigned count, unsigned lives) {
  std::vector<actors::cell*> cells(count);
  auto& store = actors::transactor::of(*actors::this_thread::worker()).engine().cells();
  store.take(cells);
  std::vector<detail::port> young;
  for (actors::cell* c : cells) {
    young.push_back(actors::port_of(*c));
    while (c->generation() < lives) c->next_generation();
  }
  store.give(cells);
  return young;
}

bool trim_cells(detail::core& inside) { return inside.cells().rest() || inside.timed().rest(); }

std::uint64_t bytes_of_cells(detail::core& inside) { return inside.cells().bytes_held(); }

bool is_used_up(detail::port p) { return actors::cell_of(p).is_worn_out(); }

}  // namespace tact::support
