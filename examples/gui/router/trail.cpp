#include "trail.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "layout.hpp"

namespace router {
namespace {

std::vector<std::string> make_names() {
  std::vector<std::string> names = {"dispatcher"};
  std::vector<std::string> gestures;
  for (const view_place& v : layout_of(0, 0)) {
    names.push_back(v.name);
    const bool is_leaf = v.name != "window" && v.name != "toolbar";
    if (is_leaf) gestures.push_back(v.name + " gestures");
  }
  names.insert(names.end(), gestures.begin(), gestures.end());
  for (const char* const name : {"chords", "commands", "document"}) names.emplace_back(name);
  return names;
}

}  // namespace

const std::vector<std::string>& node_names() {
  static const std::vector<std::string> names = make_names();
  return names;
}

node node_of(const std::string& name) {
  const auto& names = node_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument("there is no actor \"" + name + "\" in the graph");
  return static_cast<node>(found - names.begin());
}

}  // namespace router
