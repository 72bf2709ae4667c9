// The options of a live page, after they were found to make sense.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/inspect/live_page.hpp"

namespace tact::inspect {

// Returns them with a token. Throws option_error.
[[nodiscard]] live_page_options checked(live_page_options given);

// The values of the header Host that browsers send which were led to the page by its user, and by nothing else: a name
// of another site may stand for the same address.
[[nodiscard]] std::vector<std::string> hosts_of(const live_page_options& o, unsigned port);

// The address of the page without the token: "http://127.0.0.1:41213/".
[[nodiscard]] std::string place_of(const live_page_options& o, unsigned port);

// Looks at all characters, so that the time it takes does not tell how many are right.
[[nodiscard]] bool same_token(std::string_view given, std::string_view right) noexcept;

}  // namespace tact::inspect
