#include "text.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace {

// Not those of <cctype>, which ask for the locale.
constexpr bool is_in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
constexpr char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::vector<fs::path> files_in(const std::vector<fs::path>& from) {
  std::vector<fs::path> all;
  for (const fs::path& p : from) {
    if (!fs::exists(p)) throw std::runtime_error(p.string() + " is not there: name files or folders with text");
    if (!fs::is_directory(p)) {
      all.push_back(p);
      continue;
    }
    for (const auto& below : fs::recursive_directory_iterator(p)) {
      if (below.is_regular_file()) all.push_back(below.path());
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

std::vector<block> read_blocks(const std::vector<fs::path>& from, std::size_t block_bytes) {
  std::vector<block> all;
  for (const fs::path& p : files_in(from)) {
    std::ostringstream bytes;
    std::ifstream file(p, std::ios::binary);
    if (!file) throw std::runtime_error(p.string() + " cannot be opened: may you read it?");
    bytes << file.rdbuf();
    std::string letters = std::move(bytes).str();
    std::transform(letters.begin(), letters.end(), letters.begin(), small);
    const auto text = std::make_shared<const std::string>(std::move(letters));
    for (std::size_t begin = 0; begin < text->size();) {
      std::size_t end = std::min(begin + block_bytes, text->size());
      while (end < text->size() && is_in_word((*text)[end])) ++end;
      all.push_back({text, begin, end});
      begin = end;
    }
  }
  return all;
}

void count_words(std::string_view text, counts& into) {
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    std::size_t end = begin;
    while (end < text.size() && is_in_word(text[end])) ++end;
    if (end != begin) ++into[text.substr(begin, end - begin)];
    begin = end;
  }
}

ranking rank(ranking all, std::size_t most) {
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), end, all.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  all.erase(end, all.end());
  return all;
}
