#include "tools/modelled/symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace tact::modelled {
namespace {

std::string by_linker(std::uintptr_t place) {
  Dl_info found{};
  char bare[24];
  std::snprintf(bare, sizeof bare, "0x%zx", static_cast<std::size_t>(place));
  if (::dladdr(reinterpret_cast<const void*>(place), &found) == 0 || found.dli_sname == nullptr) return bare;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(found.dli_sname, nullptr, nullptr, &status), &std::free);
  return text == nullptr ? found.dli_sname : text.get();
}

// Without the arguments of the function, and without the folders of the file.
std::string shortened(std::string function, std::string_view at) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t found; (found = function.find(unnamed)) != std::string::npos;) function.erase(found, unnamed.size());
  if (function.find("operator") == std::string::npos) {
    int depth = 0;  // of the arguments of templates, which have brackets of their own
    for (std::size_t i = 0; i < function.size(); ++i) {
      depth += function[i] == '<' ? 1 : function[i] == '>' ? -1 : 0;
      if (function[i] != '(' || depth != 0 || i == 0) continue;
      function.resize(i);
      break;
    }
  }
  if (const auto folder = at.rfind('/'); folder != std::string_view::npos) at.remove_prefix(folder + 1);
  if (const auto note = at.find(" (discriminator"); note != std::string_view::npos) at = at.substr(0, note);
  return function + " (" + std::string(at) + ")";
}

// Reads a line without its end. False: there is none.
bool read_line(std::FILE* from, std::string& line) {
  line.clear();
  for (int c; (c = std::fgetc(from)) != EOF;) {
    if (c == '\n') return true;
    line.push_back(static_cast<char>(c));
  }
  return !line.empty();
}

// One place, from the answer of addr2line: the innermost function that is not one of the standard library. What comes
// after the place stays in `line`.
std::string read_name(std::FILE* from, std::string& line) {
  std::string name;
  bool is_of_library = true;
  while (read_line(from, line) && !line.starts_with("0x")) {
    std::string at;
    if (!read_line(from, at)) break;
    if (!is_of_library) continue;
    is_of_library = at.find("/include/c++/") != std::string::npos;
    name = line == "??" ? "" : shortened(line, at);
  }
  return name;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<std::uintptr_t>& places) {
  std::vector<std::string> names;
  Dl_info found{};
  link_map* program = nullptr;  // which has this function, too
  const bool is_found = ::dladdr1(reinterpret_cast<const void*>(&names_of), &found, reinterpret_cast<void**>(&program),
                                  RTLD_DL_LINKMAP) != 0;
  if (!places.empty() && is_found) {
    const std::uintptr_t base = program->l_addr;
    std::string command = "addr2line -a -i -C -f -e /proc/" + std::to_string(::getpid()) + "/exe";
    for (const std::uintptr_t place : places) {
      std::array<char, 24> text{};
      // An address of return is that of the next instruction.
      std::snprintf(text.data(), text.size(), " %zx", static_cast<std::size_t>(place - base - 1));
      command += text.data();
    }
    if (std::FILE* const out = ::popen((command + " 2>/dev/null").c_str(), "r")) {
      std::string line;
      if (read_line(out, line))
        while (names.size() < places.size() && line.starts_with("0x")) {
          const std::string name = read_name(out, line);
          names.push_back(name.empty() ? by_linker(places[names.size()]) : name);
        }
      ::pclose(out);
    }
  }
  while (names.size() < places.size()) names.push_back(by_linker(places[names.size()]));
  return names;
}

}  // namespace tact::modelled
