// What clients send to a live page may be anything.
#include <random>
#include <string>
#include <vector>

#include "inspect/json_text.hpp"
#include "inspect/page/request.hpp"
#include "page_client.hpp"
#include "support/dice.hpp"
#include "tact/inspect/live_page.hpp"

namespace inspect_page_test {

namespace {

using namespace tact::support;
using tact::inspect::request_text;

const std::vector<std::string>& right_ones() {
  static const std::vector<std::string> all{R"({"token":"0123456789abcdef"})",
                                            R"({"do":"why","message":"108086391056891905"})", R"({})",
                                            R"( { "do" : "trace" , "x" : "\"\\\/\b\f\n\r\t\u0041" } )"};
  return all;
}

// Some bytes of it are others, gone, or there twice.
std::string mutated(std::string text, std::mt19937_64& random) {
  static constexpr std::string_view signs = "{}\":,\\u0aF \n\x00\x80\xFF";
  for (auto n = random() % 4 + 1; n != 0; --n) {
    const std::size_t at = random() % (text.size() + 1);
    switch (random() % 4) {
      case 0:
        text.insert(at, 1, signs[random() % signs.size()]);
        break;
      case 1:
        text.erase(at, random() % 5);
        break;
      case 2:
        text.insert(at, text.substr(random() % (text.size() + 1), random() % 20));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random());
    }
  }
  return text;
}

}  // namespace

TEST_CASE("live page requests: what is right is read, and means what it says") {
  for (const std::string& text : right_ones()) CHECK(request_text::read(text).has_value());
  const auto r = request_text::read(right_ones().back());
  REQUIRE(r.has_value());
  CHECK((*r)["do"] == "trace");
  CHECK((*r)["x"] == "\"\\/\b\f\n\r\tA");
  CHECK((*r)["y"].empty());
}

TEST_CASE("live page requests: what is no flat object of texts is refused") {
  for (const std::string text : {"", "{", "[]", "null", "{}x", "{\"a\"}", "{\"a\":}", "{\"a\":1}", "{\"a\":{}}",
                                 "{\"a\":\"b\",}", "{,}", "{\"a\":\"b", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}",
                                 "{\"a\":\"\\u1234\"}", "{\"a\":\"\\", "{\"a\":\"\n\"}", "{\"a\":\"b\"\"c\":\"d\"}"}) {
    INFO(text);
    CHECK_FALSE(request_text::read(text).has_value());
  }
  std::string many = "{";
  for (int i = 0; i < 9; ++i) many += (i == 0 ? "\"a\":\"b\"" : ",\"a\":\"b\"");
  CHECK_FALSE(request_text::read(many + '}').has_value());
}

TEST_CASE("live page requests: any change of a right one is read or refused, and is the same when written again") {
  std::mt19937_64 random(seed());
  std::size_t read = 0;
  const int times = scaled(200'000);
  for (int i = 0; i < times; ++i) {
    const std::string text = mutated(right_ones()[random() % right_ones().size()], random);
    const auto r = request_text::read(text);
    if (!r) continue;
    ++read;
    const std::string value((*r)["do"]);
    if (tact::inspect::as_utf8(value) != value) continue;
    const auto again = request_text::read("{\"do\":" + tact::inspect::json_text(value) + '}');
    if (!again || (*again)["do"] != value) FAIL(text);
  }
  CHECK(read > 0);
  CHECK(read < static_cast<std::size_t>(times));
}

TEST_CASE("live page: whatever bytes clients send, it goes on serving others") {
  tact::engine engine(quiet_options(1));
  const tact::inspect::live_page page(engine, {.clients = 64, .messages_per_second = 1000});
  const place at(page.url());
  std::mt19937_64 random(seed());
  const std::string request = "GET /socket HTTP/1.1\r\nHost: " + at.host() +
                              "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  for (int i = 0; i < scaled(600); ++i) {
    connection c(at.port);
    c.send(mutated(request, random));
    web_socket s(at);
    if (random() % 2 == 0) s.show(at);
    std::string frames;
    for (auto n = random() % 40; n != 0; --n) frames += static_cast<char>(random());
    s.send(mutated(R"({"do":"trace"})", random));
    s.send_bytes(frames);
  }
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\n"), Catch::Contains("200 OK"));
  web_socket socket(at);
  socket.show(at);
  CHECK_THAT(socket.next("snapshot").text, Catch::Contains("\"tact\":1"));
}

}  // namespace inspect_page_test
