// Plain functions of the word count, without actors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

// Of words that lie in texts, which the caller keeps alive.
using counts = std::unordered_map<std::string_view, std::uint64_t>;
using ranking = std::vector<std::pair<std::string, std::uint64_t>>;  // the most frequent first

// A part of a text in small letters, which all parts keep alive together. It begins and ends between two words.
struct block {
  std::shared_ptr<const std::string> text;
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::string_view view() const { return std::string_view(*text).substr(begin, end - begin); }
};

// All regular files in these folders and below, and these files. Throws std::runtime_error that names what cannot be
// read.
std::vector<block> read_blocks(const std::vector<std::filesystem::path>& from, std::size_t block_bytes);

// Words are runs of letters and digits of ASCII; all other bytes lie between words.
void count_words(std::string_view text, counts& into);

// The first `most` of all; those that are as frequent in the order of the alphabet.
ranking rank(ranking all, std::size_t most);
