// What is said of bytes that cannot be read.
#pragma once

#include <string>

#include "codec/everything.hpp"
#include "tact/codec/decode_error.hpp"

namespace tact::codec_tests {

// The text of the decode_error that `call` throws; "" if it throws none.
template <class F>
std::string fault_of(F call) {
  try {
    call();
    return {};
  } catch (const decode_error& e) {
    return e.what();
  }
}

}  // namespace tact::codec_tests
