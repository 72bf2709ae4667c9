#include "tools/modelled/machine.hpp"

#include <stdexcept>

#include "topology/machine.hpp"

namespace tact::modelled {

const char* name_of(source s) noexcept {
  static constexpr std::array<const char*, sources> names{
      "l2", "l3", "same_l3", "same_package", "other_package", "memory", "other_memory"};
  return names[static_cast<std::size_t>(s)];
}

machine::machine(const std::string& words) {
  const std::vector<topology::unit> described = topology::described_units(words);
  const bool has_memories = topology::described_memories(words) > 1;
  for (const topology::unit& u : described) {
    if (u.place.core >= core_set::cores_max || u.place.cache >= caches_max)
      throw std::invalid_argument("a modelled machine has at most " + std::to_string(core_set::cores_max) +
                                  " cores and " + std::to_string(caches_max) + " shared caches: " + words);
    if (u.place.core >= cores_.size()) cores_.resize(u.place.core + 1);
    // Words without memories: each package has its own.
    cores_[u.place.core] = {u.place.cache, has_memories ? u.place.memory : u.place.package, u.place.package};
    if (u.place.processing_unit >= units_.size()) units_.resize(u.place.processing_unit + 1);
    units_[u.place.processing_unit] = {u.place.core};
    caches_ = std::max(caches_, u.place.cache + 1);
    nodes_ = std::max(nodes_, cores_[u.place.core].node + 1);
    package_of_cache_.resize(caches_);
    package_of_cache_[u.place.cache] = u.place.package;
  }
}

}  // namespace tact::modelled
