// The actor that searches folders. It never becomes anything, so it reads as many folders at once as there are workers.
#pragma once

#include <filesystem>

#include <tact/tact.hpp>

#include "agenda.hpp"
#include "catalog.hpp"

namespace loudness {

struct visit {
  std::filesystem::path folder;
};

struct walker : tact::protocol<visit> {};

tact::behavior<walker> make_walker(tact::ref<found> agenda, tact::ref<shared_result> results);

}  // namespace loudness
