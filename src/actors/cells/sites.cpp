#include "actors/cells/sites.hpp"

#include <array>
#include <new>
#include <utility>

namespace tact::actors {

struct site_table {
  struct row {
    detail::port whose = 0;
    detail::creation_site site{};
  };
  std::array<row, cell_region::slab_cells> rows;  // one for each cell
};

namespace {

using slab_lock = sync::locked<sync::lock<sync::real>>;

site_table::row& row_of(const cell& c) noexcept {
  return cell_region::annex_of(c).sites->rows[cell_region::number_of(c)];
}

}  // namespace

void note_site(const cell& c, const detail::creation_site& site) noexcept {
  slab_annex& slab = cell_region::annex_of(c);
  const slab_lock lock(slab.papers_lock);
  if (slab.sites == nullptr) slab.sites = new (std::nothrow) site_table;
  if (slab.sites != nullptr) row_of(c) = {port_of(c), site};
}

detail::creation_site site_of(const cell& c) noexcept {
  const slab_annex& slab = cell_region::annex_of(c);
  const slab_lock lock(slab.papers_lock);
  if (slab.sites == nullptr) return {};
  const site_table::row& r = row_of(c);
  return r.whose == port_of(c) ? r.site : detail::creation_site{};
}

void forget_sites(slab_annex& slab) noexcept {
  const slab_lock lock(slab.papers_lock);
  delete std::exchange(slab.sites, nullptr);
}

}  // namespace tact::actors
