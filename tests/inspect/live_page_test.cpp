// What a live page tells, and to which clients.
#include "tact/inspect/live_page.hpp"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "page_client.hpp"
#include "tact/patterns/supervisor.hpp"
#include "tact/patterns/topic.hpp"
#include "tact/simulation.hpp"

namespace inspect_page_test {

namespace {

using namespace tact::support;
using Catch::Contains;
using tact::inspect::live_page;
using tact::inspect::live_page_options;

struct word {};

tact::behavior<word> deaf() {
  return [](auto&, const word&) {};
}

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator all("/proc/self/task");
  return std::distance(begin(all), end(all));
}

}  // namespace

TEST_CASE("live page: tells a browser that shows the token what the engine does") {
  tact::engine engine(quiet_options(2));
  const auto actor = engine.create(deaf(), tact::named("\xFF\"<b>"), tact::mailbox_limit{.messages = 10});
  for (int i = 0; i < 5; ++i) engine.send(actor, word{});
  require_idle(engine);
  const live_page page(engine);
  const place at(page.url());
  web_socket socket(at, "http://" + at.host());
  REQUIRE(socket.is_open());
  socket.show(at);
  const frame hello = socket.next();
  CHECK_THAT(hello.text, Contains("\"tact\":1,\"kind\":\"hello\"") && Contains("\"control\":false") &&
                             Contains("\"recorder\":false") && Contains("\"seats\":[{\"processing_unit\":"));
  const frame told = socket.next("snapshot");
  CHECK_THAT(told.text, Contains("\"messages_sent\":5,") && Contains("\"commits\":5,"));
  CHECK_THAT(told.text, Contains("\"types\":[{\"actor\":\"word\",\"alive\":1,"));
  // A name that is no UTF-8 and has signs of JSON and HTML in it.
  CHECK_THAT(told.text, Contains("\"mailboxes\":[{\"actor\":\"\xEF\xBF\xBD\\\"\\u003cb> ("));
}

TEST_CASE("live page: only its own addresses lead to it") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine, {.hosts = {"build7.example", "far.example:9000"}});
  const place at(page.url());
  const std::string port = ':' + std::to_string(at.port);
  const auto status = [&](const std::string& headers) { return get(at, headers).substr(0, 12); };
  for (const std::string& host : {"127.0.0.1" + port, "localhost" + port, "LOCALHOST" + port, "build7.example" + port,
                                  std::string("far.example:9000")}) {
    INFO(host);
    CHECK(status("Host: " + host + "\r\n") == "HTTP/1.1 200");
  }
  for (const std::string& host : std::initializer_list<std::string>{
           "127.0.0.1.evil.example" + port, "evil.example" + port, std::string("127.0.0.1"), "127.0.0.1" + port + "0",
           std::string("127.0.0.1:1"), "127.0.0.2" + port, "[::1]" + port, "far.example" + port, std::string()}) {
    INFO(host);
    CHECK(status("Host: " + host + "\r\n") == "HTTP/1.1 421");
  }
  CHECK(status("") == "HTTP/1.1 421");
  CHECK(status("Host: " + at.host() + "\r\nHost: evil.example\r\n") == "HTTP/1.1 421");
}

TEST_CASE("live page: no page of another site gets a WebSocket") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine);
  const place at(page.url());
  for (const std::string origin : {"http://evil.example", "http://127.0.0.1.evil.example:80", "null",
                                   "https://127.0.0.1", "http://127.0.0.1:1", "file://"}) {
    INFO(origin);
    CHECK_THAT(web_socket(at, origin).answer(), Contains("403"));
  }
  CHECK_THAT(web_socket(at, "https://" + at.host()).answer(), Contains("403"));
  CHECK(web_socket(at, "http://localhost:" + std::to_string(at.port)).is_open());
}

TEST_CASE("live page: tells nothing before the token, and nothing to a client with a wrong one") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine, {.token = "correct-horse-battery"});
  const place at(page.url());
  CHECK(at.token == "correct-horse-battery");
  for (const std::string& said : std::initializer_list<std::string>{
           R"({"token":"correct-horse-batterz"})", R"({"token":""})", R"({"token":"correct-horse"})",
           R"({"token":"correct-horse-battery-and-more"})", R"({"do":"trace"})", R"({})", R"(correct-horse-battery)"}) {
    INFO(said);
    web_socket socket(at);
    REQUIRE(socket.is_open());
    socket.send(said);
    const frame f = socket.next();
    CHECK(f.kind == 8);
    CHECK(f.code == 1008);
  }
  // The address of a page is seen by others: no token in it.
  CHECK_THAT(web_socket(at, "", "/socket?token=" + at.token).answer(), Contains("404"));
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\n", "/trace.json"), Contains("401"));
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\nAuthorization: Bearer correct-horse-batterz\r\n", "/trace.json"),
             Contains("401"));
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\nAuthorization: Bearer " + at.token + "\r\n", "/trace.json"),
             Contains("404") && Contains("tact::inspect::recorder"));
}

TEST_CASE("live page: two pages have two tokens of 128 bits") {
  tact::engine engine(quiet_options(1));
  const live_page one(engine);
  const live_page other(engine);
  CHECK(place(one.url()).token.size() == 32);
  CHECK(place(one.url()).token != place(other.url()).token);
  CHECK(place(one.url()).port != place(other.url()).port);
}

TEST_CASE("live page: its answer tells the browser to let in no other site and no other script") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine);
  const place at(page.url());
  const std::string answer = get(at, "Host: " + at.host() + "\r\n");
  CHECK_THAT(answer, Contains("Content-Security-Policy: default-src 'none'; script-src 'sha256-") &&
                         Contains("connect-src 'self'") && Contains("base-uri 'none'") &&
                         Contains("frame-ancestors 'none'") && Contains("X-Content-Type-Options: nosniff") &&
                         Contains("Referrer-Policy: no-referrer") && Contains("Cache-Control: no-store"));
  CHECK_THAT(answer, !Contains(at.token));
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\n", "/", "POST"), Contains("405"));
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\n", "/../etc/passwd"), Contains("404"));
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\n", "/socket"), Contains("426"));
}

TEST_CASE("live page: cuts off a client that sends its request too slowly, or shows no token in time") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine, {.time_limit = std::chrono::milliseconds(200)});
  const place at(page.url());
  connection slow(at.port);
  slow.send("GET / HT");
  CHECK(slow.rest().empty());
  connection silent(at.port);
  CHECK(silent.rest().empty());
  web_socket without_token(at);
  REQUIRE(without_token.is_open());
  CHECK(without_token.next().code == 1008);
  CHECK_THAT(get(at, "Host: " + at.host() + "\r\n"), Contains("200"));
}

TEST_CASE("live page: one browser too many is told so, and has room when another goes") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine, {.clients = 2});
  const place at(page.url());
  web_socket first(at);
  first.show(at);
  CHECK_THAT(first.next().text, Contains("hello"));
  {
    web_socket second(at);
    second.show(at);
    CHECK_THAT(second.next().text, Contains("hello"));
    web_socket third(at);
    third.show(at);
    CHECK(third.next().code == 1013);
  }
  // The server hears of their end when it hears of it.
  bool has_room = false;
  while (!has_room) {
    web_socket again(at);
    again.show(at);
    has_room = again.next().kind == 1;
  }
  CHECK(first.next("snapshot").kind == 1);
}

TEST_CASE("live page: a message that is too long, and one too many, end the connection") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine, {.message_bytes = 256, .messages_per_second = 5});
  const place at(page.url());
  web_socket talks(at);
  talks.show(at);
  CHECK_THAT(talks.next().text, Contains("hello"));
  talks.send("{\"do\":\"" + std::string(300, 'x') + "\"}");
  CHECK(talks.next("none").code == 1009);
  web_socket hurries(at);
  hurries.show(at);
  for (int i = 0; i < 20; ++i) hurries.send(R"({"do":"trace"})");
  CHECK(hurries.next("none").code == 1008);
}

TEST_CASE("live page: it switches the recorder only where that is allowed") {
  tact::engine engine(quiet_options(1));
  tact::inspect::recorder recorder(engine);
  const auto actor = engine.create(deaf());
  engine.send(actor, word{});
  require_idle(engine);
  for (const bool is_allowed : {false, true}) {
    recorder.start();
    const live_page page(engine, recorder, {.allow_control = is_allowed});
    const place at(page.url());
    web_socket socket(at);
    socket.show(at);
    socket.send(R"({"do":"stop"})");
    CHECK(socket.next(is_allowed ? "switched" : "problem").kind == 1);
    CHECK(recorder.is_on() != is_allowed);
    socket.send(R"({"do":"trace"})");
    std::ostringstream name;
    name << actor;
    CHECK_THAT(socket.next("trace").text, Contains("\"kinds\":[[0,0,1,") && Contains("\"sends\":[[") &&
                                              Contains("\"word\"") && Contains('"' + name.str() + '"'));
    socket.send(R"({"do":"why","message":"no number"})");
    CHECK(socket.next("problem").kind == 1);
    const std::string file =
        get(at, "Host: " + at.host() + "\r\nAuthorization: Bearer " + at.token + "\r\n", "/trace.json");
    CHECK_THAT(file, Contains("200 OK") && Contains("\"thread_name\""));
  }
}

TEST_CASE("live page: it ends while browsers look, and leaves no thread") {
  tact::engine engine(quiet_options(1));
  const auto before = threads_of_this_process();
  auto page = std::make_unique<live_page>(engine, live_page_options{.snapshots_per_second = 60});
  const place at(page->url());
  web_socket looks(at);
  looks.show(at);
  CHECK(looks.next("snapshot").kind == 1);
  web_socket has_not_shown_it(at);
  connection silent(at.port);
  REQUIRE(silent.is_open());
  page.reset();
  CHECK(looks.next("none").kind == 8);
  CHECK(silent.rest().empty());
  CHECK(threads_of_this_process() == before);
  CHECK_FALSE(connection(at.port).is_open());
}

TEST_CASE("live page: as long as no browser looks it reads nothing of the engine") {
  tact::engine engine(quiet_options(1));
  const auto actor = engine.create(deaf());
  const live_page page(engine, {.snapshots_per_second = 60});
  const place at(page.url());
  web_socket without_token(at);
  // A third of a second passes, in which it could have read the engine twenty times.
  [[maybe_unused]] const auto timer = engine.send_after(std::chrono::milliseconds(330), actor, word{});
  while (engine.statistics().timers_fired == 0) CHECK_THAT(get(at, "Host: " + at.host() + "\r\n"), Contains("200"));
  web_socket socket(at);
  socket.show(at);
  CHECK_THAT(socket.next("snapshot").text, Contains("\"number\":1,"));
}

TEST_CASE("live page: tells what the engine holds beside its actors to a browser that asks") {
  tact::engine engine(quiet_options(1));
  tact::scope outer(engine, tact::named("\xFF\"<i>"));
  tact::scope inner(engine, outer);
  const auto member = inner.create(deaf(), tact::named("a member"));
  tact::supervisor feeds(engine, {.strategy = tact::restart_strategy::one_for_all, .name = "feeds"});
  const auto feed =
      feeds.create(tact::restarting([] {
                     return tact::behavior<word>([](auto&, const word&) { throw std::runtime_error("torn"); });
                   }),
                   tact::permanent, tact::named("feed 1"));
  engine.send(feed, word{});
  const auto topic = engine.create(tact::topic<word>(), tact::named("prices"));
  engine.ask(topic, tact::subscribe_topic<word>{member});
  const auto timer = engine.send_after(std::chrono::hours(2), member, word{});
  require_idle(engine);
  const live_page page(engine);
  const place at(page.url());
  web_socket socket(at);
  socket.show(at);
  socket.send(R"({"do":"structure"})");
  CHECK_THAT(socket.next("structure").text,
             Contains(R"("scopes_open":2,"scopes":[{"depth":0,"name":")"
                      "\xEF\xBF\xBD"
                      R"(\"\u003ci>","members":0,"ends":false,"some":[]})") &&
                 Contains(R"({"depth":1,"name":"","members":1,"ends":false,"some":["a member ()") &&
                 Contains(R"("supervision_trees":1,"supervised":[{"depth":0,"supervisor":true,"name":"feeds",)"
                          R"("kind":"one for all, 3 within 5000 ms","children":1,"restarts":1,"last_failure":"",)"
                          R"("ends":false,"failed":false},{"depth":1,"supervisor":false,"name":"feed 1",)"
                          R"("kind":"permanent","children":0,"restarts":1,"last_failure":"torn",)") &&
                 Contains(R"("topics_alive":1,"topics":[{"actor":"prices ()") && Contains(R"("subscribers":1})") &&
                 Contains(R"("timers_known":true,"timers":[{"left_ms":71)") && Contains(R"("message":"word"})"));
  CHECK(timer.cancel());
}

TEST_CASE("live page: an engine that has ended can still be looked at") {
  tact::engine engine(quiet_options(1));
  const live_page page(engine);
  engine.drain();
  const place at(page.url());
  web_socket socket(at);
  socket.show(at);
  CHECK(socket.next("snapshot").kind == 1);
}

TEST_CASE("live page: it names the option that makes no sense, and the remedy") {
  tact::engine engine(quiet_options(1));
  const auto wrong = [&](const live_page_options& o, const std::string& text) {
    INFO(text);
    CHECK_THROWS_AS(live_page(engine, o), tact::option_error);
    CHECK_THROWS_WITH(live_page(engine, o), Contains(text));
  };
  wrong({.address = "localhost"}, "address = \"localhost\": give an address in numbers");
  wrong({.address = "0.0.0.0"}, "needs live_page_options.hosts");
  wrong({.hosts = {"http://build7"}}, "hosts = \"http://build7\": give a name such as");
  wrong({.hosts = {"*"}}, "hosts");
  wrong({.token = "short"}, "token = (secret): give 16 to 128");
  wrong({.token = "0123456789abcdef&more"}, "token");
  const live_page page(engine);
  const place at(page.url());
  CHECK_THROWS_AS(live_page(engine, {.port = at.port}), std::system_error);
  CHECK_THROWS_WITH(live_page(engine, {.port = at.port}),
                    Contains("port = " + std::to_string(at.port)) && Contains("another program listens there"));
  CHECK_THROWS_WITH(live_page(engine, {.address = "192.0.2.1", .hosts = {"a.example"}}), Contains("address"));
}

TEST_CASE("live page: a simulation has none") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  CHECK_THROWS_WITH(live_page(engine), Contains("tact::inspect::recorder"));
}

}  // namespace inspect_page_test
