#include "inspect/page/viewer.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "inspect/page/request.hpp"

namespace tact::inspect {

namespace {

using net::websocket::close_code;

// Of answers that were asked for.
constexpr std::size_t answers_most = 8;

}  // namespace

viewer::viewer(net::beast::tcp_stream&& connection, guests& all)
    : all_(all),
      socket_(std::move(connection)),
      limit_(socket_.get_executor()),
      credit_(all.options().messages_per_second) {
  all_.came();
}

viewer::~viewer() {
  all_.look_away(*this);
  all_.went();
}

void viewer::begin(const net::request& r) {
  using net::websocket::stream_base;
  net::beast::get_lowest_layer(socket_).expires_never();  // from here on by the next lines
  stream_base::timeout limits = stream_base::timeout::suggested(net::beast::role_type::server);
  limits.handshake_timeout = all_.options().time_limit;
  limits.idle_timeout = std::chrono::seconds(60);
  limits.keep_alive_pings = true;
  socket_.set_option(limits);
  socket_.read_message_max(all_.options().message_bytes);
  socket_.text(true);
  socket_.async_accept(r, [self = shared_from_this()](net::error e) {
    if (e) return;
    self->limit_.expires_after(self->all_.options().time_limit);
    self->limit_.async_wait([self](net::error stopped) {
      if (!stopped && !self->has_token_) self->close(close_code::policy_error, "no token came in time");
    });
    self->read();
  });
}

void viewer::read() {
  socket_.async_read(buffer_, [self = shared_from_this()](net::error e, std::size_t) { self->heard(e); });
}

void viewer::heard(net::error e) {
  if (e && !written_) limit_.cancel();  // the browser has gone, and no token comes any more
  if (e || is_closing_) return;
  const auto bytes = buffer_.data();
  const std::string_view text(static_cast<const char*>(bytes.data()), bytes.size());
  if (is_too_fast()) return close(close_code::policy_error, "too many messages");
  has_token_ ? obey(text) : check_token(text);
  buffer_.consume(buffer_.size());
  if (!is_closing_) read();
}

// A bucket that fills with time and holds what may come in a second.
bool viewer::is_too_fast() {
  const auto now = std::chrono::steady_clock::now();
  const double most = all_.options().messages_per_second;
  const std::chrono::duration<double> passed = now - credit_at_;
  credit_ = std::min(most, credit_ + passed.count() * most) - 1;
  credit_at_ = now;
  return credit_ < 0;
}

void viewer::check_token(std::string_view text) {
  const auto request = request_text::read(text);
  if (!request || !all_.knows_token((*request)["token"])) return close(close_code::policy_error, "wrong token");
  if (!all_.has_seat()) return close(close_code::try_again_later, "too many browsers look already");
  has_token_ = true;
  limit_.cancel();
  tell(std::make_shared<const std::string>(all_.tells().hello()));
  all_.look(*this);
}

void viewer::obey(std::string_view text) {
  const auto request = request_text::read(text);
  if (!request) return close(close_code::bad_payload, "no request");
  if (answers_.size() >= answers_most) return close(close_code::policy_error, "answers are not taken");
  tell(std::make_shared<const std::string>(all_.tells().answer(*request)));
}

void viewer::show(std::shared_ptr<const std::string> snapshot) {
  snapshot_ = std::move(snapshot);
  write();
}

void viewer::tell(std::shared_ptr<const std::string> text) {
  answers_.push_back(std::move(text));
  write();
}

void viewer::write() {
  if (written_ || is_closing_) return;
  if (!answers_.empty()) {
    written_ = std::move(answers_.front());
    answers_.pop_front();
  } else {
    written_ = std::exchange(snapshot_, nullptr);
  }
  if (!written_) return;
  limit_.expires_after(all_.options().time_limit);
  limit_.async_wait([self = shared_from_this()](net::error stopped) {
    if (!stopped) net::beast::get_lowest_layer(self->socket_).close();
  });
  socket_.async_write(net::asio::buffer(*written_),
                      [self = shared_from_this()](net::error e, std::size_t) { self->wrote(e); });
}

void viewer::wrote(net::error e) {
  written_ = nullptr;
  if (is_closing_) return;
  limit_.cancel();
  if (!e) write();
}

// A write may be under way, which goes before.
void viewer::close(close_code code, const char* why) {
  if (std::exchange(is_closing_, true)) return;
  all_.look_away(*this);
  limit_.expires_after(all_.options().time_limit);
  limit_.async_wait([self = shared_from_this()](net::error stopped) {
    if (!stopped) net::beast::get_lowest_layer(self->socket_).close();
  });
  socket_.async_close({code, why}, [self = shared_from_this()](net::error) { self->limit_.cancel(); });
}

}  // namespace tact::inspect
