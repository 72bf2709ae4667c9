// The actor that keeps the results: an immutable map behind `become`.
#pragma once

#include <memory>
#include <string>

#include <tact/data/map.hpp>
#include <tact/tact.hpp>

#include "result.hpp"

namespace loudness {

using shared_result = std::shared_ptr<const result>;
using result_map = tact::map<std::string, shared_result>;  // by path

struct all_results {
  using reply = result_map;
};

struct catalog : tact::protocol<shared_result, tact::request<all_results>> {};

tact::behavior<catalog> make_catalog(result_map known = {});

}  // namespace loudness
