#include "chord.hpp"

#include <memory>
#include <set>
#include <string>
#include <utility>

namespace router {
namespace {

using chord_set = std::shared_ptr<const std::set<std::string>>;

bool begins_one(const std::set<std::string>& chords, const std::string& keys) {
  const auto next = chords.lower_bound(keys + " ");
  return next != chords.end() && next->starts_with(keys + " ");
}

tact::behavior<recogniser> after_keys(const std::string& before, chord_set chords, tact::ref<gesture> to) {
  return {[=](tact::self<recogniser>& self, const input& m) {
    const trail way = m.way.then(node_of("chords"));
    if (m.what->kind != event_kind::key) return self.send(to, gesture{.last = m.what, .way = way});
    const std::string keys = before + key_name(*m.what);
    if (begins_one(*chords, keys)) {
      self.send(to, gesture{.last = m.what, .way = way});
      return self.become(after_keys(keys + " ", chords, to));
    }
    self.send(to, gesture{gesture_kind::chord, keys, m.what, 0, 0, way});
    if (!before.empty()) self.become(after_keys("", chords, to));
  }};
}

}  // namespace

std::string key_name(const event& e) {
  const bool is_named = e.text.size() > 1;
  std::string name;
  if ((e.modifiers & control) != 0) name += "Ctrl+";
  if ((e.modifiers & alt) != 0) name += "Alt+";
  if ((e.modifiers & shift) != 0 && (is_named || !name.empty())) name += "Shift+";
  name += e.text;
  return name;
}

tact::behavior<recogniser> chords_of_keys(std::set<std::string> chords, tact::ref<gesture> to) {
  return after_keys("", std::make_shared<const std::set<std::string>>(std::move(chords)), to);
}

}  // namespace router
