#include "inspect/page/visit.hpp"

#include <sstream>
#include <string_view>
#include <utility>

#include "inspect/page/viewer.hpp"

namespace tact::inspect {

namespace {

using net::http::field;
using net::http::status;

constexpr std::uint32_t header_bytes = 8192;

std::string_view text_of(net::beast::string_view s) { return {s.data(), s.size()}; }

// A page of another site can neither frame the page nor read it, and a name of a user's runs no script.
std::string policy() {
  return std::string("default-src 'none'; script-src '") + live_page_script_hash + "'; style-src '" +
         live_page_style_hash +
         "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace

visit::visit(net::tcp::socket&& connection, guests& all) : all_(all), connection_(std::move(connection)) {
  all_.came();
  parser_.header_limit(header_bytes);
  parser_.body_limit(0);
}

visit::~visit() { all_.went(); }

// Each operation has its limit: one that sends a byte now and then is cut off.
void visit::begin() {
  connection_.expires_after(all_.options().time_limit);
  net::http::async_read(connection_, buffer_, parser_,
                        [self = shared_from_this()](net::error e, std::size_t) { self->heard(e); });
}

void visit::heard(net::error e) {
  if (e == net::http::error::header_limit || e == net::http::error::body_limit)
    return refuse(status::payload_too_large, "The request is too large.");
  if (e) return;
  const net::request& r = parser_.get();
  if (r.count(field::host) != 1 || !all_.is_host(text_of(r[field::host])))
    return refuse(status::misdirected_request,
                  "The address in the browser is none of those of this page. The program names further ones by "
                  "live_page_options.hosts.");
  if (r.count(field::origin) > 1 || !all_.is_origin(text_of(r[field::origin])))
    return refuse(status::forbidden, "A page of another site may not look.");
  if (r.method() != net::http::verb::get) return refuse(status::method_not_allowed, "There is GET only.");
  if (r.target() == "/") return send_page();
  if (r.target() == "/trace.json") return send_trace();
  if (r.target() != "/socket") return refuse(status::not_found, "There is no such page.");
  if (!net::websocket::is_upgrade(r)) return refuse(status::upgrade_required, "This is for a WebSocket.");
  std::make_shared<viewer>(std::move(connection_), all_)->begin(r);
}

void visit::refuse(status s, std::string_view why) { answer(s, "text/plain; charset=utf-8", std::string(why) + '\n'); }

void visit::send_page() {
  std::string all;
  for (std::size_t i = 0; i != live_page_parts_count; ++i) all += live_page_parts[i];
  answer(status::ok, "text/html; charset=utf-8", std::move(all));
}

void visit::send_trace() {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view given = text_of(parser_.get()[field::authorization]);
  if (!given.starts_with(scheme) || !all_.knows_token(given.substr(scheme.size())))
    return refuse(status::unauthorized, "The token is wrong.");
  const auto steps = all_.tells().latest_trace();
  if (!steps) return refuse(status::not_found, "The program has given the page no tact::inspect::recorder.");
  std::ostringstream text;
  steps->write_chrome_json(text);
  answer(status::ok, "application/json", std::move(text).str());
}

void visit::answer(status s, std::string_view type, std::string body) {
  // Bytes a second: a tenth of what a poor network carries. A trace has some 10 MB, so it gets ten seconds more.
  constexpr std::size_t slowest = 1'000'000;
  connection_.expires_after(all_.options().time_limit + std::chrono::seconds(body.size() / slowest));
  response_.result(s);
  response_.version(11);
  response_.keep_alive(false);
  response_.set(field::content_type, std::string(type));
  response_.set("Content-Security-Policy", policy());
  response_.set("X-Content-Type-Options", "nosniff");
  response_.set("X-Frame-Options", "DENY");
  response_.set("Referrer-Policy", "no-referrer");
  response_.set("Cross-Origin-Resource-Policy", "same-origin");
  response_.set("Cross-Origin-Opener-Policy", "same-origin");
  response_.set(field::cache_control, "no-store");
  response_.body() = std::move(body);
  response_.prepare_payload();
  net::http::async_write(connection_, response_, [self = shared_from_this()](net::error, std::size_t) {
    net::error ignored;
    self->connection_.socket().shutdown(net::tcp::socket::shutdown_send, ignored);
  });
}

}  // namespace tact::inspect
