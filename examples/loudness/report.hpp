// What the program shows in the end: a table for people or JSON for programs.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"
#include "result.hpp"

namespace loudness {

// What stands higher comes first: minus infinity where there is no figure, and the same for all by path.
double sort_value(const result& row, sort_key key) noexcept;

// By path, or by a figure: the highest first, files without it last, equals by path.
void sort_results(std::vector<result>& results, sort_key key);

void write_table(std::ostream& out, const std::vector<result>& results);
// The table without its last line.
void write_rows(std::ostream& out, const std::vector<result>& results);
void write_json(std::ostream& out, const std::vector<result>& results);
// The file as an object of JSON.
void put_json(std::ostream& out, const result& row);

// For a terminal: control characters of a file name would move the cursor, so they become '?'.
std::string printable(std::string_view text);
// "1:02:03.4"
std::string duration_text(double seconds);
// "1 file", "2 files"
std::string count_of(std::size_t count, std::string_view noun);
double total_duration_s(const std::vector<result>& results);

}  // namespace loudness
