// Chords of keys, such as Ctrl+Z, or Ctrl+K and then Ctrl+D.
#pragma once

#include <set>
#include <string>

#include <tact/tact.hpp>

#include "event.hpp"
#include "gesture.hpp"

namespace router {

// "Ctrl+Shift+Z", "Escape", "p"
std::string key_name(const event& e);

// Makes a gesture of each chord. A key with which one of the given chords begins waits for the next key.
tact::behavior<recogniser> chords_of_keys(std::set<std::string> chords, tact::ref<gesture> to);

}  // namespace router
