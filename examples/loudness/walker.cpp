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

tact::behavior<walker> make_walker(tact::ref<found> agenda, tact::ref<shared_result> results) {
  return {[=](tact::self<walker>& self, const visit& m) {
    try {
      listing inside = list_folder(m.folder);
      for (const std::filesystem::path& folder : inside.folders) self.send(self.ref(), visit{folder});
      if (!inside.files.empty()) self.send(agenda, found{std::move(inside.files)});
    } catch (const std::filesystem::filesystem_error& error) {
      self.send(results, unreadable(error));
    }
  }};
}

}  // namespace loudness
