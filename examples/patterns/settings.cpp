// Settings that are read from a file when they are first wanted. Ten desks want them at the same time, and the file is
// read once. Before that the file is missing: the desk that wants the settings then is told so, and the next time they
// are wanted the file is looked for again, so the program need not be started anew.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <tact/patterns/lazy.hpp>
#include <tact/patterns/with_file.hpp>
#include <tact/tact.hpp>
#include <vector>

namespace {

struct read_settings {
  using reply = std::string;
};
using settings = tact::ref<tact::request<tact::value_of<std::string>>>;

struct greet {
  using reply = std::string;
  std::string name;
};

// Greets with the word that the settings say.
tact::behavior<tact::request<greet>> open_desk(settings from) {
  return {[from](auto& self, const tact::request<greet>& m) {
    self.defer(m);
    self.ask(
        from, tact::value_of<std::string>{},
        [m](tact::transaction& tx, const std::string& word) { tx.reply(m, word + ", " + m.body.name); },
        [m](tact::transaction& tx, const tact::failure& f) { tx.fail(m, f); });
  }};
}

std::string first_word(tact::open_file& file) {
  std::string word;
  for (int c = 0; (c = std::getc(file.stream())) > ' ';) word += static_cast<char>(c);
  return word;
}

void write(const std::string& path, const char* text) {
  tact::open_file file(path, "w");
  if (std::fputs(text, file.stream()) < 0) throw std::runtime_error("the settings cannot be written");
  file.close();
}

}  // namespace

int main() {
  const std::string path = "tact_example_settings.txt";
  static_cast<void>(std::remove(path.c_str()));
  int reads = 0;  // only the actor that reads writes it
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // that the file is missing is told to the desk that asks
  tact::engine engine(options);
  const auto read = [&reads](tact::open_file& file, const auto&) {
    ++reads;
    return first_word(file);
  };
  const auto reader = engine.create(tact::with_file<read_settings>(path, "r", read), tact::blocking);
  const settings known = engine.create(tact::lazy(reader, read_settings{}));
  std::vector<tact::ref<tact::request<greet>>> desks;
  for (int i = 0; i != 10; ++i) desks.push_back(engine.create(open_desk(known)));

  std::string why;
  try {
    engine.ask(desks.front(), greet{"Ann"});
  } catch (const tact::ask_error& e) {
    why = e.what();
  }
  std::printf("without the file: %s\n", why.c_str());

  write(path, "Hello\n");
  const auto greetings = engine.ask_all(desks, greet{"Bob"});
  write(path, "Goodbye\n");  // not read any more
  const auto last = engine.ask(desks.back(), greet{"Cid"});
  std::printf("with the file: %s; %s; it was read %d times\n", greetings.front().c_str(), last.c_str(), reads);
  static_cast<void>(std::remove(path.c_str()));
  return why.find(path) != std::string::npos && greetings == std::vector<std::string>(10, "Hello, Bob") &&
                 last == "Hello, Cid" && reads == 1
             ? 0
             : 1;
}
