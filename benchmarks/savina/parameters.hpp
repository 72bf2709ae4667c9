// Parameters of the Savina programs: those of the suite, and larger ones.
#pragma once

#include <string>

#include "programs/program.hpp"

namespace bench {

class savina_parameters {
 public:
  explicit savina_parameters(program& p)
      : program_(&p),
        larger_(p.choice("set", {"savina", "larger"}, "the parameters of the suite, or larger ones") == "larger") {}

  struct values {
    std::uint64_t savina;
    std::uint64_t larger;  // of Charousset's thesis, where it has the program
    std::uint64_t tiny;
  };
  std::uint64_t number(const std::string& name, values v, const char* text, std::uint64_t least = 1) {
    return program_->number(name, larger_ ? v.larger : v.savina, v.tiny, text, least);
  }
  [[nodiscard]] program& of() { return *program_; }

 private:
  program* program_;
  bool larger_;
};

}  // namespace bench
