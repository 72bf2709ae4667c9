#include "walker.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "listing.hpp"

namespace loudness {
namespace {

shared_result unreadable(const std::filesystem::filesystem_error& error) {
  return std::make_shared<const result>(
      result{error.path1().string(), std::nullopt, "cannot be searched: " + error.code().message()});
}

}  // namespace

tact::behavior<walker> make_walker(tact::ref<shared_result> results) {
  return {[=](tact::self<walker>& self, const visit& m) {
    listing inside;
    try {
      inside = list_folder(m.folder);
    } catch (const std::filesystem::filesystem_error& error) {
      self.send(results, unreadable(error));
    }
    self.send(m.for_whom, found{std::move(inside.files), std::move(inside.folders), 1});
  }};
}

}  // namespace loudness
