// Where actors were created, for the report of those that are alive at an engine's end.
#pragma once

#include "actors/cell_store.hpp"
#include "tact/detail/particulars.hpp"

namespace tact::actors {

// What is known is kept beside the cells, in a table for each slab in which there is any. Thread safety: guarded by the
// lock of the cell's slab, which these functions take. Without memory nothing is known.
// REQUIRES: the cell is reserved, and nobody else knows it.
void note_site(const cell& c, const detail::creation_site& site) noexcept;
// Of the actor that is or will be there; no file when it is not known.
[[nodiscard]] detail::creation_site site_of(const cell& c) noexcept;
// The slab goes to another engine. REQUIRES: nobody uses it.
void forget_sites(cell_slab& slab) noexcept;

}  // namespace tact::actors
