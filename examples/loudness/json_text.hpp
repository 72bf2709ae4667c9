// Strings and numbers as JSON has them. JSON is UTF-8, file names are any bytes: what is not UTF-8 becomes U+FFFD.
#pragma once

#include <iosfwd>
#include <string_view>

namespace loudness {

void put_string(std::ostream& out, std::string_view text);
void put_number(std::ostream& out, double value, int decimals);

}  // namespace loudness
