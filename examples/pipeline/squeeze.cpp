#include "squeeze.hpp"

#include <zlib.h>

#include <array>
#include <random>
#include <stdexcept>

namespace {

// zlib's strings.
const Bytef* bytes_of(std::string_view text) { return reinterpret_cast<const Bytef*>(text.data()); }
Bytef* bytes_of(std::string& text) { return reinterpret_cast<Bytef*>(text.data()); }

}  // namespace

std::string make_page(std::uint32_t number) {
  static constexpr std::array<std::string_view, 8> actions{"reads",   "writes", "opens",  "closes",
                                                           "deletes", "moves",  "copies", "links"};
  std::minstd_rand dice(number + 1);
  std::string page;
  for (auto lines = 60 + dice() % 60; lines != 0; --lines) {
    page += "user" + std::to_string(dice() % 50) + " ";
    page += actions[dice() % actions.size()];
    page += " /archive/" + std::to_string(dice() % 1000) + "/" + std::to_string(dice()) + "\n";
  }
  return page;
}

std::string squeeze(std::string_view page) {
  uLongf bytes = compressBound(page.size());
  std::string squeezed(bytes, '\0');
  if (compress2(bytes_of(squeezed), &bytes, bytes_of(page), page.size(), Z_BEST_SPEED) != Z_OK) throw std::bad_alloc();
  squeezed.resize(bytes);
  return squeezed;
}

std::string expand(std::string_view squeezed, std::size_t page_bytes) {
  std::string page(page_bytes, '\0');
  uLongf bytes = page_bytes;
  if (uncompress(bytes_of(page), &bytes, bytes_of(squeezed), squeezed.size()) != Z_OK || bytes != page_bytes) {
    throw std::runtime_error("this is no squeezed page of that size");
  }
  return page;
}
