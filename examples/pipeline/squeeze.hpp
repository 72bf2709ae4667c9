// Plain functions of the pipeline, without actors: pages, and how they are made smaller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// A page of a log, of some thousand bytes; always the same for a number.
std::string make_page(std::uint32_t number);

// The same in fewer bytes, by zlib.
std::string squeeze(std::string_view page);
// The page again, which has so many bytes. Throws std::runtime_error for what squeeze has not made of one.
std::string expand(std::string_view squeezed, std::size_t page_bytes);
