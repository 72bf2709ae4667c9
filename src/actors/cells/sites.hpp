// Where actors were created, for the report of the actors that are alive at an engine's end.
#pragma once

#include "actors/cells/cell_region.hpp"
#include "tact/detail/creation_options.hpp"

namespace tact::actors {

// The sites are kept beside the cells: a slab gets a table of them with its first entry. Without memory a site is not
// noted. Thread safety: guarded by the lock of the cell's slab, which these functions take.
// REQUIRES: the cell is reserved, and no other thread knows it.
void note_site(const cell& c, const detail::creation_site& site) noexcept;
// The site of the actor that is in the cell, or will be; no file when it is not known.
[[nodiscard]] detail::creation_site site_of(const cell& c) noexcept;
// REQUIRES: no cell of the slab is in use.
void forget_sites(slab_annex& slab) noexcept;

}  // namespace tact::actors
