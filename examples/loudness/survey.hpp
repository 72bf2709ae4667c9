// The whole job: finds the sound files, measures those that are not known in parallel, and keeps the results.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <vector>

#include <tact/statistics.hpp>

#include "options.hpp"
#include "result.hpp"

namespace loudness {

// The job was not finished: there are files without a result.
class survey_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct surveyed {
  std::vector<result> results;  // by path
  tact::statistics counted;
  std::chrono::duration<double> elapsed;
  std::optional<std::size_t> forgotten{};  // so many files, if that was asked for
};

// Throws survey_error, and what an archive throws.
surveyed survey(const options& asked);

// The time and the engine's statistics.
void write_stats(std::ostream& out, const surveyed& done);

}  // namespace loudness
