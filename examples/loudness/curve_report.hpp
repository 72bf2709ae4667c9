// The curves of one file for people, for programs, and as a picture.
#pragma once

#include <iosfwd>
#include <string_view>

#include "loudness_curves.hpp"

namespace loudness {

// A line for each second; tabs between the columns.
void write_curves(std::ostream& out, const loudness_curves& shown);
// An object with all values; null for silence.
void write_curves_json(std::ostream& out, std::string_view path, const loudness_curves& shown);
// A document that browsers show.
void write_curves_svg(std::ostream& out, std::string_view path, const loudness_curves& shown);

}  // namespace loudness
