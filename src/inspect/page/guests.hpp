// The connections to a live page: how many there are, which of them look, and what each must obey.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "inspect/page/checked_options.hpp"
#include "inspect/page/survey.hpp"

namespace tact::inspect {

class viewer;

// Thread safety: the thread of the server.
class guests {
 public:
  guests(const live_page_options& o, survey& tells) noexcept : options_(o), tells_(tells) {}

  void serve_at(unsigned port) { hosts_ = hosts_of(options_, port); }

  // A browser opens some connections beside the one by which it looks, each for one answer.
  [[nodiscard]] bool has_room() const noexcept { return connections_ < options_.clients * 4 + 8; }
  void came() noexcept { ++connections_; }
  void went() noexcept { --connections_; }

  [[nodiscard]] bool is_host(std::string_view host) const { return has(hosts_, host); }
  // A program that is no browser sends none; it must show the token, as all must.
  [[nodiscard]] bool is_origin(std::string_view origin) const {
    constexpr std::string_view scheme = "http://";
    return origin.empty() || (origin.starts_with(scheme) && has(hosts_, origin.substr(scheme.size())));
  }
  [[nodiscard]] bool knows_token(std::string_view given) const noexcept { return same_token(given, options_.token); }

  [[nodiscard]] bool has_seat() const noexcept { return viewers_.size() < options_.clients; }
  // The viewer has shown the token. REQUIRES: has_seat()
  void look(viewer& v) {
    viewers_.push_back(&v);
    if (viewers_.size() == 1 && first_came_) first_came_();
  }
  void look_away(viewer& v) noexcept {
    if (std::erase(viewers_, &v) != 0 && viewers_.empty()) tells_.forget();
  }
  [[nodiscard]] const std::vector<viewer*>& viewers() const noexcept { return viewers_; }
  void when_first_comes(std::function<void()> f) { first_came_ = std::move(f); }

  [[nodiscard]] const live_page_options& options() const noexcept { return options_; }
  [[nodiscard]] survey& tells() const noexcept { return tells_; }

 private:
  static bool has(const std::vector<std::string>& all, std::string_view one) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& each) {
      return std::equal(each.begin(), each.end(), one.begin(), one.end(),
                        [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b); });
    });
  }

  const live_page_options& options_;
  std::vector<std::string> hosts_;
  survey& tells_;
  unsigned connections_ = 0;
  std::vector<viewer*> viewers_;
  std::function<void()> first_came_;
};

}  // namespace tact::inspect
