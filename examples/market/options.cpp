#include "options.hpp"

#include <charconv>
#include <stdexcept>
#include <string>
#include <system_error>

namespace market {
namespace {

std::uint64_t number(std::string_view name, std::string_view text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc() && end == text.data() + text.size() && n >= least && n <= most) return n;
  throw std::invalid_argument(std::string(name) + ' ' + std::string(text) + ": give a whole number from " +
                              std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

options parse_options(std::span<const char* const> arguments) {
  options o;
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    if (name == "--help") {
      o.help = true;
      continue;
    }
    if (name == "--inspect") {
      o.inspect = true;
      continue;
    }
    const auto value = [&](std::uint64_t least, std::uint64_t most) {
      if (i + 1 == arguments.size()) throw std::invalid_argument(std::string(name) + ": give a number behind it");
      return number(name, arguments[++i], least, most);
    };
    if (name == "--orders") {
      o.session.orders = value(1, 100'000'000);
    } else if (name == "--accounts") {
      o.by.accounts = value(1, 1'000'000);
    } else if (name == "--books") {
      o.by.books = value(1, symbols.size());
    } else if (name == "--feeds") {
      o.by.feeds = value(1, 1'000);
    } else if (name == "--ledgers") {
      o.by.ledgers = value(1, 1'000);
    } else if (name == "--workers") {
      o.workers = static_cast<unsigned>(value(1, 1'024));
    } else if (name == "--seed") {
      o.session.seed = value(0, ~std::uint64_t{0});
    } else if (name == "--simulate") {
      o.simulate = value(1, 1'000'000'000);
    } else {
      throw std::invalid_argument(std::string(name) + ": no such option; --help names them");
    }
  }
  return o;
}

std::string_view help_text() noexcept {
  return "market [--orders N] [--accounts N] [--books N] [--feeds N] [--ledgers N] [--workers N] [--seed S]\n"
         "       a day on a market, on threads, and its figures\n"
         "market --inspect ...\n"
         "       the same, shown in the browser, if it was built with tact-inspect\n"
         "market --simulate SEEDS ...\n"
         "       the same day in so many simulations: the figures are the same to the last order in each; and with\n"
         "       books that take orders as they come, of which a simulation finds that they are not\n";
}

}  // namespace market
