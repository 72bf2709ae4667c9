// The actor that writes the table to a file. It may wait for a disk or a network, so it is made with tact::blocking.
#pragma once

#include <string>

#include <tact/tact.hpp>

#include "table_rows.hpp"

namespace loudness {

// A line for the person.
struct notice {
  std::string text{};
  bool is_error = false;
};

// As JSON if the name ends in .json, else as the text for people. An existing file is replaced.
struct write_report {
  std::string file;
  table_rows rows;
};

struct report_writer : tact::protocol<write_report> {};

tact::behavior<report_writer> make_report_writer(tact::ref<notice> told);

}  // namespace loudness
