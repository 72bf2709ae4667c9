// The sizes in which blocks are pooled. The size of an object is known when it is compiled, and so is its class.
#pragma once

#include <cstddef>

#include "tact/detail/abi.hpp"  // IWYU pragma: keep

namespace tact::detail {

// Blocks of one class have the same size, so one that was freed can be used for another object.
using block_class = unsigned char;

inline constexpr std::size_t block_step_bytes = 32;
inline constexpr block_class block_classes = 16;           // up to 512 bytes
inline constexpr block_class large_block = block_classes;  // not pooled
inline constexpr block_class for_closure = 0x80;           // beside a class: see allocate_pooled

constexpr block_class class_of_block(std::size_t bytes) noexcept {
  const std::size_t steps = bytes == 0 ? 0 : (bytes - 1) / block_step_bytes;
  return steps < block_classes ? static_cast<block_class>(steps) : large_block;
}
constexpr std::size_t bytes_of_block(block_class c) noexcept { return (c + std::size_t{1}) * block_step_bytes; }

}  // namespace tact::detail
