// The actor that searches folders. It never becomes anything, so it reads as many folders at once as there are workers.
#pragma once

#include <filesystem>

#include <tact/tact.hpp>

#include "catalog.hpp"
#include "work.hpp"

namespace loudness {

struct visit {
  std::filesystem::path folder;
  tact::ref<found> for_whom;  // hears what is in it, always
};

struct walker : tact::protocol<visit> {};

tact::behavior<walker> make_walker(tact::ref<shared_result> results);

}  // namespace loudness
