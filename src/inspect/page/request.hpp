// What a browser asks of a live page over its WebSocket: a flat JSON object whose values are texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tact::inspect {

class request_text {
 public:
  // Empty if it is anything else than {"name":"text",...} with eight members at most.
  [[nodiscard]] static std::optional<request_text> read(std::string_view json);

  // The text of the member; empty if there is none.
  [[nodiscard]] std::string_view operator[](std::string_view name) const noexcept;

 private:
  std::vector<std::pair<std::string, std::string>> members_;
};

}  // namespace tact::inspect
